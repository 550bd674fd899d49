/**
 * Frames of reference: numbers of one block in as many bits as the largest needs, out of a few widths that a byte divides or that divide
 * a byte. So a value never straddles bytes below 8 bits, decoding is a plain loop over bytes, and any single value can be read in place.
 */
import type { ByteBuffer } from "./bytes.ts";

/** The widths, by the code that stands in a block's header. */
export const WIDTHS: readonly number[] = [0, 1, 2, 4, 8, 16, 24, 32];

/** Code of the smallest width that holds values up to `max`. */
export function widthCode(max: number): number {
  if (max === 0) return 0;
  if (max < 2) return 1;
  if (max < 4) return 2;
  if (max < 16) return 3;
  if (max < 0x100) return 4;
  if (max < 0x10000) return 5;
  return max < 0x1000000 ? 6 : 7;
}

export function packedLength(code: number, count: number): number {
  return (WIDTHS[code] * count + 7) >>> 3;
}

/** Appends `values[0 … count − 1]`. */
export function pack(values: Uint32Array, count: number, code: number, out: ByteBuffer): void {
  const width = WIDTHS[code];
  if (width === 0) return;
  out.reserve(packedLength(code, count));
  const bytes = out.bytes;
  let at = out.length;
  if (width < 8) {
    const perByte = 8 / width;
    for (let i = 0; i < count; i += perByte) {
      let byte = 0;
      const end = Math.min(perByte, count - i);
      for (let k = 0; k < end; k++) byte |= values[i + k] << (k * width);
      bytes[at++] = byte;
    }
  } else {
    for (let i = 0; i < count; i++) {
      const v = values[i];
      bytes[at++] = v;
      if (width > 8) bytes[at++] = v >>> 8;
      if (width > 16) bytes[at++] = v >>> 16;
      if (width > 24) bytes[at++] = v >>> 24;
    }
  }
  out.length = at;
}

/** Reads the value at `index` of a frame that begins at byte `at`. */
export function packedAt(bytes: Uint8Array, at: number, code: number, index: number): number {
  switch (code) {
    case 0:
      return 0;
    case 1:
      return (bytes[at + (index >>> 3)] >>> (index & 7)) & 1;
    case 2:
      return (bytes[at + (index >>> 2)] >>> ((index & 3) << 1)) & 3;
    case 3:
      return (bytes[at + (index >>> 1)] >>> ((index & 1) << 2)) & 15;
    case 4:
      return bytes[at + index];
    case 5: {
      const i = at + index * 2;
      return bytes[i] | (bytes[i + 1] << 8);
    }
    case 6: {
      const i = at + index * 3;
      return bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16);
    }
    default: {
      const i = at + index * 4;
      return (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)) >>> 0;
    }
  }
}

/** Documents out of the gaps between them (less one each), `before` being the document before the first. */
export function unpackDocs(
  bytes: Uint8Array,
  at: number,
  code: number,
  count: number,
  before: number,
  out: Int32Array,
): void {
  let doc = before;
  let i = 0;
  let p = at;
  switch (code) {
    case 0:
      for (; i < count; i++) out[i] = ++doc;
      return;
    case 1:
      for (; i < count; p++) {
        const byte = bytes[p];
        const end = Math.min(count, i + 8);
        for (let s = 0; i < end; s++) out[i++] = doc += 1 + ((byte >>> s) & 1);
      }
      return;
    case 2:
      for (; i + 4 <= count; i += 4, p++) {
        const byte = bytes[p];
        out[i] = doc += 1 + (byte & 3);
        out[i + 1] = doc += 1 + ((byte >>> 2) & 3);
        out[i + 2] = doc += 1 + ((byte >>> 4) & 3);
        out[i + 3] = doc += 1 + (byte >>> 6);
      }
      for (let s = 0; i < count; s += 2) out[i++] = doc += 1 + ((bytes[p] >>> s) & 3);
      return;
    case 3:
      for (; i + 2 <= count; i += 2, p++) {
        const byte = bytes[p];
        out[i] = doc += 1 + (byte & 15);
        out[i + 1] = doc += 1 + (byte >>> 4);
      }
      if (i < count) out[i] = doc + 1 + (bytes[p] & 15);
      return;
    case 4:
      for (; i < count; i++) out[i] = doc += 1 + bytes[p + i];
      return;
    case 5:
      for (; i < count; i++, p += 2) out[i] = doc += 1 + (bytes[p] | (bytes[p + 1] << 8));
      return;
    default:
      for (; i < count; i++) out[i] = doc += 1 + packedAt(bytes, at, code, i);
  }
}

/** Frequencies out of what they exceed 1 by. */
export function unpackFreqs(bytes: Uint8Array, at: number, code: number, count: number, out: Int32Array): void {
  let i = 0;
  let p = at;
  switch (code) {
    case 0:
      out.fill(1, 0, count);
      return;
    case 1:
      for (; i < count; p++) {
        const byte = bytes[p];
        const end = Math.min(count, i + 8);
        for (let s = 0; i < end; s++) out[i++] = 1 + ((byte >>> s) & 1);
      }
      return;
    case 2:
      for (; i + 4 <= count; i += 4, p++) {
        const byte = bytes[p];
        out[i] = 1 + (byte & 3);
        out[i + 1] = 1 + ((byte >>> 2) & 3);
        out[i + 2] = 1 + ((byte >>> 4) & 3);
        out[i + 3] = 1 + (byte >>> 6);
      }
      for (let s = 0; i < count; s += 2) out[i++] = 1 + ((bytes[p] >>> s) & 3);
      return;
    case 3:
      for (; i + 2 <= count; i += 2, p++) {
        const byte = bytes[p];
        out[i] = 1 + (byte & 15);
        out[i + 1] = 1 + (byte >>> 4);
      }
      if (i < count) out[i] = 1 + (bytes[p] & 15);
      return;
    case 4:
      for (; i < count; i++) out[i] = 1 + bytes[p + i];
      return;
    default:
      for (; i < count; i++) out[i] = 1 + packedAt(bytes, at, code, i);
  }
}
