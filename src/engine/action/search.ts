/**
 * A search over indices: each is asked for its best hits, the lists are merged by score, and the hits' sources are fetched from the
 * snapshots that were searched.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import { settingOf } from "../index/settings.ts";
import type { Index, IndexSnapshot } from "../index/types.ts";
import type { JsonObject } from "../json/types.ts";
import {
  buildQuery,
  isShardError,
  parseInnerQuery,
  type QueryBuilder,
  type QueryContext,
  shardError,
} from "../query/dsl/index.ts";
import { booleanQuery, type Clause } from "../query/lucene/boolean.ts";
import { boostQuery, matchAllQuery } from "../query/lucene/constant.ts";
import { scoredDocsQuery } from "../query/lucene/scored-docs.ts";
import type { IndexSearcher, Query } from "../query/types.ts";
import type { ResponseValue } from "../rest/types.ts";
import { rootCauses } from "../root-causes.ts";
import { type KnnHits, type KnnSearch, knnSearch } from "../search/knn.ts";
import { createSearcher, hitCandidates } from "../search/searcher.ts";
import { collectTop, type TopDocs } from "../search/top-docs.ts";
import { createSlices, type Slices } from "../slices.ts";
import { fetchHits, printScore } from "./fetch-hits.ts";
import type { ResolvedIndex } from "./index-names.ts";
import type { SearchRequest } from "./search-request.ts";

/** One index of a search, on one snapshot. */
export interface Shard {
  readonly index: Index;
  readonly snapshot: IndexSnapshot;
  readonly searcher: IndexSearcher;
  readonly context: QueryContext;
  /** Filters of the aliases it was reached by. */
  readonly aliasFilter: QueryBuilder | undefined;
}

export interface ShardHit {
  readonly shard: Shard;
  readonly doc: number;
  readonly score: number;
}

function openShard({ index, filters }: ResolvedIndex, now: number): Shard {
  const snapshot = index.acquire();
  const fields = settingOf(index.settings, "query.default_field");
  return {
    index,
    snapshot,
    searcher: createSearcher(index, snapshot),
    aliasFilter: filters && aliasFilterBuilder(filters),
    context: {
      indexName: index.name,
      indexUuid: index.uuid,
      mapping: index.mapping,
      analysis: index.analysis,
      defaultFields: fields === undefined ? ["*"] : fields.split(","),
      maxTermsCount: Number(settingOf(index.settings, "max_terms_count") ?? 65_536),
      now,
      hasPoints: (field) => snapshot.leaves.some(({ segment }) => segment.points(field) !== undefined),
      named: [],
    },
  };
}

function aliasFilterBuilder(filters: readonly JsonObject[]): QueryBuilder {
  const builders = filters.map((_, i) => parseInnerQuery(filters, i, 1));
  return {
    name: "bool",
    toQuery: (context) =>
      booleanQuery(
        builders.map((builder) => ({ occur: "should", query: builder.toQuery(context) })),
        1,
      ),
  };
}

interface NamedHits {
  readonly hits: KnnHits;
  readonly queryName?: string;
  readonly boost: number;
}

/** All documents when there is no query; the filters of an alias and after the query do not score. */
function shardQuery(
  shard: Shard,
  query: QueryBuilder | undefined,
  knn: readonly NamedHits[] = [],
  postFilter?: QueryBuilder,
): Query {
  const { context } = shard;
  const clauses: Clause[] = knn.map(({ hits, queryName, boost }) => {
    const query = boostQuery(inDocOrder(hits.docs, hits.scores), boost);
    if (queryName !== undefined) context.named.push({ name: queryName, query });
    return { occur: "should", query };
  });
  if (query) clauses.unshift({ occur: "should", query: buildQuery(query, context) });
  const wanted =
    clauses.length === 0 ? matchAllQuery() : clauses.length === 1 ? clauses[0].query : booleanQuery(clauses);
  const filters = [shard.aliasFilter, postFilter].filter((builder) => builder !== undefined);
  if (filters.length === 0) return wanted;
  return booleanQuery([
    { occur: "must", query: wanted },
    ...filters.map((builder): Clause => ({ occur: "filter", query: buildQuery(builder, context) })),
  ]);
}

function inDocOrder(docs: Int32Array, scores: Float32Array): Query {
  const order = Array.from(docs.keys()).sort((a, b) => docs[a] - docs[b]);
  return scoredDocsQuery(
    Int32Array.from(order, (i) => docs[i]),
    Float32Array.from(order, (i) => scores[i]),
  );
}

/** The nearest of all shards together: each shard's k best, of which the k best stay. */
async function nearest(shards: readonly Shard[], knn: KnnSearch, slices: Slices): Promise<Map<Shard, KnnHits>> {
  const hits: ShardHit[] = [];
  for (const shard of shards) {
    const filters = shard.aliasFilter ? [...knn.filters, shard.aliasFilter] : knn.filters;
    const { docs, scores } = await knnSearch({ ...knn, filters }, shard.context, shard.searcher, slices);
    docs.forEach((doc, i) => {
      hits.push({ shard, doc, score: scores[i] });
    });
  }
  hits.sort((a, b) => b.score - a.score);
  const kept = hits.slice(0, knn.k);
  return new Map(
    shards.map((shard) => {
      const own = kept.filter((hit) => hit.shard === shard);
      return [
        shard,
        { docs: Int32Array.from(own, (hit) => hit.doc), scores: Float32Array.from(own, (hit) => hit.score) },
      ];
    }),
  );
}

async function topDocs(shard: Shard, query: Query, limits: Parameters<typeof collectTop>[1]): Promise<TopDocs> {
  const { searcher } = shard;
  const rewritten = query.rewrite(searcher);
  const weight = rewritten.createWeight(searcher, limits.k === 0 && limits.minScore === undefined ? "none" : "top", 1);
  function* sources() {
    for (const leaf of searcher.leaves) {
      yield { scorer: weight.scorer(leaf), live: hitCandidates(leaf), docBase: leaf.docBase };
    }
  }
  return collectTop(sources(), limits);
}

function checkWindow({ from, size }: SearchRequest, index: Index): void {
  const window = Number(settingOf(index.settings, "max_result_window") ?? 10_000);
  if (from + size <= window) return;
  const reason =
    `Result window is too large, from + size must be less than or equal to: [${window}] but was [${from + size}]. See the scroll api for a ` +
    "more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.";
  throw shardError(illegalArgument(reason));
}

interface Failure {
  readonly index: string;
  readonly error: EngineError;
}

/** Runs for each shard; a shard's own failure is kept aside, unless all fail. */
async function eachShard<T>(shards: readonly Shard[], phase: string, run: (shard: Shard) => Promise<T>) {
  const results: { shard: Shard; result: T }[] = [];
  const failures: Failure[] = [];
  for (const shard of shards) {
    try {
      results.push({ shard, result: await run(shard) });
    } catch (error) {
      if (!isShardError(error) && !(error instanceof EngineError && error.type === "query_shard_exception"))
        throw error;
      failures.push({ index: shard.index.name, error: plain(error as EngineError) });
    }
  }
  if (failures.length > 0 && results.length === 0) throw allShardsFailed(failures, phase);
  return { results, failures };
}

/** Without the mark that says whose error it is. */
function plain(error: EngineError): EngineError {
  const { phase: _phase, ...metadata } = error.metadata;
  return new EngineError(error.type, error.reason, { status: error.status, metadata, cause: error.cause });
}

function failedShards(failures: readonly Failure[]) {
  return failures.map(({ index, error }) => ({ shard: 0, index, node: "huiliu", reason: error }));
}

function allShardsFailed(failures: readonly Failure[], phase: string): EngineError {
  const [{ error }] = failures;
  return new EngineError("search_phase_execution_exception", "all shards failed", {
    status: error.status,
    metadata: { phase, grouped: true, failed_shards: failedShards(failures) },
    rootCause: rootCausesOf(failures),
    ...(error.type === "illegal_argument_exception" ? { cause: error } : {}),
  });
}

/** The root causes of all failures, each reason once. */
function rootCausesOf(failures: readonly Failure[]): EngineError[] {
  const causes = failures.flatMap(({ error }) => rootCauses(error)) as EngineError[];
  return [...new Map(causes.map((error) => [error.message, error])).values()];
}

function shardCounts(total: number, failures: readonly Failure[]): { [key: string]: ResponseValue } {
  return {
    total,
    successful: total - failures.length,
    skipped: 0,
    failed: failures.length,
    ...(failures.length > 0
      ? {
          failures: failures.map(({ index, error }) => ({
            shard: 0,
            index,
            node: "huiliu",
            reason: { type: error.type, reason: error.reason, ...(error.metadata as { [key: string]: ResponseValue }) },
          })),
        }
      : {}),
  };
}

/** Searches, merges and fetches. @param indices in any order: equal scores come by the index's name */
export async function search(
  indices: readonly ResolvedIndex[],
  request: SearchRequest,
  options: { signal?: AbortSignal; now?: number } = {},
): Promise<ResponseValue> {
  const began = performance.now();
  const slices = createSlices({
    ...(options.signal ? { signal: options.signal } : {}),
    ...(request.timeout !== undefined && request.timeout >= 0 ? { timeout: request.timeout } : {}),
  });
  slices.check();
  const now = options.now ?? Date.now();
  const ordered = [...indices].sort((a, b) => (a.index.name < b.index.name ? -1 : 1));
  // Writes older than the refresh interval are to be seen.
  await Promise.all(ordered.map(({ index }) => index.ready()));
  const shards = ordered.map((index) => openShard(index, now));
  try {
    return await searchShards(shards, request, slices, began);
  } finally {
    for (const { snapshot } of shards) snapshot.release();
  }
}

async function searchShards(
  shards: readonly Shard[],
  request: SearchRequest,
  slices: Slices,
  began: number,
): Promise<ResponseValue> {
  const nearestHits: Map<Shard, KnnHits>[] = [];
  if (request.knn.length > 0) {
    const { failures } = await eachShard(shards.slice(0, 1), "dfs", async () => {
      for (const knn of request.knn) nearestHits.push(await nearest(shards, knn, slices));
    });
    if (failures.length > 0) throw allShardsFailed(failures, "dfs");
  }
  const { from, size, minScore } = request;
  const { results, failures } = await eachShard(shards, "query", async (shard) => {
    checkWindow(request, shard.index);
    const query = shardQuery(
      shard,
      request.query,
      nearestHits.map((hits, i) => ({ ...request.knn[i], hits: hits.get(shard)! })),
      request.postFilter,
    );
    return topDocs(shard, query, {
      k: Math.min(from + size, Math.max(shard.snapshot.docCount, 0)),
      totalHitsThreshold: Math.max(0, request.trackTotalHits),
      slices,
      ...(minScore === undefined ? {} : { minScore }),
    });
  });
  const hits: ShardHit[] = results.flatMap(({ shard, result }) =>
    Array.from(result.docs, (doc, i) => ({ shard, doc, score: result.scores[i] })),
  );
  // Stable: equal scores stay in the order of the indices and their documents.
  hits.sort((a, b) => b.score - a.score);
  const best = hits.length > 0 && size > 0 ? hits[0].score : undefined;
  const page = hits.slice(from, from + size);
  const total = results.reduce((sum, { result }) => sum + result.total, 0);
  const beyond = results.some(({ result }) => result.relation === "gte") || total > request.trackTotalHits;
  return {
    took: Math.round(performance.now() - began),
    timed_out: results.some(({ result }) => result.timedOut) || slices.timedOut(),
    ...(size === 0 && request.trackTotalHits === Number.POSITIVE_INFINITY ? { terminated_early: false } : {}),
    _shards: shardCounts(shards.length, failures),
    hits: {
      ...printTotal(total, beyond, request),
      max_score: best !== undefined ? printScore(best) : shards.length === 0 ? 0 : null,
      hits: fetchHits(page, request),
    },
  };
}

function printTotal(
  total: number,
  beyond: boolean,
  { trackTotalHits, totalAsInt }: SearchRequest,
): { [key: string]: ResponseValue } {
  if (trackTotalHits < 0) return totalAsInt ? { total: -1 } : {};
  const value = beyond ? Math.min(total, trackTotalHits) : total;
  return { total: totalAsInt ? value : { value, relation: beyond ? "gte" : "eq" } };
}

/** How many documents match. */
export async function count(
  indices: readonly ResolvedIndex[],
  query: QueryBuilder | undefined,
  options: { signal?: AbortSignal; minScore?: number } = {},
): Promise<{ count: number; shards: { [key: string]: ResponseValue } }> {
  const slices = createSlices(options.signal ? { signal: options.signal } : {});
  slices.check();
  await Promise.all(indices.map(({ index }) => index.ready()));
  const shards = indices.map((index) => openShard(index, Date.now()));
  try {
    const { results, failures } = await eachShard(shards, "query", (shard) =>
      topDocs(shard, shardQuery(shard, query), {
        k: 0,
        totalHitsThreshold: Number.POSITIVE_INFINITY,
        slices,
        ...(options.minScore === undefined ? {} : { minScore: options.minScore }),
      }),
    );
    return {
      count: results.reduce((sum, { result }) => sum + result.total, 0),
      shards: shardCounts(shards.length, failures),
    };
  } finally {
    for (const { snapshot } of shards) snapshot.release();
  }
}
