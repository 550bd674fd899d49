/** Reads the `knn` of a search: one clause or a list of them. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { bytesOfHex } from "../mapping/fields/vector-values.ts";
import { parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import {
  contentError,
  errorAt,
  inField,
  isArray,
  isObject,
  located,
  readFloat,
  readInt,
  textOf,
  tokenName,
  wrongKind,
} from "../query/dsl/read.ts";
import { suggestion } from "../query/dsl/suggestion.ts";
import type { KnnSearch } from "./knn.ts";

/** Most candidates that a search may consider. */
const MAX_CANDIDATES = 10_000;

const KEYS = [
  "field",
  "k",
  "num_candidates",
  "query_vector",
  "query_vector_builder",
  "similarity",
  "filter",
  "boost",
  "_name",
  "inner_hits",
];

/** The clauses under `knn`, whose options are checked when the search's size is known. */
export function knnBodies(body: JsonObject): JsonObject[] {
  const value = body["knn"];
  if (isObject(value)) return [value];
  if (!isArray(value)) throw errorAt(body, { value: "knn" }, `Unknown key for a ${tokenName(value)} in [knn].`);
  return value.map((item, i) => {
    if (isObject(item)) return item;
    throw contentError(
      value,
      { value: i },
      `malformed knn format, within the knn search array only objects are allowed; found ${tokenName(item)}`,
    );
  });
}

/** Numbers, or texts that are numbers; a number alone is a vector of one dimension, a text the bytes that it is in hexadecimal. */
function readVector(json: JsonObject): number[] {
  const value = json["query_vector"];
  if (value === null || typeof value === "boolean") throw wrongKind("knn", json, "query_vector");
  return inField("knn", json, "query_vector", () => {
    if (typeof value === "string") return [...bytesOfHex(value)];
    if (isObject(value))
      throw errorAt(json, { value: "query_vector" }, "Unknown type [START_OBJECT] for parsing vector");
    if (!isArray(value)) return [readFloat(value, json, "query_vector")];
    return value.map((item, i) => {
      if (typeof item === "boolean" || textOf(item) === undefined)
        throw errorAt(value, { value: i }, `Type [${tokenName(item)}] not supported for query vector`);
      return inPlace(value, i, () => readFloat(item, json, "query_vector"));
    });
  });
}

function inPlace<T>(list: readonly JsonValue[], at: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof EngineError ? located(error, list, { value: at }) : error;
  }
}

function readText(json: JsonObject, key: string): string {
  const value = json[key];
  if (typeof value !== "string") throw wrongKind("knn", json, key);
  return value;
}

function readNumber(json: JsonObject, key: string, read: (value: JsonValue) => number): number {
  const value = json[key];
  if (typeof value === "boolean" || textOf(value) === undefined) throw wrongKind("knn", json, key);
  return inField("knn", json, key, () => read(value));
}

function readFilters(json: JsonObject): QueryBuilder[] {
  const value = json["filter"];
  if (!isObject(value) && !isArray(value)) throw wrongKind("knn", json, "filter");
  return inField("knn", json, "filter", () =>
    isArray(value) ? value.map((_, i) => parseInnerQuery(value, i, 1)) : [parseInnerQuery(json, "filter", 1)],
  );
}

/** One `knn` of a search. @param size of the search: the default of k */
export function parseKnn(json: JsonObject, size: number): KnnSearch {
  const draft: { -readonly [K in keyof KnnSearch]?: KnnSearch[K] } = {};
  let given: number | undefined;
  for (const key of Object.keys(json)) {
    if (key === "field") draft.field = readText(json, key);
    else if (key === "_name") draft.queryName = readText(json, key);
    else if (key === "query_vector") draft.queryVector = readVector(json);
    else if (key === "k") draft.k = readNumber(json, key, readInt);
    else if (key === "num_candidates") given = readNumber(json, key, readInt);
    else if (key === "boost" || key === "similarity")
      draft[key] = readNumber(json, key, (value) => readFloat(value, json, key));
    else if (key === "filter") draft.filters = readFilters(json);
    else if (KEYS.includes(key)) throw unsupported(`knn.${key}`);
    else throw contentError(json, { key }, `[knn] unknown field [${key}]${suggestion(key, KEYS)}`);
  }
  const { field, queryVector, k = size, boost = 1, filters = [], similarity, queryName } = draft;
  if (field === undefined) throw illegalArgument("Required [field]");
  if (queryVector === undefined)
    throw illegalArgument("either [query_vector_builder] or [query_vector] must be provided");
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
