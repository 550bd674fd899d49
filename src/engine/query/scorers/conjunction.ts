/** All clauses must match (Lucene's ConjunctionScorer and BlockMaxConjunctionScorer). */
import { NO_MORE_DOCS } from "../../segment/types.ts";
import type { Scorer } from "../types.ts";
import { blockSkipper, maxScores, shallowAll, sumUpperBound } from "./block-max.ts";
import type { Restricted } from "./required.ts";
import { allTwoPhases } from "./two-phase.ts";

/**
 * Documents that all of the scorers match.
 * @param required all clauses; the cheapest leads
 * @param scoring those of them whose scores are summed, in a double rounded to a float at the end; all by default, none gives 0
 */
export function conjunctionScorer(
  required: readonly Scorer[],
  scoring: readonly Scorer[] = required,
): Scorer | Restricted {
  if (required.length === 0) throw new Error("a conjunction needs a clause");
  const ordered = [...required].sort((a, b) => a.cost() - b.cost());
  const lead = ordered[0];
  const others = ordered.slice(1);
  const scored = ordered.filter((scorer) => scoring.includes(scorer));
  const bound = (upTo: number): number => {
    let sum = 0;
    maxScores(scored, upTo, (max) => {
      sum += max;
    });
    return sumUpperBound(sum);
  };
  const shallow = (target: number) => shallowAll(scored, target);
  const skipper = blockSkipper(shallow, bound);

  /** Leaps until all stand on one document. */
  const agree = (candidate: number): number => {
    let doc = candidate;
    search: while (doc !== NO_MORE_DOCS) {
      for (const other of others) {
        let at = other.docID();
        if (at < doc) at = other.advance(doc);
        if (at > doc) {
          if (at === NO_MORE_DOCS) return exhaust();
          doc = goTo(at);
          continue search;
        }
      }
      return doc;
    }
    return doc;
  };
  const exhaust = (): number => lead.advance(NO_MORE_DOCS);
  const goTo = (target: number): number => {
    const from = skipper.skip(target);
    return from === NO_MORE_DOCS ? exhaust() : lead.advance(from);
  };
  return {
    docID: () => lead.docID(),
    nextDoc: () => agree(goTo(lead.docID() + 1)),
    advance: (target) => agree(goTo(target)),
    cost: () => lead.cost(),
    score() {
      let sum = 0;
      for (const scorer of scored) sum += scorer.score();
      return Math.fround(sum);
    },
    maxScore: bound,
    advanceShallow: shallow,
    setMinCompetitiveScore(score) {
      if (scored.length === 1) scored[0].setMinCompetitiveScore(score);
      else if (scored.length > 1) skipper.setMinCompetitiveScore(score);
    },
    twoPhase: allTwoPhases(ordered),
    ...(scored.length === 1
      ? { restricted: { scorer: scored[0], within: required.filter((each) => each !== scored[0]), without: [] } }
      : {}),
  };
}
