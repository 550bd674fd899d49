/** The body and the URL of a search, read as Elasticsearch reads them. What is known there and not supported here is refused by name. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import { errorAt, isArray, isObject, readBoolean, readFloat, readInt, textOf, tokenName } from "../query/dsl/read.ts";
import type { KnnSearch } from "../search/knn.ts";
import { knnBodies, parseKnn } from "../search/parse-knn.ts";
import { type FetchSource, fetchSourceParams, parseFetchSource, WHOLE_SOURCE } from "./fetch-source.ts";
import { type Params, parseTime } from "./params.ts";
import { urlQuery } from "./url-query.ts";

export interface SearchRequest {
  readonly query?: QueryBuilder;
  /** `post_filter`: hits that it leaves out are neither counted nor returned. */
  readonly postFilter?: QueryBuilder;
  readonly knn: readonly KnnSearch[];
  readonly from: number;
  readonly size: number;
  /** Hits that are counted exactly; Infinity: all; -1: none, and no total is printed. */
  readonly trackTotalHits: number;
  readonly minScore?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly source: FetchSource;
  /** False under `stored_fields: "_none_"`: hits without id and source. */
  readonly storedFields: boolean;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  /** `rest_total_hits_as_int`: the total as a number. */
  readonly totalAsInt: boolean;
  /** Scores by the statistics of all indices together. */
  readonly globalStatistics: boolean;
  /** `include_named_queries_score`: matched queries with their scores. */
  readonly namedScores: boolean;
  /** Whether each hit says why it has its score. */
  readonly explain: boolean;
}

type Draft = { -readonly [K in keyof SearchRequest]: SearchRequest[K] } & {
  size: number;
  knnBodies: readonly JsonObject[];
  /** `_source` was named by the request. */
  sourceGiven: boolean;
  /** `stored_fields` named no field: without `_source` there is no source. */
  withoutFields: boolean;
};

/** `index.max_result_window` counts hits exactly up to here by default. */
const DEFAULT_TRACKED = 10_000;

/** Keys of a body that Elasticsearch knows and this engine refuses where they say something, with the kinds of value that they take. */
type Kind = "object" | "list" | "scalar";

const UNSUPPORTED = new Map<string, readonly Kind[]>([
  ["aggregations", ["object"]],
  ["aggs", ["object"]],
  ["collapse", ["object"]],
  ["docvalue_fields", ["list"]],
  ["ext", ["object"]],
  ["fields", ["list"]],
  ["highlight", ["object"]],
  ["indices_boost", ["list"]],
  ["pit", ["object"]],
  ["rank", ["object"]],
  ["rescore", ["object", "list"]],
  ["retriever", ["object"]],
  ["runtime_mappings", ["object"]],
  ["script_fields", ["object"]],
  ["search_after", ["list"]],
  ["slice", ["object"]],
  ["sort", ["object", "list", "scalar"]],
  ["stats", ["list"]],
  ["sub_searches", ["list"]],
  ["suggest", ["object"]],
]);

/** Keys for which an empty list or object asks for nothing; elsewhere something is missing in it. */
const MAY_BE_EMPTY = new Set([
  "aggregations",
  "aggs",
  "docvalue_fields",
  "ext",
  "fields",
  "highlight",
  "indices_boost",
  "runtime_mappings",
  "script_fields",
  "sort",
  "stats",
  "suggest",
]);

function empty(): Draft {
  return {
    knn: [],
    knnBodies: [],
    from: 0,
    size: 10,
    trackTotalHits: DEFAULT_TRACKED,
    source: WHOLE_SOURCE,
    sourceGiven: false,
    storedFields: true,
    withoutFields: false,
    version: false,
    seqNoPrimaryTerm: false,
    totalAsInt: false,
    namedScores: false,
    explain: false,
    globalStatistics: false,
  };
}

/** Reads a search. The URL's parameters win over the body. */
export function parseSearchRequest(body: JsonValue | undefined, params: Params, path: string): SearchRequest {
  const draft = empty();
  if (body !== undefined) {
    if (!isObject(body)) throw errorAt(body, "start", `Expected [START_OBJECT] but found [${tokenName(body)}]`);
    for (const key of Object.keys(body)) readKey(body, key, draft);
  }
  readParams(params, path, draft);
  const { knnBodies: bodies, sourceGiven, withoutFields, ...request } = draft;
  if (!request.storedFields && sourceGiven && request.source.fetch) {
    throw validationError("[stored_fields] cannot be disabled if [_source] is requested");
  }
  const source = withoutFields && !sourceGiven ? { ...request.source, fetch: false } : request.source;
  const knn = bodies.map((json) => parseKnn(json, draft.size));
  return { ...request, source, knn, globalStatistics: request.globalStatistics || knn.length > 0 };
}

function validationError(reason: string): EngineError {
  return new EngineError("action_request_validation_exception", `Validation Failed: 1: ${reason};`);
}

function readKey(body: JsonObject, key: string, draft: Draft): void {
  const value = body[key];
  if (value === null) throw errorAt(body, { value: key }, `Unknown key for a VALUE_NULL in [${key}].`);
  const structured = isObject(value) || isArray(value);
  switch (key) {
    case "query":
      if (!isObject(value)) break;
      draft.query = parseInnerQuery(body, key, 1);
      return;
    case "knn":
      draft.knnBodies = knnBodies(body);
      return;
    case "post_filter":
      if (!isObject(value)) break;
      draft.postFilter = parseInnerQuery(body, key, 1);
      return;
    case "stored_fields":
      if (isObject(value)) break;
      readStoredFields(value, draft);
      return;
    case "from":
      if (structured) break;
      draft.from = checkedFrom(readInt(value));
      return;
    case "size":
      if (structured) break;
      draft.size = checkedSize(readInt(value));
      return;
    case "_source":
      draft.source = readSource(body, value);
      draft.sourceGiven = true;
      return;
    case "track_total_hits":
      if (structured) break;
      draft.trackTotalHits = readTracking(value);
      return;
    case "min_score":
      if (structured) break;
      draft.minScore = readFloat(value, body, key);
      // Nothing reaches what is no number.
      if (Number.isNaN(draft.minScore)) draft.minScore = Number.POSITIVE_INFINITY;
      return;
    case "timeout":
      if (structured) break;
      draft.timeout = parseTime(textOf(value) ?? "", "timeout");
      return;
    case "version":
      if (structured) break;
      draft.version = readBoolean(value);
      return;
    case "seq_no_primary_term":
      if (structured) break;
      draft.seqNoPrimaryTerm = readBoolean(value);
      return;
    case "track_scores":
      if (structured) break;
      // Hits come by score, which is always there.
      readBoolean(value);
      return;
    case "explain":
      if (structured) break;
      draft.explain = readBoolean(value);
      return;
    case "profile":
      if (structured) break;
      if (readBoolean(value)) throw unsupported(key);
      return;
    case "terminate_after":
      if (structured) break;
      refuseTermination(readInt(value));
      return;
    default:
      if (UNSUPPORTED.get(key)?.includes(kindOf(value))) {
        if (saysNothing(value) && MAY_BE_EMPTY.has(key)) return;
        throw unsupported(key);
      }
  }
  throw errorAt(body, { value: key }, `Unknown key for a ${tokenName(value)} in [${key}].`);
}

function kindOf(value: JsonValue): Kind {
  return isArray(value) ? "list" : isObject(value) ? "object" : "scalar";
}

/** `_none_`, an empty list (ids alone) or `_source`. No other field is stored here. */
function readStoredFields(value: JsonValue, draft: Draft): void {
  const names = (isArray(value) ? value : [value]).map(textOf);
  draft.storedFields = !(names.length === 1 && names[0] === "_none_");
  draft.withoutFields = !draft.storedFields || names.length === 0;
  if (!draft.withoutFields && names.some((name) => name !== "_source")) throw unsupported("stored_fields");
}

function saysNothing(value: JsonValue): boolean {
  return isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function readSource(body: JsonObject, value: JsonValue): FetchSource {
  try {
    return parseFetchSource(value);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== "parsing_exception") throw error;
    throw errorAt(body, { value: "_source" }, error.reason);
  }
}

function checkedFrom(from: number): number {
  if (from < 0) throw illegalArgument(`[from] parameter cannot be negative but was [${from}]`);
  return from;
}

function checkedSize(size: number): number {
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  return size;
}

function refuseTermination(hits: number): void {
  if (hits < 0) throw illegalArgument("terminateAfter must be > 0");
  if (hits > 0) throw unsupported("terminate_after");
}

function readTracking(value: JsonValue): number {
  if (value === true || value === "true") return Number.POSITIVE_INFINITY;
  if (value === false || value === "false") return -1;
  const hits = readInt(value);
  if (hits < -1) throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${hits}`);
  return hits;
}

function readParams(params: Params, path: string, draft: Draft): void {
  const type = params.text("search_type");
  draft.globalStatistics = type === "dfs_query_then_fetch";
  if (type !== undefined && !["query_then_fetch", "dfs_query_then_fetch"].includes(type)) {
    throw illegalArgument(`No search type for [${type}]`);
  }
  draft.query = urlQuery(params, path) ?? draft.query;
  const from = params.int("from");
  if (from !== undefined) draft.from = checkedFrom(from);
  const size = params.int("size");
  if (size !== undefined) draft.size = checkedSize(size);
  const source = fetchSourceParams(params);
  if (source) Object.assign(draft, { source, sourceGiven: true });
  const tracking = params.text("track_total_hits");
  if (tracking !== undefined) draft.trackTotalHits = readTracking(tracking);
  draft.timeout = params.time("timeout") ?? draft.timeout;
  draft.version = params.flag("version") ?? draft.version;
  draft.seqNoPrimaryTerm = params.flag("seq_no_primary_term") ?? draft.seqNoPrimaryTerm;
  params.flag("track_scores");
  refuseTermination(params.int("terminate_after") ?? 0);
  for (const name of ["sort", "docvalue_fields", "scroll", "suggest_field", "stats"]) {
    if (params.text(name) !== undefined) throw unsupported(name);
  }
  const stored = params.list("stored_fields");
  if (stored) readStoredFields(stored, draft);
  draft.explain = params.flag("explain") ?? draft.explain;
  if (params.flag("rest_total_hits_as_int")) readTotalAsInt(draft);
  draft.namedScores = params.flag("include_named_queries_score") ?? false;
  params.accept("preference", "routing", "request_cache", "batched_reduce_size", "ccs_minimize_roundtrips");
  params.accept("max_concurrent_shard_requests", "pre_filter_shard_size", "allow_partial_search_results", "typed_keys");
}

/** `rest_total_hits_as_int` counts all hits. */
function readTotalAsInt(draft: Draft): void {
  const { trackTotalHits } = draft;
  if (trackTotalHits >= 0 && trackTotalHits !== DEFAULT_TRACKED && Number.isFinite(trackTotalHits)) {
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${trackTotalHits}`,
    );
  }
  if (trackTotalHits >= 0) draft.trackTotalHits = Number.POSITIVE_INFINITY;
  draft.totalAsInt = true;
}
