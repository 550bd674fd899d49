/** Blobs as files of one folder: written under a passing name, synced, renamed, and the folder synced after. */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { corrupt, illegalArgument } from "../errors.ts";
import { checkBlobName } from "./blob-name.ts";

const PASSING = ".writing-";
/** Files kept open for reading. */
const OPEN_FILES = 128;

export interface BlobFiles {
  write(name: string, chunks: readonly Uint8Array[]): Promise<void>;
  size(name: string): number | undefined;
  read(name: string, offset: number, length: number): Uint8Array;
  remove(name: string): Promise<void>;
  list(prefix: string): string[];
  close(): void;
}

/** Syncs a folder: a new or renamed file in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and keeps them itself.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** @param writable creates the folder and removes what a crash left half written. */
export function blobFiles(folder: string, writable: boolean): BlobFiles {
  if (writable) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (name.startsWith(PASSING)) rmSync(join(folder, name), { force: true });
  }
  /** Open files, the least recently read first. */
  const files = new Map<string, number>();
  const forget = (name: string) => {
    const file = files.get(name);
    if (file !== undefined) closeSync(file);
    files.delete(name);
  };
  const fileOf = (name: string): number => {
    let file = files.get(name);
    if (file === undefined) {
      try {
        file = openSync(join(folder, name), "r");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT")
          throw corrupt(join(folder, name), "the segment file is missing");
        throw error;
      }
      if (files.size >= OPEN_FILES) forget(files.keys().next().value as string);
    }
    files.delete(name);
    files.set(name, file);
    return file;
  };
  return {
    async write(name, chunks) {
      checkBlobName(name);
      const path = join(folder, name);
      if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
        throw illegalArgument(`the file [${path}] is there already; segment files are written once`);
      }
      const passing = join(folder, PASSING + name);
      try {
        const file = await open(passing, "w", 0o600);
        try {
          for (const chunk of chunks) {
            for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at, chunk.length - at)).bytesWritten;
          }
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(passing, path);
        await syncFolder(folder);
      } catch (error) {
        await rm(passing, { force: true }).catch(() => undefined);
        await rm(path, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    size: (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size,
    read(name, offset, length) {
      const file = fileOf(name);
      // A buffer of its own begins at a multiple of 8 bytes.
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; ) {
        const count = readSync(file, bytes, at, length - at, offset + at);
        if (count === 0) throw corrupt(join(folder, name), `the file is cut short: byte ${offset + at} is missing`);
        at += count;
      }
      return bytes;
    },
    async remove(name) {
      forget(name);
      await rm(join(folder, name), { force: true });
    },
    list(prefix) {
      try {
        return readdirSync(folder)
          .filter((name) => name.startsWith(prefix) && !name.startsWith(PASSING))
          .sort();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
      }
    },
    close() {
      for (const name of [...files.keys()]) forget(name);
    },
  };
}
