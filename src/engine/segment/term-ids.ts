/**
 * Strings of a field, numbered as they come: a hash table over their UTF-8 bytes. Strings themselves are not kept, since a token is a
 * slice that would keep the whole text it was cut from; nor are they hashed by a Map, which takes three times as long for fresh strings.
 */
import type { Slices } from "../slices.ts";
import { ByteBuffer, encodeUtf8, Uint32Buffer } from "./bytes.ts";
import { sortByBytes } from "./sort.ts";

export class TermIds {
  readonly #blob = new ByteBuffer(1024);
  readonly #starts = new Uint32Buffer(128);
  /** Open addressing: pairs of a hash and a number plus 1 (0: free), at most half full. */
  #table = new Int32Array(512);
  #mask = 255;
  #scratch = new Uint8Array(192);

  constructor() {
    this.#starts.push(0);
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  get ramBytes(): number {
    return this.#blob.bytes.length + this.#starts.values.byteLength + this.#table.byteLength;
  }

  /** Number of a string; lone surrogates count as U+FFFD, as in Lucene. */
  idOf(term: string): number {
    const { length } = term;
    if (length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(length * 6);
    const size = encodeUtf8(term, this.#scratch, 0);
    return this.idOfBytes(this.#scratch, 0, size);
  }

  /** Number of a string in UTF-8. */
  idOfBytes(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
    hash ^= hash >>> 15;
    const table = this.#table;
    let slot = Math.imul(hash, 0x9e3779b1) & this.#mask;
    for (;;) {
      const known = table[2 * slot + 1];
      if (known === 0) return this.#add(slot, hash, bytes, from, to);
      if (table[2 * slot] === hash && this.#equals(known - 1, bytes, from, to)) return known - 1;
      slot = (slot + 1) & this.#mask;
    }
  }

  #equals(id: number, wanted: Uint8Array, from: number, to: number): boolean {
    const starts = this.#starts.values;
    const first = starts[id];
    if (starts[id + 1] - first !== to - from) return false;
    const { bytes } = this.#blob;
    for (let i = from, at = first; i < to; i++, at++) if (bytes[at] !== wanted[i]) return false;
    return true;
  }

  #add(slot: number, hash: number, bytes: Uint8Array, from: number, to: number): number {
    const id = this.size;
    this.#blob.append(bytes, from, to);
    this.#starts.push(this.#blob.length);
    this.#table[2 * slot] = hash;
    this.#table[2 * slot + 1] = id + 1;
    if (2 * this.size > this.#mask) this.#grow();
    return id;
  }

  #grow(): void {
    const old = this.#table;
    const table = new Int32Array(old.length * 2);
    const mask = this.#mask * 2 + 1;
    for (let i = 0; i < old.length; i += 2) {
      if (old[i + 1] === 0) continue;
      let slot = Math.imul(old[i], 0x9e3779b1) & mask;
      while (table[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      table[2 * slot] = old[i];
      table[2 * slot + 1] = old[i + 1];
    }
    this.#table = table;
    this.#mask = mask;
  }

  /**
   * The strings in byte order.
   * @returns their bytes one after the other by number, where each begins, and the numbers in order
   */
  async sorted(slices?: Slices): Promise<{ blob: Uint8Array; starts: Uint32Array; order: Uint32Array }> {
    const blob = this.#blob.view();
    const starts = this.#starts.view();
    return { blob, starts, order: await sortByBytes(blob, starts, this.size, slices) };
  }
}
