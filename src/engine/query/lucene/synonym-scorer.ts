/** Several postings walked as one, their frequencies added (the scorer of Lucene's SynonymQuery). */
import { NO_MORE_DOCS, type Postings } from "../../segment/types.ts";
import { NO_NORMS, type SimScorer } from "../similarity.ts";
import type { Scorer } from "../types.ts";

export interface SynonymScorer extends Scorer {
  readonly sim: SimScorer;
  freq(): number;
  norm(): number;
}

export function synonymScorer(
  postings: readonly Postings[],
  norms: Uint8Array | undefined,
  sim: SimScorer,
): SynonymScorer {
  let current = -1;
  const settle = (): number => {
    current = NO_MORE_DOCS;
    for (const each of postings) current = Math.min(current, each.docID());
    return current;
  };
  const advance = (target: number): number => {
    for (const each of postings) if (each.docID() < target) each.advance(target);
    return settle();
  };
  // No frequency can score above this: scores grow with the frequency and fall with the length.
  const highest = sim.score(0x7fffffff, norms === undefined ? NO_NORMS : 1);
  const norm = () => (norms === undefined ? NO_NORMS : norms[current]);
  const frequency = () => {
    let sum = 0;
    for (const each of postings) if (each.docID() === current) sum += each.freq();
    return sum;
  };
  return {
    sim,
    freq: frequency,
    norm,
    docID: () => current,
    nextDoc: () => advance(current + 1),
    advance,
    cost: () => postings.reduce((sum, each) => sum + each.cost(), 0),
    score: () => sim.score(frequency(), norm()),
    maxScore: () => highest,
    advanceShallow: () => NO_MORE_DOCS,
    setMinCompetitiveScore: () => {},
  };
}
