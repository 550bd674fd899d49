/**
 * What a shard makes of a request before it searches. Of several mistakes Elasticsearch tells the one that it meets first, whether anything is
 * found or not, and this is the one place that says in which order it meets them:
 *
 *   rewrite      SearchSourceBuilder.rewrite: queries are compared with what is in the index
 *   build        SearchService.parseSource: part by part
 *   check        DefaultSearchContext.preProcess: what only shows when all parts are known
 *
 * With nearest vectors a shard does this twice: before it looks for them (dfs), without aggregations, and again with what was found. What
 * comes after it is in query-phase.ts (making aggregators, searching, rescoring) and in fetch/.
 */
import { type BoundAggregations, queriesOf } from "../../aggregations/index.ts";
import { type AggregationProfile, createAggregationProfile } from "../../aggregations/profile/aggregation-profile.ts";
import { illegalArgument } from "../../errors.ts";
import { ofSettings, settingOf } from "../../index/settings.ts";
import type { Index } from "../../index/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { buildQuery, type InnerHits, type QueryBuilder, shardError } from "../../query/dsl/index.ts";
import { matchNoneQuery } from "../../query/lucene/constant.ts";
import type { Query } from "../../query/types.ts";
import { isOfNearest, knnInnerHits } from "../../search/knn.ts";
import { createShardProfile, type ShardProfile } from "../../search/profile/shard-profile.ts";
import type { RescorePass } from "../../search/rescore/index.ts";
import type { SortKey, SortValue } from "../../search/sort/index.ts";
import type { Slices } from "../../slices.ts";
import { aggregationsOf } from "./aggregations-part.ts";
import { collapseField } from "./collapsing.ts";
import { highlightQuery } from "./fetch/highlight.ts";
import { docValueFields } from "./fields/doc-values.ts";
import { checkInnerNames, innerSearches } from "./inner-hits/search.ts";
import { isSuggestOnly, type SearchRequest } from "./request.ts";
import { checkRescore, rescorePasses } from "./rescoring.ts";
import type { Shard } from "./shard.ts";
import { type NearestClause, ofShard, requestQuery, withFilter } from "./shard-query.ts";
import { sliceQuery } from "./slice.ts";
import { afterValues, sortKeysOf } from "./sorting.ts";
import { type BoundSuggestion, suggestionsOf } from "./suggest-part.ts";

export interface ShardSearch {
  /** What was asked for, with the filters of aliases, without the filter after the query. */
  readonly query: Query;
  /** Its part where hits are sliced. */
  readonly sliced: Query;
  /** With the filter after the query. */
  readonly wanted: Query;
  /** That filter. */
  readonly postFilter: Query | undefined;
  /** By what hits are sorted; undefined: by score. */
  readonly keys: readonly SortKey[] | undefined;
  /** Values of the hit behind which hits are wanted. */
  readonly after: readonly SortValue[] | undefined;
  readonly passes: readonly RescorePass[];
  /** Of a collapse. */
  readonly field: MappedField | undefined;
  readonly aggregations: BoundAggregations;
  readonly suggestions: readonly BoundSuggestion[];
  /** What the search takes is measured, where that is asked for. */
  readonly profile: SearchProfile | undefined;
}

export interface SearchProfile extends ShardProfile {
  readonly aggregations: AggregationProfile;
}

export interface ShardSearchOptions {
  /** Nearest vectors that count beside the query. */
  readonly nearest?: readonly NearestClause[] | undefined;
  /** How many shards the search has, those left out included. */
  readonly count: number;
  readonly slices: Slices;
}

const NO_HITS = matchNoneQuery("only suggestions are asked for");

/** @throws shard errors: the first mistake */
export function shardSearch(
  shard: Shard,
  request: SearchRequest,
  { nearest, count, slices }: ShardSearchOptions,
): ShardSearch {
  const { query: asked, postFilter, slice, knn } = request;
  rewriteAll(shard, request);

  const shown = [...innerHitsIn(shard, asked), ...(nearest ? knn.flatMap((each) => knnInnerHits(each) ?? []) : [])];
  checkInnerNames(shard, shown);
  const found = requestQuery(shard, asked, nearest);
  if (postFilter) checkInnerNames(shard, [...shown, ...innerHitsIn(shard, postFilter)]);
  const filter = postFilter && buildQuery(postFilter, shard.context);
  innerSearches(shard, nearest ? request.innerHits : request.innerHits.filter(({ of }) => !isOfNearest(of)));
  const keys = sortKeysOf(request, shard);
  const profiled = request.profile && !isSuggestOnly(request);
  const profile = profiled
    ? { ...createShardProfile(shard.searcher), aggregations: createAggregationProfile() }
    : undefined;
  const aggregations = aggregationsOf(shard, request, slices, profile?.aggregations);
  const suggestions = suggestionsOf(shard, request);
  const passes = rescorePasses(shard, request);
  docValueFields(shard, request.docValueFields);
  for (const highlighted of request.highlight?.queries ?? []) highlightQuery(shard, highlighted);
  const after = afterValues(request, keys);
  const field = collapseField(shard, request);

  // Where only suggestions are asked for there are no hits, and what limits them is not looked at (SearchContext.hasOnlySuggest).
  const suggestOnly = isSuggestOnly(request);
  if (!suggestOnly) {
    checkWindow(request, shard.index);
    checkRescore(shard, request, keys !== undefined);
  }
  const query = ofShard(shard, found);
  const sliced = slice ? withFilter(query, sliceQuery(slice, shard, count, request.scroll !== undefined)) : query;
  return {
    query,
    sliced,
    wanted: suggestOnly ? NO_HITS : filter ? withFilter(sliced, filter) : sliced,
    postFilter: filter,
    keys,
    after,
    passes,
    field,
    aggregations,
    suggestions,
    profile,
  };
}

/** Of a query that is rewritten to nothing none are left. */
export function innerHitsIn(shard: Shard, query: QueryBuilder | undefined): readonly InnerHits[] {
  return query?.rewritesToNone?.(shard.context) ? [] : (query?.innerHits ?? []);
}

/** The same before nearest vectors are looked for: nothing is kept of it. */
export function checkBeforeNearest(shard: Shard, request: SearchRequest, options: ShardSearchOptions): void {
  const apart: Shard = { ...shard, context: { ...shard.context, named: [], searches: [] } };
  const { aggregations: _, ...rest } = request;
  shardSearch(apart, rest, options);
}

/** What fails while queries are compared with the index is told before anything is built. */
function rewriteAll(shard: Shard, request: SearchRequest): void {
  const { query, postFilter, knn, aggregations, sorts, rescores, highlight } = request;
  const builders = [
    query,
    postFilter,
    ...knn.flatMap(({ filters }) => filters),
    ...queriesOf({ aggregations: aggregations?.aggregations ?? [] }),
    ...sorts.flatMap(({ queries }) => queries),
    ...rescores.map((pass) => pass.query),
    ...(highlight?.queries ?? []),
  ];
  for (const builder of builders) builder?.rewritesToNone?.(shard.context);
}

const windowOf = ofSettings((settings) => Number(settingOf(settings, "max_result_window") ?? 10_000));

function checkWindow({ from, size, scroll }: SearchRequest, index: Index): void {
  const window = windowOf(index.settings);
  if (from + size <= window) return;
  const reason =
    scroll === undefined
      ? `Result window is too large, from + size must be less than or equal to: [${window}] but was [${from + size}]. See the scroll api for a ` +
        "more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting."
      : `Batch size is too large, size must be less than or equal to: [${window}] but was [${size}]. Scroll batch sizes cost as much memory as ` +
        "result windows so they are controlled by the [index.max_result_window] index level setting.";
  throw shardError(illegalArgument(reason));
}
