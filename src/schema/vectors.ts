/** Measures of vectors, and the choice of results that are relevant and different from each other. */
import { DimensionsError } from "./errors.ts";

/** The cosine of the angle between two vectors; 0 where one of them is all zeros. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) {
    throw new DimensionsError(
      a.length,
      b.length,
      `a vector of ${b.length} numbers cannot be compared with one of ${a.length}`,
    );
  }
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return aa === 0 || bb === 0 ? 0 : dot / (Math.sqrt(aa) * Math.sqrt(bb));
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein 1998): picks one after the other what is relevant and unlike all that was picked.
 *
 * @param relevance of each candidate, comparable with `similarity`
 * @param similarity of two candidates
 * @param threshold share of the relevance, from 0 to 1; the rest counts against being like one that was picked
 * @returns places of the picked candidates, in order; of equals the first
 */
export function marginalRelevance(
  relevance: readonly number[],
  similarity: (a: number, b: number) => number,
  threshold: number,
  count: number,
): number[] {
  const picked: number[] = [];
  const left = new Set(relevance.keys());
  /** The largest similarity to anything picked so far. */
  const closest = new Float64Array(relevance.length).fill(Number.NEGATIVE_INFINITY);
  while (picked.length < count && left.size > 0) {
    let best = -1;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const i of left) {
      const redundancy = picked.length === 0 ? 0 : (1 - threshold) * closest[i]!;
      const value = threshold * relevance[i]! - redundancy;
      if (best < 0 || value > bestValue) {
        best = i;
        bestValue = value;
      }
    }
    picked.push(best);
    left.delete(best);
    for (const i of left) closest[i] = Math.max(closest[i]!, similarity(i, best));
  }
  return picked;
}
