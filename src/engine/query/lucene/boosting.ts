/** Hits of one query, demoted where another matches (Elasticsearch's boosting query, FunctionScoreQuery.boostByQuery in Lucene). */
import { javaFloat } from "../../mapping/java-text.ts";
import { type Explanation, matched } from "../explanation.ts";
import { matchesOf } from "../matches.ts";
import type { Query, Scorer } from "../types.ts";
import { filterAt } from "./filter-at.ts";

/** @param negativeBoost factor of the scores of hits that `negative` matches too, 0 or above */
export function boostingQuery(positive: Query, negative: Query, negativeBoost: number): Query {
  const factor = Math.fround(negativeBoost);
  const query: Query = {
    className: "FunctionScoreQuery",
    describe: () =>
      `FunctionScoreQuery(${positive.describe()}, scored by boost(queryboost(score(${negative.describe()}))^${javaFloat(factor)}))`,
    toString: () => `FunctionScoreQuery(${positive}, scored by boost(query(${negative})^${factor}))`,
    visit: (visitor) => visitor.parts(query, [{ query: positive, kind: "boost", boost: 1 }]),
    rewrite(searcher) {
      // The source of values is not rewritten before a weight that scores is made of it: without scores, nobody asks what is negative.
      const inner = positive.rewrite(searcher);
      return inner === positive ? query : boostingQuery(inner, negative, negativeBoost);
    },
    createWeight(searcher, mode, boost) {
      const weight = positive.createWeight(searcher, mode === "none" ? "none" : "complete", 1);
      if (mode === "none") return { ...weight, query };
      // Its weight is made by a source of values: a profile shows nothing of it.
      const negatives = searcher.profiler
        ? negative.rewrite(searcher).createWeight(searcher, "none", 1)
        : searcher.filterWeight(negative);
      return {
        query,
        matches: (leaf, doc) => matchesOf(weight, leaf, doc),
        explain(leaf, doc) {
          const score = weight.explain(leaf, doc);
          if (!score.match) return score;
          // Explained with its score, which is not shown, and may fail.
          const source = negative.rewrite(searcher);
          const demoted = source.createWeight(searcher, "complete", 1).explain(leaf, doc).match;
          const value = demoted ? score.value * factor : score.value;
          const why = matched(factor, `Matched boosting query score(${source.describe()})`);
          const inner = demoted ? inDouble(value, "product of:", [score, why]) : score;
          const text = `weight(${query.describe()})`;
          if (boost === 1) return { ...inner, description: `${text}, result of:`, details: [inner] };
          return matched(boost * value, `${text}, product of:`, [matched(boost, "boost"), inner]);
        },
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

/** A product that Lucene computes and prints as a double. */
function inDouble(value: number, description: string, details: readonly Explanation[]): Explanation {
  return { match: true, value, kind: "double", description, details };
}
