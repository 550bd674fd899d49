/** Growable buffers, varints and UTF-8: what builders write with. */

/** A growing byte array. Varints hold 7 bits a byte, the lowest first. */
export class ByteBuffer {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 64) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const need = this.length + count;
    if (need <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(need, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** A non-negative integer below 2^53. */
  varint(value: number): void {
    this.reserve(8);
    const bytes = this.bytes;
    let at = this.length;
    let v = value;
    while (v > 0x7fffffff) {
      bytes[at++] = (v % 128) | 0x80;
      v = Math.floor(v / 128);
    }
    while (v > 0x7f) {
      bytes[at++] = (v & 0x7f) | 0x80;
      v >>>= 7;
    }
    bytes[at++] = v;
    this.length = at;
  }

  append(source: Uint8Array, from = 0, to = source.length): void {
    const count = to - from;
    this.reserve(count);
    // A call of `set` needs a view: for the few bytes of a term or a block the loop is faster.
    if (count < 48) {
      const bytes = this.bytes;
      for (let i = from, at = this.length; i < to; i++, at++) bytes[at] = source[i];
    } else {
      this.bytes.set(source.subarray(from, to), this.length);
    }
    this.length += count;
  }

  /** UTF-8; a lone surrogate becomes U+FFFD, as in Lucene's UnicodeUtil. */
  utf8(text: string): void {
    this.reserve(text.length * 3);
    this.length = encodeUtf8(text, this.bytes, this.length);
  }

  /** A view of what was written. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}

/** Reads varints out of bytes whose end is known; past the end it calls `fail`. */
export class ByteCursor {
  readonly bytes: Uint8Array;
  position = 0;
  readonly #fail: () => never;

  constructor(bytes: Uint8Array, fail: () => never) {
    this.bytes = bytes;
    this.#fail = fail;
  }

  byte(): number {
    if (this.position >= this.bytes.length) this.#fail();
    return this.bytes[this.position++];
  }

  varint(): number {
    let b = this.byte();
    if (b < 0x80) return b;
    let value = b & 0x7f;
    let scale = 128;
    do {
      b = this.byte();
      value += (b & 0x7f) * scale;
      scale *= 128;
      if (scale > 2 ** 56) this.#fail();
    } while (b >= 0x80);
    return value;
  }
}

/** Writes `text` at `at` (there must be room for three bytes a code unit) and returns the place after it. */
export function encodeUtf8(text: string, target: Uint8Array, at: number): number {
  let out = at;
  for (let i = 0; i < text.length; i++) {
    let c = text.charCodeAt(i);
    if (c < 0x80) {
      target[out++] = c;
      continue;
    }
    if (c >= 0xd800 && c <= 0xdfff) {
      const low = c < 0xdc00 && i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
      if (low >= 0xdc00 && low <= 0xdfff) {
        i++;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        target[out++] = 0xf0 | (c >> 18);
        target[out++] = 0x80 | ((c >> 12) & 0x3f);
        target[out++] = 0x80 | ((c >> 6) & 0x3f);
        target[out++] = 0x80 | (c & 0x3f);
        continue;
      }
      c = 0xfffd;
    }
    if (c < 0x800) {
      target[out++] = 0xc0 | (c >> 6);
    } else {
      target[out++] = 0xe0 | (c >> 12);
      target[out++] = 0x80 | ((c >> 6) & 0x3f);
    }
    target[out++] = 0x80 | (c & 0x3f);
  }
  return out;
}

// A byte order mark at the start of a term belongs to the term.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  if (to - from <= 24) {
    // Short ASCII terms are the rule, and a decoder's call costs more than they do.
    let text = "";
    let i = from;
    for (; i < to && bytes[i] < 0x80; i++) text += String.fromCharCode(bytes[i]);
    if (i === to) return text;
  }
  return decoder.decode(bytes.subarray(from, to));
}

/** Order of two byte strings, unsigned, the shorter first: the order of terms. */
export function compareBytes(
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
): number {
  const common = Math.min(aTo - aFrom, bTo - bFrom);
  for (let i = 0; i < common; i++) {
    const difference = a[aFrom + i] - b[bFrom + i];
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
}

/** A growing array of unsigned 32-bit numbers. */
export class Uint32Buffer {
  values: Uint32Array;
  length = 0;

  constructor(capacity = 16) {
    this.values = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.#grow();
    this.values[this.length++] = value;
  }

  #grow(): void {
    const grown = new Uint32Array(this.values.length * 2);
    grown.set(this.values);
    this.values = grown;
  }

  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }
}

/** A growing array of doubles. */
export class Float64Buffer {
  values: Float64Array;
  length = 0;

  constructor(capacity = 16) {
    this.values = new Float64Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Float64Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  view(): Float64Array {
    return this.values.subarray(0, this.length);
  }
}

/** The bytes of a typed array. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
