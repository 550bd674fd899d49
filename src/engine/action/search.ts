/**
 * A search over indices: each is asked for its best hits, the lists are merged by score, and the hits' sources are fetched from the
 * snapshots that were searched.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import { settingOf } from "../index/settings.ts";
import type { Index, IndexRegistry, IndexSnapshot } from "../index/types.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonObject } from "../json/types.ts";
import {
  boosted,
  buildQuery,
  lookupsOf,
  parseInnerQuery,
  type QueryBuilder,
  type QueryContext,
  queryShardError,
  shardError,
} from "../query/dsl/index.ts";
import type { LookedUp } from "../query/dsl/terms-lookup.ts";
import { booleanQuery, type Clause } from "../query/lucene/boolean.ts";
import { matchAllQuery } from "../query/lucene/constant.ts";
import { scoredDocsQuery } from "../query/lucene/scored-docs.ts";
import type { IndexSearcher, Query } from "../query/types.ts";
import { type KnnHits, type KnnSearch, knnSearch } from "../search/knn.ts";
import { createSearcher, hitCandidates, shareStatistics } from "../search/searcher.ts";
import { collectTop, type TopDocs } from "../search/top-docs.ts";
import { createSlices, type Slices } from "../slices.ts";
import { fetchHits, printScore } from "./fetch-hits.ts";
import type { ResolvedIndex } from "./index-names.ts";
import type { ResponseValue } from "./response-value.ts";
import type { SearchRequest } from "./search-request.ts";
import { eachShard, shardCounts } from "./shard-failures.ts";
import { lookUpTerms } from "./terms-lookup.ts";

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

/** @param lookedUp terms from the documents that the request names */
export function openShard({ index, filters }: ResolvedIndex, now: number, lookedUp: LookedUp = new Map()): Shard {
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
      maxRegexLength: Number(settingOf(index.settings, "max_regex_length") ?? 1000),
      now,
      hasPoints: (field) => snapshot.leaves.some(({ segment }) => segment.points(field) !== undefined),
      document: (id) => documentOf(index, id),
      lookedUp,
      named: [],
    },
  };
}

function documentOf(index: Index, id: string): JsonObject | undefined {
  const source = index.get(id)?.source;
  return source === undefined ? undefined : (parseJson(source) as JsonObject);
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

/** Builds the filter of an alias for an index. @throws what is wrong with it */
export function checkAliasFilter(index: Index, filter: JsonObject): void {
  const builder = parseInnerQuery([filter], 0, 1);
  // A filter stays as it is: nothing is read from documents for it.
  if (lookupsOf([builder]).length > 0) {
    throw new EngineError("illegal_state_exception", "async actions are left after rewrite");
  }
  const shard = openShard({ index, filters: undefined }, Date.now());
  try {
    builder.toQuery(shard.context);
  } finally {
    shard.snapshot.release();
  }
}

/** Shards that score by the statistics of all of them together. */
function withGlobalStatistics(shards: readonly Shard[]): readonly Shard[] {
  const searchers = shareStatistics(shards.map(({ searcher }) => searcher));
  return shards.map((shard, i) => ({ ...shard, searcher: searchers[i] }));
}

interface NamedHits {
  readonly hits: KnnHits;
  readonly queryName?: string;
  readonly boost: number;
}

/** All documents when there is no query; the filters of an alias and after the query do not score. */
export function shardQuery(shard: Shard, query: QueryBuilder | undefined, knn: readonly NamedHits[] = []): Query {
  const { context } = shard;
  const clauses: Clause[] = knn.map(({ hits, queryName, boost }) => {
    const query = inShard(context, () => boosted(inDocOrder(hits.docs, hits.scores), boost));
    if (queryName !== undefined) context.named.push({ name: queryName, query });
    return { occur: "should", query };
  });
  if (query) clauses.unshift({ occur: "should", query: buildQuery(query, context) });
  const wanted =
    clauses.length === 0 ? matchAllQuery() : clauses.length === 1 ? clauses[0].query : booleanQuery(clauses);
  return filtered(wanted, shard.aliasFilter, context);
}

function filtered(query: Query, filter: QueryBuilder | undefined, context: QueryContext): Query {
  if (!filter) return query;
  return booleanQuery([
    { occur: "must", query },
    { occur: "filter", query: buildQuery(filter, context) },
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

function inDocOrder(docs: Int32Array, scores: Float32Array): Query {
  const order = Array.from(docs.keys()).sort((a, b) => docs[a] - docs[b]);
  return scoredDocsQuery(
    Int32Array.from(order, (i) => docs[i]),
    Float32Array.from(order, (i) => scores[i]),
  );
}

/** The nearest of one shard, for each clause. */
async function shardNearest(shard: Shard, clauses: readonly KnnSearch[], slices: Slices): Promise<KnnHits[]> {
  const nearest: KnnHits[] = [];
  for (const knn of clauses) {
    const filters = shard.aliasFilter ? [...knn.filters, shard.aliasFilter] : knn.filters;
    nearest.push(await knnSearch({ ...knn, filters }, shard.context, shard.searcher, slices));
  }
  return nearest;
}

/** Of the nearest of each shard the k best of all shards together. */
function mergeNearest(perShard: readonly KnnHits[], k: number): KnnHits[] {
  const hits = perShard.flatMap(({ docs, scores }, shard) =>
    Array.from(docs, (doc, i) => ({ shard, doc, score: scores[i] })),
  );
  hits.sort((a, b) => b.score - a.score);
  const kept = hits.slice(0, k);
  return perShard.map((_, shard) => {
    const own = kept.filter((hit) => hit.shard === shard);
    return { docs: Int32Array.from(own, (hit) => hit.doc), scores: Float32Array.from(own, (hit) => hit.score) };
  });
}

export async function topDocs(shard: Shard, query: Query, limits: Parameters<typeof collectTop>[1]): Promise<TopDocs> {
  const { searcher } = shard;
  const rewritten = asShard(() => query.rewrite(searcher));
  const weight = rewritten.createWeight(searcher, limits.k === 0 && limits.minScore === undefined ? "none" : "top", 1);
  function* sources() {
    for (const leaf of searcher.leaves) {
      yield { scorer: weight.scorer(leaf), live: hitCandidates(leaf), docBase: leaf.docBase };
    }
  }
  return collectTop(sources(), limits);
}

/** What fails while a query is rewritten is its shard's error. */
function asShard<T>(rewrite: () => T): T {
  try {
    return rewrite();
  } catch (error) {
    throw error instanceof EngineError && error.type !== "unsupported_feature_exception" ? shardError(error) : error;
  }
}

function checkWindow({ from, size }: SearchRequest, index: Index): void {
  const window = Number(settingOf(index.settings, "max_result_window") ?? 10_000);
  if (from + size <= window) return;
  const reason =
    `Result window is too large, from + size must be less than or equal to: [${window}] but was [${from + size}]. See the scroll api for a ` +
    "more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.";
  throw shardError(illegalArgument(reason));
}

/** Searches, merges and fetches. @param indices in any order: equal scores come by the index's name */
export async function search(
  registry: IndexRegistry,
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
  const filters = request.knn.flatMap((knn) => knn.filters);
  const lookedUp = lookUpTerms(registry, [request.query, request.postFilter, ...filters]);
  const ordered = [...indices].sort((a, b) => (a.index.name < b.index.name ? -1 : 1));
  // Writes older than the refresh interval are to be seen.
  await Promise.all(ordered.map(({ index }) => index.ready()));
  const opened = ordered.map((index) => openShard(index, now, lookedUp));
  const shards = request.globalStatistics ? withGlobalStatistics(opened) : opened;
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
  const found = await eachShard(shards, "dfs", (shard) => shardNearest(shard, request.knn, slices));
  const nearest = request.knn.map((knn, i) => {
    const perShard = found.results.map(({ result }) => result[i]);
    const merged = mergeNearest(perShard, knn.k);
    return new Map(found.results.map(({ shard }, at) => [shard, merged[at]]));
  });
  const { from, size, minScore } = request;
  const searched = found.results.map(({ shard }) => shard);
  const queries = new Map<Shard, Query>();
  const { results, failures: failed } = await eachShard(searched, "query", async (shard) => {
    checkWindow(request, shard.index);
    const query = shardQuery(
      shard,
      request.query,
      nearest.map((hits, i) => ({ ...request.knn[i], hits: hits.get(shard)! })),
    );
    queries.set(shard, query);
    return topDocs(shard, filtered(query, request.postFilter, shard.context), {
      k: Math.min(from + size, Math.max(shard.snapshot.docCount, 0)),
      totalHitsThreshold: Math.max(0, request.trackTotalHits),
      slices,
      ...(minScore === undefined ? {} : { minScore }),
    });
  });
  const failures = [...found.failures, ...failed];
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
      hits: fetchHits(page, request, queries),
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
  registry: IndexRegistry,
  indices: readonly ResolvedIndex[],
  query: QueryBuilder | undefined,
  options: { signal?: AbortSignal; minScore?: number } = {},
): Promise<{ count: number; shards: { [key: string]: ResponseValue } }> {
  const slices = createSlices(options.signal ? { signal: options.signal } : {});
  slices.check();
  const lookedUp = lookUpTerms(registry, [query]);
  await Promise.all(indices.map(({ index }) => index.ready()));
  const shards = indices.map((index) => openShard(index, Date.now(), lookedUp));
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
