/** Two-phase iteration: candidates first, the costly question only for those that other clauses let through. */
import { NO_MORE_DOCS } from "../../segment/types.ts";
import type { Scorer } from "../types.ts";

/** Whether the document that a scorer stands on really matches. */
export function confirms(scorer: Scorer): boolean {
  return scorer.twoPhase === undefined || scorer.twoPhase.matches();
}

/** Whether an unused scorer matches a document. */
export function matchesAt<S extends Scorer>(scorer: S | undefined, doc: number): scorer is S {
  return scorer !== undefined && scorer.advance(doc) === doc && confirms(scorer);
}

/** A scorer without a second phase: it asks for each candidate at once. The scorer itself when it has none. */
export function confirmed(scorer: Scorer): Scorer {
  const { twoPhase } = scorer;
  if (twoPhase === undefined) return scorer;
  const settle = (candidate: number): number => {
    let doc = candidate;
    while (doc !== NO_MORE_DOCS && !twoPhase.matches()) doc = scorer.nextDoc();
    return doc;
  };
  return {
    docID: () => scorer.docID(),
    nextDoc: () => settle(scorer.nextDoc()),
    advance: (target) => settle(scorer.advance(target)),
    cost: () => scorer.cost(),
    score: () => scorer.score(),
    maxScore: (upTo) => scorer.maxScore(upTo),
    advanceShallow: (target) => scorer.advanceShallow(target),
    setMinCompetitiveScore: (score) => scorer.setMinCompetitiveScore(score),
  };
}

/** The second phases of several scorers as one, the cheapest question first; undefined when none has one. */
export function allTwoPhases(scorers: readonly Scorer[]): Scorer["twoPhase"] {
  const phases = scorers.flatMap(({ twoPhase }) => (twoPhase === undefined ? [] : [twoPhase]));
  if (phases.length <= 1) return phases[0];
  phases.sort((a, b) => a.matchCost - b.matchCost);
  return {
    matchCost: phases.reduce((sum, { matchCost }) => sum + matchCost, 0),
    matches: () => phases.every((phase) => phase.matches()),
  };
}
