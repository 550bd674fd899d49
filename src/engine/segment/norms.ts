/**
 * Norms: the length of a field in a document in one byte, as Lucene's SmallFloat.intToByte4 writes it (lengths up to 40 exactly, longer
 * ones with 4 significant bits). Byte 0 says that the document does not have the field.
 */
import { bytesOf, type Uint32Buffer } from "./bytes.ts";
import { type SectionData, type SegmentFile, sectionName } from "./file.ts";
import type { FieldMeta } from "./meta.ts";

/** SmallFloat.MAX_INT4 is 231: bytes 0 to 23 are the numbers themselves. */
const EXACT = 255 - longToInt4(0x7fffffff);

/** A field that is there and has no token (an empty text): no real length comes near what this byte stands for. */
export const EMPTY_FIELD_NORM = 255;

/** SmallFloat.longToInt4: a float of 4 significant bits, the first one implied. */
function longToInt4(value: number): number {
  const bits = 32 - Math.clz32(value);
  if (bits < 4) return value;
  const shift = bits - 4;
  return ((value >>> shift) & 0x07) | ((shift + 1) << 3);
}

/** SmallFloat.int4ToLong */
function int4ToLong(code: number): number {
  const bits = code & 0x07;
  const shift = (code >>> 3) - 1;
  return shift === -1 ? bits : (bits | 0x08) * 2 ** shift;
}

/** SmallFloat.intToByte4, as an unsigned byte. `length` is a non-negative 32-bit integer. */
export function encodeLength(length: number): number {
  return length < EXACT ? length : EXACT + longToInt4(length - EXACT);
}

/** SmallFloat.byte4ToInt of every byte: scoring several fields together asks for each document. */
const LENGTHS = Float64Array.from({ length: 256 }, (_, byte) =>
  byte < EXACT ? byte : EXACT + int4ToLong(byte - EXACT),
);

export function decodeLength(byte: number): number {
  return LENGTHS[byte];
}

/** Norms of a field: `docs` that have it, ascending, and their lengths. */
export function writeNorms(
  field: string,
  docs: Uint32Buffer,
  bytes: Uint8Array,
  maxDoc: number,
): { section: SectionData; meta: FieldMeta["norms"] } {
  const name = sectionName(field, "norms");
  const count = docs.length;
  if (count * 5 < maxDoc) {
    return {
      section: { name, parts: [bytesOf(docs.view()), bytes.subarray(0, count)] },
      meta: { layout: "sparse", count },
    };
  }
  return { section: { name, parts: [denseNorms(docs.view(), bytes, maxDoc)] }, meta: { layout: "dense", count } };
}

export function denseNorms(docs: Uint32Array, bytes: Uint8Array, maxDoc: number): Uint8Array {
  const dense = new Uint8Array(maxDoc);
  for (let i = 0; i < docs.length; i++) dense[docs[i]] = bytes[i];
  return dense;
}

/** A byte for each document. */
export function readNorms(file: SegmentFile, field: FieldMeta): Uint8Array | undefined {
  if (field.norms === undefined) return undefined;
  const name = sectionName(field, "norms");
  const { maxDoc } = file.meta;
  const { layout, count } = field.norms;
  if (layout === "dense") return file.view(name, Uint8Array, 0, maxDoc);
  const docs = file.view(name, Uint32Array, 0, count);
  if (count > 0 && docs[count - 1] >= maxDoc) file.fail(name, "a document that does not exist");
  return denseNorms(docs, file.view(name, Uint8Array, count * 4, count), maxDoc);
}
