/** Queries whose hits all have one score: everything, nothing, and any query as a filter. */
import { constantScorer, matchAllScorer } from "../scorers/index.ts";
import type { Query } from "../types.ts";

/** All documents, nested ones too, each with the boost as its score. */
export function matchAllQuery(): Query {
  const query: Query = {
    toString: () => "*:*",
    rewrite: () => query,
    createWeight: (_searcher, _mode, boost) => ({
      query,
      scorer: (leaf) => matchAllScorer(leaf.segment.maxDoc, boost),
    }),
  };
  return query;
}

/** No document. @param reason shown by explain */
export function matchNoneQuery(reason: string): MatchNoneQuery {
  const query: MatchNoneQuery = {
    matchesNone: true,
    toString: () => `MatchNoDocsQuery("${reason}")`,
    rewrite: () => query,
    createWeight: () => ({ query, scorer: () => undefined }),
  };
  return query;
}

export interface MatchNoneQuery extends Query {
  readonly matchesNone: true;
}

export function matchesNone(query: Query): boolean {
  return (query as Partial<MatchNoneQuery>).matchesNone === true;
}

/** The hits of a query, each with the boost as its score. */
export function constantScoreQuery(inner: Query): Query {
  const query: Query = {
    toString: () => `ConstantScore(${inner})`,
    rewrite(searcher) {
      const rewritten = inner.rewrite(searcher);
      if (matchesNone(rewritten)) return rewritten;
      return rewritten === inner ? query : constantScoreQuery(rewritten);
    },
    createWeight(searcher, _mode, boost) {
      const weight = searcher.filterWeight(inner);
      return {
        query,
        scorer(leaf) {
          const scorer = weight.scorer(leaf);
          return scorer && constantScorer(scorer, boost, scorer.twoPhase);
        },
      };
    },
  };
  return query;
}

interface BoostQuery extends Query {
  readonly boosted: Query;
  readonly boost: number;
}

/** A query without the boosts around it, and their product. */
export function unboosted(query: Query): { query: Query; boost: number } {
  const { boosted, boost } = query as Partial<BoostQuery>;
  if (boosted === undefined || boost === undefined) return { query, boost: 1 };
  const inner = unboosted(boosted);
  return { query: inner.query, boost: boost * inner.boost };
}

/** A query whose scores are multiplied (BoostQuery): the factor is passed down, and multiplies as a float. */
export function boostQuery(inner: Query, boost: number): Query {
  const factor = Math.fround(boost);
  if (factor === 1 || matchesNone(inner)) return inner;
  const query: BoostQuery = {
    boosted: inner,
    boost: factor,
    toString: () => `(${inner})^${factor}`,
    rewrite(searcher) {
      const rewritten = inner.rewrite(searcher);
      if (matchesNone(rewritten)) return rewritten;
      return rewritten === inner ? query : boostQuery(rewritten, factor);
    },
    createWeight: (searcher, mode, outer) => inner.createWeight(searcher, mode, Math.fround(outer * factor)),
  };
  return query;
}
