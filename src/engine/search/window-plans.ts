/** How the scores of terms combine in a window: their sum, the best of several sums, a sum to which others are added. */
import type { BulkTerm } from "../query/scorers/index.ts";
import { popCount } from "../segment/bitset.ts";
import type { WindowTarget } from "./term-windows.ts";
import { type Cursor, cursorOf, WIDE } from "./window-cursors.ts";

/** Sums of floats in a double, in any order: a little above, so that no rounding makes a bound too low. */
const SLACK = 1 + 2 ** -40;
const upper = (sum: number) => Math.fround(sum * SLACK);

export interface WindowPlan {
  /** Last document, plus 1. */
  readonly end: number;
  /** Bounds of the scores in windows of NARROW documents from `from` on. */
  bounds(from: number, windows: number): Float32Array;
  /** Scores all documents of a window, and counts them as long as they are counted. */
  takeAll(start: number, width: number): void;
  /** Scores the documents of one of the windows with bounds that can reach the best. */
  takeBest(start: number, width: number, window: number): void;
}

const endOf = (cursors: readonly Cursor[]) => cursors.reduce((last, { end }) => Math.max(last, end), 0);

/** Terms whose scores are added up in an array. */
interface Sum {
  readonly cursors: readonly Cursor[];
  readonly sums: Float64Array;
  /** Bounds in each window, and in the current one. */
  maxes: Float64Array;
  max: number;
}

function sumOf(terms: readonly BulkTerm[]): Sum {
  return { cursors: terms.map(cursorOf), sums: new Float64Array(WIDE), maxes: new Float64Array(0), max: 0 };
}

function boundSum(sum: Sum, from: number, windows: number): void {
  sum.maxes = new Float64Array(windows);
  for (const cursor of sum.cursors) {
    cursor.bound(from, windows);
    const { windowMaxes } = cursor;
    for (let w = 0; w < windows; w++) sum.maxes[w] += windowMaxes[w];
  }
}

function addSum({ cursors, sums }: Sum, start: number, end: number, marks: Uint32Array): void {
  for (const cursor of cursors) cursor.addTo(start, end, sums, marks);
}

function sumAt({ cursors }: Sum, doc: number): number {
  let sum = 0;
  for (const cursor of cursors) sum += cursor.scoreAt(doc);
  return Math.fround(sum);
}

function boundsOf(windows: number, boundOf: (window: number) => number): Float32Array {
  const bounds = new Float32Array(windows);
  for (let w = 0; w < windows; w++) bounds[w] = boundOf(w);
  return bounds;
}

/** Visits the marked places of a window, and takes the marks away. */
function visitMarks(marks: Uint32Array, width: number, visit: (slot: number) => void): void {
  for (let w = 0; w < (width + 31) >>> 5; w++) {
    let word = marks[w];
    marks[w] = 0;
    while (word !== 0) {
      const bit = word & -word;
      word ^= bit;
      visit((w << 5) + 31 - Math.clz32(bit));
    }
  }
}

export function sumPlan(terms: readonly BulkTerm[], { accepted, docBase, known, queue }: WindowTarget): WindowPlan {
  const cursors: Cursor[] = terms.map(cursorOf);
  const sums = new Float64Array(WIDE);
  const marks = new Uint32Array(WIDE >>> 5);
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
        if (!counting && upper(sum + restBound) < queue.worst) continue;
        const doc = start + slot;
        if (accepted !== undefined && !accepted.get(doc)) continue;
        let hopeless = false;
        for (let t = rest - 1; t >= 0; t--) {
          sum += order[t].scoreAt(doc);
          if (t > 0 && upper(sum + boundUpTo[t - 1]) < queue.worst) {
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
  return {
    end: endOf(cursors),
    bounds(from, windows) {
      for (const cursor of cursors) cursor.bound(from, windows);
      return boundsOf(windows, (w) => {
        let sum = 0;
        for (const { windowMaxes } of cursors) sum += windowMaxes[w];
        return upper(sum);
      });
    },
    takeAll(start, width) {
      for (const cursor of cursors) cursor.addTo(start, start + width, sums, marks);
      takeMarked(start, width, 0, !known && !queue.exceeded);
    },
    takeBest(start, width, window) {
      for (const cursor of cursors) cursor.windowMax = cursor.windowMaxes[window];
      sortByBound(order, (cursor) => cursor.windowMax);
      let rest = 0;
      let sum = 0;
      for (let t = 0; t < order.length; t++) {
        sum += order[t].windowMax;
        boundUpTo[t] = sum;
        if (rest === t && upper(sum) < queue.worst) rest = t + 1;
      }
      for (let t = rest; t < order.length; t++) {
        if (order[t].windowMax > 0 || rest === 0) order[t].addTo(start, start + width, sums, marks);
      }
      takeMarked(start, width, rest, false);
    },
  };
}

/** The best of several sums, plus `tieBreaker` times the others (DisjunctionMaxScorer). */
export function bestPlan(
  clauses: readonly (readonly BulkTerm[])[],
  tieBreaker: number,
  { accepted, docBase, known, queue }: WindowTarget,
): WindowPlan {
  const order = clauses.map(sumOf);
  const marks = new Uint32Array(WIDE >>> 5);
  /** Never falls when the best or the sum of all grows. */
  const combined = (best: number, all: number) => upper(best + tieBreaker * (all - best));

  /** The first `rest` clauses in `order` are not in the sums yet; their bounds are `restBest` and, together, `restAll`. */
  const takeMarked = (start: number, width: number, rest: number, counting: boolean): void => {
    const { minScore } = queue;
    let restAll = 0;
    for (let c = 0; c < rest; c++) restAll += order[c].max;
    const restBest = rest === 0 ? 0 : order[rest - 1].max;
    let hits = 0;
    visitMarks(marks, width, (slot) => {
      let best = 0;
      let others = 0;
      for (let c = rest; c < order.length; c++) {
        const { sums } = order[c];
        const score = Math.fround(sums[slot]);
        sums[slot] = 0;
        others += Math.min(score, best);
        best = Math.max(score, best);
      }
      const doc = start + slot;
      if (!counting && combined(Math.max(best, restBest), best + others + restAll) < queue.worst) return;
      if (accepted !== undefined && !accepted.get(doc)) return;
      for (let c = 0; c < rest; c++) {
        const score = sumAt(order[c], doc);
        others += Math.min(score, best);
        best = Math.max(score, best);
      }
      const score = Math.fround(best + others * tieBreaker);
      if (score < minScore) return;
      hits++;
      queue.offer(doc + docBase, score);
    });
    if (counting) queue.count(hits);
  };
  return {
    end: endOf(order.flatMap(({ cursors }) => cursors)),
    bounds(from, windows) {
      for (const sum of order) boundSum(sum, from, windows);
      return boundsOf(windows, (w) => {
        let best = 0;
        let all = 0;
        for (const { maxes } of order) {
          best = Math.max(best, maxes[w]);
          all += maxes[w];
        }
        return combined(best, all);
      });
    },
    takeAll(start, width) {
      for (const sum of order) addSum(sum, start, start + width, marks);
      takeMarked(start, width, 0, !known && !queue.exceeded);
    },
    takeBest(start, width, window) {
      for (const sum of order) sum.max = sum.maxes[window];
      sortByBound(order, ({ max }) => max);
      let rest = 0;
      let all = 0;
      for (; rest < order.length; rest++) {
        all += order[rest].max;
        if (combined(order[rest].max, all) >= queue.worst) break;
      }
      for (let c = rest; c < order.length; c++) addSum(order[c], start, start + width, marks);
      takeMarked(start, width, rest, false);
    },
  };
}

/** From so many documents on it costs less to add up what is optional in the whole window than to look it up for each. */
const MANY = 32;

/** A sum that must match, to which another is added where it matches, in floats as Lucene adds them here (ReqOptSumScorer). */
export function optionalPlan(
  required: readonly BulkTerm[],
  optional: readonly BulkTerm[],
  { accepted, docBase, known, queue }: WindowTarget,
): WindowPlan {
  const must = sumOf(required);
  const may = sumOf(optional);
  const marks = new Uint32Array(WIDE >>> 5);
  const mayMarks = new Uint32Array(WIDE >>> 5);
  const take = (start: number, width: number, mayMax: number, counting: boolean): void => {
    addSum(must, start, start + width, marks);
    let found = 0;
    for (const word of marks) found += popCount(word);
    const added = found >= MANY;
    if (added) addSum(may, start, start + width, mayMarks);
    const { minScore } = queue;
    let hits = 0;
    visitMarks(marks, width, (slot) => {
      const own = Math.fround(must.sums[slot]);
      must.sums[slot] = 0;
      if (!counting && upper(own + (added ? may.sums[slot] : mayMax)) < queue.worst) return;
      const doc = start + slot;
      if (accepted !== undefined && !accepted.get(doc)) return;
      const score = Math.fround(own + (added ? Math.fround(may.sums[slot]) : sumAt(may, doc)));
      if (score < minScore) return;
      hits++;
      queue.offer(doc + docBase, score);
    });
    if (added) {
      may.sums.fill(0, 0, width);
      mayMarks.fill(0);
    }
    if (counting) queue.count(hits);
  };
  return {
    end: endOf(must.cursors),
    bounds(from, windows) {
      boundSum(must, from, windows);
      boundSum(may, from, windows);
      return boundsOf(windows, (w) => (must.maxes[w] === 0 ? 0 : upper(must.maxes[w] + may.maxes[w])));
    },
    takeAll: (start, width) => take(start, width, Number.POSITIVE_INFINITY, !known && !queue.exceeded),
    takeBest: (start, width, window) => take(start, width, may.maxes[window], false),
  };
}

/** Insertion: they are few, and mostly in order from the window before. */
function sortByBound<T>(items: T[], boundOf: (item: T) => number): void {
  for (let i = 1; i < items.length; i++) {
    const item = items[i];
    const bound = boundOf(item);
    let at = i;
    for (; at > 0 && boundOf(items[at - 1]) > bound; at--) items[at] = items[at - 1];
    items[at] = item;
  }
}
