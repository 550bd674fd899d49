/** The query for the documents of a fused list, on each index those that it has (RankDocsQueryBuilder). */
import { innerHitsOf, type QueryBuilder, type QueryContext } from "../../../query/dsl/index.ts";
import { rankDocsQuery } from "../../../query/lucene/rank-docs.ts";
import type { Query } from "../../../query/types.ts";
import { rankedScore } from "../../../search/rank-fusion.ts";
import type { Shard } from "../shard.ts";
import type { RankDoc } from "./types.ts";

export interface NamedBuilder {
  readonly builder: QueryBuilder;
  /** The retriever's, which takes the place of the query's. */
  readonly queryName?: string | undefined;
}

export interface Sources {
  readonly builders: readonly NamedBuilder[];
  readonly onlyRanked: boolean;
}

export function rankDocsBuilder(ranked: readonly RankDoc[], shards: readonly Shard[], sources?: Sources): QueryBuilder {
  const numbers = new Map(shards.map(({ index }, number) => [index.uuid, number]));
  const builders = sources?.builders ?? [];
  const names = builders.map(({ queryName }) => queryName);
  return {
    name: "rank_docs_query",
    innerHits: innerHitsOf(builders.map(({ builder }) => builder)),
    toQuery(context) {
      const number = numbers.get(context.indexUuid);
      const own = ranked.filter(({ shard }) => shard === number).sort((a, b) => a.doc - b.doc);
      const queries = builders.map((source) => buildNamed(source, context));
      return rankDocsQuery(
        {
          docs: Int32Array.from(own, ({ doc }) => doc),
          scores: Float32Array.from(own, ({ score }) => rankedScore(score)),
          count: own.length,
          explain: (at, explained) => own[at].explain(explained, names),
        },
        sources && { queries, onlyRanked: sources.onlyRanked },
      );
    },
  };
}

export function buildNamed({ builder, queryName }: NamedBuilder, context: QueryContext): Query {
  const named: QueryContext["named"] = [];
  const query = builder.toQuery({ ...context, named });
  if (named.at(-1)?.query === query) named.pop();
  context.named.push(...named);
  if (queryName !== undefined) context.named.push({ name: queryName, query });
  return query;
}
