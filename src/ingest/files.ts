/** Finding files below paths, folders and globs, and taking their bytes. Nothing is parsed here. */
import { createHash } from "node:crypto";
import type { Dirent, Stats } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, posix, relative, resolve, sep } from "node:path";
import { type CallOptions, FileError, type FileSource } from "../schema/index.ts";
import { isKnownExtension, KNOWN_EXTENSIONS } from "./readers/index.ts";

export interface FoundFile {
  /** As it is stored: relative to the working folder when it lies below it, with `/`; else absolute. */
  file: string;
  /** Absolute. */
  path: string;
  bytes: number;
  modified: Date;
}

/** A path at which there is nothing to read, and why. */
export interface UnreadableFile {
  file: string;
  error: FileError;
}

export interface FindOptions extends CallOptions {
  /** Larger files are reported, not read. Default 64 MiB. */
  maxFileBytes?: number;
  /** A folder that is passed over, as the index's own is. */
  exclude?: string;
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * The files of paths, folders and globs, each once, a folder's in the order of their names. Folders are walked: hidden files and folders,
 * `node_modules`, links to folders and files of a kind that is not read are passed over there. What was named and cannot be read is
 * reported.
 *
 * @example for await (const found of findFiles(["docs", "notes/*.md"])) console.log(found.file);
 */
export async function* findFiles(
  paths: string[],
  options: FindOptions = {},
): AsyncGenerator<FoundFile | UnreadableFile> {
  const { signal, maxFileBytes = MAX_FILE_BYTES } = options;
  const excluded = options.exclude === undefined ? undefined : resolve(options.exclude);
  const seen = new Set<string>();
  for (const path of paths) {
    for await (const item of below(path, excluded, signal)) {
      signal?.throwIfAborted();
      const absolute = item.path;
      if (seen.has(absolute)) continue;
      seen.add(absolute);
      const file = storedName(absolute);
      if (item.error) yield { file, error: item.error };
      else yield await found(file, absolute, maxFileBytes);
    }
  }
}

interface Named {
  path: string;
  error?: FileError;
}

async function* below(path: string, excluded: string | undefined, signal?: AbortSignal): AsyncGenerator<Named> {
  const absolute = resolve(path);
  let stats: Stats;
  try {
    stats = await stat(absolute);
  } catch (error) {
    if (hasCode(error, "ENOENT") && isGlob(path)) yield* matches(path, excluded);
    else yield { path: absolute, error: unreadable(storedName(absolute), error) };
    return;
  }
  if (stats.isDirectory()) yield* walk(absolute, excluded, signal);
  else if (isKnownExtension(extensionOf(absolute))) yield { path: absolute };
  else {
    const extension = extensionOf(absolute);
    const kind = extension === "" ? "files without an extension" : `.${extension} files`;
    const remedy = `readable are .${KNOWN_EXTENSIONS.join(", .")}`;
    yield {
      path: absolute,
      error: new FileError("FILE_TYPE_UNKNOWN", storedName(absolute), `${kind} cannot be read: ${remedy}`),
    };
  }
}

async function* walk(folder: string, excluded: string | undefined, signal?: AbortSignal): AsyncGenerator<Named> {
  if (folder === excluded) return;
  signal?.throwIfAborted();
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    yield { path: folder, error: unreadable(storedName(folder), error) };
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path, excluded, signal);
    else if (isKnownExtension(extensionOf(path)) && (entry.isFile() || (await isLinkToFile(entry, path)))) {
      yield { path };
    }
  }
}

async function isLinkToFile(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return false;
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

export function isGlob(path: string): boolean {
  return /[*?[\]{}!]/.test(path);
}

async function* matches(pattern: string, excluded: string | undefined): AsyncGenerator<Named> {
  const { glob } = await import("tinyglobby");
  const found = await glob(sep === "\\" ? pattern.replaceAll("\\", "/") : pattern, {
    absolute: true,
    dot: false,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: ["**/node_modules/**"],
  });
  const readable = found
    .map((path) => resolve(path))
    .filter((path) => isKnownExtension(extensionOf(path)) && !path.startsWith(`${excluded}${sep}`))
    .sort();
  if (readable.length === 0) {
    const why = found.length === 0 ? "no file matches" : "no file that matches is of a kind that can be read";
    yield { path: resolve(pattern), error: new FileError("FILE_NOT_FOUND", pattern, why) };
  }
  for (const path of readable) yield { path };
}

async function found(file: string, path: string, maxFileBytes: number): Promise<FoundFile | UnreadableFile> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new FileError("FILE_UNREADABLE", file, "is not a regular file");
    if (stats.size > maxFileBytes) throw tooLarge(file, stats.size, maxFileBytes);
    return { file, path, bytes: stats.size, modified: stats.mtime };
  } catch (error) {
    return { file, error: error instanceof FileError ? error : unreadable(file, error) };
  }
}

function tooLarge(file: string, bytes: number, most: number): FileError {
  const mib = (n: number) => `${Math.ceil((n / 1024 / 1024) * 10) / 10} MiB`;
  return new FileError(
    "FILE_TOO_LARGE",
    file,
    `has ${mib(bytes)}, more than maxFileBytes (${mib(most)}): split the file, or raise the limit`,
  );
}

/**
 * Reads a file's bytes. `hash` is their SHA-256 in hex; `source.metadata` holds `file`, `extension`, `folder` and `modified` (ISO time).
 *
 * @throws FileError when the file cannot be read
 */
export async function loadFile(
  { file, path, modified }: FoundFile,
  { signal }: CallOptions = {},
): Promise<{ source: FileSource; hash: string }> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw unreadable(file, error);
  }
  return fileSource(file, bytes, modified);
}

/** Bytes under a file's name as readers take them, wherever they come from. */
export function fileSource(file: string, bytes: Uint8Array, modified?: Date): { source: FileSource; hash: string } {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const metadata = {
    file,
    extension: extensionOf(file),
    folder: posix.dirname(file),
    ...(modified ? { modified: modified.toISOString() } : {}),
  };
  return { source: { file, bytes, metadata }, hash };
}

/** Lower-case, without the dot; "" where there is none. */
export function extensionOf(path: string): string {
  return extname(basename(path)).slice(1).toLowerCase();
}

/** How a file is named in an index: from the working folder, where it lies below it; else absolute. Always with `/`. */
export function storedName(path: string): string {
  const absolute = resolve(path);
  const inside = relative(process.cwd(), absolute);
  if (inside === "") return ".";
  const outside = inside === ".." || inside.startsWith(`..${sep}`) || resolve(dirname(absolute)) === inside;
  return (outside ? absolute : inside).replaceAll(sep, "/");
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}

function unreadable(file: string, cause: unknown): FileError {
  if (hasCode(cause, "ENOENT") || hasCode(cause, "ENOTDIR")) {
    return new FileError("FILE_NOT_FOUND", file, "there is no such file or folder", { cause });
  }
  const denied = hasCode(cause, "EACCES") || hasCode(cause, "EPERM");
  const message = denied ? "permission denied: make it readable for this user" : `cannot be read (${String(cause)})`;
  return new FileError("FILE_UNREADABLE", file, message, { cause });
}
