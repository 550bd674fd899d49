/**
 * A search over indices: each is asked for its best hits, the lists are merged by score, and the hits' sources are fetched from the
 * snapshots that were searched.
 *
 *   knn (nearest.ts) ─▶ query phase (query-phase.ts) ─▶ merge ─▶ fetch phase (fetch/) ─▶ response
 */
import type { IndexRegistry } from "../../index/types.ts";
import { createSlices, type Slices } from "../../slices.ts";
import type { ResolvedIndex } from "../index-names.ts";
import { printScore } from "../print-score.ts";
import type { ResponseValue } from "../response-value.ts";
import { shardCounts } from "../shard-failures.ts";
import { lookUpTerms } from "../terms-lookup.ts";
import { fetchPhase } from "./fetch-phase.ts";
import { nearestOf } from "./nearest.ts";
import { canMatch } from "./pre-filter.ts";
import { queryPhase, type ShardResult } from "./query-phase.ts";
import type { SearchRequest } from "./request.ts";
import { RESPONSE_PARTS } from "./response-parts.ts";
import { closeShards, openShard, type Shard, withGlobalStatistics } from "./shard.ts";
import { mergeHits } from "./sorting.ts";

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
  const lookedUp = lookUpTerms(registry, request.queries);
  const ordered = [...indices].sort((a, b) => (a.index.name < b.index.name ? -1 : 1));
  // Writes older than the refresh interval are to be seen.
  await Promise.all(ordered.map(({ index }) => index.ready()));
  const opened = ordered.map((index) => openShard(index, now, lookedUp, request.runtimeMappings));
  const shards = request.globalStatistics ? withGlobalStatistics(opened) : opened;
  try {
    return await searchShards(shards, request, slices, began);
  } finally {
    closeShards(shards);
  }
}

async function searchShards(
  shards: readonly Shard[],
  request: SearchRequest,
  slices: Slices,
  began: number,
): Promise<ResponseValue> {
  const searched = canMatch(shards, request);
  const nearest = await nearestOf(searched, request.knn, slices);
  const { results, failures } = await queryPhase(nearest.shards, request, slices);
  const hits = mergeHits(results, request.from, request.size);
  const best = bestScore(results, request);
  const queries = new Map(results.map(({ shard, result }) => [shard, result.query]));
  const rescored = new Map(results.map(({ shard, result }) => [shard, result.rescored]));
  const page = await fetchPhase(hits, request, { queries, rescored }, slices, shards.length);
  const parts = await reduceParts(results, request, slices);
  return {
    took: Math.round(performance.now() - began),
    timed_out: results.some(({ result }) => result.top.timedOut) || slices.timedOut(),
    ...(request.size === 0 && request.trackTotalHits === Number.POSITIVE_INFINITY ? { terminated_early: false } : {}),
    _shards: {
      ...shardCounts(shards.length, [...nearest.failures, ...failures, ...page.failures]),
      skipped: shards.length - searched.length,
    },
    hits: {
      ...printTotal(results, request),
      max_score: best !== undefined ? printScore(best) : shards.length === 0 ? 0 : null,
      hits: page.hits,
    },
    ...parts,
  };
}

type Results = readonly { readonly shard: Shard; readonly result: ShardResult }[];

/** Of all hits, where hits come by their scores or scores were asked for. */
function bestScore(results: Results, { size }: SearchRequest): number | undefined {
  if (size === 0) return undefined;
  const best = results
    .map(({ result: { top } }) => ("values" in top ? top.maxScore : top.scores[0]))
    .filter((score) => score !== undefined);
  return best.length === 0 ? undefined : Math.max(...best);
}

async function reduceParts(results: Results, request: SearchRequest, slices: Slices) {
  const printed: { [key: string]: ResponseValue } = {};
  for (const [i, part] of RESPONSE_PARTS.entries()) {
    if (!part.wanted(request)) continue;
    const own = results.map(({ shard, result }) => ({ shard, result: result.parts[i] }));
    Object.assign(printed, await part.reduce(own, request, slices));
  }
  return printed;
}

function printTotal(results: Results, { trackTotalHits, totalAsInt }: SearchRequest): { [key: string]: ResponseValue } {
  if (trackTotalHits < 0) return totalAsInt ? { total: -1 } : {};
  const total = results.reduce((sum, { result }) => sum + result.top.total, 0);
  const beyond = results.some(({ result }) => result.top.relation === "gte") || total > trackTotalHits;
  const value = beyond ? Math.min(total, trackTotalHits) : total;
  return { total: totalAsInt ? value : { value, relation: beyond ? "gte" : "eq" } };
}
