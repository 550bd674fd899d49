/** Queries whose hits all have one score: everything, nothing, and any query as a filter. */
import { javaFloat } from "../../mapping/java-text.ts";
import type { LeafReader } from "../../segment/types.ts";
import { explainConstant, unmatched } from "../explanation.ts";
import { matchesOf } from "../matches.ts";
import { constantScorer, matchAllScorer, matchesAt } from "../scorers/index.ts";
import type { Query } from "../types.ts";

/** All documents, nested ones too, each with the boost as its score. */
export function matchAllQuery(): Query {
  const query: MatchAllQuery = {
    className: "MatchAllDocsQuery",
    matchesAll: true,
    describe: () => "*:*",
    toString: () => "*:*",
    rewrite: () => query,
    createWeight: (_searcher, _mode, boost) => ({
      query,
      scorer: (leaf) => matchAllScorer(leaf.segment.maxDoc, boost),
      explain: (_leaf, doc) => explainConstant("*:*", boost, true, doc),
    }),
  };
  return query;
}

interface MatchAllQuery extends Query {
  readonly matchesAll: true;
}

export function matchesAll(query: Query): boolean {
  return (query as Partial<MatchAllQuery>).matchesAll === true;
}

/** No document. @param reason shown by explain @param description of the query that it stands for */
export function matchNoneQuery(reason: string, description = `MatchNoDocsQuery("${reason}")`): MatchNoneQuery {
  const query: MatchNoneQuery = {
    className: "MatchNoDocsQuery",
    matchesNone: true,
    describe: () => description,
    toString: () => `MatchNoDocsQuery("${reason}")`,
    rewrite: () => query,
    createWeight: () => ({ query, scorer: () => undefined, explain: () => unmatched(reason) }),
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
  const query: ConstantScoreQuery = {
    className: "ConstantScoreQuery",
    filtered: inner,
    describe: () => `ConstantScore(${inner.describe()})`,
    visit: (visitor) => visitor.parts(query, [{ query: inner, kind: "constant" }]),
    toString: () => `ConstantScore(${inner})`,
    rewrite(searcher) {
      const rewritten = withoutScores(inner.rewrite(searcher));
      if (matchesNone(rewritten)) return rewritten;
      return rewritten === inner ? query : constantScoreQuery(rewritten);
    },
    createWeight(searcher, _mode, boost) {
      const weight = searcher.filterWeight(inner);
      const constant = (leaf: LeafReader) => {
        const scorer = weight.scorer(leaf);
        return scorer && constantScorer(scorer, boost, scorer.twoPhase);
      };
      return {
        query,
        scorer: constant,
        matches: (leaf, doc) => matchesOf(weight, leaf, doc),
        explain: (leaf, doc) => explainConstant(query.describe(), boost, matchesAt(constant(leaf), doc), doc),
      };
    },
  };
  return query;
}

interface ConstantScoreQuery extends Query {
  readonly filtered: Query;
}

function isConstantScore(query: Query): boolean {
  return (query as Partial<ConstantScoreQuery>).filtered !== undefined;
}

/** The query within a constant score or a boost. */
export function inner(query: Query): Query | undefined {
  return (query as Partial<ConstantScoreQuery>).filtered ?? (query as Partial<BoostQuery>).boosted;
}

/** What a query matches, without what gives it its scores (ConstantScoreQuery.rewrite). */
function withoutScores(query: Query): Query {
  const { filtered } = query as Partial<ConstantScoreQuery>;
  const inner = filtered ?? unboosted(query).query;
  return inner === query ? query : withoutScores(inner);
}

/** A query without constant scores and boosts around it. */
export function innermost(query: Query): Query {
  const within = inner(query);
  return within === undefined ? query : innermost(within);
}

interface BoostQuery extends Query {
  readonly boosted: Query;
  readonly boost: number;
}

/** The query within a boost, and its factor; undefined where there is none. */
export function boostedBy(query: Query): { query: Query; boost: number } | undefined {
  const { boosted, boost } = query as Partial<BoostQuery>;
  return boosted === undefined || boost === undefined ? undefined : { query: boosted, boost };
}

/** A query without the boosts around it, and their product. */
export function unboosted(query: Query): { query: Query; boost: number } {
  const outer = boostedBy(query);
  if (outer === undefined) return { query, boost: 1 };
  const inner = unboosted(outer.query);
  return { query: inner.query, boost: outer.boost * inner.boost };
}

/** A query whose scores are multiplied, where that makes a difference. */
export function boostQuery(inner: Query, boost: number): Query {
  return Math.fround(boost) === 1 || matchesNone(inner) ? inner : askedBoostQuery(inner, boost);
}

/** A query with a boost that was asked for (BoostQuery): it is shown. The factor is passed down, and multiplies as a float. */
export function askedBoostQuery(inner: Query, boost: number): Query {
  const factor = Math.fround(boost);
  const query: BoostQuery = {
    className: "BoostQuery",
    boosted: inner,
    boost: factor,
    describe: () => `(${inner.describe()})^${javaFloat(factor)}`,
    visit: (visitor) => visitor.parts(query, [{ query: inner, kind: "boost", boost: factor }]),
    toString: () => `(${inner})^${factor}`,
    rewrite(searcher) {
      const rewritten = inner.rewrite(searcher);
      if (factor === 1 || matchesNone(rewritten)) return rewritten;
      // Scores that are all 0 need not be computed (BoostQuery.rewrite).
      if (factor === 0 && !isConstantScore(rewritten)) return boostQuery(constantScoreQuery(rewritten), factor);
      return rewritten === inner ? query : boostQuery(rewritten, factor);
    },
    createWeight: (searcher, mode, outer) => inner.createWeight(searcher, mode, Math.fround(outer * factor)),
  };
  return query;
}
