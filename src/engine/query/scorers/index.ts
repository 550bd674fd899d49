/**
 * Scorers: walks over the matching documents of one segment, with their scores. Clauses combine as in Lucene 9.12:
 *
 *     termScorer(postings, norms, sim)              documents of a term; `sim` from simScorer(similarity, boost, statistics, docFreqs)
 *     conjunctionScorer(required, scoring?)         all clauses; filters are left out of `scoring`
 *     disjunctionScorer(clauses)                    any clause, scores summed
 *     minShouldMatchScorer(clauses, n)              at least n clauses (undefined when there are fewer)
 *     disMaxScorer(clauses, tieBreaker)             any clause, the best score
 *     reqOptScorer(required, optional)              `optional` only scores
 *     reqExclScorer(required, excluded)             without the documents of `excluded`
 *     phraseScorer({ parts, slop, norms, sim })     terms next to each other, a second phase
 *     constantScorer(iterator, score, twoPhase?)    the same score for all; bitSetScorer(bits, score), matchAllScorer(maxDoc, score)
 *
 * A scorer is used up by one walk, and belongs to one parent. Whoever walks over one asks `twoPhase` (`confirms(scorer)`), or takes
 * `confirmed(scorer)`. Deleted documents are included: the collector skips them (`search/top-docs.ts`: collectTop).
 */
export type { SimScorer } from "../similarity.ts";
export { nextUp } from "./block-max.ts";
export { conjunctionScorer } from "./conjunction.ts";
export { bitSetScorer, constantScorer, matchAllScorer, type OfBits } from "./constant.ts";
export {
  type BestOfSums,
  type BulkTerm,
  disjunctionScorer,
  disMaxScorer,
  minShouldMatchScorer,
  sumOfTerms,
} from "./disjunction.ts";
export { exactPhraseMatcher } from "./exact-phrase.ts";
export { type MatchingDocs, matchingDocs } from "./matching-docs.ts";
export { type PhraseOptions, type PhrasePart, type PhraseScorer, phraseScorer } from "./phrase.ts";
export { type PooledPart, PooledScorer } from "./pooled.ts";
export { unionPositions } from "./positions.ts";
export { type Restricted, reqExclScorer, reqOptScorer, type WithOptional } from "./required.ts";
export { sloppyPhraseMatcher } from "./sloppy-phrase.ts";
export { TermScorer, termScorer } from "./term.ts";
export { confirmed, confirms, matchesAt } from "./two-phase.ts";
