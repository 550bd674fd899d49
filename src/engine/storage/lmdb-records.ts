/** Records in LMDB: opening the file safely, and the checksum that every value carries. */
import { statSync } from "node:fs";
import { crc32 } from "node:zlib";
import { open as openLmdb, type RootDatabase, type Transaction } from "lmdb";
import { corrupt, illegalArgument } from "../errors.ts";
import { printKey } from "./keys.ts";
import { checkLmdbFileSync } from "./lmdb-check.ts";

export type RecordsDb = RootDatabase<Buffer, Buffer>;

/** Sorts before every key of the contract; holds the number of the transaction that wrote it, which must be the file's last. */
export const COMMIT_KEY = Buffer.of(0);
const CRC_BYTES = 4;
/** Files up to this size are checked with each value's checksum when they are opened (some 50 ms), larger ones down to their leaves. */
const SMALL_FILE = 16 << 20;

export function checkBeforeOpening(records: string, readOnly: boolean): void {
  const depth = statSync(records).size <= SMALL_FILE ? "values" : "leaves";
  // While a writer commits, a reader may catch pages of two states: then it looks again.
  for (let attempt = 1; ; attempt++) {
    const { problems } = checkLmdbFileSync(records, { depth, record: recordProblem });
    if (problems.length === 0) return;
    if (!readOnly || attempt === 5) throw corrupt(records, problems[0]);
  }
}

export function openRecords(records: string, readOnly: boolean): RecordsDb {
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

/**
 * The record that every transaction writes must be of the last one: where LMDB fell back to an older state of a damaged file, it is not. The
 * one before is found while another process commits, or where it was killed on the way beside readers: LMDB counts a transaction when it is
 * written, and shows it when it is synced.
 */
export function checkLastCommit(db: RecordsDb, records: string): void {
  const last = lastTransaction(db);
  db.resetReadTxn();
  const stored = db.getBinary(COMMIT_KEY);
  const found = stored === undefined ? 0 : Number(openValue(COMMIT_KEY, stored, records).toString());
  if (found >= last - 1 && found <= lastTransaction(db)) return;
  throw corrupt(records, "the last transaction is not the one that the file was closed with");
}

export const lastTransaction = (db: RecordsDb) => (db.getStats() as { lastTxnId: number }).lastTxnId;

export function sealValue(key: Uint8Array, value: Uint8Array): Buffer {
  const sealed = Buffer.allocUnsafe(CRC_BYTES + value.length);
  sealed.writeUInt32LE(crc32(value, crc32(key)));
  sealed.set(value, CRC_BYTES);
  return sealed;
}

export function recordProblem(key: Uint8Array, sealed: Uint8Array): string | undefined {
  if (sealed.length < CRC_BYTES) return `the record ${printKey(key)} is cut short`;
  const stored = (sealed[0] | (sealed[1] << 8) | (sealed[2] << 16) | (sealed[3] << 24)) >>> 0;
  return stored === crc32(sealed.subarray(CRC_BYTES), crc32(key))
    ? undefined
    : `the record ${printKey(key)} fails its checksum`;
}

export function openValue(key: Uint8Array, sealed: Buffer, records: string): Buffer {
  const problem = recordProblem(key, sealed);
  if (problem !== undefined) throw corrupt(records, problem);
  return sealed.subarray(CRC_BYTES);
}

/** lmdb's declarations leave out that single reads take a transaction too. */
export type Reading = { getBinary(key: Buffer, options: { transaction: Transaction }): Buffer | undefined };

export const plain = (bytes: Buffer): Uint8Array => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
