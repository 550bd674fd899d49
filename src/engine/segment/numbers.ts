/** Sorted-numeric columns and points: numbers gathered by document, written and read. */
import type { Slices } from "../slices.ts";
import { FixedBitSet } from "./bitset.ts";
import { Float64Buffer, Uint32Buffer } from "./bytes.ts";
import {
  type NumberArray,
  ordinalStorage,
  packNumbers,
  type RawNumbers,
  readColumn,
  storageFor,
  viewNumbers,
  writeColumn,
} from "./columns.ts";
import { arrayIterator, bitSetIterator } from "./doc-iterators.ts";
import { type SectionData, type SegmentFile, sectionName } from "./file.ts";
import type { FieldMeta } from "./meta.ts";
import { sortByDigits } from "./sort.ts";
import type { DocIterator, LongHalves, NumberKind, NumericColumn, PointIndex } from "./types.ts";

/** Order of Java's Double.compare: −0 before 0, NaN last; bigints and numbers by value. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === 0 && b === 0) return (Object.is(a, -0) ? 0 : 1) - (Object.is(b, -0) ? 0 : 1);
  const aNaN = typeof a === "number" && Number.isNaN(a);
  const bNaN = typeof b === "number" && Number.isNaN(b);
  return (aNaN ? 1 : 0) - (bNaN ? 1 : 0);
}

function checkedLong(value: number | bigint): bigint {
  const long = BigInt(value);
  if (BigInt.asIntN(64, long) !== long) throw new RangeError(`${value} does not fit into a long of 64 bits`);
  return long;
}

/** Numbers of one field, document after document; a document's are brought into order. */
export class NumberGatherer {
  readonly docs = new Uint32Buffer();
  #doubles = new Float64Buffer();
  /** Takes the place of the doubles as soon as one would not be exact. */
  #longs: bigint[] | undefined;

  get length(): number {
    return this.docs.length;
  }

  get ramBytes(): number {
    return (
      this.docs.values.byteLength +
      (this.#longs === undefined ? this.#doubles.values.byteLength : this.#longs.length * 24)
    );
  }

  add(doc: number, value: number | bigint, kind: NumberKind): void {
    this.docs.push(doc);
    if (this.#longs !== undefined) {
      this.#longs.push(checkedLong(value));
      return;
    }
    const double = Number(value);
    if (kind === "long" && !Number.isSafeInteger(double)) {
      this.#longs = Array.from(this.#doubles.view(), BigInt);
      this.#longs.push(checkedLong(value));
      return;
    }
    // A long has no −0.
    this.#doubles.push(kind === "long" ? double + 0 : double);
  }

  /** Brings the values of each document into ascending order. */
  finish(): { docs: Uint32Array; values: RawNumbers } {
    const docs = this.docs.view();
    const values = this.#longs === undefined ? this.#doubles.view() : BigInt64Array.from(this.#longs);
    for (let from = 0; from < docs.length; ) {
      let to = from + 1;
      while (to < docs.length && docs[to] === docs[from]) to++;
      if (to - from > 1) values.subarray(from, to).sort();
      from = to;
    }
    return { docs, values };
  }
}

export function writeNumeric(
  field: string,
  numbers: NumberGatherer,
  maxDoc: number,
): { section: SectionData; meta: FieldMeta["numeric"] } {
  const { docs, values } = numbers.finish();
  const { parts, meta } = writeColumn(docs, values, storageFor(values), maxDoc);
  return { section: { name: sectionName(field, "doc values"), parts }, meta };
}

/** A column as merging reads it: `raw` is the number as it is stored. */
export interface SegmentNumeric extends NumericColumn {
  raw(index: number): number | bigint;
  readonly extraBytes: number;
}

export function readNumeric(file: SegmentFile, field: FieldMeta): SegmentNumeric | undefined {
  const meta = field.numeric;
  if (meta === undefined) return undefined;
  const layout = readColumn(file, sectionName(field, "doc values"), meta);
  const { values, docCount, single, has, start, end, iterator, extraBytes } = layout;
  return {
    kind: field.info.docValues === "double" ? "double" : "long",
    docCount,
    single,
    wide: values instanceof BigInt64Array,
    has,
    start,
    end,
    value: values instanceof BigInt64Array ? (index) => Number(values[index]) : (index) => values[index],
    bigint: values instanceof BigInt64Array ? (index) => values[index] : (index) => BigInt(values[index]),
    halves: halves(values),
    raw: (index) => values[index],
    iterator,
    extraBytes,
  };
}

/** Longs of two ints each: where all are small, they are kept as doubles or less. */
function halves(values: NumberArray): LongHalves {
  if (!(values instanceof BigInt64Array)) {
    return {
      high: (index) => Math.floor((values[index] as number) / 2 ** 32),
      low: (index) => (values[index] as number) | 0,
    };
  }
  const ints = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  // Segments are written in the order of bytes that the machine has.
  const upper = new Uint8Array(Uint16Array.of(1).buffer)[0];
  return { high: (index) => ints[2 * index + upper], low: (index) => ints[2 * index + 1 - upper] };
}

/** The halves of a column's longs. */
export function halvesOf(column: NumericColumn): LongHalves {
  return (
    column.halves ?? {
      high: (index) => Number(column.bigint(index) >> 32n),
      low: (index) => Number(BigInt.asIntN(32, column.bigint(index))),
    }
  );
}

/** Points: values ascending, then their documents. */
export async function writePoints(
  field: string,
  numbers: NumberGatherer,
  maxDoc: number,
  slices?: Slices,
): Promise<{ section: SectionData; meta: FieldMeta["points"] }> {
  const { docs, values } = numbers.finish();
  const { sortedValues, sortedDocs } = await sortPoints(docs, values, slices);
  let docCount = 0;
  for (let i = 0; i < docs.length; i++) if (i === 0 || docs[i] !== docs[i - 1]) docCount++;
  const storage = storageFor(values);
  const docStorage = ordinalStorage(maxDoc);
  const valueBytes = packNumbers(sortedValues, storage);
  const parts = [valueBytes, new Uint8Array(-valueBytes.length & 7), packNumbers(sortedDocs, docStorage)];
  return {
    section: { name: sectionName(field, "points"), parts },
    meta: { storage, docStorage, size: docs.length, docCount },
  };
}

/** By value, equal ones by document (as they come). */
export async function sortPoints(
  docs: Uint32Array,
  values: RawNumbers,
  slices: Slices | undefined,
): Promise<{ sortedValues: RawNumbers; sortedDocs: Uint32Array }> {
  const order = new Uint32Array(docs.length);
  let sorted = true;
  for (let i = 0; i < order.length; i++) {
    order[i] = i;
    if (i > 0 && compareNumbers(values[i - 1], values[i]) > 0) sorted = false;
  }
  if (sorted) return { sortedValues: values, sortedDocs: docs };
  await sortByDigits(order, 4, digitsOf(values), slices);
  const sortedValues = values.slice();
  const sortedDocs = new Uint32Array(docs.length);
  for (let i = 0; i < order.length; i++) {
    sortedValues[i] = values[order[i]];
    sortedDocs[i] = docs[order[i]];
  }
  return { sortedValues, sortedDocs };
}

/**
 * The four digits of 16 bits whose order is that of the numbers: a long's with its sign turned; of a double's the sign turned above 0, and
 * all bits below.
 */
function digitsOf(values: RawNumbers): (index: number, digit: number) => number {
  const doubles = values instanceof Float64Array;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  return (index, digit) => {
    const at = 8 * index;
    const bits = view.getUint16(at + 2 * (littleEndian ? digit : 3 - digit), littleEndian);
    const negative = view.getUint8(at + (littleEndian ? 7 : 0)) >= 0x80;
    if (doubles && negative) return ~bits & 0xffff;
    return digit === 3 ? bits ^ 0x8000 : bits;
  };
}

/** Points as merging reads them, by their place in the order of values. */
export interface SegmentPoints extends PointIndex {
  docAt(index: number): number;
  valueAt(index: number): number | bigint;
}

export function readPoints(file: SegmentFile, field: FieldMeta): SegmentPoints | undefined {
  const meta = field.points;
  if (meta === undefined) return undefined;
  const section = sectionName(field, "points");
  const { size, docCount } = meta;
  const { maxDoc } = file.meta;
  const values = viewNumbers(file, section, meta.storage, 0, size);
  const docs = viewNumbers(file, section, meta.docStorage, (values.byteLength + 7) & ~7, size) as Uint32Array;
  const kind = field.info.points === "double" ? "double" : "long";

  /** First place whose value is at least `bound`, or above it with `after`. */
  const place = (bound: number | bigint, after: boolean): number => {
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareNumbers(values[middle], bound);
      if (order < 0 || (after && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const extreme = (index: number): number | bigint => {
    if (size === 0) throw new RangeError(`field [${field.info.name}] has no points`);
    return values[index];
  };
  // A long has no −0: a bound of −0 means 0.
  const bound = (value: number | bigint) => (kind === "long" && Object.is(value, -0) ? 0 : value);
  return {
    kind,
    docCount,
    size,
    range(low, high) {
      const from = place(bound(low), false);
      const to = Math.max(from, place(bound(high), true));
      return docsOf(docs, from, to, maxDoc);
    },
    count: (low, high) => Math.max(0, place(bound(high), true) - place(bound(low), false)),
    min: () => extreme(0),
    max: () => extreme(size - 1),
    docAt: (index) => docs[index],
    valueAt: (index) => values[index],
  };
}

/** Documents of points, each once and ascending: few are sorted, many are marked. */
function docsOf(docs: Uint32Array, from: number, to: number, maxDoc: number): DocIterator {
  const count = to - from;
  if (count * 64 >= maxDoc) {
    const bits = new FixedBitSet(maxDoc);
    const { words } = bits;
    for (let i = from; i < to; i++) words[docs[i] >>> 5] |= 1 << (docs[i] & 31);
    return bitSetIterator(bits, count);
  }
  const found = Uint32Array.from(docs.subarray(from, to)).sort();
  let distinct = 0;
  for (let i = 0; i < count; i++) {
    if (i === 0 || found[i] !== found[i - 1]) found[distinct++] = found[i];
  }
  return arrayIterator(found.subarray(0, distinct));
}
