/** Where the terms of a query stand while windows of documents are scored, in any order of windows. */
import { type BulkTerm, PooledScorer, type TermScorer } from "../query/scorers/index.ts";
import { firstAtLeast } from "../segment/postings.ts";
import type { Postings } from "../segment/types.ts";
import { counted } from "../work.ts";

/** Documents of a window, when all hits are scored. */
export const WIDE = 4096;
/** When windows are chosen by their bounds. */
export const NARROW = 2048;

const NO_BOUNDS = new Float32Array(0);

/** What has a score in a window. */
export interface Cursor {
  /** Last document, plus 1. */
  readonly end: number;
  /** Best score in the current window, and in each. */
  windowMax: number;
  windowMaxes: Float32Array;
  /** Finds `windowMaxes`, of windows of NARROW documents from `from` on. */
  bound(from: number, windows: number): void;
  /** Adds the scores in [start, end) to `sums` and marks their documents. */
  addTo(start: number, end: number, sums: Float64Array, marks: Uint32Array): void;
  /** Score of one document, 0 when it does not match. */
  scoreAt(doc: number): number;
}

export function cursorOf(scorer: BulkTerm): TermCursor | PooledCursor {
  return scorer instanceof PooledScorer ? new PooledCursor(scorer) : new TermCursor(scorer);
}

/** A place in postings: the block that is loaded, the next entry of it. */
class PostingsCursor {
  readonly postings: Postings;
  readonly ends: Int32Array | Uint32Array;
  block = -1;
  index = 0;

  constructor(postings: Postings) {
    this.postings = postings;
    this.ends = postings.blockEnds;
  }

  load(block: number): void {
    if (block === this.block) return;
    this.postings.seekBlock(block);
    this.block = block;
    this.index = 0;
  }

  /** First block that reaches `doc`. */
  blockAt(doc: number): number {
    const { ends, block } = this;
    const from = block > 0 && ends[block - 1] < doc ? block : 0;
    return firstAtLeast(ends, from, ends.length, doc);
  }

  /** First entry of the loaded block at or after `doc`. */
  entryAt(doc: number): number {
    const { docs, length } = this.postings;
    const from = this.index > 0 && docs[this.index - 1] < doc ? this.index : 0;
    return firstAtLeast(docs, from, length, doc);
  }

  /** Goes to a document; false when it is not there. */
  find(doc: number): boolean {
    if (this.block < 0 || this.ends[this.block] < doc || (this.block > 0 && this.ends[this.block - 1] >= doc)) {
      const block = this.blockAt(doc);
      if (block >= this.ends.length) return false;
      this.load(block);
    }
    this.index = this.entryAt(doc);
    return this.postings.docs[this.index] === doc;
  }
}

/** The largest of what `of` says of the blocks that reach into each window. */
function largestByWindow(
  ends: Int32Array | Uint32Array,
  of: (block: number) => number,
  from: number,
  largest: Float32Array,
): void {
  let block = firstAtLeast(ends, 0, ends.length, from);
  for (let w = 0; w < largest.length && block < ends.length; w++) {
    const end = from + (w + 1) * NARROW;
    let max = of(block);
    while (ends[block] < end - 1 && ++block < ends.length) max = Math.max(max, of(block));
    // The last block looked at may reach into the next window as well; one that ends here does not.
    largest[w] = max;
    if (block < ends.length && ends[block] === end - 1) block++;
  }
}

export class TermCursor extends PostingsCursor implements Cursor {
  readonly scorer: TermScorer;
  readonly scores: Float32Array;
  readonly end: number;
  windowMax = 0;
  windowMaxes: Float32Array = NO_BOUNDS;
  #scored = -1;

  constructor(scorer: TermScorer) {
    super(scorer.postings);
    this.scorer = scorer;
    this.end = this.ends[this.ends.length - 1] + 1;
    this.scores = new Float32Array(scorer.postings.docs.length);
  }

  bound(from: number, windows: number): void {
    this.windowMaxes = new Float32Array(windows);
    largestByWindow(this.ends, (block) => this.scorer.blockMax(block), from, this.windowMaxes);
  }

  /** Scores of all documents of the loaded block. */
  score(): Float32Array {
    if (this.#scored !== this.block) {
      const { postings, sim, norms } = this.scorer;
      if (counted !== undefined) counted.scored += postings.length;
      sim.scoreBlock(postings.docs, postings.freqs, 0, postings.length, norms, this.scores);
      this.#scored = this.block;
    }
    return this.scores;
  }

  addTo(start: number, end: number, sums: Float64Array, marks: Uint32Array): void {
    const { ends } = this;
    const blocks = ends.length;
    let block = this.blockAt(start);
    for (; block < blocks; block++) {
      this.load(block);
      const scores = this.score();
      const docs = this.postings.docs as Int32Array;
      let i = this.entryAt(start);
      const stop = ends[block] < end ? this.postings.length : firstAtLeast(docs, i, this.postings.length, end);
      for (; i < stop; i++) {
        const slot = docs[i] - start;
        sums[slot] += scores[i];
        marks[slot >>> 5] |= 1 << (slot & 31);
      }
      this.index = i;
      if (ends[block] >= end - 1) return;
    }
  }

  scoreAt(doc: number): number {
    if (!this.find(doc)) return 0;
    const { sim, norms } = this.scorer;
    return this.#scored === this.block
      ? this.scores[this.index]
      : sim.score(this.postings.freqAt(this.index), norms === undefined ? 1 : norms[doc]);
  }
}

const FREQ = { score: (freq: number) => freq };
const SHORTEST = { score: (_: number, norm: number) => -norm };

/** Several postings scored as one term. */
export class PooledCursor implements Cursor {
  readonly scorer: PooledScorer;
  readonly end: number;
  windowMax = 0;
  windowMaxes: Float32Array = NO_BOUNDS;
  readonly #parts: readonly { readonly at: PostingsCursor; readonly weight: number }[];
  /** Frequencies by document of a window, and the documents that have one. */
  readonly #freqs = new Float32Array(WIDE);
  readonly #slots = new Int32Array(WIDE);

  constructor(scorer: PooledScorer) {
    this.scorer = scorer;
    this.#parts = scorer.parts.map(({ postings, weight }) => ({ at: new PostingsCursor(postings), weight }));
    this.end = this.#parts.reduce((last, { at: { ends } }) => Math.max(last, ends[ends.length - 1] + 1), 0);
  }

  /** No document has a larger frequency than that of all parts' best, nor a smaller length than any part's shortest. */
  bound(from: number, windows: number): void {
    const { parts, leastNorm, sim } = this.scorer;
    const freqs = new Float32Array(windows);
    const norms = new Uint8Array(windows).fill(255);
    for (const part of parts) {
      const { postings, weight } = part;
      const most = new Float32Array(windows);
      const shortest = new Float32Array(windows).fill(Number.NEGATIVE_INFINITY);
      largestByWindow(postings.blockEnds, (block) => postings.blockMaxScore(block, FREQ), from, most);
      largestByWindow(postings.blockEnds, (block) => postings.blockMaxScore(block, SHORTEST), from, shortest);
      for (let w = 0; w < windows; w++) {
        if (most[w] === 0) continue;
        freqs[w] += Math.fround(weight * most[w]);
        norms[w] = Math.min(norms[w], leastNorm(part, -shortest[w]));
      }
    }
    this.windowMaxes = freqs.map((freq, w) => (freq === 0 ? 0 : sim.score(freq, norms[w])));
  }

  addTo(start: number, end: number, sums: Float64Array, marks: Uint32Array): void {
    const freqs = this.#freqs;
    const slots = this.#slots;
    let count = 0;
    for (const { at, weight } of this.#parts) {
      const { ends, postings } = at;
      for (let block = at.blockAt(start); block < ends.length; block++) {
        at.load(block);
        const { docs, freqs: own } = postings;
        let i = at.entryAt(start);
        const stop = ends[block] < end ? postings.length : firstAtLeast(docs, i, postings.length, end);
        for (; i < stop; i++) {
          const slot = docs[i] - start;
          const freq = freqs[slot];
          if (freq === 0) slots[count++] = slot;
          freqs[slot] = freq + Math.fround(weight * own[i]);
        }
        at.index = i;
        if (ends[block] >= end - 1) break;
      }
    }
    if (counted !== undefined) counted.scored += count;
    const { sim, normOf } = this.scorer;
    for (let i = 0; i < count; i++) {
      const slot = slots[i];
      sums[slot] += sim.score(freqs[slot], normOf(start + slot));
      marks[slot >>> 5] |= 1 << (slot & 31);
      freqs[slot] = 0;
    }
  }

  scoreAt(doc: number): number {
    let freq = 0;
    for (const { at, weight } of this.#parts) {
      if (at.find(doc)) freq = Math.fround(freq + Math.fround(weight * at.postings.freqAt(at.index)));
    }
    return freq === 0 ? 0 : this.scorer.sim.score(freq, this.scorer.normOf(doc));
  }
}
