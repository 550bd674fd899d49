/** The body and the URL of a search, read as Elasticsearch reads them. What is known there and not supported here is refused by name. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { inField } from "../query/dsl/compound.ts";
import { parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import {
  contentError,
  errorAt,
  isArray,
  isObject,
  readBoolean,
  readFloat,
  readInt,
  textOf,
  tokenName,
} from "../query/dsl/read.ts";
import { type Params, parseTime } from "../rest/params.ts";
import type { KnnSearch } from "../search/knn.ts";
import { type FetchSource, fetchSourceParams, parseFetchSource, WHOLE_SOURCE } from "./fetch-source.ts";

export interface SearchRequest {
  readonly query?: QueryBuilder;
  readonly knn: readonly KnnSearch[];
  readonly from: number;
  readonly size: number;
  /** Hits that are counted exactly; Infinity: all; -1: none, and no total is printed. */
  readonly trackTotalHits: number;
  readonly minScore?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly source: FetchSource;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  /** `rest_total_hits_as_int`: the total as a number. */
  readonly totalAsInt: boolean;
  /** `include_named_queries_score`: matched queries with their scores. */
  readonly namedScores: boolean;
}

type Draft = { -readonly [K in keyof SearchRequest]: SearchRequest[K] } & {
  size: number;
  sizeGiven: boolean;
  knnBodies: JsonObject[];
};

/** `index.max_result_window` counts hits exactly up to here by default. */
const DEFAULT_TRACKED = 10_000;
const MAX_CANDIDATES = 10_000;

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
  ["indices_boost", ["list", "object"]],
  ["pit", ["object"]],
  ["post_filter", ["object"]],
  ["rank", ["object"]],
  ["rescore", ["object", "list"]],
  ["retriever", ["object"]],
  ["runtime_mappings", ["object"]],
  ["script_fields", ["object"]],
  ["search_after", ["list"]],
  ["slice", ["object"]],
  ["sort", ["object", "list", "scalar"]],
  ["stats", ["list"]],
  ["stored_fields", ["list", "scalar"]],
  ["sub_searches", ["list"]],
  ["suggest", ["object"]],
]);

function empty(): Draft {
  return {
    knn: [],
    knnBodies: [],
    from: 0,
    size: 10,
    sizeGiven: false,
    trackTotalHits: DEFAULT_TRACKED,
    source: WHOLE_SOURCE,
    version: false,
    seqNoPrimaryTerm: false,
    totalAsInt: false,
    namedScores: false,
  };
}

/** Reads a search. The URL's parameters win over the body. */
export function parseSearchRequest(body: JsonValue | undefined, params: Params): SearchRequest {
  const draft = empty();
  if (body !== undefined) {
    if (!isObject(body)) throw errorAt(body, "start", `Expected [START_OBJECT] but found [${tokenName(body)}]`);
    for (const key of Object.keys(body)) readKey(body, key, draft);
  }
  readParams(params, draft);
  const { sizeGiven: _given, knnBodies, ...request } = draft;
  return { ...request, knn: knnBodies.map((json) => parseKnn(json, draft.size)) };
}

function readKey(body: JsonObject, key: string, draft: Draft): void {
  const value = body[key];
  if (value === null && key !== "_source")
    throw errorAt(body, { value: key }, `Unknown key for a VALUE_NULL in [${key}].`);
  const structured = isObject(value) || isArray(value);
  switch (key) {
    case "query":
      if (!isObject(value)) break;
      draft.query = parseInnerQuery(body, key, 1);
      return;
    case "knn":
      if (!structured) break;
      for (const item of isArray(value) ? value : [value]) {
        if (!isObject(item)) throw errorAt(value, "start", "[knn] malformed, expected an object");
        draft.knnBodies.push(item);
      }
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
      return;
    case "track_total_hits":
      if (structured) break;
      draft.trackTotalHits = readTracking(value);
      return;
    case "min_score":
      if (structured) break;
      draft.minScore = readFloat(value, body, key);
      return;
    case "timeout":
      if (structured) break;
      draft.timeout = parseTime(textOf(value) ?? "", "timeout");
      return;
    case "version":
      draft.version = readBoolean(value);
      return;
    case "seq_no_primary_term":
      draft.seqNoPrimaryTerm = readBoolean(value);
      return;
    case "track_scores":
      // Hits come by score, which is always there.
      readBoolean(value);
      return;
    case "explain":
    case "profile":
      if (readBoolean(value)) throw unsupported(key);
      return;
    case "terminate_after":
      if (structured) break;
      refuseTermination(readInt(value));
      return;
    default:
      if (UNSUPPORTED.get(key)?.includes(kindOf(value))) {
        if (saysNothing(value)) return;
        throw unsupported(key);
      }
  }
  throw errorAt(body, { value: key }, `Unknown key for a ${tokenName(value)} in [${key}].`);
}

function kindOf(value: JsonValue): Kind {
  return isArray(value) ? "list" : isObject(value) ? "object" : "scalar";
}

/** An empty list or object asks for nothing. */
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

function readParams(params: Params, draft: Draft): void {
  const from = params.int("from");
  if (from !== undefined) draft.from = checkedFrom(from);
  const size = params.int("size");
  if (size !== undefined) draft.size = checkedSize(size);
  draft.source = fetchSourceParams(params) ?? draft.source;
  const tracking = params.text("track_total_hits");
  if (tracking !== undefined) draft.trackTotalHits = readTracking(tracking);
  draft.timeout = params.time("timeout") ?? draft.timeout;
  draft.version = params.flag("version") ?? draft.version;
  draft.seqNoPrimaryTerm = params.flag("seq_no_primary_term") ?? draft.seqNoPrimaryTerm;
  params.flag("track_scores");
  refuseTermination(params.int("terminate_after") ?? 0);
  for (const name of ["q", "sort", "stored_fields", "docvalue_fields", "scroll", "suggest_field", "stats"]) {
    if (params.text(name) !== undefined) throw unsupported(name);
  }
  if (params.flag("explain")) throw unsupported("explain");
  // How a cluster spreads a search has no meaning here.
  const type = params.text("search_type");
  // One shard's statistics are the index's: both types find the same.
  if (type !== undefined && !["query_then_fetch", "dfs_query_then_fetch"].includes(type)) {
    throw illegalArgument(`No search type for [${type}]`);
  }
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

function readVector(json: JsonObject, key: string): number[] {
  const value = json[key];
  const items = isArray(value) ? value : [value];
  if (typeof value === "string") throw unsupported("knn.query_vector as a hexadecimal string");
  return items.map((item) => {
    if (typeof item !== "number" && !(item instanceof JsonNumber)) {
      throw contentError(json, { value: key }, `[knn] failed to parse field [${key}]`);
    }
    return Number(item);
  });
}

/** One `knn` of a search. @param size of the search: the default of k */
function parseKnn(json: JsonObject, size: number): KnnSearch {
  const draft: {
    field?: string;
    queryVector?: number[];
    k?: number;
    candidates?: number;
    boost: number;
    similarity?: number;
    queryName?: string;
  } = { boost: 1 };
  const filters: QueryBuilder[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key === "field") draft.field = textOf(value);
    else if (key === "query_vector") draft.queryVector = readVector(json, key);
    else if (key === "k") draft.k = readInt(value);
    else if (key === "num_candidates") draft.candidates = readInt(value);
    else if (key === "boost") draft.boost = readFloat(value, json, key);
    else if (key === "similarity") draft.similarity = readFloat(value, json, key);
    else if (key === "_name") draft.queryName = textOf(value);
    else if (key === "filter") {
      inField("knn", json, key, () => {
        if (isArray(value)) for (const i of value.keys()) filters.push(parseInnerQuery(value, i, 1));
        else filters.push(parseInnerQuery(json, key, 1));
      });
    } else if (key === "query_vector_builder" || key === "inner_hits" || key === "rescore_vector")
      throw unsupported(`knn.${key}`);
    else throw new EngineError("x_content_parse_exception", `[knn] unknown field [${key}]`);
  }
  const { field, queryVector, candidates: given, boost, similarity, queryName } = draft;
  if (field === undefined) throw illegalArgument("Required [field]");
  if (queryVector === undefined)
    throw illegalArgument("either [query_vector_builder] or [query_vector] must be provided");
  const k = draft.k ?? Math.min(size, given ?? MAX_CANDIDATES);
  const candidates = given ?? Math.min(MAX_CANDIDATES, Math.round(1.5 * k));
  if (k < 1) throw illegalArgument("[k] must be greater than 0");
  if (candidates < k) throw illegalArgument("[num_candidates] cannot be less than [k]");
  if (candidates > MAX_CANDIDATES) throw illegalArgument(`[num_candidates] cannot exceed [${MAX_CANDIDATES}]`);
  return {
    field,
    queryVector,
    k,
    boost,
    filters,
    ...(similarity === undefined ? {} : { similarity }),
    ...(queryName === undefined ? {} : { queryName }),
  };
}
