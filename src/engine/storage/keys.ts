/**
 * Record keys as bytes that sort as the contract says: part by part, strings by their UTF-8 bytes, numbers by value, strings before numbers.
 *
 * A string is 0x01, its UTF-8 bytes with 0x00 written as 0x00 0xff, and a closing 0x00 (which sorts below every continuation). A number is
 * 0x02 and its IEEE 754 bits, big-endian, with the sign bit flipped (all bits for negative numbers), so that bytes sort as values do.
 */
import { illegalArgument } from "../errors.ts";
import type { StorageKey } from "./types.ts";

const STRING = 0x01;
const NUMBER = 0x02;
/** Longest encoded key that both storages take (LMDB's limit with pages of 4096 bytes). */
export const MAX_KEY_BYTES = 1978;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const numberView = new DataView(new ArrayBuffer(8));

/** Where keys are put together; a key may be longer before it is refused. */
let scratch = new Uint8Array(2 * MAX_KEY_BYTES);

/** The bytes of a key. Lone surrogates become U+FFFD, as in UTF-8. Throws for NaN and for keys above MAX_KEY_BYTES. */
export function encodeKey(key: StorageKey): Uint8Array {
  let length = 0;
  for (const part of key) {
    if (typeof part === "string") {
      // At most three bytes a UTF-16 unit, or two for a NUL; tag and end.
      const needed = length + 3 * part.length + 2;
      if (needed > scratch.length) {
        const larger = new Uint8Array(2 * needed);
        larger.set(scratch);
        scratch = larger;
      }
      scratch[length++] = STRING;
      length = putString(part, length);
      scratch[length++] = 0;
    } else {
      if (Number.isNaN(part)) throw illegalArgument("a storage key cannot hold NaN");
      if (length + 9 > scratch.length) {
        const larger = new Uint8Array(2 * scratch.length);
        larger.set(scratch);
        scratch = larger;
      }
      // Adding 0 turns -0 into 0, which is the same key.
      numberView.setFloat64(0, part + 0);
      const negative = (numberView.getUint8(0) & 0x80) !== 0;
      scratch[length++] = NUMBER;
      scratch[length++] = numberView.getUint8(0) ^ (negative ? 0xff : 0x80);
      for (let i = 1; i < 8; i++) scratch[length++] = numberView.getUint8(i) ^ (negative ? 0xff : 0);
    }
  }
  if (length === 0) throw illegalArgument("a storage key needs at least one part");
  if (length > MAX_KEY_BYTES) {
    throw illegalArgument(
      `a storage key of ${length} bytes is longer than the ${MAX_KEY_BYTES} bytes that are possible`,
    );
  }
  return scratch.slice(0, length);
}

function putString(text: string, start: number): number {
  let at = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // NUL is written with a second byte, and the rest of what is not ASCII by the encoder.
    if (unit === 0) {
      scratch[at++] = 0;
      scratch[at++] = 0xff;
    } else if (unit < 0x80) scratch[at++] = unit;
    else {
      let end = i + 1;
      while (end < text.length && text.charCodeAt(end) >= 0x80) end++;
      at += encoder.encodeInto(text.slice(i, end), scratch.subarray(at)).written;
      i = end - 1;
    }
  }
  return at;
}

/** The key of some bytes, or undefined when they are not a key (damage). */
export function decodeKey(bytes: Uint8Array): StorageKey | undefined {
  const key: (string | number)[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at++];
    if (tag === STRING) {
      const text: number[] = [];
      for (;;) {
        if (at >= bytes.length) return undefined;
        const byte = bytes[at++];
        if (byte !== 0) text.push(byte);
        else if (bytes[at] === 0xff) {
          text.push(0);
          at++;
        } else break;
      }
      try {
        key.push(decoder.decode(Uint8Array.from(text)));
      } catch {
        return undefined;
      }
    } else if (tag === NUMBER) {
      if (at + 8 > bytes.length) return undefined;
      const negative = (bytes[at] & 0x80) === 0;
      numberView.setUint8(0, bytes[at] ^ (negative ? 0xff : 0x80));
      for (let i = 1; i < 8; i++) numberView.setUint8(i, bytes[at + i] ^ (negative ? 0xff : 0));
      key.push(numberView.getFloat64(0));
      at += 8;
    } else return undefined;
  }
  return key.length === 0 ? undefined : key;
}

/** A key for people: `["id","x",3]`. */
export function printKey(bytes: Uint8Array): string {
  const key = decodeKey(bytes);
  return key === undefined ? `bytes ${hex(bytes)}` : JSON.stringify(key);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 40), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The first key after all keys that begin with `prefix`: 0xff begins no part. */
export function prefixEnd(prefix: Uint8Array): Uint8Array {
  const end = new Uint8Array(prefix.length + 1);
  end.set(prefix);
  end[prefix.length] = 0xff;
  return end;
}
