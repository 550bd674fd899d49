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
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { open as openFile, rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { open as openLmdb, type RootDatabase, type Transaction } from "lmdb";
import { corrupt, EngineError, illegalArgument } from "../errors.ts";
import { blobFiles, syncFolder } from "./blob-files.ts";
import { writeFailed } from "./errors.ts";
import { decodeKey, encodeKey, prefixEnd, printKey } from "./keys.ts";
import { checkLmdbFile, checkLmdbFileSync } from "./lmdb-check.ts";
import { lockWriter } from "./lmdb-lock.ts";
import type { Storage, StorageKey, StorageSnapshot, StorageWrite } from "./types.ts";

const FORMAT = 1;
const FORMAT_FILE = "format.json";
const RECORDS_FILE = "records.mdb";
const LOCK_FILE = "writer.lock";
const SEGMENTS = "segments";
/** Sorts before every key of the contract; holds the number of the transaction that wrote it, which must be the file's last. */
const COMMIT_KEY = Uint8Array.of(0);
const CRC_BYTES = 4;
/** Files up to this size are checked wholly when they are opened (some 50 ms), larger ones down to their leaves. */
const SMALL_FILE = 16 << 20;
/** Most bytes that go together in one commit. */
const GROUP_BYTES = 32 << 20;

/** Folders open in this process. LMDB's locks belong to a process, and it cannot change from reading to writing. */
const openHere = new Map<string, { readers: number; writer: boolean }>();

export interface LmdbStorageOptions {
  /** Any number of processes may open a folder so, and it may lie on a file system that cannot be written. Default false. */
  readOnly?: boolean;
}

/**
 * Opens a data folder, making it when it is not there (not with `readOnly`).
 * Throws `lock_obtain_failed_exception` when another process writes to it, `corrupt_index_exception` when its files are damaged.
 */
export async function lmdbStorage(path: string, options: LmdbStorageOptions = {}): Promise<Storage> {
  const folder = resolve(path);
  const readOnly = options.readOnly ?? false;
  const release: (() => void)[] = [];
  try {
    if (readOnly) {
      if (!existsSync(join(folder, FORMAT_FILE)))
        throw illegalArgument(`there is no data folder at [${folder}]; create it by opening it for writing`);
    } else makeFolder(folder);
    release.push(register(folder, readOnly));
    if (!readOnly) {
      try {
        release.push(lockWriter(join(folder, LOCK_FILE)));
      } catch (error) {
        throw error instanceof EngineError ? error : writeFailed(folder, "the lock of the writer", error);
      }
      if (!existsSync(join(folder, FORMAT_FILE))) await writeFormat(folder);
    }
    checkFormat(folder);
    const records = join(folder, RECORDS_FILE);
    const fresh = !existsSync(records);
    if (fresh && readOnly) throw corrupt(records, "the file is missing");
    if (!fresh) checkBeforeOpening(records, readOnly);
    const db = openRecords(records, readOnly);
    release.push(() => void db.close().catch(() => undefined));
    if (fresh) {
      // Readable by its owner only, whatever the process's mask.
      for (const file of [records, `${records}-lock`]) if (existsSync(file)) chmodSync(file, 0o600);
      await syncFolder(folder);
      await syncFolder(dirname(folder));
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

function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  else if (!statSync(folder).isDirectory()) throw illegalArgument(`[${folder}] is not a folder`);
  else if (
    !existsSync(join(folder, FORMAT_FILE)) &&
    readdirSync(folder).some((name) => name === RECORDS_FILE || name === SEGMENTS)
  ) {
    throw corrupt(join(folder, FORMAT_FILE), "the file that names the folder's format is missing");
  }
}

function register(folder: string, readOnly: boolean): () => void {
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

async function writeFormat(folder: string): Promise<void> {
  const passing = join(folder, `.${FORMAT_FILE}`);
  try {
    const file = await openFile(passing, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ huiliu: "data folder", format: FORMAT })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(passing, join(folder, FORMAT_FILE));
    await syncFolder(folder);
  } catch (error) {
    throw writeFailed(folder, "the new data folder", error, freeBytes(folder));
  }
}

function checkFormat(folder: string): void {
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

function checkBeforeOpening(records: string, readOnly: boolean): void {
  const full = statSync(records).size <= SMALL_FILE;
  // While a writer commits, a reader may catch pages of two states: then it looks again.
  for (let attempt = 1; ; attempt++) {
    const { problems } = checkLmdbFileSync(records, { full, record: recordProblem });
    if (problems.length === 0) return;
    if (!readOnly || attempt === 5) throw corrupt(records, problems[0]);
  }
}

function openRecords(records: string, readOnly: boolean): RootDatabase<Buffer, Buffer> {
  try {
    return openLmdb<Buffer, Buffer>({
      path: records,
      noSubdir: true,
      encoding: "binary",
      keyEncoding: "binary",
      // Commit means synced; grouping is done here, where a failure rejects exactly what it concerns.
      overlappingSync: false,
      eventTurnBatching: false,
      readOnly,
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (String(code) === "13" && readOnly) {
      throw illegalArgument(
        `[${records}-lock] cannot be written, where each reader notes what it reads: allow it to this user, or copy the folder and open the copy`,
      );
    }
    throw corrupt(records, `LMDB cannot open the file (${(error as Error).message})`);
  }
}

function checkLastCommit(db: RootDatabase<Buffer, Buffer>, records: string): void {
  for (let attempt = 1; ; attempt++) {
    db.resetReadTxn();
    const last = lastTransaction(db);
    const stored = db.getBinary(COMMIT_KEY as Buffer);
    if (stored === undefined ? last === 0 : openValue(COMMIT_KEY, stored, records).toString() === String(last)) return;
    if (attempt === 5) throw corrupt(records, "the last transaction is not the one that the file was closed with");
  }
}

const lastTransaction = (db: RootDatabase<Buffer, Buffer>) => (db.getStats() as { lastTxnId: number }).lastTxnId;

function sealValue(key: Uint8Array, value: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafeSlow(CRC_BYTES + value.length);
  sealed.writeUInt32LE(crc32(value, crc32(key)));
  sealed.set(value, CRC_BYTES);
  return sealed;
}

function recordProblem(key: Uint8Array, sealed: Uint8Array): string | undefined {
  if (sealed.length < CRC_BYTES) return `the record ${printKey(key)} is cut short`;
  const stored = (sealed[0] | (sealed[1] << 8) | (sealed[2] << 16) | (sealed[3] << 24)) >>> 0;
  return stored === crc32(sealed.subarray(CRC_BYTES), crc32(key))
    ? undefined
    : `the record ${printKey(key)} fails its checksum`;
}

function openValue(key: Uint8Array, sealed: Buffer, records: string): Buffer {
  const problem = recordProblem(key, sealed);
  if (problem !== undefined) throw corrupt(records, problem);
  return sealed.subarray(CRC_BYTES);
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
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
  db: RootDatabase<Buffer, Buffer>,
  blobs: ReturnType<typeof blobFiles>,
  readOnly: boolean,
  closeAll: () => Promise<void>,
): Storage {
  let closed = false;
  let fatal: EngineError | undefined;
  const pending: Pending[] = [];
  let committing: Promise<void> | undefined;
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
    const bytes = encodeKey(key) as Buffer;
    return guarded(() => {
      const sealed =
        transaction === undefined ? db.getBinary(bytes) : (db as Reading).getBinary(bytes, { transaction });
      return sealed === undefined ? undefined : plain(openValue(bytes, sealed, records));
    });
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

  async function commitGroup(group: readonly Pending[]): Promise<void> {
    const transaction = lastTransaction(db) + 1;
    const commit = Buffer.from(String(transaction));
    // The buffers stay reachable through `group` until LMDB's thread has copied them.
    const sealedCommit = sealValue(COMMIT_KEY, commit);
    const done = db.batch(() => {
      for (const { writes } of group)
        for (const { key, value } of writes) value === undefined ? db.remove(key) : db.put(key, value);
      db.put(COMMIT_KEY as Buffer, sealedCommit);
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
      return { [Symbol.iterator]: () => range(prefix, start, undefined) };
    },
    snapshot(): StorageSnapshot {
      checkOpen();
      // What this process has just committed, or another one, is seen from here on.
      db.resetReadTxn();
      const transaction = db.useReadTransaction();
      let open = true;
      const close = () => {
        if (!open) return;
        open = false;
        snapshots.delete(close);
        transaction.done();
      };
      snapshots.add(close);
      const checkSnapshot = () => {
        if (!open) throw illegalArgument("the storage snapshot is closed");
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
        close,
      };
    },
    async transact(writes: readonly StorageWrite[]) {
      checkWritable();
      if (writes.length === 0) return;
      let bytes = 0;
      const encoded = writes.map((write) => {
        const key = Buffer.from(encodeKey("put" in write ? write.put : write.remove));
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
      return lastTransaction(db);
    },
    crc32: (bytes) => crc32(bytes),
    async verify(options = {}) {
      checkOpen();
      // Pages that this moment uses are not written over while a reader stands at it.
      db.resetReadTxn();
      const transaction = db.useReadTransaction();
      try {
        const result = await checkLmdbFile(records, { full: true, record: recordProblem, pause: options.pause });
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

/** lmdb's declarations leave out that single reads take a transaction too. */
type Reading = { getBinary(key: Buffer, options: { transaction: Transaction }): Buffer | undefined };

const plain = (bytes: Buffer): Uint8Array => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
