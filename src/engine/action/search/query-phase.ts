/** The query phase: each shard finds its best hits, counts, and computes its part of what else the response shows. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { settingOf } from "../../index/settings.ts";
import type { Index } from "../../index/types.ts";
import { shardError } from "../../query/dsl/index.ts";
import type { Query } from "../../query/types.ts";
import type { RescorePass } from "../../search/rescore/index.ts";
import { hitCandidates } from "../../search/searcher.ts";
import { collectSorted, type SortedDocs, type SortKey } from "../../search/sort/index.ts";
import { collectTop, type TopDocs } from "../../search/top-docs.ts";
import type { Slices } from "../../slices.ts";
import { eachShard, type ShardFailure } from "../shard-failures.ts";
import { highlightQuery } from "./fetch/highlight.ts";
import { docValueFields } from "./fields/doc-values.ts";
import { innerSearches } from "./inner-hits/search.ts";
import type { SearchRequest } from "./request.ts";
import { type Rescored, rescorePasses, rescoreTop } from "./rescoring.ts";
import { RESPONSE_PARTS } from "./response-parts.ts";
import type { Shard } from "./shard.ts";
import { filtered, type NearestClause, shardQuery } from "./shard-query.ts";
import { afterValues, sortKeysOf } from "./sorting.ts";

/** What a shard found. */
export interface ShardResult {
  /** Without the filter after the query. */
  readonly query: Query;
  readonly top: TopDocs | SortedDocs;
  /** By what hits are sorted; undefined: by score. */
  readonly keys: readonly SortKey[] | undefined;
  /** Second passes, each with the hits that it scored again. */
  readonly rescored: readonly Rescored[];
  /** Results of the parts of the response, in their order; undefined for those that nobody wants. */
  readonly parts: readonly unknown[];
}

export async function queryPhase(
  shards: ReadonlyMap<Shard, readonly NearestClause[]>,
  request: SearchRequest,
  slices: Slices,
): Promise<{ results: readonly { shard: Shard; result: ShardResult }[]; failures: readonly ShardFailure[] }> {
  const order = [...shards.keys()];
  return eachShard(order, "query", async (shard) => {
    checkWindow(request, shard.index);
    // What is wrong with the search's runtime fields is told even if it uses none of them.
    if (request.runtimeMappings !== undefined) void shard.context.mapping;
    docValueFields(shard, request.docValueFields);
    innerSearches(shard, request.innerHits);
    const query = shardQuery(shard, request.query, shards.get(shard));
    // What is wrong with them shows even where nothing is found.
    for (const highlighted of request.highlight?.queries ?? []) highlightQuery(shard, highlighted);
    const keys = sortKeysOf(request, shard, order.indexOf(shard));
    const passes = rescorePasses(shard, request, keys !== undefined);
    const wanted = filtered(query, request.postFilter, shard.context);
    const found = await shardHits(shard, wanted, keys, passes, request, slices);
    const { top, rescored } = await rescoreTop(shard, found, passes, slices);
    const parts: unknown[] = [];
    for (const part of RESPONSE_PARTS) {
      parts.push(part.wanted(request) ? await part.onShard({ shard, query, request, slices }) : undefined);
    }
    return { query, top, keys, rescored, parts };
  });
}

/** Enough hits for every second pass. */
function windowOf(hits: number, passes: readonly RescorePass[]): number {
  return Math.max(hits, ...passes.map(({ windowSize }) => windowSize));
}

async function shardHits(
  shard: Shard,
  query: Query,
  keys: readonly SortKey[] | undefined,
  passes: readonly RescorePass[],
  request: SearchRequest,
  slices: Slices,
): Promise<TopDocs | SortedDocs> {
  const { from, size, minScore } = request;
  const after = afterValues(request, keys);
  const limits = {
    k: Math.min(size === 0 ? from : windowOf(from + size, passes), Math.max(shard.snapshot.docCount, 0)),
    totalHitsThreshold: Math.max(0, request.trackTotalHits),
    slices,
    ...(minScore === undefined ? {} : { minScore }),
  };
  if (!keys || limits.k === 0) return topDocs(shard, query, limits);
  return sortedDocs(shard, query, {
    ...limits,
    keys,
    trackScores: request.trackScores,
    ...(after ? { after: { values: after } } : {}),
  });
}

/** The best hits of a query on a shard. */
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

/** The best hits of a query by keys. */
export async function sortedDocs(
  shard: Shard,
  query: Query,
  limits: Parameters<typeof collectSorted>[1],
): Promise<SortedDocs> {
  const { searcher } = shard;
  const rewritten = asShard(() => query.rewrite(searcher));
  const scored =
    limits.trackScores || limits.minScore !== undefined || limits.keys.some(({ type }) => type === "SCORE");
  const weight = rewritten.createWeight(searcher, scored ? "complete" : "none", 1);
  function* sources() {
    for (const leaf of searcher.leaves) yield { leaf, scorer: weight.scorer(leaf) };
  }
  return collectSorted(sources(), limits);
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
