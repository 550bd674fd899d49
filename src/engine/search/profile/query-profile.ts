/** What each part of a query did: its weight and its scorers, wrapped so that every call is measured (Elasticsearch's QueryProfiler). */
import type { ResponseValue } from "../../action/response-value.ts";
import { unsupported } from "../../errors.ts";
import type { QueryProfiler } from "../../query/profiler.ts";
import type { Query, Scorer, Weight } from "../../query/types.ts";
import { type Breakdown, createBreakdown, nanosSince } from "./breakdown.ts";
import { luceneForm } from "./lucene-form.ts";

/** Elasticsearch's QueryTimingType. Matches are never counted without being walked over here: `count_weight` stays 0. */
const KINDS = [
  "create_weight",
  "count_weight",
  "build_scorer",
  "next_doc",
  "advance",
  "match",
  "score",
  "shallow_advance",
  "compute_max_score",
  "set_min_competitive_score",
] as const;

type Work = Breakdown<(typeof KINDS)[number]>;

interface Part {
  readonly query: Query;
  readonly work: Work;
  readonly children: Part[];
}

export interface QueryProfile extends QueryProfiler {
  /** Nanoseconds of rewriting. */
  rewriting(): number;
  /** Vectors that were compared. */
  vectors(): number;
  /** Nanoseconds that were spent in rewriting and in queries. */
  spent(): number;
  /** The trees of the queries that were bound, in their order. */
  print(): ResponseValue[];
}

export function createQueryProfile(): QueryProfile {
  const roots: Part[] = [];
  const open: Part[] = [];
  let rewriting = 0;
  let vectors = 0;
  return {
    rewrite(query, searcher, scored) {
      const began = performance.now();
      const form = luceneForm(query, searcher, scored);
      rewriting += nanosSince(began);
      return form;
    },
    compared(count) {
      vectors += count;
    },
    vectors: () => vectors,
    rewriting: () => rewriting,
    spent: () => roots.reduce((sum, { work }) => sum + work.total(), rewriting),
    weight(query, create) {
      if (query.className === undefined) throw unsupported(`profile of the query ${query.describe()}`);
      const part: Part = { query, work: createBreakdown(KINDS), children: [] };
      (open.at(-1)?.children ?? roots).push(part);
      open.push(part);
      try {
        return measuredWeight(part.work.time("create_weight", create), part.work);
      } finally {
        open.pop();
      }
    },
    print: () => roots.map(printPart),
  };
}

function printPart({ query, work, children }: Part): ResponseValue {
  return {
    type: query.className!,
    description: query.describe(),
    time_in_nanos: work.total(),
    breakdown: work.print(),
    ...(children.length > 0 ? { children: children.map(printPart) } : {}),
  };
}

function measuredWeight(weight: Weight, work: Work): Weight {
  return {
    ...weight,
    scorer(leaf) {
      const scorer = work.time("build_scorer", () => weight.scorer(leaf));
      return scorer && measuredScorer(scorer, work);
    },
  };
}

function measuredScorer(scorer: Scorer, work: Work): Scorer {
  const { twoPhase } = scorer;
  return {
    docID: () => scorer.docID(),
    cost: () => scorer.cost(),
    nextDoc: () => work.time("next_doc", () => scorer.nextDoc()),
    advance: (target) => work.time("advance", () => scorer.advance(target)),
    score: () => work.time("score", () => scorer.score()),
    advanceShallow: (target) => work.time("shallow_advance", () => scorer.advanceShallow(target)),
    maxScore: (upTo) => work.time("compute_max_score", () => scorer.maxScore(upTo)),
    setMinCompetitiveScore: (score) =>
      work.time("set_min_competitive_score", () => scorer.setMinCompetitiveScore(score)),
    ...(twoPhase && {
      twoPhase: { matchCost: twoPhase.matchCost, matches: () => work.time("match", () => twoPhase.matches()) },
    }),
  };
}
