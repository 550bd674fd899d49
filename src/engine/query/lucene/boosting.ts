/** Hits of one query, demoted where another matches (Elasticsearch's boosting query, FunctionScoreQuery.boostByQuery in Lucene). */
import type { Query, Scorer } from "../types.ts";
import { filterAt } from "./filter-at.ts";

/** @param negativeBoost factor of the scores of hits that `negative` matches too, 0 or above */
export function boostingQuery(positive: Query, negative: Query, negativeBoost: number): Query {
  const factor = Math.fround(negativeBoost);
  const query: Query = {
    toString: () => `FunctionScoreQuery(${positive}, scored by boost(query(${negative})^${factor}))`,
    rewrite(searcher) {
      const [p, n] = [positive.rewrite(searcher), negative.rewrite(searcher)];
      return p === positive && n === negative ? query : boostingQuery(p, n, negativeBoost);
    },
    createWeight(searcher, mode, boost) {
      const weight = positive.createWeight(searcher, mode === "none" ? "none" : "complete", 1);
      if (mode === "none") return { query, scorer: (leaf) => weight.scorer(leaf) };
      const negatives = searcher.filterWeight(negative);
      return {
        query,
        scorer(leaf) {
          const inner = weight.scorer(leaf);
          if (!inner) return undefined;
          const matches = filterAt(negatives.scorer(leaf));
          // boost × (score × factor), in a double as Lucene's DoubleValuesSource has it, then a float.
          const scorer: Scorer = {
            docID: () => inner.docID(),
            nextDoc: () => inner.nextDoc(),
            advance: (target) => inner.advance(target),
            cost: () => inner.cost(),
            score: () => Math.fround(boost * (matches(inner.docID()) ? inner.score() * factor : inner.score())),
            maxScore: (upTo) => Math.fround(boost * inner.maxScore(upTo) * Math.max(1, factor)),
            advanceShallow: (target) => inner.advanceShallow(target),
            setMinCompetitiveScore: () => {},
            ...(inner.twoPhase ? { twoPhase: inner.twoPhase } : {}),
          };
          return scorer;
        },
      };
    },
  };
  return query;
}
