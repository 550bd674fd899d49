/**
 * Documents in an order that was computed beforehand (RankDocsQuery): their scores are those of the order, and beside them match, without a
 * score, all documents of the queries that the order was made of.
 */
import type { LeafReader } from "../../segment/types.ts";
import { type Explanation, unmatched } from "../explanation.ts";
import type { Query } from "../types.ts";
import type { QueryVisitor } from "../visitor.ts";
import { booleanQuery } from "./boolean.ts";
import { scoredDocsQuery } from "./scored-docs.ts";

export interface RankDocs {
  /** Ascending, in the order of the snapshot. */
  readonly docs: Int32Array;
  readonly scores: Float32Array;
  /** How many documents were ranked in all indices. */
  readonly count: number;
  /** Why a document has its rank. @param at its place in `docs` */
  explain(at: number, sources: readonly Explanation[]): Explanation;
}

export interface RankDocsSources {
  readonly queries: readonly Query[];
  /** Only ranked documents match. */
  readonly onlyRanked: boolean;
}

export function rankDocsQuery(ranked: RankDocs, sources?: RankDocsSources): Query {
  const top = topQuery(ranked, sources?.queries ?? []);
  if (sources === undefined) return top;
  const all = booleanQuery(sources.queries.map((query) => ({ occur: "should", query })));
  const both = booleanQuery([
    { occur: sources.onlyRanked ? "must" : "should", query: top },
    { occur: "filter", query: all },
  ]);
  const query: Query = {
    className: "RankDocsQuery",
    describe: top.describe,
    toString: () => `RankDocsQuery(${both})`,
    visit: (visitor: QueryVisitor) =>
      visitor.parts(
        query,
        [top, ...sources.queries].map((each) => ({ query: each, kind: "should" })),
      ),
    rewrite: () => query,
    createWeight(searcher, mode, boost) {
      const explained = top.createWeight(searcher, mode, boost);
      return { ...both.rewrite(searcher).createWeight(searcher, mode, boost), query, explain: explained.explain };
    },
  };
  return query;
}

function topQuery({ docs, scores, count, explain }: RankDocs, sources: readonly Query[]): Query {
  const scored = scoredDocsQuery(
    { docs, scores },
    {
      className: "TopQuery",
      description: `TopQuery{rank_docs:[${docs.join(", ")}]}`,
      outside: docs.length === 0 ? "" : `doc not found in top ${count} rank docs`,
      inside: () => unmatched(""),
    },
  );
  const query: Query = {
    ...scored,
    rewrite: () => query,
    createWeight(searcher, mode, boost) {
      const weight = scored.createWeight(searcher, mode, boost);
      const weights = () => sources.map((each) => each.rewrite(searcher).createWeight(searcher, "complete", boost));
      let bound: ReturnType<typeof weights> | undefined;
      return {
        ...weight,
        query,
        explain(leaf: LeafReader, doc: number) {
          const at = docs.indexOf(leaf.docBase + doc);
          if (at < 0) return weight.explain(leaf, doc);
          bound ??= weights();
          const why = explain(
            at,
            bound.map((source) => source.explain(leaf, doc)),
          );
          return why.kind === "float" ? { ...why, value: scores[at] } : why;
        },
      };
    },
  };
  return query;
}
