/**
 * Storage in a folder: records in LMDB, segments as files beside it.
 *
 *     format.json    version of the folder's layout
 *     records.mdb    the records; every value carries a CRC-32 over its key and itself
 *     segments/      one file a blob
 *     writer.lock    who writes
 *
 * Transactions are LMDB's classic ones: pages are written and synced, then the meta page is written through, so that a commit that returned
 * survives a power cut and one that did not leaves no trace. Commits run on a thread of LMDB's; transactions that arrive meanwhile go together in
 * the next one.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { crc32 } from "node:zlib";
import type { Transaction } from "lmdb";
import { corrupt, EngineError, illegalArgument } from "../errors.ts";
import { counted } from "../work.ts";
import { blobFiles } from "./blob-files.ts";
import { writeFailed } from "./errors.ts";
import { decodeKey, encodeKey, prefixEnd, printKey } from "./keys.ts";
import { checkLmdbFile } from "./lmdb-check.ts";
import {
  checkDataFolder,
  checkFormat,
  freeBytes,
  isDataFolder,
  LOCK_FILE,
  makeFolder,
  RECORDS_FILE,
  register,
  removeInterrupted,
  SEGMENTS,
  syncNewRecords,
  writeFormat,
} from "./lmdb-folder.ts";
import { lockWriter } from "./lmdb-lock.ts";
import {
  COMMIT_KEY,
  checkBeforeOpening,
  checkLastCommit,
  lastTransaction,
  openRecords,
  openValue,
  plain,
  type Reading,
  type RecordsDb,
  recordProblem,
  sealValue,
} from "./lmdb-records.ts";
import type { Storage, StorageKey, StorageSnapshot, StorageWrite } from "./types.ts";

/** Most bytes that go together in one commit. */
const GROUP_BYTES = 32 << 20;

export interface LmdbStorageOptions {
  /** Any number of processes may open a folder so, and it may lie on a file system that cannot be written. Default false. */
  readOnly?: boolean;
  /** Makes the folder when it is not there. Default true, and never with `readOnly`. */
  create?: boolean;
}

/**
 * Opens a data folder, making it when it is not there (not with `readOnly` or `create: false`).
 * Throws `data_folder_missing_exception` when it is not there and not to be made, `lock_obtain_failed_exception` when another process writes to it, `corrupt_index_exception` when its files are damaged.
 */
export async function lmdbStorage(path: string, options: LmdbStorageOptions = {}): Promise<Storage> {
  const folder = resolve(path);
  const readOnly = options.readOnly ?? false;
  const release: (() => void)[] = [];
  try {
    if (!readOnly && options.create !== false) makeFolder(folder);
    else checkDataFolder(folder);
    release.push(register(folder, readOnly));
    if (!readOnly) {
      try {
        release.push(lockWriter(join(folder, LOCK_FILE)));
      } catch (error) {
        throw error instanceof EngineError ? error : writeFailed(folder, "the lock of the writer", error);
      }
    }
    const records = join(folder, RECORDS_FILE);
    // The format is written last: a folder without it is one whose making was interrupted, before anything was stored.
    const made = isDataFolder(folder);
    if (made) {
      checkFormat(folder);
      if (!existsSync(records)) throw corrupt(records, "the file is missing");
      checkBeforeOpening(records, readOnly);
    } else removeInterrupted(folder);
    const db = openRecords(records, readOnly);
    release.push(() => void db.close().catch(() => undefined));
    if (!made) {
      try {
        await syncNewRecords(records);
        await writeFormat(folder);
      } catch (error) {
        throw writeFailed(folder, "the new data folder", error, freeBytes(folder));
      }
    }
    checkLastCommit(db, records);
    const blobs = blobFiles(join(folder, SEGMENTS), !readOnly);
    return storageOf(folder, records, db, blobs, readOnly, async () => {
      blobs.close();
      await db.close();
      release.pop();
      for (const free of release.reverse()) free();
    });
  } catch (error) {
    for (const free of release.reverse()) free();
    throw error;
  }
}

interface Pending {
  readonly writes: readonly { key: Buffer; value: Buffer | undefined }[];
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function storageOf(
  folder: string,
  records: string,
  db: RecordsDb,
  blobs: ReturnType<typeof blobFiles>,
  readOnly: boolean,
  closeAll: () => Promise<void>,
): Storage {
  let closed = false;
  let fatal: EngineError | undefined;
  const pending: Pending[] = [];
  let committing: Promise<void> | undefined;
  /** Ends of the snapshots and ranges that are open. */
  const snapshots = new Set<() => void>();
  /** Blobs on their way to the disk. */
  const blobWrites = new Set<Promise<void>>();

  const checkOpen = () => {
    if (closed) throw illegalArgument(`the data folder [${folder}] is closed`);
  };
  const checkWritable = () => {
    checkOpen();
    if (readOnly) throw illegalArgument(`the data folder [${folder}] is open read-only`);
    if (fatal !== undefined) throw fatal;
  };
  const guarded = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw error instanceof EngineError
        ? error
        : corrupt(records, `LMDB cannot read a record (${(error as Error).message})`);
    }
  };
  const read = (key: StorageKey, transaction?: Transaction): Uint8Array | undefined => {
    if (counted) counted.records++;
    const bytes = encodeKey(key) as Buffer;
    return guarded(() => {
      const sealed =
        transaction === undefined ? db.getBinary(bytes) : (db as Reading).getBinary(bytes, { transaction });
      return sealed === undefined ? undefined : plain(openValue(bytes, sealed, records));
    });
  };
  /**
   * The transaction that a moment shows, by the record that each one writes. What LMDB says of the file is not asked: it counts a transaction
   * before readers see it.
   */
  let commit: { readonly sealed: Buffer; readonly version: number } | undefined;
  const versionAt = (transaction?: Transaction): number => {
    const sealed = guarded(() =>
      transaction === undefined ? db.getBinary(COMMIT_KEY) : (db as Reading).getBinary(COMMIT_KEY, { transaction }),
    );
    if (sealed === undefined) return 0;
    if (commit === undefined || !sealed.equals(commit.sealed))
      commit = { sealed, version: Number(openValue(COMMIT_KEY, sealed, records).toString()) };
    return commit.version;
  };
  function* range(prefix: StorageKey, start: StorageKey | undefined, transaction: Transaction | undefined) {
    const low = prefix.length === 0 ? Buffer.of(1) : Buffer.from(encodeKey(prefix));
    let from = start === undefined ? low : Buffer.from(encodeKey(start));
    if (Buffer.compare(from, low) < 0) from = low;
    const end = prefix.length === 0 ? Buffer.of(0xff) : Buffer.from(prefixEnd(low));
    const entries = db.getRange({ start: from, end, transaction })[Symbol.iterator]();
    try {
      for (;;) {
        const step = guarded(() => entries.next());
        if (step.done) return;
        const { key: bytes, value } = step.value;
        const opened = openValue(bytes, value, records);
        const key = decodeKey(bytes);
        if (key === undefined) throw corrupt(records, `the record ${printKey(bytes)} has an impossible key`);
        yield { key, value: plain(opened) };
      }
    } finally {
      entries.return?.();
    }
  }

  /** A read transaction that stays at its moment until it is closed, at the latest with the storage. */
  function heldRead() {
    const transaction = db.useReadTransaction();
    let open = true;
    const close = () => {
      if (!open) return;
      open = false;
      snapshots.delete(close);
      transaction.done();
    };
    snapshots.add(close);
    return { transaction, isOpen: () => open, close };
  }

  /** A range that stays at its moment, whatever is committed while its reader does other things. */
  function* ownRange(prefix: StorageKey, start: StorageKey | undefined) {
    const { transaction, isOpen, close } = heldRead();
    try {
      for (const entry of range(prefix, start, transaction)) {
        yield entry;
        if (!isOpen()) throw illegalArgument(`the data folder [${folder}] is closed`);
      }
    } finally {
      close();
    }
  }

  async function commitGroup(group: readonly Pending[]): Promise<void> {
    const transaction = lastTransaction(db) + 1;
    const commit = Buffer.from(String(transaction));
    // The buffers stay reachable through `group` until LMDB's thread has copied them.
    const sealedCommit = sealValue(COMMIT_KEY, commit);
    const done = db.batch(() => {
      for (const { writes } of group)
        for (const { key, value } of writes) value === undefined ? db.remove(key) : db.put(key, value);
      db.put(COMMIT_KEY, sealedCommit);
    });
    try {
      await done;
    } catch (error) {
      // LMDB's wrapper rejects with a promise of the reason.
      let reason: unknown = error;
      try {
        await (error as { commitError?: Promise<never> }).commitError;
      } catch (cause) {
        reason = cause;
      }
      throw reason;
    }
    if (lastTransaction(db) !== transaction)
      throw new Error(`LMDB wrote transaction ${lastTransaction(db)} in place of ${transaction}`);
  }

  /** After a failed commit LMDB either goes on as if nothing had been, or wants to be opened again (its meta page could not be written). */
  function checkSanity(cause: unknown): void {
    try {
      db.transactionSync(() => undefined, 2);
    } catch {
      fatal = writeFailed(folder, "the last write", cause, freeBytes(folder));
      fatal.message += "; the data folder must be closed and opened again before it takes writes";
    }
  }

  async function commitAll(): Promise<void> {
    // Calls of the same turn go together.
    await Promise.resolve();
    while (pending.length > 0) {
      let bytes = 0;
      let count = 0;
      while (count < pending.length && (count === 0 || bytes + pending[count].bytes <= GROUP_BYTES))
        bytes += pending[count++].bytes;
      const group = pending.splice(0, count);
      try {
        if (fatal !== undefined) throw fatal;
        await commitGroup(group);
        for (const { resolve } of group) resolve();
      } catch (error) {
        const failure =
          error instanceof EngineError ? error : writeFailed(folder, "the transaction", error, freeBytes(folder));
        if (fatal === undefined) checkSanity(error);
        for (const { reject } of group) reject(failure);
      }
    }
  }

  return {
    readOnly,
    location: folder,
    get(key) {
      checkOpen();
      return read(key);
    },
    range(prefix, start) {
      checkOpen();
      return { [Symbol.iterator]: () => ownRange(prefix, start) };
    },
    snapshot(): StorageSnapshot {
      checkOpen();
      // What this process has just committed, or another one, is seen from here on.
      db.resetReadTxn();
      const { transaction, isOpen, close } = heldRead();
      const checkSnapshot = () => {
        if (!isOpen()) throw illegalArgument("the storage snapshot is closed");
      };
      return {
        get(key) {
          checkSnapshot();
          return read(key, transaction);
        },
        range(prefix, start) {
          checkSnapshot();
          return { [Symbol.iterator]: () => range(prefix, start, transaction) };
        },
        version() {
          checkSnapshot();
          return versionAt(transaction);
        },
        close,
      };
    },
    async transact(writes: readonly StorageWrite[]) {
      checkWritable();
      if (writes.length === 0) return;
      let bytes = 0;
      const encoded = writes.map((write) => {
        const key = encodeKey("put" in write ? write.put : write.remove) as Buffer;
        const value = "put" in write ? sealValue(key, write.value) : undefined;
        bytes += key.length + (value?.length ?? 0);
        return { key, value };
      });
      await new Promise<void>((resolve, reject) => {
        pending.push({ writes: encoded, bytes, resolve, reject });
        committing ??= commitAll().finally(() => {
          committing = undefined;
        });
      });
    },
    async writeBlob(name, chunks) {
      checkWritable();
      const write = blobs.write(name, chunks);
      blobWrites.add(write);
      try {
        await write;
      } catch (error) {
        throw error instanceof EngineError
          ? error
          : writeFailed(folder, `the segment file ${name}`, error, freeBytes(folder));
      } finally {
        blobWrites.delete(write);
      }
    },
    blobSize: (name) => blobs.size(name),
    readBlob(name, offset, length) {
      checkOpen();
      return blobs.read(name, offset, length);
    },
    async removeBlob(name) {
      checkWritable();
      await blobs.remove(name);
    },
    listBlobs: (prefix) => blobs.list(prefix),
    version() {
      checkOpen();
      db.resetReadTxn();
      return versionAt();
    },
    crc32: (bytes) => crc32(bytes),
    async verify(options = {}) {
      checkOpen();
      // Pages that this moment uses are not written over while a reader stands at it.
      db.resetReadTxn();
      const transaction = db.useReadTransaction();
      try {
        const result = await checkLmdbFile(records, { depth: "values", record: recordProblem, pause: options.pause });
        return { damaged: result.problems.map((problem) => `${records}: ${problem}`), checked: result.records };
      } finally {
        transaction.done();
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled([committing, ...blobWrites]);
      for (const closeSnapshot of [...snapshots]) closeSnapshot();
      await closeAll();
    },
  };
}
