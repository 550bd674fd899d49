/** What a shard searches for: the query, the nearest vectors and the filters of aliases as one query. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import {
  boosted,
  buildQuery,
  type QueryBuilder,
  type QueryContext,
  queryShardError,
  shardError,
} from "../../query/dsl/index.ts";
import { nestedDocumentsQuery, rootDocumentsQuery } from "../../query/dsl/nested.ts";
import { matched } from "../../query/explanation.ts";
import { booleanQuery, type Clause, isBoolean } from "../../query/lucene/boolean.ts";
import { boostQuery, matchAllQuery, matchNoneQuery } from "../../query/lucene/constant.ts";
import { rootDocuments, toParentQuery } from "../../query/lucene/nested.ts";
import { mightMatch } from "../../query/lucene/nested-documents.ts";
import { scoredDocsQuery } from "../../query/lucene/scored-docs.ts";
import type { Query } from "../../query/types.ts";
import type { KnnHits } from "../../search/knn.ts";
import type { Shard } from "./shard.ts";

/** A shard's nearest vectors, as a clause beside the query. */
export interface NearestClause {
  readonly hits: KnnHits;
  readonly queryName?: string;
  readonly boost: number;
}

/** What a shard searches for where nothing but a query is asked for. */
export function shardQuery(shard: Shard, query: QueryBuilder | undefined): Query {
  return ofShard(shard, requestQuery(shard, query));
}

/** A query with the boost and the filters of aliases of its shard. */
export function ofShard(shard: Shard, query: Query): Query {
  return filtered(boostOf(shard, query), shard.aliasFilter, shard.context);
}

/** What is asked for: the query and the nearest vectors; all documents when there is neither. */
export function requestQuery(
  { context }: Shard,
  query: QueryBuilder | undefined,
  knn: readonly NearestClause[] = [],
): Query {
  const clauses: Clause[] = knn.map(({ hits, queryName, boost }) => {
    const query = inShard(context, () => boosted(nearestQuery(hits, context), boost));
    if (queryName !== undefined) context.named.push({ name: queryName, query });
    return { occur: "should", query };
  });
  if (query) clauses.unshift({ occur: "should", query: buildQuery(query, context) });
  return clauses.length === 0 ? matchAllQuery() : clauses.length === 1 ? clauses[0].query : booleanQuery(clauses);
}

/** `indices_boost`, around all that scores. */
function boostOf({ boost }: Shard, query: Query): Query {
  if (boost === 1) return query;
  if (!(boost >= 0 && boost < Number.POSITIVE_INFINITY)) {
    throw shardError(illegalArgument(`boost must be a positive float, got ${javaFloat(boost)}`));
  }
  return boostQuery(query, boost);
}

/** What was asked for: the query of a shard without the filters of aliases. */
export function askedFor(shard: Shard, query: Query): Query {
  return shard.aliasFilter && isBoolean(query) ? query.clauses[0].query : query;
}

/** A query with a filter, which does not score. */
export function filtered(query: Query, filter: QueryBuilder | undefined, context: QueryContext): Query {
  return filter ? withFilter(query, buildQuery(filter, context)) : query;
}

export function withFilter(query: Query, filter: Query): Query {
  return booleanQuery([
    { occur: "must", query },
    { occur: "filter", query: filter },
  ]);
}

/** Builds a part of the query of a shard; what fails is the shard's error. */
function inShard<T>(context: QueryContext, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw shardError(queryShardError(context, `failed to create query: ${error.reason}`, error));
  }
}

/** The filter that Elasticsearch puts beside a query that nested documents can match: what it adds to the tree is shown. */
export function rootsOnly(query: Query, { context: { mapping, nestedPath }, aliasFilter }: Shard): Query {
  if (nestedPath !== undefined || mapping.nestedPaths().length === 0) return query;
  const inNested = (field: string) => field.startsWith("_") || mapping.field(field)?.nestedPath !== undefined;
  if (!mightMatch(query, inNested)) return query;
  // Filters of aliases come behind it.
  const [asked, ...filters]: readonly Clause[] =
    aliasFilter && isBoolean(query) ? query.clauses : [{ occur: "must", query }];
  return booleanQuery([asked, { occur: "filter", query: rootDocumentsQuery() }, ...filters]);
}

/** Nearest vectors with their scores; those of nested documents count for their roots, by the best. */
function nearestQuery({ nestedPath, ...found }: KnnHits, { mapping }: QueryContext): Query {
  if (nestedPath !== undefined && mapping.object(nestedPath)?.nested !== true) {
    const reason = `[nested] failed to find nested object under path [${nestedPath}]`;
    throw new EngineError("illegal_state_exception", reason, { status: 500 });
  }
  if (found.docs.length === 0)
    return matchNoneQuery('The "knn_score_doc" query was rewritten to a "match_none" query.');
  const docs = scoredDocsQuery(found, {
    className: "KnnScoreDocQuery",
    description: "ScoreAndDocQuery",
    outside: "not in top k documents",
    inside: (score) => matched(score, "within top k documents"),
  });
  if (nestedPath === undefined) return docs;
  const children = booleanQuery([
    { occur: "must", query: docs },
    { occur: "filter", query: nestedDocumentsQuery(nestedPath) },
  ]);
  return toParentQuery(children, rootDocuments, "max", nestedPath);
}
