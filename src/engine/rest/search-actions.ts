/** Searching and counting: reading the request, and the shape of the answer. */
import { checkBlocks } from "../action/blocks.ts";
import { explainDocument } from "../action/explain.ts";
import { fetchSourceParams } from "../action/fetch-source.ts";
import { type ResolvedIndex, resolveIndices } from "../action/index-names.ts";
import type { ResponseValue } from "../action/response-value.ts";
import {
  count as countDocuments,
  parseSearchRequest,
  type SearchOptions,
  type SearchRequest,
  search as searchIndices,
  searchPointInTime,
  startScroll,
} from "../action/search/index.ts";
import { checkTermination } from "../action/search/keys/limits.ts";
import { urlQuery } from "../action/url-query.ts";
import { detailedMessage, validateQuery } from "../action/validate.ts";
import { validationFailed } from "../action/write.ts";
import { EngineError, illegalArgument, parsingError } from "../errors.ts";
import { positionOf } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import { errorAt, isObject, tokenName } from "../query/dsl/read.ts";
import { type Action, bodyJson, type Call, indicesOptions, names, required } from "./call.ts";

export const search: Action = (call) => {
  const body = bodyJson(call);
  call.checkSearch(body);
  const request = parseSearchRequest(body, call.params, call.path);
  if (call.params.text("search_type") !== undefined && request.knn.length > 0 && isObject(body) && "knn" in body) {
    const reason =
      "cannot set [search_type] when using [knn] search, since the search type is determined automatically";
    throw illegalArgument(reason);
  }
  const given = indicesOptions(call);
  const resolve = indicesResolver(call, given);
  const options = { signal: call.signal, indicesOptions: given };
  return async () => ({ body: await answerSearch(call, request, resolve, options) });
};

/** A search, the first page of a scroll, or a search on a point in time. */
export function answerSearch(
  { registry, contexts, rerankers }: Call,
  request: SearchRequest,
  resolve: () => readonly ResolvedIndex[],
  given: SearchOptions,
): Promise<ResponseValue> {
  const options = { ...given, rerankers };
  const { pit, scroll, problems } = request;
  if (problems.length > 0) throw validationFailed(problems);
  if (pit) return searchPointInTime(registry, contexts, { ...request, pit }, options);
  if (scroll !== undefined) return startScroll(registry, contexts, resolve(), { ...request, scroll }, options);
  return searchIndices(registry, resolve(), request, options);
}

/** @throws cluster_block_exception for those that may not be read */
export function readable(resolved: readonly ResolvedIndex[]): readonly ResolvedIndex[] {
  checkBlocks(
    resolved.map(({ index }) => index),
    "read",
  );
  return resolved;
}

/** Options are read with the request; names are looked up when it runs. */
function indicesResolver(call: Call, options = indicesOptions(call)) {
  const wanted = names(call, "index");
  return () => readable(resolveIndices(call.registry, wanted, options));
}

function queryBody(call: Call): JsonValue | undefined {
  const body = bodyJson(call);
  call.checkQueries(body);
  return body;
}

/** The body of a count: a query and nothing else. */
function countQuery(body: JsonValue | undefined): QueryBuilder | undefined {
  if (body === undefined) return undefined;
  if (!isObject(body)) throw errorAt(body, "start", `Expected [START_OBJECT] but found [${tokenName(body)}]`);
  let query: QueryBuilder | undefined;
  for (const key of Object.keys(body)) {
    if (key !== "query") throw errorAt(body, { key }, `request does not support [${key}]`);
    query = countedQuery(body);
  }
  return query;
}

/** What a count cannot read is a parsing error around the query's own (RestActions.getQueryContent). */
function countedQuery(body: JsonObject): QueryBuilder {
  try {
    return parseInnerQuery(body, "query", 1);
  } catch (error) {
    const own = error instanceof EngineError && /^(parsing_exception|unsupported_feature_exception)$/.test(error.type);
    if (own) throw error;
    const place = positionOf(body, { value: "query" });
    throw parsingError("Failed to parse", { cause: error, metadata: place && { line: place.line, col: place.col } });
  }
}

function readCount(call: Call) {
  const resolve = indicesResolver(call);
  const query = call.hasBody ? countQuery(queryBody(call)) : urlQuery(call.params, call.path);
  const terminateAfter = checkTermination(call.params.int("terminate_after") ?? 0);
  const minScore = call.params.text("min_score");
  call.params.accept("preference", "routing");
  return () =>
    countDocuments(call.registry, resolve(), query, {
      ...(call.signal ? { signal: call.signal } : {}),
      ...(minScore === undefined ? {} : { minScore: Number(minScore) }),
      terminateAfter,
    });
}

export const count: Action = (call) => {
  const run = readCount(call);
  return async () => {
    const { count: documents, shards, terminatedEarly } = await run();
    const early = terminatedEarly === undefined ? {} : { terminated_early: terminatedEarly };
    return { body: { ...early, count: documents, _shards: shards } };
  };
};

/** Why one document matches; 404 where there is none of that id. */
export const explain: Action = (call) => {
  const query = explainedQuery(call);
  const storedFields = call.params.list("stored_fields");
  const routing = call.params.text("routing");
  call.params.accept("preference");
  const source = fetchSourceParams(call.params);
  const [index, id] = [required(call, "index"), required(call, "id")];
  return async () => {
    if (!query) throw validationFailed(["query is missing"]);
    const { found, body } = await explainDocument(call.registry, {
      index,
      id,
      routing,
      query,
      ...(source ? { source } : {}),
      ...(storedFields ? { storedFields } : {}),
      ...(call.signal ? { signal: call.signal } : {}),
    });
    return { status: found ? 200 : 404, body };
  };
};

/** A body wins over `q`, which may stand beside it here; its options may not. */
function explainedQuery(call: Call): QueryBuilder | undefined {
  const inUrl = call.params.text("q") !== undefined;
  if (call.hasBody) return countQuery(queryBody(call));
  return inUrl ? urlQuery(call.params, call.path) : undefined;
}

/** Whether a query can be built. What cannot be read is no error: it is not valid. */
export const validate: Action = (call) => {
  const [explained, rewrite, allShards] = ["explain", "rewrite", "all_shards"].map(
    (name) => call.params.flag(name) ?? false,
  );
  const resolve = indicesResolver(call);
  const read = validatedQuery(call);
  return async () => {
    if (call.hasBody && !read.query && !read.error) throw validationFailed(["query cannot be null"]);
    if (read.error)
      return { body: { valid: false, ...(explained ? { error: messageOf(read.error, call.hasBody) } : {}) } };
    return {
      body: await validateQuery(call.registry, resolve(), read.query, { explain: explained, rewrite, allShards }),
    };
  };
};

/** What is wrong with a body is told with classes and causes, around all of which stands a parsing error; what is wrong in the URL, by itself. */
function messageOf(error: EngineError, inBody: boolean): string {
  if (!inBody) return error.reason;
  return error.type === "parsing_exception"
    ? detailedMessage(error)
    : detailedMessage(parsingError("Failed to parse", { cause: error }));
}

function validatedQuery(call: Call): { query?: QueryBuilder; error?: EngineError } {
  try {
    if (!call.hasBody) {
      const query = call.params.has("q") ? urlQuery(call.params, call.path) : undefined;
      return query ? { query } : {};
    }
    const query = countQuery(bodyJson(call));
    return query ? { query } : {};
  } catch (error) {
    const own = error instanceof EngineError && error.type !== "unsupported_feature_exception";
    if (!own) throw error;
    return { error };
  }
}

/** The number alone, for `_cat/count`. */
export function countOf(call: Call): () => Promise<number> {
  const run = readCount(call);
  return async () => (await run()).count;
}
