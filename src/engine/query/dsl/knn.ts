/** knn: the nearest vectors as a query; and what it shares with the `knn` of a search. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { bytesOfHex } from "../../mapping/fields/vector-values.ts";
import type { MappedField } from "../../mapping/types.ts";
import { thresholdScore } from "../../vectors/similarity.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { type KnnVectorQuery, knnVectorQuery } from "../lucene/knn-vector-query.ts";
import { nestedDocuments, type ParentsOf, rootDocuments } from "../lucene/nested.ts";
import type { Query } from "../types.ts";
import {
  checkBoost,
  lookupsOf,
  makeBuilder,
  type QueryBuilder,
  type QueryContext,
  type RewritesToNone,
} from "./builder.ts";
import { declaredQueries } from "./compound.ts";
import { onlyOfLevel } from "./nested.ts";
import type { QueryParser } from "./parse.ts";
import { queryVector } from "./query-vector.ts";
import {
  errorAt,
  inField,
  isArray,
  isObject,
  located,
  placeOf,
  readFloat,
  readInt,
  textOf,
  tokenName,
  unknownKey,
  wrongKind,
} from "./read.ts";

/** Most candidates that a search may consider. */
const MAX_CANDIDATES = 10_000;
/** Candidates for each hit that is wanted, where they are not given. */
const CANDIDATES_PER_HIT = 1.5;
/** Hits of a request that does not say how many it wants. */
const DEFAULT_SIZE = 10;

/** A clause as it was written. */
export interface KnnClause {
  readonly field: string;
  readonly queryVector: readonly number[];
  readonly k?: number;
  readonly candidates?: number;
  readonly boost?: number;
  /** Raw similarity (of l2_norm: distance) that a hit must reach. */
  readonly similarity?: number;
  readonly filters: readonly QueryBuilder[];
  readonly queryName?: string;
}

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
];

export const defaultCandidates = (hits: number): number =>
  Math.min(MAX_CANDIDATES, Math.round(CANDIDATES_PER_HIT * hits));

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
      if (typeof item === "number") return Math.fround(item);
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

function readString(json: JsonObject, key: string): string {
  const value = json[key];
  if (typeof value !== "string") throw wrongKind("knn", json, key);
  return value;
}

function readNumber(json: JsonObject, key: string, read: (value: JsonValue) => number): number {
  const value = json[key];
  if (typeof value === "boolean" || textOf(value) === undefined) throw wrongKind("knn", json, key);
  return inField("knn", json, key, () => read(value));
}

function readFilters(json: JsonObject, depth: number): QueryBuilder[] {
  const value = json["filter"];
  if (!isObject(value) && !isArray(value)) throw wrongKind("knn", json, "filter");
  return inField("knn", json, "filter", () => declaredQueries(json, "filter", depth + 1));
}

/** Reads the keys of a clause. @param more keys that it has beyond those of the query */
export function readKnnClause(
  json: JsonObject,
  depth: number,
  more: Readonly<Record<string, (json: JsonObject, key: string) => void>> = {},
): Omit<KnnClause, "field" | "queryVector"> & { readonly field?: string; readonly queryVector?: readonly number[] } {
  const draft: { -readonly [K in keyof KnnClause]?: KnnClause[K] } = {};
  const known = [...KEYS, ...Object.keys(more)];
  for (const key of Object.keys(json)) {
    if (key === "field") draft.field = readString(json, key);
    else if (key === "_name") draft.queryName = readString(json, key);
    else if (key === "query_vector") draft.queryVector = readVector(json);
    else if (key === "k") draft.k = readNumber(json, key, readInt);
    else if (key === "num_candidates") draft.candidates = readNumber(json, key, readInt);
    else if (key === "boost" || key === "similarity")
      draft[key] = readNumber(json, key, (value) => readFloat(value, json, key));
    else if (key === "filter") draft.filters = readFilters(json, depth);
    else if (key === "query_vector_builder") throw unsupported("knn.query_vector_builder");
    else if (Object.hasOwn(more, key)) more[key](json, key);
    else throw unknownKey("knn", json, key, known);
  }
  return { ...draft, filters: draft.filters ?? [] };
}

/** What is wrong with the numbers of a clause, in the order in which Elasticsearch looks. */
export function clauseError(
  { k, candidates, queryVector }: Partial<KnnClause>,
  noVector: string,
): EngineError | undefined {
  if (k !== undefined && k < 1) return illegalArgument("[k] must be greater than 0");
  if (candidates !== undefined && candidates > MAX_CANDIDATES)
    return illegalArgument(`[num_candidates] cannot exceed [${MAX_CANDIDATES}]`);
  if (k !== undefined && candidates !== undefined && candidates < k)
    return illegalArgument("[num_candidates] cannot be less than [k]");
  return queryVector === undefined ? illegalArgument(noVector) : undefined;
}

/** What fails in an option that is set when everything else is there. */
function inBuilding(json: JsonObject, check: () => void): void {
  try {
    inField("knn", json, "boost", check);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { line, col } = placeOf(error) ?? { line: -1, col: -1 };
    throw new EngineError(
      "x_content_parse_exception",
      `[${line}:${col}] failed to build [knn] after last required field arrived`,
      { cause: error },
    );
  }
}

export const parseKnnQuery: QueryParser = (json, depth) => {
  const clause = readKnnClause(json, depth);
  const { field, queryVector, boost, queryName, filters } = clause;
  if (field === undefined) throw illegalArgument("Required [field]");
  const wrong = clauseError(clause, "either [query_vector] or [query_vector_builder] must be provided");
  if (wrong) {
    throw new EngineError("x_content_parse_exception", "Failed to build [knn] after last required field arrived", {
      cause: wrong,
    });
  }
  if (boost !== undefined) {
    inBuilding(json, () => checkBoost("knn", boost));
  }
  const whole: KnnClause = { ...clause, field, queryVector: queryVector as readonly number[] };
  const options = {
    ...(boost === undefined ? {} : { boost }),
    ...(queryName === undefined ? {} : { queryName }),
  };
  return makeBuilder(
    "knn",
    options,
    (context) => knnQuery(whole, context),
    (...rewriting) => nothingLetsThrough(whole, ...rewriting),
    lookupsOf(filters),
  );
};

/** As in Elasticsearch, what a filter makes impossible is rewritten away before anything is checked. */
function nothingLetsThrough({ filters }: KnnClause, ...rewriting: Parameters<RewritesToNone>): boolean {
  return filters.some((builder) => builder.rewritesToNone?.(...rewriting));
}

/** The query of a clause, without its boost. It is searched for beforehand, in slices, where somebody looks at `context.searches`. */
export function knnQuery(clause: KnnClause, context: QueryContext): Query {
  const field = context.mapping.field(clause.field);
  if (!field || nothingLetsThrough(clause, context)) return matchNoneQuery(`no field [${clause.field}]`);
  if (field.family !== "vector") throw illegalArgument("[knn] queries are only supported on [dense_vector] fields");
  const { k, similarity } = clause;
  const candidates = clause.candidates ?? defaultCandidates(k ?? context.requestSize ?? DEFAULT_SIZE);
  const filter = filterOf(clause, field, context);
  if (!field.vector) return matchNoneQuery(`no vectors in [${clause.field}]`);
  if (!field.vector.indexed) {
    throw illegalArgument(
      `to perform knn search on field [${field.name}], its mapping must have [index] set to [true]`,
    );
  }
  const vector = queryVector(clause.queryVector, field.vector);
  if (candidates < 1) throw illegalArgument(`k must be at least 1, got: ${candidates}`);
  const query = knnVectorQuery({
    field: field.info.name,
    vector,
    candidates,
    ...(k === undefined ? {} : { k }),
    ...(filter ? { filter } : {}),
    ...(field.nestedPath === undefined ? {} : { parents: parentsOf(context) }),
    ...(similarity === undefined
      ? {}
      : { similarity: { raw: similarity, score: thresholdScore(field.vector, similarity) } }),
  });
  context.searches.push(query);
  return query;
}

/** The nested object whose documents those of the query count for; undefined: root documents. */
const levelAbove = ({ nestedPath, outerNestedPath }: QueryContext): string | undefined =>
  nestedPath === undefined ? undefined : outerNestedPath;

/** The documents that vectors of nested ones count for: those of the level that the query around stands in. */
function parentsOf(context: QueryContext): ParentsOf {
  const path = levelAbove(context);
  return path === undefined ? rootDocuments : (leaf) => nestedDocuments(leaf, path);
}

function filterOf({ filters }: KnnClause, field: MappedField, context: QueryContext): Query | undefined {
  if (filters.length === 0) return undefined;
  const query = booleanQuery(filters.map((builder) => ({ occur: "filter", query: builder.toQuery(context) })));
  // A filter of nested vectors is about their parents.
  return field.nestedPath === undefined ? query : onlyOfLevel(query, levelAbove(context), context);
}

export type { KnnVectorQuery };
