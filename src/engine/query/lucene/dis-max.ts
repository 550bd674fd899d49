/** The best of several queries (Lucene's DisjunctionMaxQuery). */
import { javaFloat } from "../../mapping/java-text.ts";
import { type Explanation, matched, unmatched } from "../explanation.ts";
import { joinedMatches, matchesOf } from "../matches.ts";
import { weightOf } from "../profiler.ts";
import { disMaxScorer } from "../scorers/index.ts";
import type { Query } from "../types.ts";
import { booleanQuery, isBoolean } from "./boolean.ts";
import { matchNoneQuery } from "./constant.ts";

/** @param tieBreaker share of the other queries' scores, 0 to 1 */
export function disMaxQuery(queries: readonly Query[], tieBreaker: number): Query {
  const tie = Math.fround(tieBreaker);
  const query: Query = {
    className: "DisjunctionMaxQuery",
    describe() {
      // Lucene's order after rewriting is that of hashes with a seed of their own in each process: any order is one of its.
      const parts = queries.map((inner) => (isBoolean(inner) ? `(${inner.describe()})` : inner.describe()));
      return `(${parts.join(" | ")})${tie === 0 ? "" : `~${javaFloat(tie)}`}`;
    },
    toString: () => `(${queries.map((inner) => `(${inner})`).join(" | ")})~${tieBreaker}`,
    visit: (visitor) =>
      visitor.parts(
        query,
        queries.map((inner) => ({ query: inner, kind: "dis_max" })),
      ),
    rewrite(searcher) {
      if (queries.length === 0) return matchNoneQuery("empty DisjunctionMaxQuery");
      const rewritten = queries.map((inner) => inner.rewrite(searcher));
      if (rewritten.length === 1) return rewritten[0];
      // The best and the whole of the others is the sum, which block-max skipping knows how to bound.
      if (tieBreaker === 1) {
        return booleanQuery(rewritten.map((inner) => ({ occur: "should", query: inner }))).rewrite(searcher);
      }
      if (rewritten.every((inner, i) => inner === queries[i])) return query;
      return disMaxQuery(rewritten, tieBreaker);
    },
    createWeight(searcher, mode, boost) {
      const weights = queries.map((inner) => weightOf(inner, searcher, mode, boost));
      return {
        query,
        matches: (leaf, doc) => joinedMatches(weights.map((weight) => matchesOf(weight, leaf, doc))),
        explain: (leaf, doc) =>
          explainMax(
            weights.map((weight) => weight.explain(leaf, doc)),
            tie,
          ),
        scorer(leaf) {
          const scorers = weights.map((weight) => weight.scorer(leaf)).filter((scorer) => scorer !== undefined);
          if (scorers.length === 0) return undefined;
          return scorers.length === 1 ? scorers[0] : disMaxScorer(scorers, tieBreaker);
        },
      };
    },
  };
  return query;
}

/** DisjunctionMaxWeight.explain */
function explainMax(parts: readonly Explanation[], tieBreaker: number): Explanation {
  const matching = parts.filter(({ match }) => match);
  if (matching.length === 0) return unmatched("No matching clause", parts);
  let best = 0;
  let others = 0;
  for (const { value } of matching) {
    others += Math.min(value, best);
    best = Math.max(best, value);
  }
  const how = tieBreaker === 0 ? "max of:" : `max plus ${javaFloat(tieBreaker)} times others of:`;
  return matched(best + others * tieBreaker, how, matching);
}
