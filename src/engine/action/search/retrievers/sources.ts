/** What a fused list was made of, as queries: all that its retrievers match, or that with reasons. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import { buildQuery, innerHitsOf, type QueryBuilder } from "../../../query/dsl/index.ts";
import { queryVector } from "../../../query/dsl/query-vector.ts";
import { booleanQuery } from "../../../query/lucene/boolean.ts";
import { matchNoneQuery } from "../../../query/lucene/constant.ts";
import { exactVectorsQuery } from "../../../query/lucene/exact-vectors.ts";
import type { KnnSearch } from "../../../search/knn.ts";
import { thresholdScore } from "../../../vectors/similarity.ts";
import type { Shard } from "../shard.ts";
import type { PlannedLeaf } from "./plan.ts";
import { buildNamed, type NamedBuilder, rankDocsBuilder } from "./rank-docs.ts";
import type { RankDoc } from "./types.ts";

export type ResolvedChild =
  | { readonly leaf: PlannedLeaf; readonly docs: readonly RankDoc[] }
  | { readonly docs: readonly RankDoc[]; readonly children: readonly ResolvedChild[] };

type Source = (child: ResolvedChild, shards: readonly Shard[]) => NamedBuilder;

/** RetrieverBuilder.topDocsQuery */
export const matchingSource: Source = (child, shards) => {
  if ("leaf" in child) {
    const { retriever } = child.leaf;
    const builder = retriever.name === "knn" ? rankDocsBuilder(child.docs, shards) : standardSource(child.leaf);
    return { builder, queryName: retriever.queryName };
  }
  const parts = child.children.map((each) => matchingSource(each, shards));
  return {
    builder: {
      name: "bool",
      innerHits: innerHitsOf(parts.map(({ builder }) => builder)),
      toQuery: (context) => booleanQuery(parts.map((part) => ({ occur: "should", query: buildNamed(part, context) }))),
    },
  };
};

/** RetrieverBuilder.explainQuery */
export const explainedSource: Source = (child, shards) => {
  if ("leaf" in child) {
    const { retriever, request } = child.leaf;
    if (retriever.name === "standard") return matchingSource(child, shards);
    const builders = request.knn.map((knn) => ({ builder: exactKnn(knn) }));
    return {
      builder: rankDocsBuilder(child.docs, shards, { builders, onlyRanked: true }),
      queryName: retriever.queryName,
    };
  }
  const builders = child.children.map((each) => explainedSource(each, shards));
  return { builder: rankDocsBuilder(child.docs, shards, { builders, onlyRanked: true }) };
};

/** With filters nothing scores. */
function standardSource({ retriever: { query }, filters }: PlannedLeaf): QueryBuilder {
  if (query === undefined && filters.length > 0) throw illegalArgument("inner bool query clause cannot be null");
  if (query === undefined) {
    const reason = `Cannot invoke "org.elasticsearch.index.query.QueryBuilder.queryName(String)" because "qb" is null`;
    throw new EngineError("null_pointer_exception", reason, { status: 500 });
  }
  // What is wrong with the query is told as that of a whole search.
  if (filters.length === 0) return { ...query, toQuery: (context) => buildQuery(query, context) };
  const all = [query, ...filters];
  return {
    name: "bool",
    innerHits: innerHitsOf(all),
    toQuery: (context) => booleanQuery(all.map((each) => ({ occur: "filter", query: buildQuery(each, context) }))),
  };
}

/** ExactKnnQueryBuilder */
function exactKnn({ field: name, queryVector: vector, similarity }: KnnSearch): QueryBuilder {
  return {
    name: "exact_knn",
    toQuery({ mapping }) {
      const field = mapping.field(name);
      if (!field?.vector) return matchNoneQuery(`no vectors in [${name}]`);
      return exactVectorsQuery({
        field: field.info.name,
        vector: queryVector(vector, field.vector),
        least: similarity === undefined ? Number.NEGATIVE_INFINITY : thresholdScore(field.vector, similarity),
        boost: 1,
      });
    },
  };
}
