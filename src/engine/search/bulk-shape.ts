/** Which scorers are collected in windows: terms, what is made up of terms, and those with documents left out by other clauses. */
import {
  type BestOfSums,
  type BulkTerm,
  type OfBits,
  type Restricted,
  sumOfTerms,
  TermScorer,
  type WithOptional,
} from "../query/scorers/index.ts";
import type { Scorer } from "../query/types.ts";
import { FixedBitSet } from "../segment/bitset.ts";
import type { BitSet, Postings } from "../segment/types.ts";
import type { BulkShape } from "./term-windows.ts";

export interface BulkSource {
  readonly shape: BulkShape;
  /** Documents that count; undefined: all. */
  readonly accepted: BitSet | undefined;
  /** At least so many documents are found, before any is left out. */
  readonly atLeast: number;
  /** `atLeast` is their number. */
  readonly exact: boolean;
}

/** A clause that leaves most documents out leads better than it follows: so many documents of terms cost as much as one that is leapt to. */
const LEAP = 32;

/** Terms alone, or what is made up of them alone. @param scorer is not touched */
export function plainSource(scorer: Scorer, live: BitSet | undefined): BulkSource | undefined {
  const shape = shapeOf(scorer);
  return shape && sourceOf(shape, live);
}

/** @param scorer unused; where something is returned, its clauses may be used up */
export function bulkSource(scorer: Scorer, live: BitSet | undefined): BulkSource | undefined {
  const within: Scorer[] = [];
  const without: Scorer[] = [];
  let inner = scorer;
  while ("restricted" in inner) {
    const { restricted } = inner as Restricted;
    within.push(...restricted.within);
    without.push(...restricted.without);
    inner = restricted.scorer;
  }
  const shape = shapeOf(inner);
  if (shape === undefined || ![...within, ...without].every(isQuick)) return undefined;
  const cost = termsOf(shape).reduce((sum, term) => sum + term.cost(), 0);
  if (within.some((each) => each.cost() * LEAP < cost)) return undefined;
  if (within.length + without.length === 0) return sourceOf(shape, live);
  return sourceOf(shape, acceptedBy(within, without, live, endOf(leadingOf(shape))));
}

function sourceOf(shape: BulkShape, accepted: BitSet | undefined): BulkSource {
  const leading = leadingOf(shape);
  return {
    shape,
    accepted,
    atLeast: Math.max(...leading.map(leastOf)),
    exact: leading.length === 1 && leading[0] instanceof TermScorer,
  };
}

function shapeOf(scorer: Scorer): BulkShape | undefined {
  const terms = sumOfTerms(scorer);
  if (terms !== undefined) return { kind: "sum", terms };
  if ("sums" in scorer) {
    const { sums, tieBreaker } = scorer as BestOfSums;
    return { kind: "best", sums, tieBreaker };
  }
  if (!("withOptional" in scorer)) return undefined;
  const { withOptional } = scorer as WithOptional;
  const required = sumOfTerms(withOptional.required);
  const optional = sumOfTerms(withOptional.optional);
  return required && optional && { kind: "optional", required, optional };
}

function termsOf(shape: BulkShape): readonly BulkTerm[] {
  if (shape.kind === "sum") return shape.terms;
  return shape.kind === "best" ? shape.sums.flat() : [...shape.required, ...shape.optional];
}

/** One of these terms is in each document that is found. */
const leadingOf = (shape: BulkShape) => (shape.kind === "optional" ? shape.required : termsOf(shape));

const postingsOf = (term: BulkTerm): readonly Postings[] =>
  term instanceof TermScorer ? [term.postings] : term.parts.map(({ postings }) => postings);

const leastOf = (term: BulkTerm) => Math.max(...postingsOf(term).map((postings) => postings.cost()));

function endOf(terms: readonly BulkTerm[]): number {
  const lasts = terms.flatMap(postingsOf).map(({ blockEnds }) => blockEnds[blockEnds.length - 1]);
  return Math.max(...lasts) + 1;
}

/** Whether a clause's documents are marked at little cost. */
const isQuick = (scorer: Scorer) => "bits" in scorer || sumOfTerms(scorer) !== undefined;

/** @param end behind the last document that anybody asks for */
function acceptedBy(
  within: readonly Scorer[],
  without: readonly Scorer[],
  live: BitSet | undefined,
  end: number,
): BitSet {
  const sets = within.map((scorer) => bitsOf(scorer, end));
  if (live !== undefined) sets.push(live);
  // What is kept of one filter can be asked as it is.
  if (sets.length === 1 && without.length === 0) return sets[0];
  const words = new Uint32Array((end + 31) >>> 5).fill(0xffffffff);
  for (const set of sets) combine(words, set, (word, own) => word & own);
  for (const scorer of without) combine(words, bitsOf(scorer, end), (word, own) => word & ~own);
  if ((end & 31) !== 0) words[words.length - 1] &= -1 >>> (32 - (end & 31));
  return new FixedBitSet(end, words);
}

function combine(words: Uint32Array, set: BitSet, join: (word: number, own: number) => number): void {
  const own = set instanceof FixedBitSet ? set.words : undefined;
  for (let w = 0; w < words.length; w++) {
    let word = own === undefined ? 0 : w < own.length ? own[w] : 0;
    if (own === undefined) {
      for (let bit = 0; bit < 32; bit++) {
        const doc = w * 32 + bit;
        if (doc < set.length && set.get(doc)) word |= 1 << bit;
      }
    }
    words[w] = join(words[w], word);
  }
}

function bitsOf(scorer: Scorer, end: number): BitSet {
  if ("bits" in scorer) return (scorer as OfBits).bits;
  const bits = new FixedBitSet(end);
  const { words } = bits;
  for (const postings of sumOfTerms(scorer)!.flatMap(postingsOf)) {
    while (postings.nextBlock()) {
      const { docs, length } = postings;
      for (let i = 0; i < length && docs[i] < end; i++) words[docs[i] >>> 5] |= 1 << (docs[i] & 31);
      if (docs[length - 1] >= end) break;
    }
  }
  return bits;
}
