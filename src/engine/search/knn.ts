/**
 * The `knn` of a search: its nearest vectors are looked for before the query, and count beside it. A nested vector counts for its root
 * document, by the best one.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import {
  type HitOptions,
  type InnerHits,
  type QueryBuilder,
  type QueryContext,
  queryShardError,
  shardError,
} from "../query/dsl/index.ts";
import { type KnnClause, knnQuery } from "../query/dsl/knn.ts";
import { queryVector } from "../query/dsl/query-vector.ts";
import { matchNoneQuery } from "../query/lucene/constant.ts";
import { exactVectorsQuery } from "../query/lucene/exact-vectors.ts";
import type { NearestDocs } from "../query/lucene/nearest-vectors.ts";
import type { IndexSearcher, Query } from "../query/types.ts";
import type { Slices } from "../slices.ts";
import { thresholdScore } from "../vectors/similarity.ts";

export interface KnnSearch extends KnnClause {
  readonly k: number;
  readonly candidates: number;
  readonly boost: number;
  /** Nested vectors that are shown with their documents. */
  readonly innerHits?: HitOptions;
}

export interface KnnHits extends NearestDocs {
  /** The nested object that the documents are of. */
  readonly nestedPath: string | undefined;
}

/** With the query that looked for them. */
export interface KnnFound extends KnnHits {
  readonly query: Query;
}

/** The k nearest of one index, with their scores before the boost. @throws shard errors for what does not fit the field */
export async function knnSearch(
  knn: KnnSearch,
  context: QueryContext,
  searcher: IndexSearcher,
  slices: Slices,
): Promise<KnnFound> {
  const searches: QueryContext["searches"] = [];
  const nestedPath = context.mapping.field(knn.field)?.nestedPath;
  const query = inQuery({ ...context, searches }, knn);
  let found: NearestDocs = { docs: new Int32Array(0), scores: new Float32Array(0) };
  // Searches within its filters come first; without a query of its own there is nothing to find.
  for (const search of searches) {
    const own = await search.prepare(searcher, slices);
    if (search === query) found = own;
  }
  return { ...found, nestedPath, query };
}

const EXACT_KNN = "exact_knn";

/** Those of a search's `knn`, which are read when the nearest have been found. */
export const isOfNearest = ({ query }: InnerHits): boolean => query.name === EXACT_KNN;

/** Of a hit all vectors of the field that are near enough, whichever made it one. */
export function knnInnerHits({ innerHits, field: name, boost, ...knn }: KnnSearch): InnerHits | undefined {
  if (innerHits === undefined) return undefined;
  const query: QueryBuilder = {
    name: EXACT_KNN,
    toQuery({ mapping }) {
      const field = mapping.field(name);
      if (!field?.vector) return matchNoneQuery(`no vectors in [${name}]`);
      const { similarity } = knn;
      return exactVectorsQuery({
        field: field.info.name,
        vector: queryVector(knn.queryVector, field.vector),
        least: similarity === undefined ? Number.NEGATIVE_INFINITY : thresholdScore(field.vector, similarity),
        boost,
      });
    },
  };
  return { ...innerHits, query, path: (mapping) => mapping.field(name)?.nestedPath };
}

function inQuery(context: QueryContext, knn: KnnSearch): Query {
  let query: Query;
  try {
    query = knnQuery(knn, context);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    if (error.metadata["phase"] === "shard") throw error;
    const own = error.type === "query_shard_exception" || error.type === "parsing_exception";
    throw own ? error : queryShardError(context, `failed to create query: ${error.reason}`, error);
  }
  if (knn.boost < 0) {
    throw shardError(
      illegalArgument("negative [boost] are not allowed in [knn], use a value between 0 and 1 to deboost"),
    );
  }
  return query;
}
