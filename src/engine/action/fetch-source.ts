/** Which part of a document's source a request wants: `_source` in its many spellings. */
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { errorAt, readText, tokenName } from "../query/dsl/read.ts";
import type { Params } from "./params.ts";

export interface FetchSource {
  readonly fetch: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

export const WHOLE_SOURCE: FetchSource = { fetch: true, includes: [], excludes: [] };

/** Patterns under `includes` or `excludes` are strings. */
function patterns(key: string, list: readonly JsonValue[]): string[] {
  return list.map((value, at) => {
    if (typeof value === "string") return value;
    throw errorAt(list, { value: at }, `Unknown key for a ${tokenName(value)} in [${key}].`);
  });
}

const KEYS: Readonly<Record<string, "includes" | "excludes">> = {
  include: "includes",
  includes: "includes",
  exclude: "excludes",
  excludes: "excludes",
};

/**
 * Reads `_source` of a body: a flag, a pattern, patterns, or an object with `includes` and `excludes`.
 *
 * @param container where it lies, under `key`: what is wrong is told with its place
 */
export function parseFetchSource(value: JsonValue, container?: JsonObject, key = "_source"): FetchSource {
  if (typeof value === "boolean") return { ...WHOLE_SOURCE, fetch: value };
  if (typeof value === "string") return { ...WHOLE_SOURCE, includes: [value] };
  if (Array.isArray(value))
    return { ...WHOLE_SOURCE, includes: value.map((_, at) => readText(value as readonly JsonValue[], at)) };
  if (value === null || typeof value !== "object" || value instanceof JsonNumber) {
    throw errorAt(
      container,
      { value: key },
      `Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [${value === null ? "VALUE_NULL" : "VALUE_NUMBER"}]`,
    );
  }
  const lists: { includes: string[]; excludes: string[] } = { includes: [], excludes: [] };
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    const list = KEYS[key];
    const kind = Array.isArray(inner) ? "START_ARRAY" : typeof inner === "string" ? "VALUE_STRING" : undefined;
    if (list === undefined || kind === undefined) {
      throw errorAt(value, { value: key }, `Unknown key for a ${tokenName(inner)} in [${key}].`);
    }
    lists[list].push(...(Array.isArray(inner) ? patterns(key, inner) : [inner as string]));
  }
  return { fetch: true, ...lists };
}

/** Reads `_source`, `_source_includes` and `_source_excludes` of a URL; `undefined` when there is none of them. */
export function fetchSourceParams(params: Params): FetchSource | undefined {
  const source = params.text("_source");
  const includes = params.list("_source_includes");
  const excludes = params.list("_source_excludes");
  if (source === undefined && includes === undefined && excludes === undefined) return undefined;
  const flag = source === "true" || source === "false" ? source === "true" : undefined;
  const named = source === undefined || flag !== undefined ? [] : source.split(",").filter((part) => part !== "");
  return { fetch: flag ?? true, includes: includes ?? named, excludes: excludes ?? [] };
}
