/** Which part of a document's source a request wants: `_source` in its many spellings. */
import { illegalArgument, parsingError } from "../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import type { Params } from "./params.ts";

export interface FetchSource {
  readonly fetch: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

export const WHOLE_SOURCE: FetchSource = { fetch: true, includes: [], excludes: [] };

const text = (value: JsonValue): string => {
  if (value === null || (typeof value === "object" && !(value instanceof JsonNumber))) {
    throw illegalArgument(
      `Expected text but found ${value === null ? "VALUE_NULL" : Array.isArray(value) ? "START_ARRAY" : "START_OBJECT"}`,
    );
  }
  return String(value);
};

const KEYS: Readonly<Record<string, "includes" | "excludes">> = {
  include: "includes",
  includes: "includes",
  exclude: "excludes",
  excludes: "excludes",
};

/** Reads `_source` of a body: a flag, a pattern, patterns, or an object with `includes` and `excludes`. */
export function parseFetchSource(value: JsonValue): FetchSource {
  if (typeof value === "boolean") return { ...WHOLE_SOURCE, fetch: value };
  if (typeof value === "string") return { ...WHOLE_SOURCE, includes: [value] };
  if (Array.isArray(value)) return { ...WHOLE_SOURCE, includes: value.map(text) };
  if (value === null || typeof value !== "object" || value instanceof JsonNumber) {
    throw parsingError(
      `Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [${value === null ? "VALUE_NULL" : "VALUE_NUMBER"}]`,
    );
  }
  const lists: { includes: string[]; excludes: string[] } = { includes: [], excludes: [] };
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    const list = KEYS[key];
    const kind = Array.isArray(inner) ? "START_ARRAY" : typeof inner === "string" ? "VALUE_STRING" : undefined;
    if (list === undefined || kind === undefined) {
      const token =
        inner === null
          ? "VALUE_NULL"
          : typeof inner === "boolean"
            ? "VALUE_BOOLEAN"
            : typeof inner === "number" || inner instanceof JsonNumber
              ? "VALUE_NUMBER"
              : (kind ?? "START_OBJECT");
      throw parsingError(`Unknown key for a ${token} in [${key}].`);
    }
    lists[list].push(...(Array.isArray(inner) ? inner.map(text) : [inner as string]));
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
