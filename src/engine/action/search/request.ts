/**
 * A search as it was asked for. Each feature of `keys/` reads its keys of the body and its parameters of the URL into a draft; what only
 * shows when everything is read is looked at in `parse-request.ts`.
 */
import type { Definitions } from "../../aggregations/index.ts";
import type { HighlightRequest } from "../../highlight/options.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { QueryBuilder } from "../../query/dsl/index.ts";
import type { KnnSearch } from "../../search/knn.ts";
import type { DraftKnn } from "../../search/parse-knn.ts";
import type { RescoreBuilder } from "../../search/rescore/index.ts";
import type { SortBuilder } from "../../search/sort/index.ts";
import type { SuggestRequest } from "../../suggest/index.ts";
import { type FetchSource, WHOLE_SOURCE } from "../fetch-source.ts";
import type { Collapse, DraftCollapse } from "./collapsing.ts";
import type { ContextId } from "./contexts.ts";
import type { FieldAndFormat } from "./fields/field-and-format.ts";
import type { InnerHitsRequest } from "./inner-hits/request.ts";
import type { RetrieverPlan } from "./retrievers/plan.ts";
import type { CompoundRetriever, Retriever } from "./retrievers/types.ts";
import type { Slice } from "./slice.ts";

/** What is shown of each hit: the options of the fetch phase, of a search as of everything else that shows hits. */
export interface FetchOptions {
  readonly source: FetchSource;
  /** False under `stored_fields: "_none_"`: hits without id and source. */
  readonly storedFields: boolean;
  /** Nested documents whose root is shown without its id. */
  readonly rootHidden?: boolean;
  /** Names and patterns of `stored_fields`. */
  readonly storedFieldNames: readonly string[];
  readonly fields: readonly FieldAndFormat[];
  readonly docValueFields: readonly FieldAndFormat[];
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  /** `include_named_queries_score`: matched queries with their scores. */
  readonly namedScores: boolean;
  /** Scores are computed for hits that are sorted by something else, as a profile tells. */
  readonly fetchScores?: boolean;
  /** Whether each hit says why it has its score. */
  readonly explain: boolean;
  readonly highlight?: HighlightRequest;
  /** Nested documents of a hit that are shown with it. */
  readonly innerHits: readonly InnerHitsRequest[];
  /** `rest_total_hits_as_int`: totals as numbers. */
  readonly totalAsInt: boolean;
}

/** `pit`: the snapshots that are searched in place of those of indices. */
export interface PointInTime {
  readonly id: ContextId;
  /** As it was given. */
  readonly text: string;
  /** Milliseconds, from now on. */
  readonly keepAlive?: number;
}

export interface CompoundRequest {
  readonly retriever: CompoundRetriever;
  /** As they were given. */
  readonly from: number | undefined;
  readonly size: number | undefined;
}

export interface SearchRequest extends FetchOptions {
  readonly query?: QueryBuilder;
  /** `post_filter`: hits that it leaves out are neither counted nor returned. */
  readonly postFilter?: QueryBuilder;
  readonly knn: readonly KnnSearch[];
  readonly from: number;
  readonly size: number;
  /** Hits that are counted exactly; Infinity: all; -1: none, and no total is printed. */
  readonly trackTotalHits: number;
  readonly minScore?: number;
  /** By what hits are sorted; by their scores when there is none. */
  readonly sorts: readonly SortBuilder[];
  /** Scores although hits are sorted by something else. */
  readonly trackScores: boolean;
  /** Sort values of the hit behind which the first one comes. */
  readonly searchAfter?: readonly JsonValue[];
  /** Shards from which on those are left out beforehand that cannot match; undefined: as Elasticsearch chooses. */
  readonly preFilterShardSize?: number;
  /** Of the hits with one value in a field only the best. */
  readonly collapse?: Collapse;
  readonly rescores: readonly RescoreBuilder[];
  /** Retrievers whose lists are fused before the search, which is then one for the fused list. */
  readonly compound?: CompoundRequest;
  /** The same, planned. */
  readonly plan?: RetrieverPlan;
  readonly pit?: PointInTime;
  /** Milliseconds for which the search stays open to be gone on with. */
  readonly scroll?: number;
  readonly slice?: Slice;
  /** Hits of a shard after which it stops; 0: never. */
  readonly terminateAfter: number;
  /** `indices_boost`: patterns of names with the factors of their scores; the first that fits counts. */
  readonly indicesBoost: readonly (readonly [pattern: string, boost: number])[];
  /** Milliseconds. */
  readonly timeout?: number;
  /** Shards that fail leave the others their answer. */
  readonly partialAllowed: boolean;
  /** Scores by the statistics of all indices together. */
  readonly globalStatistics: boolean;
  readonly aggregations?: Definitions;
  readonly suggest?: SuggestRequest;
  /** Whether the response says what the search took. */
  readonly profile: boolean;
  /** `typed_keys`: names of aggregations with their kinds. */
  readonly typedKeys: boolean;
  /** `runtime_mappings`, as they were given. */
  readonly runtimeMappings?: JsonObject;
  /** What is wrong with it, told when it runs: what nobody understands in its URL comes first. */
  readonly problems: readonly string[];
  /** Every query anywhere in the request, for the terms lookups in them. */
  readonly queries: readonly QueryBuilder[];
}

/** Nothing is searched for where only suggestions are asked for (SearchSourceBuilder.isSuggestOnly). */
export function isSuggestOnly({ suggest, query, knn, aggregations }: SearchRequest): boolean {
  return suggest !== undefined && query === undefined && knn.length === 0 && aggregations === undefined;
}

/** A request that is being read. */
export type Draft = { -readonly [K in keyof Omit<SearchRequest, "collapse">]: SearchRequest[K] } & {
  collapse?: DraftCollapse;
  queries: QueryBuilder[];
  /** `knn` before the size is known. */
  knnClauses: readonly DraftKnn[];
  /** What finds the hits, where the request has it so. */
  retriever?: Retriever;
  sizeGiven: boolean;
  fromGiven: boolean;
  /** `allow_partial_search_results`. */
  partialResults: boolean;
  /** `track_total_hits`, where it was given. */
  tracking?: number;
  requestCache?: boolean;
  /** What stands beside a point in time and may not. */
  besidePit?: readonly string[];
  /** `_source` was named by the request. */
  sourceGiven: boolean;
  /** There is a list of `fields`, which may be empty. */
  fieldsGiven: boolean;
  /** `stored_fields` names other things than the source. */
  withoutSource: boolean;
};

/** Hits that are counted exactly by default. */
export const DEFAULT_TRACKED = 10_000;

/** What is shown of sources: nothing where `stored_fields` names other things and `_source` is not named. */
export function finishedSource({
  withoutSource,
  sourceGiven,
  source,
}: Pick<Draft, "withoutSource" | "sourceGiven" | "source">): FetchSource {
  return withoutSource && !sourceGiven ? { ...source, fetch: false } : source;
}

export function emptyDraft(): Draft {
  return {
    queries: [],
    problems: [],
    knn: [],
    knnClauses: [],
    from: 0,
    fromGiven: false,
    size: 10,
    sizeGiven: false,
    partialResults: false,
    trackTotalHits: DEFAULT_TRACKED,
    sorts: [],
    rescores: [],
    trackScores: false,
    partialAllowed: true,
    terminateAfter: 0,
    indicesBoost: [],
    source: WHOLE_SOURCE,
    sourceGiven: false,
    fieldsGiven: false,
    storedFields: true,
    withoutSource: false,
    storedFieldNames: [],
    fields: [],
    docValueFields: [],
    version: false,
    seqNoPrimaryTerm: false,
    totalAsInt: false,
    namedScores: false,
    explain: false,
    innerHits: [],
    globalStatistics: false,
    typedKeys: false,
    profile: false,
  };
}
