/**
 * A search over indices: each is asked for its best hits, the lists are merged by score, and the hits' sources are fetched from the
 * snapshots that were searched.
 *
 *   retrievers/ ─▶ knn (nearest.ts) ─▶ query phase (query-phase.ts) ─▶ merge ─▶ fetch phase (fetch/) ─▶ response
 */
import { EngineError } from "../../errors.ts";
import type { IndexRegistry, IndexSnapshot } from "../../index/types.ts";
import type { JsonValue } from "../../json/types.ts";
import { createSlices, type Slices } from "../../slices.ts";
import { type IndicesOptions, LENIENT_EXPAND, type ResolvedIndex, resolveIndices } from "../index-names.ts";
import { printScore } from "../print-score.ts";
import type { ResponseValue } from "../response-value.ts";
import { allShardsFailed, inOrder, partialFailure, type ShardFailure, shardCounts } from "../shard-failures.ts";
import { lookUpTerms } from "../terms-lookup.ts";
import { type Collapse, groupFilter, groupRequest } from "./collapsing.ts";
import { fetchPhase } from "./fetch-phase.ts";
import { type Nearest, nearestOf } from "./nearest.ts";
import { canMatch } from "./pre-filter.ts";
import { queryPhase, queryPhaseName, type ShardResult } from "./query-phase.ts";
import { isSuggestOnly, type SearchRequest } from "./request.ts";
import { type FetchedPage, RESPONSE_PARTS } from "./response-parts.ts";
import { planned } from "./retrievers/plan.ts";
import type { Rerankers } from "./retrievers/rerank.ts";
import { resolveRetriever } from "./retrievers/resolve.ts";
import { closeShards, openShard, type Shard, type ShardHit, withGlobalStatistics } from "./shard.ts";
import { mergeHits } from "./sorting.ts";

export interface SearchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly now?: number;
  /** How names in `indices_boost` are resolved. */
  readonly indicesOptions?: IndicesOptions;
  readonly rerankers?: Rerankers;
}

/** Searches, merges and fetches. @param indices in any order: equal scores come by the index's name */
export async function search(
  registry: IndexRegistry,
  indices: readonly ResolvedIndex[],
  asked: SearchRequest,
  options: SearchOptions = {},
): Promise<ResponseValue> {
  const began = performance.now();
  const request = planned(asked, options.rerankers);
  const slices = slicesOf(request, options.signal);
  const shards = await openShards(registry, indices, request, options);
  try {
    return (await searchShards(shards, request, slices, began)).response;
  } finally {
    closeShards(shards);
  }
}

/** Elasticsearch's clock for timeouts, which moves every so many milliseconds: before that, no time has passed. */
const CLOCK = 200;

export function slicesOf({ timeout }: SearchRequest, signal: AbortSignal | undefined): Slices {
  const slices = createSlices({
    ...(signal ? { signal } : {}),
    ...(timeout !== undefined && timeout >= 0 ? { timeout: timeout === 0 ? CLOCK : timeout } : {}),
  });
  slices.check();
  return slices;
}

/** An index, and the snapshot of it that is searched where one is held already. */
export interface SearchedIndex extends ResolvedIndex {
  readonly snapshot?: IndexSnapshot;
  /** Its place among the shards; default: by its name. */
  readonly number?: number;
}

export async function openShards(
  registry: IndexRegistry,
  indices: readonly SearchedIndex[],
  request: SearchRequest,
  { now = Date.now(), indicesOptions = LENIENT_EXPAND }: SearchOptions,
): Promise<readonly Shard[]> {
  const lookedUp = lookUpTerms(registry, request.queries);
  const boosts = boostsOf(registry, request.indicesBoost, indicesOptions);
  const ordered = [...indices].sort((a, b) => (a.index.name < b.index.name ? -1 : 1));
  // Writes older than the refresh interval are to be seen.
  await Promise.all(ordered.map(({ index, snapshot }) => (snapshot ? undefined : index.ready())));
  const opened = ordered.map(({ snapshot, number, ...index }, i) =>
    openShard(index, now, {
      lookedUp,
      runtimeMappings: request.runtimeMappings,
      size: request.size,
      number: number ?? i,
      // Neither the lists of a compound retriever nor what they are fused to is boosted.
      boost: request.plan ? 1 : (boosts.get(index.index.name) ?? 1),
      ...(snapshot ? { snapshot } : {}),
    }),
  );
  // Lists that are to be fused have statistics of their own.
  return request.globalStatistics && !request.plan ? withGlobalStatistics(opened) : opened;
}

/** Of several patterns that fit an index the first one counts. */
function boostsOf(registry: IndexRegistry, boosts: SearchRequest["indicesBoost"], options: IndicesOptions) {
  const found = new Map<string, number>();
  for (const [pattern, boost] of boosts) {
    for (const { index } of resolveIndices(registry, [pattern], options)) {
      if (!found.has(index.name)) found.set(index.name, boost);
    }
  }
  return found;
}

/** A search that has been answered, and what is needed to go on with it. */
export interface Searched {
  readonly response: { readonly [key: string]: ResponseValue | undefined };
  readonly results: Results;
  /** Those that are shown. */
  readonly hits: readonly ShardHit[];
  readonly best: number | undefined;
}

/** @param missing failures of shards that could not be opened */
export async function searchShards(
  opened: readonly Shard[],
  asked: SearchRequest,
  slices: Slices,
  began: number,
  missing: readonly ShardFailure[] = [],
): Promise<Searched> {
  const count = opened.length + missing.length;
  if (missing.length > 0 && opened.length === 0) throw allShardsFailed(missing, "query");
  const request = asked.plan ? await resolveRetriever(opened, asked, slices) : asked;
  const shards = request.plan && request.globalStatistics ? withGlobalStatistics(opened) : opened;
  const searched = canMatch(shards, request);
  const whole = (failed: readonly ShardFailure[], phase: string) => {
    if (failed.length > 0 && !request.partialAllowed) throw partialFailure(inOrder(failed), phase);
  };
  const nearest = await nearestOf(searched, request, count, slices);
  whole(nearest.failures, "dfs");
  const { results, failures } = await queryPhase(nearest.shards, request, count, slices, {
    failed: nearest.failures,
    skipped: shards.length - searched.length,
  });
  whole(failures, queryPhaseName(request));
  const hits = mergeHits(results, request.from, request.size, request.collapse ? groupFilter(results) : undefined);
  const best = bestScore(results, request);
  const queries = new Map(results.map(({ shard, result }) => [shard, result.query]));
  const rescored = new Map(results.map(({ shard, result }) => [shard, result.rescored]));
  const beside: FetchedPage = { hits, foundBy: { queries, rescored }, failed: new Map() };
  const hasParts = RESPONSE_PARTS.some((part) => part.wanted(request));
  const documents = hasParts ? await reduceParts(results, request, slices, beside, true) : {};
  const profiles = request.profile && !isSuggestOnly(request) ? new Map<Shard, ResponseValue>() : undefined;
  const reduce = async () => (hasParts ? reduceParts(results, request, slices, beside, false) : {});
  // A single shard fetches right after its query; of others the results are reduced first.
  const alone = shards.length === 1 && !request.globalStatistics;
  const reduced = alone ? undefined : await reduce();
  const page = await fetchPhase(
    hits,
    profiles ? { ...request, fetchScores: request.trackScores && sortedApart(results) } : request,
    { queries, rescored, alone: !request.globalStatistics, ...(profiles ? { profiles } : {}) },
    slices,
    shards.length,
    { failed: beside.failed, before: [...nearest.failures, ...failures] },
  );
  whole(page.failures, "fetch");
  const parts = reduced ?? (await reduce());
  const response = {
    took: Math.round(performance.now() - began),
    timed_out: results.some(({ result }) => result.top.timedOut) || slices.timedOut(),
    ...terminatedEarly(results, request),
    _shards: {
      ...shardCounts(count, inOrder([...missing, ...nearest.failures, ...failures, ...page.failures])),
      skipped: shards.length - searched.length,
    },
    hits: {
      ...printTotal(totalOf(results, request), request),
      max_score: best !== undefined && Number.isFinite(best) ? printScore(best) : results.length === 0 ? 0 : null,
      hits: request.collapse ? await withGroups(page.hits, shards, request.collapse, request, slices) : page.hits,
    },
    ...parts,
    ...documents,
    ...(profiles ? { profile: printProfile(results, profiles, nearest.profiles) } : {}),
  };
  return { response, results, hits, best };
}

const sortedApart = (results: Results) => results.some(({ result }) => result.keys !== undefined);

/** The one node. */
const NODE = "huiliu";

export type Results = readonly { readonly shard: Shard; readonly result: ShardResult }[];

/** By index: what its query phase took, and fetching where it has hits on the page. */
function printProfile(
  results: Results,
  fetched: ReadonlyMap<Shard, ResponseValue>,
  dfs: Nearest["profiles"],
): ResponseValue {
  const shards = results.map(({ shard, result }) => ({
    id: `[${NODE}][${shard.index.name}][0]`,
    node_id: NODE,
    shard_id: 0,
    index: shard.index.name,
    cluster: "(local)",
    ...(dfs.has(shard) ? { dfs: dfs.get(shard)!.print() } : {}),
    searches: result.profile?.print() ?? [],
    aggregations: result.profile?.aggregations.print() ?? [],
    ...(fetched.has(shard) ? { fetch: fetched.get(shard) } : {}),
  }));
  return { shards: shards.sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

/** Said where a search may stop early, and where all hits are only counted. */
function terminatedEarly(results: Results, request: SearchRequest) {
  const { terminateAfter, size, trackTotalHits, aggregations, suggest, profile, knn } = request;
  if (isSuggestOnly(request)) return {};
  const beside = aggregations !== undefined || suggest !== undefined || profile || knn.length > 0;
  const countsAll = size === 0 && trackTotalHits === Number.POSITIVE_INFINITY && !beside;
  if (terminateAfter === 0 && !countsAll) return {};
  return { terminated_early: results.some(({ result }) => result.end !== undefined) };
}
/** More hits of each group of a collapse, searched for one after the other on the same snapshots (ExpandSearchPhase). */
async function withGroups(
  hits: readonly ResponseValue[],
  shards: readonly Shard[],
  { field, groupHits }: Collapse,
  request: SearchRequest,
  slices: Slices,
): Promise<readonly ResponseValue[]> {
  if (field === undefined || groupHits.length === 0) return hits;
  const shown: ResponseValue[] = [];
  for (const hit of hits as readonly ShownHit[]) {
    const inner: { [name: string]: ResponseValue } = { ...hit.inner_hits };
    for (const group of groupHits) {
      const within = groupRequest(request, group, field, hit.fields?.[field]?.[0]);
      // Named queries are those of one search.
      const fresh = shards.map((shard) => ({ ...shard, context: { ...shard.context, named: [], searches: [] } }));
      const { response } = await expand(() => searchShards(fresh, within, slices, performance.now()));
      inner[group.name] = { hits: (response as { hits: ResponseValue }).hits };
    }
    shown.push({ ...hit, inner_hits: inner });
  }
  return shown;
}

/** What fails while more hits are searched for fails the search. */
async function expand<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== "search_phase_execution_exception") throw error;
    throw new EngineError("search_phase_execution_exception", "failed to expand hits", {
      status: error.status,
      metadata: { phase: "expand", grouped: true, failed_shards: [] },
      cause: error,
      rootCause: [],
    });
  }
}

type ShownHit = {
  readonly inner_hits?: { readonly [name: string]: ResponseValue };
  readonly fields?: { readonly [field: string]: readonly JsonValue[] };
};

/** Of all hits, where hits come by their scores or scores were asked for. */
function bestScore(results: Results, { size }: SearchRequest): number | undefined {
  if (size === 0) return undefined;
  const best = results
    .map(({ result: { top } }) => ("values" in top ? top.maxScore : top.scores[0]))
    .filter((score) => score !== undefined);
  return best.length === 0 ? undefined : Math.max(...best);
}

/** @param fetches those parts that show documents, or the others */
async function reduceParts(
  results: Results,
  request: SearchRequest,
  slices: Slices,
  page: FetchedPage,
  fetches: boolean,
) {
  const printed: { [key: string]: ResponseValue } = {};
  // Where no shard answers there is nothing to reduce.
  if (results.length === 0) return printed;
  for (const [i, part] of RESPONSE_PARTS.entries()) {
    if (!part.wanted(request) || (part.fetches ?? false) !== fetches) continue;
    const own = results.map(({ shard, result }) => ({ shard, result: result.parts[i] }));
    Object.assign(printed, await part.reduce(own, request, slices, page));
  }
  return printed;
}

/** How many hits there are, as far as they are counted. */
export interface TotalHits {
  readonly value: number;
  readonly relation: "eq" | "gte";
}

function totalOf(results: Results, { trackTotalHits }: SearchRequest): TotalHits | undefined {
  // Where no shard answers there are none, also for whoever did not want to know.
  if (results.length === 0) return { value: 0, relation: "eq" };
  if (trackTotalHits < 0) return undefined;
  const total = results.reduce((sum, { result }) => sum + result.top.total, 0);
  const beyond = results.some(({ result }) => result.top.relation === "gte") || total > trackTotalHits;
  return { value: beyond ? Math.min(total, trackTotalHits) : total, relation: beyond ? "gte" : "eq" };
}

export function printTotal(
  total: TotalHits | undefined,
  { totalAsInt }: Pick<SearchRequest, "totalAsInt">,
): { [key: string]: ResponseValue } {
  if (!total) return totalAsInt ? { total: -1 } : {};
  return { total: totalAsInt ? total.value : { ...total } };
}
