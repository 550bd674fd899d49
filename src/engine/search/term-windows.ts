/**
 * Top hits of a term, or of a sum of terms, read from the blocks of their postings directly.
 *
 * Documents are taken in windows. In a window the scores of the terms are added up in an array by document. When hits need not be counted
 * any more, each window has a bound: the sum of the terms' best scores in the blocks that reach into it (block-max). Windows below the
 * worst of the best hits are left out, the most promising ones come first; and inside a window terms that together cannot lift a document
 * into the best (MAXSCORE: the non-essential ones) are looked up only for documents that the others found.
 */
import type { TermScorer } from "../query/scorers/index.ts";
import { firstAtLeast } from "../segment/postings.ts";
import type { BitSet } from "../segment/types.ts";
import { counted } from "../work.ts";
import type { TopQueue } from "./top-queue.ts";

/** Documents of a window when all hits are scored, and when windows are chosen by their bounds. */
const WIDE = 4096;
const NARROW = 2048;

/** Sums of floats in a double, in any order: a little above, so that no rounding makes a bound too low. */
const SLACK = 1 + 2 ** -40;

const NO_BOUNDS = new Float32Array(0);

/** One term's place: the block that is loaded, its scores when they are computed, the next entry. */
class TermCursor {
  readonly scorer: TermScorer;
  readonly ends: Int32Array | Uint32Array;
  readonly scores: Float32Array;
  block = -1;
  index = 0;
  /** Best score in the current window, and in each. */
  windowMax = 0;
  windowMaxes: Float32Array = NO_BOUNDS;
  #scored = -1;

  constructor(scorer: TermScorer) {
    this.scorer = scorer;
    this.ends = scorer.postings.blockEnds;
    this.scores = new Float32Array(scorer.postings.docs.length);
  }

  load(block: number): void {
    if (block === this.block) return;
    this.scorer.postings.seekBlock(block);
    this.block = block;
    this.index = 0;
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

  /** First block that reaches `doc`. */
  blockAt(doc: number): number {
    const { ends, block } = this;
    const from = block > 0 && ends[block - 1] < doc ? block : 0;
    return firstAtLeast(ends, from, ends.length, doc);
  }

  /** First entry of the loaded block at or after `doc`. */
  entryAt(doc: number): number {
    const { docs, length } = this.scorer.postings;
    const from = this.index > 0 && docs[this.index - 1] < doc ? this.index : 0;
    return firstAtLeast(docs as Int32Array, from, length, doc);
  }

  /** Adds the scores in [start, end) to `sums` and marks their documents. */
  addTo(start: number, end: number, sums: Float64Array, marks: Uint32Array): void {
    const { ends } = this;
    const blocks = ends.length;
    let block = this.blockAt(start);
    for (; block < blocks; block++) {
      this.load(block);
      const scores = this.score();
      const docs = this.scorer.postings.docs as Int32Array;
      let i = this.entryAt(start);
      const stop =
        ends[block] < end ? this.scorer.postings.length : firstAtLeast(docs, i, this.scorer.postings.length, end);
      for (; i < stop; i++) {
        const slot = docs[i] - start;
        sums[slot] += scores[i];
        marks[slot >>> 5] |= 1 << (slot & 31);
      }
      this.index = i;
      if (ends[block] >= end - 1) return;
    }
  }

  /** Score of one document, 0 when it does not have the term. */
  scoreAt(doc: number): number {
    if (this.block < 0 || this.ends[this.block] < doc || (this.block > 0 && this.ends[this.block - 1] >= doc)) {
      const block = this.blockAt(doc);
      if (block >= this.ends.length) return 0;
      this.load(block);
    }
    const i = this.entryAt(doc);
    this.index = i;
    const { postings, sim, norms } = this.scorer;
    if (postings.docs[i] !== doc) return 0;
    return this.#scored === this.block
      ? this.scores[i]
      : sim.score(postings.freqAt(i), norms === undefined ? 1 : norms[doc]);
  }
}

/** What is done a step at a time, so that the caller can give the thread back in between. */
export interface Steps {
  /** Does a part of the work; false when nothing is left. */
  next(): boolean;
}

/**
 * @param known the number of hits is known already: no hit needs to be counted
 * @param docBase added to the documents that are offered
 */
export function termSteps(
  terms: readonly TermScorer[],
  live: BitSet | undefined,
  docBase: number,
  known: boolean,
  queue: TopQueue,
): Steps {
  const cursors = terms.map((term) => new TermCursor(term));
  return cursors.length === 1
    ? singleTermSteps(cursors[0], live, docBase, known, queue)
    : windowSteps(cursors, live, docBase, known, queue);
}

/** The `count` places with the highest bounds, in their own order. */
function mostPromising(bounds: Float32Array, count: number): number[] {
  if (bounds.length <= count) return Array.from(bounds, (_, i) => i);
  const sorted = bounds.slice().sort();
  const least = sorted[sorted.length - count];
  const places: number[] = [];
  for (let i = 0; i < bounds.length && places.length < count; i++) if (bounds[i] >= least) places.push(i);
  return places;
}

function singleTermSteps(
  cursor: TermCursor,
  live: BitSet | undefined,
  docBase: number,
  known: boolean,
  queue: TopQueue,
): Steps {
  const { ends, scorer } = cursor;
  const blocks = ends.length;
  const { minScore } = queue;

  const takeBlock = (block: number, counting: boolean): void => {
    cursor.load(block);
    const scores = cursor.score();
    const { docs, length } = scorer.postings;
    let hits = 0;
    for (let i = 0; i < length; i++) {
      const score = scores[i];
      if (!counting && score < queue.worst) continue;
      if (live !== undefined && !live.get(docs[i])) continue;
      if (score < minScore) continue;
      hits++;
      queue.offer(docs[i] + docBase, score);
    }
    if (counting) queue.count(hits);
  };
  const firstDoc = (block: number) => docBase + (block === 0 ? 0 : ends[block - 1] + 1);

  const done = new Uint8Array(blocks);
  let block = 0;
  if ((known || queue.exceeded) && blocks > 4 && queue.k > 0) {
    const bounds = new Float32Array(blocks);
    for (let b = 0; b < blocks; b++) bounds[b] = scorer.blockMax(b);
    for (const b of mostPromising(bounds, Math.min(queue.k, 16))) {
      takeBlock(b, false);
      done[b] = 1;
    }
  }
  return {
    next() {
      const end = Math.min(blocks, block + 64);
      for (; block < end; block++) {
        if (done[block] !== 0) continue;
        const counting = !known && !queue.exceeded;
        if (!counting && queue.hopeless(scorer.blockMax(block), firstDoc(block))) continue;
        takeBlock(block, counting);
      }
      return block < blocks;
    },
  };
}

function windowSteps(
  cursors: readonly TermCursor[],
  live: BitSet | undefined,
  docBase: number,
  known: boolean,
  queue: TopQueue,
): Steps {
  const sums = new Float64Array(WIDE);
  const marks = new Uint32Array(WIDE >>> 5);
  const end = cursors.reduce((last, { ends }) => Math.max(last, ends[ends.length - 1] + 1), 0);
  /** The terms of a window, those with the lowest bounds first. */
  const order = [...cursors];
  /** Of the terms up to this one, the sum of their bounds. */
  const boundUpTo = new Float64Array(cursors.length);

  /** Offers what the sums say; the first `rest` terms in `order` are not in them yet. */
  const takeMarked = (start: number, width: number, rest: number, counting: boolean): void => {
    const { minScore } = queue;
    const restBound = rest === 0 ? 0 : boundUpTo[rest - 1];
    let hits = 0;
    for (let w = 0; w < (width + 31) >>> 5; w++) {
      let word = marks[w];
      marks[w] = 0;
      while (word !== 0) {
        const bit = word & -word;
        word ^= bit;
        const slot = (w << 5) + 31 - Math.clz32(bit);
        let sum = sums[slot];
        sums[slot] = 0;
        if (!counting && Math.fround((sum + restBound) * SLACK) < queue.worst) continue;
        const doc = start + slot;
        if (live !== undefined && !live.get(doc)) continue;
        let hopeless = false;
        for (let t = rest - 1; t >= 0; t--) {
          sum += order[t].scoreAt(doc);
          if (t > 0 && Math.fround((sum + boundUpTo[t - 1]) * SLACK) < queue.worst) {
            hopeless = true;
            break;
          }
        }
        if (hopeless) continue;
        const score = Math.fround(sum);
        if (score < minScore) continue;
        hits++;
        queue.offer(doc + docBase, score);
      }
    }
    if (counting) queue.count(hits);
  };

  const takeAll = (start: number, width: number): void => {
    for (const cursor of cursors) cursor.addTo(start, start + width, sums, marks);
    takeMarked(start, width, 0, !known && !queue.exceeded);
  };

  /** Where the windows begin that are chosen by their bounds. */
  let first = 0;
  /** Scores a window of which only hits that reach the best are wanted. */
  const takeBest = (w: number): void => {
    const start = first + w * NARROW;
    const width = Math.min(NARROW, end - start);
    for (const cursor of cursors) cursor.windowMax = cursor.windowMaxes[w];
    sortByBound(order);
    let rest = 0;
    let sum = 0;
    for (let t = 0; t < order.length; t++) {
      sum += order[t].windowMax;
      boundUpTo[t] = sum;
      if (rest === t && Math.fround(sum * SLACK) < queue.worst) rest = t + 1;
    }
    for (let t = rest; t < order.length; t++) {
      if (order[t].windowMax > 0 || rest === 0) order[t].addTo(start, start + width, sums, marks);
    }
    takeMarked(start, width, rest, false);
  };

  let done: Uint8Array | undefined;
  let bounds: Float32Array | undefined;
  const countless = () => known || queue.exceeded;
  /** From where hits need not be counted, the bounds of all windows; the most promising are taken at once. */
  const chooseWindows = (from: number): void => {
    const windows = Math.ceil((end - from) / NARROW);
    first = from;
    bounds = windowBounds(cursors, from, windows);
    done = new Uint8Array(windows);
    if (queue.k === 0) return;
    for (const w of mostPromising(bounds, 4)) {
      takeBest(w);
      done[w] = 1;
    }
  };
  let start = 0;
  return {
    next() {
      if (!countless()) {
        const width = Math.min(WIDE, end - start);
        takeAll(start, width);
        start += width;
        return start < end;
      }
      if (done === undefined || bounds === undefined) {
        chooseWindows(start);
        return start < end;
      }
      for (let i = 0; i < 8 && start < end; i++, start += NARROW) {
        const w = (start - first) / NARROW;
        if (done[w] !== 0 || queue.hopeless(bounds[w], start + docBase)) continue;
        takeBest(w);
      }
      return start < end;
    },
  };
}

/** Insertion: the terms are few, and mostly in order from the window before. */
function sortByBound(cursors: TermCursor[]): void {
  for (let i = 1; i < cursors.length; i++) {
    const cursor = cursors[i];
    let at = i;
    for (; at > 0 && cursors[at - 1].windowMax > cursor.windowMax; at--) cursors[at] = cursors[at - 1];
    cursors[at] = cursor;
  }
}

/** Bounds of windows of NARROW documents from `from` on. */
function windowBounds(cursors: readonly TermCursor[], from: number, windows: number): Float32Array {
  const sums = new Float64Array(windows);
  for (const cursor of cursors) {
    const { ends, scorer } = cursor;
    const maxes = new Float32Array(windows);
    cursor.windowMaxes = maxes;
    let block = firstAtLeast(ends, 0, ends.length, from);
    for (let w = 0; w < windows && block < ends.length; w++) {
      const end = from + (w + 1) * NARROW;
      let max = scorer.blockMax(block);
      while (ends[block] < end - 1 && ++block < ends.length) max = Math.max(max, scorer.blockMax(block));
      // The last block looked at may reach into the next window as well; one that ends here does not.
      maxes[w] = max;
      sums[w] += max;
      if (block < ends.length && ends[block] === end - 1) block++;
    }
  }
  const bounds = new Float32Array(windows);
  for (let w = 0; w < windows; w++) bounds[w] = Math.fround(sums[w] * SLACK);
  return bounds;
}
