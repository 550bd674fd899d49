/** Several postings of a field walked as one, their frequencies added (the scorer of Lucene's SynonymQuery). */
import type { Postings } from "../../segment/types.ts";
import { PooledScorer } from "../scorers/index.ts";
import { NO_NORMS, type SimScorer } from "../similarity.ts";

export function synonymScorer(
  postings: readonly Postings[],
  norms: Uint8Array | undefined,
  sim: SimScorer,
): PooledScorer {
  return new PooledScorer({
    parts: postings.map((each) => ({ postings: each, weight: 1 })),
    sim,
    norm: norms === undefined ? () => NO_NORMS : (doc) => norms[doc],
    leastNorm: (_, least) => least,
  });
}
