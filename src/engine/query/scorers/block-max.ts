/** Skipping what cannot compete: windows of documents whose best possible score is below what the collector still takes. */
import { NO_MORE_DOCS } from "../../segment/types.ts";
import type { Scorer } from "../types.ts";

const scratch = new DataView(new ArrayBuffer(4));

/** Java's Math.nextUp of a float, for values from 0. */
export function nextUp(value: number): number {
  if (value === Number.POSITIVE_INFINITY) return value;
  scratch.setFloat32(0, value === 0 ? 0 : value);
  scratch.setInt32(0, scratch.getInt32(0) + 1);
  return scratch.getFloat32(0);
}

/** A bound that a sum of floats in a double does not exceed, whatever the order of its terms (MathUtil.sumUpperBound). */
export function sumUpperBound(sum: number): number {
  return Math.fround(sum * (1 + 2 ** -40));
}

export interface BlockSkipper {
  setMinCompetitiveScore(score: number): void;
  /** The first document from `target` on that may compete, NO_MORE_DOCS when none can. */
  skip(target: number): number;
}

/**
 * @param shallow finds the blocks that hold a document; returns the last document for which `bound` holds
 * @param bound the best score up to a document
 */
export function blockSkipper(shallow: (target: number) => number, bound: (upTo: number) => number): BlockSkipper {
  let min = 0;
  let windowEnd = -1;
  let windowMax = 0;
  return {
    setMinCompetitiveScore(score) {
      min = score;
    },
    skip(target) {
      if (min <= 0) return target;
      let from = target;
      while (from !== NO_MORE_DOCS) {
        if (from > windowEnd) {
          windowEnd = shallow(from);
          windowMax = bound(windowEnd);
        }
        if (windowMax >= min) return from;
        from = windowEnd >= NO_MORE_DOCS - 1 ? NO_MORE_DOCS : windowEnd + 1;
      }
      return from;
    },
  };
}

/** The earliest end of the scorers' blocks at `target`: up to there the bounds of all of them hold. */
export function shallowAll(scorers: readonly Scorer[], target: number): number {
  let end = NO_MORE_DOCS;
  for (const scorer of scorers) {
    // A scorer that is beyond the target already has nothing before its own document.
    const doc = scorer.docID();
    const last = doc > target ? doc - 1 : scorer.advanceShallow(target);
    if (last < end) end = last;
  }
  return end;
}

/** The best scores up to a document; 0 for a scorer that comes after it. */
export function maxScores(scorers: readonly Scorer[], upTo: number, visit: (max: number) => void): void {
  for (const scorer of scorers) visit(scorer.docID() > upTo ? 0 : scorer.maxScore(upTo));
}
