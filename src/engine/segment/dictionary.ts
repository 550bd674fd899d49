/**
 * Sorted byte strings: one blob, and where each string begins. Section: count, count + 1 offsets into the blob (32 bits each), the blob.
 * A string is found by binary search over bytes.
 */
import { illegalArgument } from "../errors.ts";
import { ByteBuffer, bytesOf, compareBytes, decodeUtf8, encodeUtf8, Uint32Buffer } from "./bytes.ts";
import type { SegmentFile } from "./file.ts";

export class DictionaryWriter {
  readonly blob: ByteBuffer;
  readonly #starts: Uint32Buffer;

  constructor(expected = 16) {
    this.blob = new ByteBuffer(expected * 8);
    this.#starts = new Uint32Buffer(expected + 1);
    this.#starts.push(0);
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /** Appends a string that does not sort before the last one. */
  add(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.blob.append(bytes, from, to);
    if (this.blob.length > 0xffffffff) {
      throw illegalArgument("a segment's terms of one field exceed 4 GiB; merge fewer segments into one");
    }
    this.#starts.push(this.blob.length);
  }

  parts(): Uint8Array[] {
    return [bytesOf(Uint32Array.of(this.size)), bytesOf(this.#starts.view()), this.blob.view()];
  }
}

/** The dictionary in a section, read when it is first used. */
export class Dictionary {
  readonly size: number;
  readonly blob: Uint8Array;
  readonly starts: Uint32Array;
  #scratch = new Uint8Array(96);

  constructor(file: SegmentFile, section: string) {
    this.size = file.view(section, Uint32Array, 0, 1)[0];
    this.starts = file.view(section, Uint32Array, 4, this.size + 1);
    this.blob = file.section(section).subarray(8 + this.size * 4);
    if (this.starts[0] !== 0 || this.starts[this.size] !== this.blob.length) {
      file.fail(section, "terms that do not fill their section");
    }
  }

  #check(ord: number): void {
    if (!(ord >= 0 && ord < this.size)) throw new RangeError(`term ${ord} is outside a dictionary of ${this.size}`);
  }

  bytes(ord: number): Uint8Array {
    this.#check(ord);
    return this.blob.subarray(this.starts[ord], this.starts[ord + 1]);
  }

  string(ord: number): string {
    this.#check(ord);
    return decodeUtf8(this.blob, this.starts[ord], this.starts[ord + 1]);
  }

  /** Ord of the first string at or after `text`; `size` when there is none. */
  seekCeil(text: string): number {
    return this.#ceil(this.#encode(text), false);
  }

  /** Number of strings at or before `text`. */
  seekAfter(text: string): number {
    return this.#ceil(this.#encode(text), true);
  }

  /** Ord of `text`, the first of several equal ones, or -1. */
  lookup(text: string): number {
    const length = this.#encode(text);
    const ord = this.#ceil(length, false);
    return ord < this.size && this.#compare(ord, length) === 0 ? ord : -1;
  }

  /** Strings that begin with `text`: the first one's ord, and that behind the last. */
  prefixRange(text: string): readonly [from: number, to: number] {
    const length = this.#encode(text);
    const from = this.#ceil(length, false);
    let low = from;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = this.starts[middle];
      const end = Math.min(start + length, this.starts[middle + 1]);
      if (compareBytes(this.blob, start, end, this.#scratch, 0, length) === 0) low = middle + 1;
      else high = middle;
    }
    return [from, low];
  }

  #encode(text: string): number {
    if (text.length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(text.length * 3);
    return encodeUtf8(text, this.#scratch, 0);
  }

  #compare(ord: number, length: number): number {
    return compareBytes(this.blob, this.starts[ord], this.starts[ord + 1], this.#scratch, 0, length);
  }

  #ceil(length: number, after: boolean): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(middle, length);
      if (order < 0 || (after && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * Merges sorted dictionaries into one.
 * @param sources each with the ords that are still used, or undefined for all
 * @returns the merged strings, and for each source the new ord of each old one (of unused ones: undefined value)
 */
export function mergeDictionaries(sources: readonly { dictionary: Dictionary; used: Uint8Array | undefined }[]): {
  writer: DictionaryWriter;
  maps: Uint32Array[];
} {
  const writer = new DictionaryWriter();
  const maps = sources.map(({ dictionary }) => new Uint32Array(dictionary.size));
  walkMerged(
    sources.map(({ dictionary }) => dictionary),
    (members, count, ords) => {
      let any = false;
      for (let i = 0; i < count; i++) {
        const { used } = sources[members[i]];
        if (used === undefined || used[ords[members[i]]] !== 0) {
          maps[members[i]][ords[members[i]]] = writer.size;
          any = true;
        }
      }
      if (!any) return;
      const { dictionary } = sources[members[0]];
      const ord = ords[members[0]];
      writer.add(dictionary.blob, dictionary.starts[ord], dictionary.starts[ord + 1]);
    },
  );
  return { writer, maps };
}

/**
 * Walks over the union of dictionaries in order. `visit` gets the sources that have the current string (the first `count` of `members`,
 * ascending) and the current ord of every source.
 */
export function walkMerged(
  dictionaries: readonly Dictionary[],
  visit: (members: Uint32Array, count: number, ords: Uint32Array) => void,
): void {
  const steps = mergedSteps(dictionaries);
  while (steps.next()) visit(steps.members, steps.count, steps.ords);
}

export interface MergedSteps {
  /** Goes to the next string; false at the end. */
  next(): boolean;
  readonly members: Uint32Array;
  readonly ords: Uint32Array;
  count: number;
}

/** As walkMerged, a string at a time. */
export function mergedSteps(dictionaries: readonly Dictionary[]): MergedSteps {
  const ords = new Uint32Array(dictionaries.length);
  const members = new Uint32Array(dictionaries.length);
  const steps: MergedSteps = {
    members,
    ords,
    count: 0,
    next() {
      for (let i = 0; i < steps.count; i++) ords[members[i]]++;
      let count = 0;
      // Segments are few: a plain scan finds the smallest string and all that share it.
      for (let i = 0; i < dictionaries.length; i++) {
        const mine = dictionaries[i];
        if (ords[i] >= mine.size) continue;
        if (count > 0) {
          const best = dictionaries[members[0]];
          const order = compareBytes(
            mine.blob,
            mine.starts[ords[i]],
            mine.starts[ords[i] + 1],
            best.blob,
            best.starts[ords[members[0]]],
            best.starts[ords[members[0]] + 1],
          );
          if (order > 0) continue;
          if (order < 0) count = 0;
        }
        members[count++] = i;
      }
      steps.count = count;
      return count > 0;
    },
  };
  return steps;
}
