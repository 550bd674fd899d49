/** The query phase: each shard finds its best hits, counts, and computes its part of what else the response shows. */
import { asShard } from "../../query/dsl/index.ts";
import { matchesAll, unboosted } from "../../query/lucene/constant.ts";
import { weightOf } from "../../query/profiler.ts";
import type { IndexSearcher, Query, ScoreMode, Weight } from "../../query/types.ts";
import { type CollapseLimits, collectGroups, type GroupValue } from "../../search/collapse/collect-groups.ts";
import { besideQuery, partsBeside, weightBeside } from "../../search/profile/beside.ts";
import type { CollectorNames } from "../../search/profile/shard-profile.ts";
import type { RescorePass } from "../../search/rescore/index.ts";
import { hitCandidates } from "../../search/searcher.ts";
import { collectSorted, type SortedDocs, type SortKey, type SortValue } from "../../search/sort/index.ts";
import { collectTop, type TopDocs } from "../../search/top-docs.ts";
import type { Slices } from "../../slices.ts";
import { eachShard, type ShardFailure, type ShardsBefore } from "../shard-failures.ts";
import { groupsAsHits } from "./collapsing.ts";
import { isSuggestOnly, type SearchRequest } from "./request.ts";
import { type Rescored, rescoreTop } from "./rescoring.ts";
import { RESPONSE_PARTS } from "./response-parts.ts";
import type { Shard } from "./shard.ts";
import { type NearestClause, rootsOnly } from "./shard-query.ts";
import { type SearchProfile, type ShardSearch, shardSearch } from "./shard-search.ts";
import { printBottom } from "./sorting.ts";
import { before, beforeQuery, type Termination, terminationOf } from "./termination.ts";

/** What a shard found. */
export interface ShardResult {
  /** Without the filter after the query. */
  readonly query: Query;
  /** With it, and with the slice. */
  readonly wanted: Query;
  readonly top: TopDocs | SortedDocs;
  /** By what hits are sorted; undefined: by score. */
  readonly keys: readonly SortKey[] | undefined;
  /** Of a collapse: the groups of the hits. */
  readonly groups: Groups | undefined;
  /** Second passes, each with the hits that it scored again. */
  readonly rescored: readonly Rescored[];
  /** It stopped before all hits were found. */
  /** The first document that was not looked at any more, where it was terminated early. */
  readonly end: number | undefined;
  /** Results of the parts of the response, in their order; undefined for those that nobody wants. */
  readonly parts: readonly unknown[];
  /** What the search took, where that is asked for. */
  readonly profile: SearchProfile | undefined;
}

/** What the phase is called in errors. */
export const queryPhaseName = ({ globalStatistics }: SearchRequest) => (globalStatistics ? "dfs_query" : "query");

/** @param count how many shards the search has, those left out included */
export async function queryPhase(
  shards: ReadonlyMap<Shard, readonly NearestClause[]>,
  request: SearchRequest,
  count: number,
  slices: Slices,
  earlier: ShardsBefore = {},
): Promise<{ results: readonly { shard: Shard; result: ShardResult }[]; failures: readonly ShardFailure[] }> {
  return eachShard(
    [...shards.keys()],
    queryPhaseName(request),
    async (shard) => {
      // What is wrong with the search's runtime fields is told even if it uses none of them.
      if (request.runtimeMappings !== undefined) void shard.context.mapping;
      const built = shardSearch(shard, request, { nearest: shards.get(shard), count, slices });
      const { query, wanted, keys, passes } = built;
      // Collectors are made before aggregators (QueryPhaseCollectorManager.newCollector).
      for (const key of keys ?? []) key.prepare?.();
      built.aggregations.create();
      for (const search of shard.context.searches) await search.prepare(shard.searcher, slices);
      const end = isSuggestOnly(request) ? undefined : await termination(shard, wanted, keys, request, slices);
      const limited = (each: Query) => (end ? before(each, end.end) : each);
      const profile = built.profile;
      const searched = profile ? { ...shard, searcher: profile.searcher } : shard;
      const hits = () => shardHits(searched, searchedQuery(shard, built, request, end), built, request, slices);
      const { found, groups } = await (profile ? profile.collecting(collectorOf(request, built), hits) : hits());
      if (request.scroll === undefined && !groups) printBottom(found, keys, request.from + request.size);
      const { top, rescored } =
        passes.length === 0 ? { top: found, rescored: [] } : await rescoreTop(searched, found, passes, slices);
      const parts: unknown[] = [];
      for (const part of RESPONSE_PARTS) {
        if (!part.wanted(request)) {
          parts.push(undefined);
          continue;
        }
        const work = async () => part.onShard({ shard, query: limited(built.sliced), built, request, slices });
        const collector = profile && part.collector?.(request);
        parts.push(await (collector ? profile.collecting(collector, work) : work()));
      }
      const known = end?.total === undefined ? top : { ...top, total: end.total, relation: "eq" as const };
      return { query, wanted, top: known, keys, groups, end: end?.end, rescored, parts, profile };
    },
    earlier,
  );
}

/** What is searched. A profile shows the query as Elasticsearch has it: its filters stand beside it, and nested documents are no hits. */
function searchedQuery(shard: Shard, built: ShardSearch, { size }: SearchRequest, end: Termination | undefined): Query {
  const { wanted, sliced, postFilter, profile, aggregations, keys } = built;
  if (profile) {
    const hidden = end && beforeQuery(end.end);
    const query = rootsOnly(sliced, shard);
    // Whether an index has documents makes no difference to what a search wants of them.
    const scored = aggregations.needsScores || (size > 0 && keys === undefined);
    return besideQuery({ query, postFilter, hidden, ...(scored ? { scored } : {}) });
  }
  return end ? before(wanted, end.end) : wanted;
}

/** Lucene's collector of the hits, as Elasticsearch chooses it. */
function collectorOf({ size, searchAfter, trackScores }: SearchRequest, { keys, field }: ShardSearch): CollectorNames {
  if (size === 0) return { name: "PartialHitCountCollector", reason: "search_count" };
  const sorted = searchAfter === undefined ? "SimpleFieldCollector" : "PagingFieldCollector";
  const plain = field ? "SinglePassGroupingCollector" : keys ? sorted : "SimpleTopScoreDocCollector";
  // The best score is another collector's.
  const name = trackScores || (field && !keys) ? "MultiCollector" : plain;
  return { name, reason: "search_top_hits" };
}

async function termination(
  shard: Shard,
  query: Query,
  keys: readonly SortKey[] | undefined,
  request: SearchRequest,
  slices: Slices,
) {
  const { terminateAfter, minScore, postFilter, size, from, trackTotalHits } = request;
  if (terminateAfter === 0 || (size === 0 && trackTotalHits < 0)) return undefined;
  return terminationOf(shard, query, {
    after: terminateAfter,
    minScore,
    filtered: postFilter !== undefined,
    // Hits of which none is wanted are counted, wherever they would begin.
    wanted: size === 0 ? 0 : from + size,
    sorted: keys !== undefined,
    aggregated: request.aggregations !== undefined,
    scrolled: request.scroll !== undefined,
    slices,
  });
}

type Groups = ReadonlyMap<number, GroupValue>;

/** Enough hits for every second pass. */
function windowOf(hits: number, passes: readonly RescorePass[]): number {
  return Math.max(hits, ...passes.map(({ windowSize }) => windowSize));
}

async function shardHits(
  shard: Shard,
  query: Query,
  { keys, passes, field, after: values }: ShardSearch,
  request: SearchRequest,
  slices: Slices,
): Promise<{ found: TopDocs | SortedDocs; groups?: Groups }> {
  const { from, size, minScore } = request;
  const limits = {
    // Where no hits are wanted none are collected, wherever they would begin.
    k: size === 0 ? 0 : Math.min(windowOf(from + size, passes), Math.max(shard.snapshot.docCount, 0)),
    totalHitsThreshold: Math.max(0, request.trackTotalHits),
    slices,
    minScore,
    trackScores: request.trackScores,
    after: values && { values },
  };
  if (field && limits.k > 0) return groupedDocs(shard, query, { ...limits, field, keys, after: values });
  return { found: await bestHits(shard, query, keys, limits) };
}

export interface HitLimits {
  readonly k: number;
  readonly totalHitsThreshold: number;
  readonly minScore: number | undefined;
  readonly trackScores: boolean;
  /** The hit behind which they come: by its values, its score, its place. */
  readonly after:
    | { readonly values?: readonly SortValue[]; readonly score?: number; readonly doc?: number }
    | undefined;
  readonly slices: Slices;
}

/** The best hits by keys, or by score. */
export function bestHits(
  shard: Shard,
  query: Query,
  keys: readonly SortKey[] | undefined,
  { minScore, after, trackScores, ...limits }: HitLimits,
): Promise<TopDocs | SortedDocs> {
  const common = { ...limits, ...(minScore === undefined ? {} : { minScore }) };
  if (!keys || limits.k === 0) {
    const { score, doc } = after ?? {};
    return topDocs(shard, query, {
      ...common,
      ...(score === undefined || doc === undefined ? {} : { after: { score, doc } }),
    });
  }
  const { values, doc } = after ?? {};
  return sortedDocs(shard, query, {
    ...common,
    keys,
    trackScores,
    ...(values ? { after: { values, ...(doc === undefined ? {} : { doc }) } } : {}),
  });
}

/** The best hit of each of the best groups. */
async function groupedDocs(
  shard: Shard,
  query: Query,
  limits: Omit<CollapseLimits, "scored"> & { readonly trackScores: boolean },
): Promise<{ found: TopDocs | SortedDocs; groups: Groups }> {
  const { searcher } = shard;
  const { keys, trackScores, minScore } = limits;
  const shown = !keys || trackScores || keys.some(({ type }) => type === "SCORE");
  const scored = shown || minScore !== undefined;
  const weight = boundTo(searcher, query, scored ? "complete" : "none");
  function* sources() {
    for (const leaf of searcher.leaves) yield { leaf, scorer: weight.scorer(leaf) };
  }
  const collapsed = await collectGroups(sources(), { ...limits, scored });
  const groups = new Map(collapsed.heads.map(({ doc, group }) => [doc, group]));
  return { found: groupsAsHits(collapsed, { sorted: keys !== undefined, shown, trackScores }), groups };
}

/** The best hits of a query on a shard. */
export async function topDocs(shard: Shard, query: Query, limits: Parameters<typeof collectTop>[1]): Promise<TopDocs> {
  const { searcher } = shard;
  const beside = partsBeside(query);
  const { scored = limits.k > 0 || limits.minScore !== undefined } = beside ?? {};
  const weight = boundTo(searcher, query, scored ? "top" : "none");
  // A profile shows what Lucene does, which looks at every document that it counts.
  const all = beside === undefined && searcher.profiler === undefined && matchesAll(weight.query);
  function* sources() {
    for (const leaf of searcher.leaves) {
      const live = hitCandidates(leaf);
      const source = { scorer: weight.scorer(leaf), live, docBase: leaf.docBase };
      // Equal scores: where nobody has to count them the first few are the best.
      yield all ? { ...source, count: live?.cardinality() ?? leaf.segment.maxDoc } : source;
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
  const scored =
    limits.trackScores || limits.minScore !== undefined || limits.keys.some(({ type }) => type === "SCORE");
  const weight = boundTo(searcher, query, scored ? "complete" : "none");
  function* sources() {
    for (const leaf of searcher.leaves) yield { leaf, scorer: weight.scorer(leaf) };
  }
  return collectSorted(sources(), limits);
}

function boundTo(searcher: IndexSearcher, query: Query, mode: ScoreMode): Weight {
  const beside = partsBeside(query);
  if (beside) {
    const { postFilter, hidden } = beside;
    const others = [postFilter && bound(searcher, postFilter, "none", true)];
    const weight = bound(searcher, beside.query, mode, mode !== "none");
    others.push(hidden?.rewrite(searcher).createWeight(searcher, "none", 1));
    return weightBeside(
      weight,
      others.filter((each) => each !== undefined),
    );
  }
  return bound(searcher, query, mode, mode !== "none");
}

function bound(searcher: IndexSearcher, query: Query, mode: ScoreMode, scored: boolean): Weight {
  const rewritten = asShard(() => searcher.profiler?.rewrite(query, searcher, scored) ?? query.rewrite(searcher));
  // Boosts around it all are nothing to whoever wants no scores (IndexSearcher.rewrite), a least score within excepted.
  return weightOf(mode === "none" ? unboosted(rewritten).query : rewritten, searcher, mode, 1);
}
