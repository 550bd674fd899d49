/** Storages that fail: a disk without room, and a power cut that loses what was not synced. */
import type { Storage } from "../../../../src/engine/storage/types.ts";

/** Lets `fails` decide, for each write to the disk, whether there is room for it. */
export function fullDisk(storage: Storage, fails: (what: "transact" | "writeBlob") => boolean): Storage {
  const noRoom = () => Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  return {
    ...storage,
    async transact(writes) {
      // The disk is asked when the write comes to it, not when it is called.
      await new Promise((resolve) => setImmediate(resolve));
      if (fails("transact")) throw noRoom();
      await storage.transact(writes);
    },
    async writeBlob(name, chunks) {
      await new Promise((resolve) => setImmediate(resolve));
      if (fails("writeBlob")) throw noRoom();
      await storage.writeBlob(name, chunks);
    },
  };
}

/**
 * After `writes` writes the power is cut: what was under way is lost or not, as `survives` decides, and nothing answers any more. A blob's
 * removal is never synced: `restore()` brings back removed blobs that `survives` names.
 */
export function powerCut(
  storage: Storage,
  writes: number,
  survives: () => boolean,
): { storage: Storage; cut: Promise<void>; restore(): Promise<void> } {
  let left = writes;
  let cutNow = (): void => undefined;
  const cut = new Promise<void>((resolve) => {
    cutNow = resolve;
  });
  const removed = new Map<string, Uint8Array>();
  const never = new Promise<never>(() => undefined);
  const write = async (apply: () => Promise<void>): Promise<void> => {
    if (left <= 0) {
      await never;
    }
    left--;
    if (left > 0) {
      await apply();
      return;
    }
    if (survives()) await apply();
    cutNow();
    await never;
  };
  return {
    storage: {
      ...storage,
      transact: (given) => write(() => storage.transact(given)),
      writeBlob: (name, chunks) => write(() => storage.writeBlob(name, chunks)),
      async removeBlob(name) {
        if (left <= 0) await never;
        const size = storage.blobSize(name);
        if (size !== undefined) removed.set(name, storage.readBlob(name, 0, size));
        await storage.removeBlob(name);
      },
      close: async () => undefined,
    },
    cut,
    /** Whoever still writes is dead by now. */
    async restore() {
      left = 0;
      for (const [name, blob] of removed)
        if (storage.blobSize(name) === undefined && survives()) await storage.writeBlob(name, [blob]);
    },
  };
}
