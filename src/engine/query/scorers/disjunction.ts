/** Any clause may match: sums of scores, best scores, and a least number of clauses. */
import { NO_MORE_DOCS } from "../../segment/types.ts";
import type { Scorer } from "../types.ts";
import { blockSkipper, maxScores, shallowAll, sumUpperBound } from "./block-max.ts";
import type { AnyOf } from "./matching-docs.ts";
import { PooledScorer } from "./pooled.ts";
import { TermScorer } from "./term.ts";
import { confirmed } from "./two-phase.ts";

/** Clauses by the document that they stand on, the earliest on top. */
class ScorerHeap {
  readonly scorers: Scorer[];
  readonly docs: Int32Array;

  constructor(scorers: readonly Scorer[]) {
    this.scorers = [...scorers];
    this.docs = Int32Array.from(scorers, (scorer) => scorer.docID());
  }

  get top(): number {
    return this.docs[0];
  }

  /** Moves every clause that is before `target` to it or beyond. */
  advance(target: number): number {
    const { scorers, docs } = this;
    while (docs[0] < target) {
      docs[0] = scorers[0].advance(target);
      this.#siftDown();
    }
    return docs[0];
  }

  #siftDown(): void {
    const { scorers, docs } = this;
    const size = docs.length;
    const doc = docs[0];
    const scorer = scorers[0];
    let i = 0;
    for (let child = 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && docs[child + 1] < docs[child]) child++;
      if (docs[child] >= doc) break;
      docs[i] = docs[child];
      scorers[i] = scorers[child];
      i = child;
    }
    docs[i] = doc;
    scorers[i] = scorer;
  }

  /** Puts the clauses that stand on the top document into a list, from a place on; returns the place behind them. */
  collect(into: Scorer[], at = 0, i = 0): number {
    if (i >= this.docs.length || this.docs[i] !== this.docs[0]) return at;
    into[at] = this.scorers[i];
    return this.collect(into, this.collect(into, at + 1, 2 * i + 1), 2 * i + 2);
  }
}

interface Combination {
  /** Score out of those of the first `count` clauses, which match. */
  score(matching: readonly Scorer[], count: number): number;
  /** The best score out of the best of all clauses. */
  bound(scorers: readonly Scorer[], upTo: number): number;
}

/** DisjunctionSumScorer: a sum in a double, rounded to a float. */
const SUM: Combination = {
  score(matching, count) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += matching[i].score();
    return Math.fround(sum);
  },
  bound(scorers, upTo) {
    let sum = 0;
    maxScores(scorers, upTo, (max) => {
      sum += max;
    });
    return sumUpperBound(sum);
  },
};

/** DisjunctionMaxScorer: the best score, and the others times the tie breaker (a float). */
function maxCombination(tieBreaker: number): Combination {
  const tie = Math.fround(tieBreaker);
  // Of one document at a time: nothing is made for each.
  let best = 0;
  let others = 0;
  const add = (score: number): void => {
    if (score >= best) {
      others += best;
      best = score;
    } else {
      others += score;
    }
  };
  return {
    score(matching, count) {
      best = others = 0;
      for (let i = 0; i < count; i++) add(matching[i].score());
      return Math.fround(best + others * tie);
    },
    bound(scorers, upTo) {
      best = others = 0;
      maxScores(scorers, upTo, add);
      // Bounds may be infinite, and no share of infinity is no number.
      return sumUpperBound(tie === 0 ? best : best + others * tie);
    },
  };
}

/** What collectors score a window of documents at a time. */
export type BulkTerm = TermScorer | PooledScorer;

const isBulk = (scorer: Scorer): scorer is BulkTerm => scorer instanceof TermScorer || scorer instanceof PooledScorer;

/** A sum of terms, which the bulk collector scores in its own way. */
interface TermDisjunction extends Scorer {
  readonly terms: readonly BulkTerm[];
}

/** The terms of a term, or of a plain disjunction of terms; undefined where there is more to it. */
export function sumOfTerms(scorer: Scorer): readonly BulkTerm[] | undefined {
  if (isBulk(scorer)) return [scorer];
  return "terms" in scorer ? (scorer as TermDisjunction).terms : undefined;
}

/** The best of sums of terms. */
export interface BestOfSums extends Scorer {
  readonly sums: readonly (readonly BulkTerm[])[];
  readonly tieBreaker: number;
}

/** Documents that any of the scorers matches; the score is the sum of those that do. */
export function disjunctionScorer(scorers: readonly Scorer[]): Scorer {
  if (scorers.length === 1) return scorers[0];
  const scorer = combinedScorer(scorers, 1, SUM);
  if (!scorers.every(isBulk)) return scorer;
  const terms: TermDisjunction = { ...scorer, terms: scorers };
  return terms;
}

/** Documents that at least `minShouldMatch` of the scorers match; the score is the sum of those that do. */
export function minShouldMatchScorer(scorers: readonly Scorer[], minShouldMatch: number): Scorer | undefined {
  if (minShouldMatch > scorers.length) return undefined;
  return minShouldMatch <= 1 ? disjunctionScorer(scorers) : combinedScorer(scorers, minShouldMatch, SUM);
}

/** Documents that any of the scorers matches; the score is the best one plus `tieBreaker` times the others. */
export function disMaxScorer(scorers: readonly Scorer[], tieBreaker: number): Scorer {
  if (scorers.length === 1) return scorers[0];
  const scorer = combinedScorer(scorers, 1, maxCombination(tieBreaker));
  const sums = scorers.map(sumOfTerms);
  if (!sums.every((terms) => terms !== undefined)) return scorer;
  const best: BestOfSums = { ...scorer, sums, tieBreaker: Math.fround(tieBreaker) };
  return best;
}

function combinedScorer(clauses: readonly Scorer[], minShouldMatch: number, combination: Combination): Scorer | AnyOf {
  if (clauses.length === 0) throw new Error("a disjunction needs a clause");
  // A document that matches m of n clauses matches one of the n − m + 1 cheapest: those lead, the others only follow.
  const scorers = clauses.map(confirmed).sort((a, b) => a.cost() - b.cost());
  const leads = scorers.slice(0, scorers.length - minShouldMatch + 1);
  const followers = scorers.slice(leads.length);
  const heap = new ScorerHeap(leads);
  /** Of `matchingDoc` the first `matchCount`. Its length stays: cutting a list for each document costs more than scoring one. */
  const matching: Scorer[] = [];
  let matchCount = 0;
  let matchingDoc = -1;
  let doc = -1;

  const bound = (upTo: number) => combination.bound(scorers, upTo);
  const shallow = (target: number) => shallowAll(scorers, target);
  const skipper = blockSkipper(shallow, bound);

  const matchesAt = (candidate: number): number => {
    if (matchingDoc === candidate) return matchCount;
    matchingDoc = candidate;
    matchCount = heap.collect(matching);
    for (let i = 0; i < followers.length; i++) {
      const follower = followers[i];
      let at = follower.docID();
      if (at < candidate) at = follower.advance(candidate);
      if (at === candidate) matching[matchCount++] = follower;
      else if (matchCount + followers.length - i - 1 < minShouldMatch) break;
    }
    return matchCount;
  };
  const advance = (target: number): number => {
    let from = target;
    for (;;) {
      from = skipper.skip(from);
      doc = from === NO_MORE_DOCS ? from : heap.advance(from);
      if (doc === NO_MORE_DOCS || minShouldMatch === 1 || matchesAt(doc) >= minShouldMatch) return doc;
      from = doc + 1;
    }
  };
  const cost = leads.reduce((sum, scorer) => sum + scorer.cost(), 0);
  return {
    docID: () => doc,
    nextDoc: () => (doc === NO_MORE_DOCS ? doc : advance(doc + 1)),
    advance,
    cost: () => cost,
    score: () => combination.score(matching, matchesAt(doc)),
    maxScore: bound,
    advanceShallow: shallow,
    setMinCompetitiveScore: skipper.setMinCompetitiveScore,
    ...(minShouldMatch === 1 ? { anyOf: clauses } : {}),
  };
}
