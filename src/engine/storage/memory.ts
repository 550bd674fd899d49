/**
 * Storage in memory: the same contract without a disk, for browsers, tests and passing indices.
 *
 * Records are kept under their encoded key (as a string of bytes, so that JavaScript compares them as bytes) in a sorted list of chunks.
 * A key keeps older values only as long as a snapshot is open that can see them.
 */
import { corrupt, illegalArgument } from "../errors.ts";
import { crc32 } from "../segment/crc32.ts";
import { counted } from "../work.ts";
import { checkBlobName } from "./blob-name.ts";
import { decodeKey, encodeKey } from "./keys.ts";
import type { Storage, StorageKey, StorageSnapshot, StorageWrite } from "./types.ts";

const CHUNK = 512;

interface Version {
  /** Number of the transaction that wrote it. */
  readonly transaction: number;
  /** Undefined: removed. */
  readonly value: Uint8Array | undefined;
  readonly older: Version | undefined;
}

/** Encoded keys in order: a list of sorted chunks. */
function sortedKeys() {
  const chunks: string[][] = [];
  const lowerBound = (list: readonly string[], key: string): number => {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (list[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** The chunk that holds `key`, or would: the last whose first key is not after it. */
  const chunkOf = (key: string): number => {
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (chunks[middle][0] <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  };
  return {
    add(key: string): void {
      if (chunks.length === 0) {
        chunks.push([key]);
        return;
      }
      const at = chunkOf(key);
      const chunk = chunks[at];
      chunk.splice(lowerBound(chunk, key), 0, key);
      if (chunk.length > CHUNK) chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2));
    },
    remove(key: string): void {
      const at = chunkOf(key);
      const chunk = chunks[at];
      chunk.splice(lowerBound(chunk, key), 1);
      if (chunk.length === 0) chunks.splice(at, 1);
    },
    /** First key at or after `key` (after it when `exclusive`). */
    seek(key: string, exclusive: boolean): string | undefined {
      if (chunks.length === 0) return undefined;
      let at = chunkOf(key);
      let index = lowerBound(chunks[at], key);
      if (exclusive && chunks[at][index] === key) index++;
      if (index === chunks[at].length) {
        at++;
        index = 0;
      }
      return chunks[at]?.[index];
    },
  };
}

function bytesToString(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function stringToBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** An empty storage in memory. What it holds is gone with it. */
export function memoryStorage(options: { location?: string } = {}): Storage {
  const location = options.location ?? "memory";
  const records = new Map<string, Version>();
  const keys = sortedKeys();
  const blobs = new Map<string, Uint8Array>();
  /** Open snapshots: the transaction they see, how many of them. */
  const openSnapshots = new Map<number, number>();
  /** Keys with older values or a removal to be forgotten when snapshots close. */
  const stale = new Set<string>();
  let transaction = 0;
  let closed = false;

  const checkOpen = () => {
    if (closed) throw illegalArgument(`the storage [${location}] is closed`);
  };
  const oldestView = () => Math.min(transaction, ...openSnapshots.keys());
  const visible = (key: string, view: number): Uint8Array | undefined => {
    let version = records.get(key);
    while (version !== undefined && version.transaction > view) version = version.older;
    return version?.value;
  };

  /** Forgets values that no view can see. */
  const prune = (key: string, oldest: number): void => {
    const newest = records.get(key);
    if (newest === undefined) return;
    const kept: Version[] = [];
    for (let version: Version | undefined = newest; version !== undefined; version = version.older) {
      kept.push(version);
      if (version.transaction <= oldest) break;
    }
    const last = kept[kept.length - 1];
    if (last.value === undefined && last.transaction <= oldest) kept.pop();
    if (kept.length === 0) {
      records.delete(key);
      keys.remove(key);
      stale.delete(key);
      return;
    }
    const chain = kept.reduceRight<Version | undefined>(
      (older, version) => ({ ...version, older }),
      undefined,
    ) as Version;
    records.set(key, chain);
    if (kept.length === 1 && chain.value !== undefined) stale.delete(key);
    else stale.add(key);
  };

  function* range(view: () => number, prefix: StorageKey, start?: StorageKey) {
    const low = prefix.length === 0 ? "" : bytesToString(encodeKey(prefix));
    let position = start === undefined ? low : bytesToString(encodeKey(start));
    if (position < low) position = low;
    let key = keys.seek(position, false);
    // As prefixEnd: no part begins with 0xff, and a string that goes on after a NUL has it next.
    const end = `${low}\xff`;
    while (key !== undefined && key < end) {
      const value = visible(key, view());
      if (value !== undefined) yield { key: decodeKey(stringToBytes(key)) as StorageKey, value: value.slice() };
      key = keys.seek(key, true);
    }
  }

  const read = (key: StorageKey, view: number) => {
    if (counted) counted.records++;
    return visible(bytesToString(encodeKey(key)), view)?.slice();
  };

  const storage: Storage = {
    readOnly: false,
    location,
    get(key) {
      checkOpen();
      return read(key, transaction);
    },
    range(prefix, start) {
      checkOpen();
      const view = transaction;
      // A range is a view too: it holds its moment until it is read to its end or left.
      return {
        *[Symbol.iterator]() {
          openSnapshots.set(view, (openSnapshots.get(view) ?? 0) + 1);
          try {
            yield* range(() => view, prefix, start);
          } finally {
            release(view);
          }
        },
      };
    },
    snapshot(): StorageSnapshot {
      checkOpen();
      const view = transaction;
      openSnapshots.set(view, (openSnapshots.get(view) ?? 0) + 1);
      let open = true;
      const checkSnapshot = () => {
        if (!open) throw illegalArgument("the storage snapshot is closed");
      };
      return {
        get(key) {
          checkSnapshot();
          return read(key, view);
        },
        range(prefix, start) {
          checkSnapshot();
          return { [Symbol.iterator]: () => range(() => view, prefix, start) };
        },
        version: () => view,
        close() {
          if (open) release(view);
          open = false;
        },
      };
    },
    async transact(writes: readonly StorageWrite[]) {
      checkOpen();
      // Encode everything first: a bad key applies nothing.
      const encoded = writes.map((write) =>
        "put" in write
          ? { key: bytesToString(encodeKey(write.put)), value: write.value.slice() }
          : { key: bytesToString(encodeKey(write.remove)), value: undefined },
      );
      transaction++;
      const oldest = oldestView();
      for (const { key, value } of encoded) {
        const older = records.get(key);
        if (older === undefined) {
          if (value === undefined) continue;
          keys.add(key);
        }
        records.set(key, { transaction, value, older: older?.transaction === transaction ? older.older : older });
        prune(key, oldest);
      }
    },
    async writeBlob(name, chunks) {
      checkOpen();
      checkBlobName(name);
      if (blobs.has(name)) throw illegalArgument(`the blob [${name}] is there already; blobs are written once`);
      const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
      let at = 0;
      for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
      }
      blobs.set(name, bytes);
    },
    blobSize: (name) => blobs.get(name)?.length,
    readBlob(name, offset, length) {
      const blob = blobs.get(name);
      if (blob === undefined) throw corrupt(`${location}/${name}`, "the segment file is missing");
      if (offset < 0 || length < 0 || offset + length > blob.length) {
        throw corrupt(
          `${location}/${name}`,
          `bytes ${offset} to ${offset + length} are beyond the end, at ${blob.length}`,
        );
      }
      return blob.slice(offset, offset + length);
    },
    async removeBlob(name) {
      blobs.delete(name);
    },
    listBlobs: (prefix) => [...blobs.keys()].filter((name) => name.startsWith(prefix)).sort(),
    version: () => transaction,
    crc32: (bytes) => crc32(bytes),
    verify: async () => ({ damaged: [], checked: records.size }),
    async close() {
      closed = true;
    },
  };

  function release(view: number): void {
    const uses = (openSnapshots.get(view) ?? 0) - 1;
    if (uses > 0) {
      openSnapshots.set(view, uses);
      return;
    }
    openSnapshots.delete(view);
    if (stale.size === 0) return;
    const oldest = oldestView();
    for (const key of [...stale]) prune(key, oldest);
  }

  return storage;
}
