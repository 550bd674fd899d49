/** The folder around the records: what makes it a data folder, its format, and who has it open in this process. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { open as openFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { corrupt, dataFolderMissing, EngineError, illegalArgument } from "../errors.ts";
import { syncFolder } from "./blob-files.ts";
import { neverCommitted } from "./lmdb-check.ts";

const FORMAT = 1;
export const FORMAT_FILE = "format.json";
export const RECORDS_FILE = "records.mdb";
export const LOCK_FILE = "writer.lock";
export const SEGMENTS = "segments";

/** Folders open in this process. LMDB's locks belong to a process, and it cannot change from reading to writing. */
const openHere = new Map<string, { readers: number; writer: boolean }>();

/**
 * Makes a folder and those above it. Not by Node's own recursion, which never ends where a folder exists and none can be made in it
 * (`/proc`).
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) makeOne(each);
  if (!statSync(folder).isDirectory()) throw illegalArgument(`[${folder}] is not a folder`);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process made it just now.
    if (code === "EEXIST" && existsSync(folder)) return;
    if (code !== "ENOENT" && code !== "EEXIST") throw error;
    throw illegalArgument(`the folder [${folder}] cannot be made here: choose another place for the data`);
  }
}

/** True for a folder that holds data, or the beginnings of them. */
export function isDataFolder(folder: string): boolean {
  return existsSync(join(folder, FORMAT_FILE));
}

function formatMissing(folder: string): EngineError {
  return corrupt(join(folder, FORMAT_FILE), "the file that names the folder's format is missing");
}

/** True for a folder in which something was stored, whether or not it can be read. */
function isUsed(folder: string): boolean {
  const records = join(folder, RECORDS_FILE);
  const segments = join(folder, SEGMENTS);
  return (
    (existsSync(records) && !neverCommitted(records)) || (existsSync(segments) && readdirSync(segments).length > 0)
  );
}

/** Refuses a folder that is not to be made. */
export function checkDataFolder(folder: string): void {
  if (isDataFolder(folder)) return;
  if (isUsed(folder)) throw formatMissing(folder);
  throw dataFolderMissing(folder);
}

/** Removes what an interrupted making of the folder left. Records that were ever written to are never removed. */
export function removeInterrupted(folder: string): void {
  if (isUsed(folder)) throw formatMissing(folder);
  const records = join(folder, RECORDS_FILE);
  for (const file of [records, `${records}-lock`]) rmSync(file, { force: true });
}

/** Makes a new records file durable, and readable by its owner only, whatever the process's mask. */
export async function syncNewRecords(records: string): Promise<void> {
  for (const file of [records, `${records}-lock`]) if (existsSync(file)) chmodSync(file, 0o600);
  const file = await openFile(records, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

export function register(folder: string, readOnly: boolean): () => void {
  const uses = openHere.get(folder) ?? { readers: 0, writer: false };
  if (!readOnly && (uses.writer || uses.readers > 0)) {
    throw new EngineError(
      "lock_obtain_failed_exception",
      `process ${process.pid}, this one, has the data folder [${folder}] open already ${uses.writer ? "for writing" : "read-only"}: ` +
        "use that opening, or close it first",
      { status: 500, metadata: { pid: process.pid } },
    );
  }
  openHere.set(folder, { readers: uses.readers + (readOnly ? 1 : 0), writer: uses.writer || !readOnly });
  return () => {
    const now = openHere.get(folder) ?? { readers: 0, writer: false };
    const left = { readers: now.readers - (readOnly ? 1 : 0), writer: readOnly && now.writer };
    if (left.readers === 0 && !left.writer) openHere.delete(folder);
    else openHere.set(folder, left);
  };
}

export async function writeFormat(folder: string): Promise<void> {
  const passing = join(folder, `.${FORMAT_FILE}`);
  const file = await openFile(passing, "w", 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ huiliu: "data folder", format: FORMAT })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(passing, join(folder, FORMAT_FILE));
  await syncFolder(folder);
  await syncFolder(dirname(folder));
}

export function checkFormat(folder: string): void {
  const file = join(folder, FORMAT_FILE);
  let format: unknown;
  try {
    const text = readFileSync(file, "utf8");
    const parsed = JSON.parse(text) as { huiliu?: unknown; format?: unknown };
    if (parsed.huiliu === "data folder") format = parsed.format;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!Number.isInteger(format) || (format as number) < 1) throw corrupt(file, "the folder's format cannot be read");
  if ((format as number) > FORMAT) {
    throw illegalArgument(
      `the data folder [${folder}] has format ${format}, written by a newer version; this one reads up to format ${FORMAT}: update it`,
    );
  }
}

export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
