/**
 * Source filtering. Elasticsearch has two ways of it, whose results differ where something becomes empty: patterns that exclude with `*`
 * are matched against whole paths of the parsed source (XContentMapValues), all others step by step while reading (FilterPath).
 */
import { emptyObject, parseJson, type Selection } from "../json/parse.ts";
import { filterByPaths, type Path, step, type Tree } from "../json/path-filter.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { matchesSimple } from "../simple-match.ts";
import { hashOrder } from "./java-text.ts";

const isObject = (value: JsonValue): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof JsonNumber);

/** True when some longer text than `start` could match the pattern. */
function couldMatchBelow(pattern: string, start: string): boolean {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern.startsWith(start);
  const head = pattern.slice(0, star);
  if (start.length <= head.length) return head.startsWith(start);
  if (!start.startsWith(head)) return false;
  // A star takes any text, dots included, and so the rest of the start.
  return true;
}

interface PathFilter {
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** What a pattern names, and everything below it. */
const matchesAny = (patterns: readonly string[], path: string) =>
  patterns.some((pattern) => matchesSimple(pattern, path) || matchesSimple(`${pattern}.*`, path));
const anyBelow = (patterns: readonly string[], path: string) =>
  patterns.some((pattern) => couldMatchBelow(pattern, `${path}.`));

/** @param all an enclosing object is included as a whole: only what is excluded counts */
function objectByPatterns(value: JsonObject, prefix: string, filter: PathFilter, all: boolean): JsonObject {
  const result = emptyObject();
  for (const key of Object.keys(value)) {
    const path = prefix + key;
    const inner = value[key];
    if (matchesAny(filter.excludes, path)) continue;
    const included = all || matchesAny(filter.includes, path);
    if (included && !anyBelow(filter.excludes, path)) result[key] = inner;
    else if (isObject(inner)) {
      if (!included && !anyBelow(filter.includes, path)) continue;
      const kept = objectByPatterns(inner, `${path}.`, filter, included);
      if (included || Object.keys(kept).length > 0) result[key] = kept;
    } else if (Array.isArray(inner)) {
      const kept = listByPatterns(inner, path, filter, included);
      if (included || kept.length > 0) result[key] = kept;
    } else if (included) result[key] = inner;
  }
  // Elasticsearch puts them into a HashMap.
  const ordered = emptyObject();
  for (const key of hashOrder(Object.keys(result))) ordered[key] = result[key];
  return ordered;
}

function listByPatterns(list: readonly JsonValue[], path: string, filter: PathFilter, included: boolean): JsonValue[] {
  const result: JsonValue[] = [];
  for (const item of list) {
    if (isObject(item)) {
      const kept = objectByPatterns(item, `${path}.`, filter, included);
      if (Object.keys(kept).length > 0) result.push(kept);
    } else if (Array.isArray(item)) {
      const kept = listByPatterns(item, path, filter, included);
      if (kept.length > 0) result.push(kept);
    } else if (included) result.push(item);
  }
  return result;
}

/** True where Elasticsearch matches whole paths. */
const byPatterns = ({ excludes }: PathFilter) => excludes.some((pattern) => pattern.includes("*"));
const pathsOf = (patterns: readonly string[]): Path[] => patterns.map((pattern) => pattern.split("."));

/** The source with what is included, less what is excluded. */
export function filterSource(source: JsonObject, filter: PathFilter): JsonObject {
  const { includes, excludes } = filter;
  if (byPatterns(filter)) return objectByPatterns(source, "", filter, includes.length === 0);
  let left: Tree | undefined = source;
  if (includes.length > 0) left = filterByPaths(left, pathsOf(includes), { keep: true, dottedNames: true });
  if (left !== undefined && excludes.length > 0)
    left = filterByPaths(left, pathsOf(excludes), { keep: false, dottedNames: true });
  return (left ?? emptyObject()) as JsonObject;
}

/** The same by whole paths, as Elasticsearch filters what it has parsed: what becomes empty stays. */
export function filterParsedSource(source: JsonObject, filter: PathFilter): JsonObject {
  return objectByPatterns(source, "", filter, filter.includes.length === 0);
}

/** What has to be read of a source: what the filter drops for certain, whatever it is, need not be. */
function selectionOf(filter: PathFilter): Selection {
  if (byPatterns(filter)) return patternSelection("", filter, filter.includes.length === 0);
  return pathSelection(filter.includes.length === 0 ? true : pathsOf(filter.includes), pathsOf(filter.excludes));
}

/** @param includes as `step` gives them: `true` where all is included */
function pathSelection(includes: readonly Path[] | true, excludes: readonly Path[]): Selection {
  return (key) => {
    const included = includes === true || step(includes, key, true);
    const excluded = step(excludes, key, true);
    if (excluded === true || (included !== true && included.length === 0)) return false;
    return included === true && excluded.length === 0 ? true : pathSelection(included, excluded);
  };
}

function patternSelection(prefix: string, filter: PathFilter, all: boolean): Selection {
  return (key) => {
    const path = prefix + key;
    if (matchesAny(filter.excludes, path)) return false;
    const included = all || matchesAny(filter.includes, path);
    if (!included && !anyBelow(filter.includes, path)) return false;
    return included && !anyBelow(filter.excludes, path) ? true : patternSelection(`${path}.`, filter, included);
  };
}

/** The bytes as they were stored, where nothing is filtered. */
export function sourceOf(bytes: Uint8Array, filter: PathFilter): Uint8Array | JsonObject {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return bytes;
  return filterSource(parseJson(bytes, { selection: selectionOf(filter) }) as JsonObject, filter);
}
