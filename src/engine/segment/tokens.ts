/**
 * The tokens of a field in one document, as bytes: they wait in great numbers between analysis and the segment that is being built, where strings
 * and arrays of them would be copied by the garbage collector again and again.
 *
 * For each token: the number of its bytes, its bytes in UTF-8, and, with positions, the gap from the last position. Numbers are varints.
 */
import { ByteBuffer, decodeUtf8, encodeUtf8 } from "./bytes.ts";

export interface Tokens {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly positions: boolean;
}

export class TokensWriter {
  readonly #buffer = new ByteBuffer(2048);
  #positions = false;
  #last = 0;
  #count = 0;
  #scratch = new Uint8Array(64);

  /** Begins another document. */
  start(positions: boolean): this {
    this.#buffer.length = 0;
    this.#positions = positions;
    this.#last = 0;
    this.#count = 0;
    return this;
  }

  get count(): number {
    return this.#count;
  }

  /** @param position not before the last one's */
  add(term: string, position: number): void {
    const buffer = this.#buffer;
    const { length } = term;
    buffer.reserve(length + 1);
    const { bytes } = buffer;
    let at = buffer.length + 1;
    let i = 0;
    // ASCII of less than 128 characters is the rule.
    for (; i < length; i++) {
      const code = term.charCodeAt(i);
      if (code > 0x7f) break;
      bytes[at++] = code;
    }
    if (i === length && length < 0x80) {
      bytes[buffer.length] = length;
      buffer.length = at;
    } else {
      if (this.#scratch.length < length * 3) this.#scratch = new Uint8Array(length * 6);
      const size = encodeUtf8(term, this.#scratch, 0);
      buffer.varint(size);
      buffer.append(this.#scratch, 0, size);
    }
    if (this.#positions) {
      if (!(position >= this.#last)) throw new Error(`position ${position} comes after position ${this.#last}`);
      buffer.varint(position - this.#last);
      this.#last = position;
    }
    this.#count++;
  }

  finish(): Tokens {
    return { bytes: this.#buffer.bytes.slice(0, this.#buffer.length), count: this.#count, positions: this.#positions };
  }
}

/** Visits tokens in order: where the bytes of each lie, and its position (0 without positions). */
export function readTokens(
  { bytes, count, positions }: Tokens,
  visit: (from: number, to: number, position: number) => void,
): void {
  let at = 0;
  const varint = (): number => {
    let byte = bytes[at++];
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  };
  let position = 0;
  for (let i = 0; i < count; i++) {
    const size = varint();
    const from = at;
    at += size;
    if (positions) position += varint();
    visit(from, from + size, position);
  }
}

/** The terms, as strings. */
export function termsOfTokens(tokens: Tokens): string[] {
  const terms: string[] = [];
  readTokens(tokens, (from, to) => terms.push(decodeUtf8(tokens.bytes, from, to)));
  return terms;
}
