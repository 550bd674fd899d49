/** A whole engine in one file: saved from any storage, loaded into memory. */
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { memoryStorage } from "../engine/storage/memory.ts";
import type { Storage } from "../engine/storage/types.ts";
import { randomId } from "../schema/index.ts";
import { readArchive, writeArchive } from "./archive.ts";

/** Writes the file whole and synced, or leaves what was there. */
export async function saveStorage(storage: Storage, file: string): Promise<void> {
  const fresh = `${file}.${randomId()}.new`;
  let handle: FileHandle | undefined;
  try {
    handle = await open(fresh, "wx");
    await writeArchive(
      storage,
      () => begun(handle!),
      () => setImmediate(),
    );
    await handle.sync();
    await handle.close();
    await rename(fresh, file);
  } catch (error) {
    await handle?.close().catch(() => {});
    await rm(fresh, { force: true });
    throw error;
  }
}

/** An empty file again, and what puts bytes into it from its beginning. */
async function begun(handle: FileHandle): Promise<(bytes: Uint8Array) => Promise<void>> {
  await handle.truncate(0);
  let at = 0;
  return async (bytes) => {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at);
      done += bytesWritten;
      at += bytesWritten;
    }
  };
}

export async function loadStorage(file: string): Promise<Storage> {
  const storage = memoryStorage();
  await readArchive(storage, createReadStream(file, { highWaterMark: 1 << 20 }), file);
  return storage;
}
