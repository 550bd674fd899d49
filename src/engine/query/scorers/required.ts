/** A required clause with an optional one that only scores (ReqOptSumScorer), or with one that excludes (ReqExclScorer). */
import { NO_MORE_DOCS } from "../../segment/types.ts";
import type { Scorer } from "../types.ts";
import { blockSkipper, maxScores, shallowAll, sumUpperBound } from "./block-max.ts";
import { confirmed, confirms } from "./two-phase.ts";

/** What a scorer of a required and an optional clause shows of itself. */
export interface WithOptional extends Scorer {
  readonly withOptional: { readonly required: Scorer; readonly optional: Scorer };
}

/** What a scorer shows of itself that only leaves documents of another one out. */
export interface Restricted extends Scorer {
  readonly restricted: {
    readonly scorer: Scorer;
    readonly within: readonly Scorer[];
    readonly without: readonly Scorer[];
  };
}

/** Documents of `required`; the score of `optional` is added where it matches, in floats as Lucene adds them here. */
export function reqOptScorer(required: Scorer, optional: Scorer): WithOptional {
  const option = confirmed(optional);
  const both = [required, option];
  const bound = (upTo: number): number => {
    let sum = 0;
    maxScores(both, upTo, (max) => {
      sum += max;
    });
    // The sum is rounded to a float, as the score is; the bound of doubles is not below it.
    return sumUpperBound(sum);
  };
  const shallow = (target: number) => shallowAll(both, target);
  const skipper = blockSkipper(shallow, bound);
  const goTo = (target: number): number => {
    const from = skipper.skip(target);
    return required.advance(from);
  };
  return {
    docID: () => required.docID(),
    nextDoc: () => goTo(required.docID() + 1),
    advance: goTo,
    cost: () => required.cost(),
    score() {
      const doc = required.docID();
      const score = required.score();
      if (option.docID() < doc) option.advance(doc);
      return option.docID() === doc ? Math.fround(score + option.score()) : score;
    },
    maxScore: bound,
    advanceShallow: shallow,
    setMinCompetitiveScore: skipper.setMinCompetitiveScore,
    twoPhase: required.twoPhase,
    withOptional: { required, optional },
  };
}

/** Documents of `required` that `excluded` does not match, with the scores of `required`. */
export function reqExclScorer(required: Scorer, excluded: Scorer): Restricted {
  const costly = required.twoPhase !== undefined || excluded.twoPhase !== undefined;
  const outside = (doc: number): boolean => {
    if (excluded.docID() < doc) excluded.advance(doc);
    return excluded.docID() !== doc || !confirms(excluded);
  };
  /** Where no question is costly, excluded documents are left out at once. */
  const settle = (candidate: number): number => {
    let doc = candidate;
    if (!costly) while (doc !== NO_MORE_DOCS && !outside(doc)) doc = required.nextDoc();
    return doc;
  };
  return {
    docID: () => required.docID(),
    nextDoc: () => settle(required.nextDoc()),
    advance: (target) => settle(required.advance(target)),
    cost: () => required.cost(),
    score: () => required.score(),
    maxScore: (upTo) => required.maxScore(upTo),
    advanceShallow: (target) => required.advanceShallow(target),
    setMinCompetitiveScore: (score) => required.setMinCompetitiveScore(score),
    twoPhase: costly
      ? {
          matchCost: (required.twoPhase?.matchCost ?? 1) + (excluded.twoPhase?.matchCost ?? 1),
          matches() {
            const doc = required.docID();
            if (excluded.docID() < doc) excluded.advance(doc);
            if (excluded.docID() !== doc) return confirms(required);
            return confirms(required) && !confirms(excluded);
          },
        }
      : undefined,
    restricted: { scorer: required, within: [], without: [excluded] },
  };
}
