/** Reads `retriever`: an object with one key, the retriever's name (RetrieverBuilder.parseInnerRetrieverBuilder). */
import { EngineError, parsingError, unsupported } from "../../../errors.ts";
import { positionOf } from "../../../json/parse.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { parseInnerQuery } from "../../../query/dsl/index.ts";
import {
  contentError,
  errorAt,
  inField,
  isArray,
  isObject,
  located,
  readFloat,
  textOf,
  wrongKind,
} from "../../../query/dsl/read.ts";
import { readLinear, readReranker, readRrf } from "./compounds.ts";
import { readKnn, readStandard } from "./leaves.ts";
import type { Retriever, RetrieverOptions } from "./types.ts";

/** A new retriever is a row. */
const RETRIEVERS: Readonly<Record<string, (json: JsonObject) => Retriever>> = {
  standard: readStandard,
  knn: readKnn,
  rrf: readRrf,
  linear: readLinear,
  text_similarity_reranker: readReranker,
};

export const SUPPORTED_RETRIEVERS: readonly string[] = Object.keys(RETRIEVERS);

/** Known to Elasticsearch, or to its plugins. */
export const REFUSED_RETRIEVERS: readonly string[] = ["rule", "random_reranker", "rescorer", "pinned", "diversify"];

/** The retriever of a search. */
export function readRetriever(body: JsonObject, key: string): Retriever {
  const json = body[key] as JsonObject;
  const [name, second] = Object.keys(json);
  if (name === undefined) throw errorAt(json, "end", "retriever malformed, empty clause found");
  const inner = json[name];
  if (!isObject(inner)) {
    throw errorAt(json, { value: name }, `[${name}] retriever malformed, no [START_OBJECT] after retriever name`);
  }
  const read = readerOf(name);
  if (!read) throw unknownRetriever(json, name);
  const retriever = read(inner);
  if (second === undefined) return retriever;
  throw errorAt(json, { key: second }, `[${name}] malformed retriever, expected [END_OBJECT] but found [FIELD_NAME]`);
}

function readerOf(name: string) {
  if (REFUSED_RETRIEVERS.includes(name)) throw unsupported(`retriever ${name}`);
  return Object.hasOwn(RETRIEVERS, name) ? RETRIEVERS[name] : undefined;
}

function notFound(place: { line: number; col: number } | undefined, name: string): EngineError {
  const at = place ? `[${place.line}:${place.col}] ` : "";
  return new EngineError("named_object_not_found_exception", `${at}unknown field [${name}]`);
}

function unknownRetriever(json: JsonObject, name: string): EngineError {
  const place = positionOf(json, { value: name });
  return parsingError(`unknown retriever [${name}]`, {
    cause: notFound(place, name),
    ...(place ? { metadata: { line: place.line, col: place.col } } : {}),
  });
}

/**
 * A retriever within another one: what is wrong with its shape the parser of its contents tells.
 *
 * @param key under which it or its list stands
 */
export function readInnerRetriever(
  json: JsonObject | readonly JsonValue[],
  at: string | number,
  key: string,
): Retriever {
  const value = (json as { readonly [at: string]: JsonValue })[at];
  const [name, second] = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || name === undefined) {
    const place = isObject(value) ? ("end" as const) : { value: at as string };
    const container = isObject(value) ? value : json;
    throw located(
      notFound(positionOf(container, place), isObject(value) && isArray(json) ? "null" : key),
      container,
      place,
    );
  }
  const inner = value[name];
  const read = readerOf(name);
  if (!read) throw located(notFound(positionOf(value, { key: name }), name), value, { key: name });
  if (!isObject(inner)) {
    throw contentError(value, { value: name }, `[${name}] Expected START_OBJECT but was: ${tokenOf(inner)}`);
  }
  const retriever = read(inner);
  // A list's items end where their retriever does; elsewhere whoever asked looks for more.
  if (second === undefined || !isArray(json)) return retriever;
  throw contentError(
    value,
    { key: second },
    `[${name}] malformed retriever, expected [END_OBJECT] but found [FIELD_NAME]`,
  );
}

function tokenOf(value: JsonValue): string {
  if (isArray(value)) return "START_ARRAY";
  if (value === null) return "VALUE_NULL";
  if (typeof value === "string") return "VALUE_STRING";
  return typeof value === "boolean" ? "VALUE_BOOLEAN" : "VALUE_NUMBER";
}

/** What is around it names the place of the value. */
export function unknownField(parser: string, json: JsonObject, key: string): EngineError {
  const error = contentError(json, { key }, `[${parser}] unknown field [${key}]`);
  return located(error, json, { value: key });
}

type Drafted = { -readonly [K in keyof RetrieverOptions]: RetrieverOptions[K] };

export const noOptions = (): Drafted => ({ filters: [] });

/** Reads `filter`, `min_score` and `_name`. @returns false for another key */
export function readOption(parser: string, json: JsonObject, key: string, options: Drafted): boolean {
  const value = json[key];
  if (key === "filter") {
    if (!isObject(value) && !isArray(value)) throw wrongKind(parser, json, key);
    options.filters = inField(parser, json, key, () =>
      isArray(value) ? value.map((_, i) => parseInnerQuery(value, i, 1)) : [parseInnerQuery(json, key, 1)],
    );
  } else if (key === "min_score") {
    if (typeof value === "boolean" || textOf(value) === undefined) throw wrongKind(parser, json, key);
    options.minScore = inField(parser, json, key, () => readFloat(value, json, key));
  } else if (key === "_name") {
    if (typeof value === "boolean" || textOf(value) === undefined) throw wrongKind(parser, json, key);
    options.queryName = textOf(value)!;
  } else return false;
  return true;
}
