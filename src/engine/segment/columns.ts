/**
 * Columns: values by document. A section holds the values in the order of their documents (in the smallest kind of number that fits),
 * where a document may have several the offset of each document's first, and where not all documents have one a bit for each document.
 * Each part begins at a multiple of 8.
 */
import { FixedBitSet, popCount } from "./bitset.ts";
import { bytesOf } from "./bytes.ts";
import { bitSetIterator, denseIterator } from "./doc-iterators.ts";
import type { SegmentFile } from "./file.ts";
import type { ColumnMeta, NumberStorage } from "./meta.ts";
import type { DocIterator } from "./types.ts";

export type NumberArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Float64Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array;

const ARRAYS = {
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  f64: Float64Array,
  i64: BigInt64Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
} as const;

/** The numbers of a column as they come, in doubles as long as those are exact. */
export type RawNumbers = Float64Array | BigInt64Array;

/** Smallest kind of number that holds all values without loss (−0 is no integer). */
export function storageFor(values: RawNumbers): NumberStorage {
  if (values instanceof BigInt64Array) return "i64";
  let low = 0;
  let high = 0;
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (v !== (v | 0) || Object.is(v, -0)) return "f64";
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low >= -0x80 && high < 0x80) return "i8";
  return low >= -0x8000 && high < 0x8000 ? "i16" : "i32";
}

/** Smallest kind of unsigned number for values below `limit`. */
export function ordinalStorage(limit: number): NumberStorage {
  if (limit <= 0x100) return "u8";
  return limit <= 0x10000 ? "u16" : "u32";
}

export function packNumbers(values: RawNumbers | Uint32Array, storage: NumberStorage): Uint8Array {
  if (values instanceof BigInt64Array) return bytesOf(values);
  const array = new (ARRAYS[storage] as typeof Float64Array)(values.length);
  array.set(values);
  return bytesOf(array);
}

export function viewNumbers(
  file: SegmentFile,
  section: string,
  storage: NumberStorage,
  offset: number,
  count: number,
): NumberArray {
  return file.view<NumberArray>(
    section,
    ARRAYS[storage] as unknown as Parameters<typeof file.view<NumberArray>>[1],
    offset,
    count,
  );
}

const align = (length: number): number => (length + 7) & ~7;

function aligned(part: Uint8Array): Uint8Array[] {
  const pad = -part.length & 7;
  return pad === 0 ? [part] : [part, new Uint8Array(pad)];
}

/** Values in document order: `docs` ascending, a document once for each of its values. */
export function writeColumn(
  docs: Uint32Array,
  values: RawNumbers | Uint32Array,
  storage: NumberStorage,
  maxDoc: number,
): { parts: Uint8Array[]; meta: ColumnMeta } {
  const bits = new FixedBitSet(maxDoc);
  const offsets = new Uint32Array(docs.length + 1);
  let docCount = 0;
  for (let i = 0; i < docs.length; i++) {
    if (i === 0 || docs[i] !== docs[i - 1]) {
      offsets[docCount++] = i;
      bits.set(docs[i]);
    }
  }
  offsets[docCount] = docs.length;
  const single = docCount === docs.length;
  const dense = docCount === maxDoc;
  const parts = aligned(packNumbers(values, storage));
  if (!single) parts.push(...aligned(bytesOf(offsets.subarray(0, docCount + 1))));
  if (!dense) parts.push(bytesOf(bits.words));
  return { parts, meta: { storage, docCount, valueCount: values.length, single, dense } };
}

/** The documents of a column and where their values are. */
export interface ColumnLayout {
  readonly values: NumberArray;
  readonly docCount: number;
  readonly single: boolean;
  has(doc: number): boolean;
  /** Number of documents before `doc` that have a value. */
  rank(doc: number): number;
  start(doc: number): number;
  end(doc: number): number;
  iterator(): DocIterator;
  /** Bytes beside the section's own. */
  readonly extraBytes: number;
}

export function readColumn(file: SegmentFile, section: string, meta: ColumnMeta): ColumnLayout {
  const { storage, docCount, valueCount, single, dense } = meta;
  const { maxDoc } = file.meta;
  const values = viewNumbers(file, section, storage, 0, valueCount);
  let offset = align(values.byteLength);
  let offsets: Uint32Array | undefined;
  if (!single) {
    offsets = file.view(section, Uint32Array, offset, docCount + 1);
    offset += align(offsets.byteLength);
  }
  if (dense) {
    if (docCount !== maxDoc) file.fail(section, "another number of documents than recorded");
    return {
      values,
      docCount,
      single,
      has: (doc) => doc >= 0 && doc < maxDoc,
      rank: (doc) => doc,
      start: offsets === undefined ? (doc) => doc : (doc) => offsets[doc],
      end: offsets === undefined ? (doc) => doc + 1 : (doc) => offsets[doc + 1],
      iterator: () => denseIterator(maxDoc),
      extraBytes: 0,
    };
  }
  const words = file.view(section, Uint32Array, offset, (maxDoc + 31) >>> 5);
  const bits = new FixedBitSet(maxDoc, words);
  const before = new Uint32Array(words.length);
  let sum = 0;
  for (let w = 0; w < words.length; w++) {
    before[w] = sum;
    sum += popCount(words[w]);
  }
  if (sum !== docCount) file.fail(section, "another number of documents than recorded");
  const has = (doc: number) => (words[doc >>> 5] & (1 << (doc & 31))) !== 0;
  const rank = (doc: number) => before[doc >>> 5] + popCount(words[doc >>> 5] & ((1 << (doc & 31)) - 1));
  return {
    values,
    docCount,
    single,
    has,
    rank,
    start: offsets === undefined ? rank : (doc) => offsets[rank(doc)],
    end:
      offsets === undefined
        ? (doc) => rank(doc) + (has(doc) ? 1 : 0)
        : (doc) => offsets[rank(doc) + (has(doc) ? 1 : 0)],
    iterator: () => bitSetIterator(bits, docCount),
    extraBytes: before.byteLength,
  };
}
