/** A mutable set of small integers of a fixed range, 32 to a word. */
import type { BitSet } from "./types.ts";
import { NO_MORE_DOCS } from "./types.ts";

export function popCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export class FixedBitSet implements BitSet {
  readonly length: number;
  /** Bit `i` is bit `i & 31` of word `i >>> 5`; bits beyond `length` are 0. */
  readonly words: Uint32Array;

  /** @param words taken over, not copied; all 0 by default. */
  constructor(length: number, words: Uint32Array = new Uint32Array((length + 31) >>> 5)) {
    if (words.length !== (length + 31) >>> 5) {
      throw new RangeError(`a bit set of ${length} bits needs ${(length + 31) >>> 5} words, not ${words.length}`);
    }
    this.length = length;
    this.words = words;
  }

  get(index: number): boolean {
    return (this.words[index >>> 5] & (1 << (index & 31))) !== 0;
  }

  set(index: number): void {
    if (index < 0 || index >= this.length) throw new RangeError(`bit ${index} is outside a bit set of ${this.length}`);
    this.words[index >>> 5] |= 1 << (index & 31);
  }

  clear(index: number): void {
    if (index < 0 || index >= this.length) throw new RangeError(`bit ${index} is outside a bit set of ${this.length}`);
    this.words[index >>> 5] &= ~(1 << (index & 31));
  }

  /** Sets the bits from `from` to `to` − 1. */
  setRange(from: number, to: number): void {
    if (from >= to) return;
    if (from < 0 || to > this.length)
      throw new RangeError(`bits ${from} to ${to} are outside a bit set of ${this.length}`);
    const first = from >>> 5;
    const last = (to - 1) >>> 5;
    const head = -1 << (from & 31);
    const tail = -1 >>> (31 - ((to - 1) & 31));
    if (first === last) {
      this.words[first] |= head & tail;
      return;
    }
    this.words[first] |= head;
    this.words.fill(0xffffffff, first + 1, last);
    this.words[last] |= tail;
  }

  clone(): FixedBitSet {
    return new FixedBitSet(this.length, this.words.slice());
  }

  or(other: FixedBitSet): void {
    this.#same(other);
    for (let i = 0; i < this.words.length; i++) this.words[i] |= other.words[i];
  }

  and(other: FixedBitSet): void {
    this.#same(other);
    for (let i = 0; i < this.words.length; i++) this.words[i] &= other.words[i];
  }

  andNot(other: FixedBitSet): void {
    this.#same(other);
    for (let i = 0; i < this.words.length; i++) this.words[i] &= ~other.words[i];
  }

  #same(other: FixedBitSet): void {
    if (other.length !== this.length) {
      throw new RangeError(`bit sets of ${this.length} and ${other.length} bits do not combine`);
    }
  }

  cardinality(): number {
    let count = 0;
    for (let i = 0; i < this.words.length; i++) count += popCount(this.words[i]);
    return count;
  }

  nextSetBit(from: number): number {
    if (from >= this.length) return NO_MORE_DOCS;
    let w = from >>> 5;
    let word = this.words[w] & (-1 << (from & 31));
    while (word === 0) {
      if (++w === this.words.length) return NO_MORE_DOCS;
      word = this.words[w];
    }
    return (w << 5) + 31 - Math.clz32(word & -word);
  }

  previousSetBit(from: number): number {
    if (from < 0) return -1;
    const start = from >= this.length ? this.length - 1 : from;
    if (start < 0) return -1;
    let w = start >>> 5;
    let word = this.words[w] & (-1 >>> (31 - (start & 31)));
    while (word === 0) {
      if (--w < 0) return -1;
      word = this.words[w];
    }
    return (w << 5) + 31 - Math.clz32(word);
  }

  /** The bits in bytes, the lowest first; `fromBytes` reads them. */
  toBytes(): Uint8Array {
    const bytes = new Uint8Array((this.length + 7) >>> 3);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.words[i >>> 2] >>> ((i & 3) << 3);
    return bytes;
  }

  /** Throws RangeError when the number of bytes is not that of `length` bits, or bits beyond `length` are set. */
  static fromBytes(bytes: Uint8Array, length: number): FixedBitSet {
    if (bytes.length !== (length + 7) >>> 3) {
      throw new RangeError(`a bit set of ${length} bits has ${(length + 7) >>> 3} bytes, not ${bytes.length}`);
    }
    const set = new FixedBitSet(length);
    for (let i = 0; i < bytes.length; i++) set.words[i >>> 2] |= bytes[i] << ((i & 3) << 3);
    if ((length & 31) !== 0 && set.words[set.words.length - 1] >>> (length & 31) !== 0) {
      throw new RangeError(`a bit set of ${length} bits has bits beyond its end`);
    }
    return set;
  }
}
