/**
 * Metadata filters on plain metadata, with the meaning that they have as DSL: a value is one of the field's values, of its own type; a list
 * is several values; null and what is missing are none.
 */
import {
  type FilterScalar,
  type Filters,
  type MetadataFilter,
  type NormalizedFilters,
  normalizeFilters,
} from "./filters.ts";
import type { Metadata, MetadataValue } from "./node.ts";

/**
 * Makes a test of metadata from filters; without filters everything passes.
 *
 * @throws FilterError for filters that cannot be understood
 * @example nodes.filter((node) => filterPredicate({ level: "员工" })(node.metadata))
 */
export function filterPredicate(filters: Filters | undefined): (metadata: Metadata) => boolean {
  const normalized = normalizeFilters(filters);
  return normalized ? (metadata) => listMatches(normalized, metadata) : () => true;
}

function listMatches(list: NormalizedFilters, metadata: Metadata): boolean {
  if (list.filters.length === 0) return true;
  const matches = (item: NormalizedFilters["filters"][number]): boolean =>
    "key" in item ? filterMatches(item, metadata) : listMatches(item, metadata);
  switch (list.condition) {
    case "and":
      return list.filters.every(matches);
    case "or":
      return list.filters.some(matches);
    case "not":
      return !list.filters.some(matches);
  }
}

function filterMatches({ key, operator, value }: Required<MetadataFilter>, metadata: Metadata): boolean {
  const stored = valueAt(metadata, key);
  const values = leaves(stored);
  switch (operator) {
    case "==":
      return equals(values, value);
    case "!=":
      return !equals(values, value);
    case "contains":
      return !Array.isArray(value) && holds(values, value);
    case "in":
    case "any":
      return list(value).some((item) => holds(values, item));
    case "nin":
      return !list(value).some((item) => holds(values, item));
    case "all":
      return list(value).length === 0
        ? stored !== undefined && stored !== null
        : list(value).every((item) => holds(values, item));
    case ">":
      return values.some((item) => sameType(item, value) && compareValues(item, value as string | number) > 0);
    case ">=":
      return values.some((item) => sameType(item, value) && compareValues(item, value as string | number) >= 0);
    case "<":
      return values.some((item) => sameType(item, value) && compareValues(item, value as string | number) < 0);
    case "<=":
      return values.some((item) => sameType(item, value) && compareValues(item, value as string | number) <= 0);
    case "is_empty":
      return values.length === 0 || values.includes("");
    case "text_match":
      return values.some((item) => typeof item === "string" && item.includes(value as string));
    case "text_match_insensitive":
      return values.some((item) => typeof item === "string" && folded(item).includes(folded(value as string)));
  }
}

/** The value under a key; a dot in a key that is none by itself leads into objects, as in the DSL. */
function valueAt(metadata: Metadata, key: string): MetadataValue | undefined {
  if (Object.hasOwn(metadata, key)) return metadata[key];
  let value: MetadataValue | undefined = metadata;
  for (const part of key.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, part))
      return undefined;
    value = value[part];
  }
  return value;
}

/** The single values of a field, as an index has them: lists and objects opened, nulls gone. */
function leaves(value: MetadataValue | undefined): Exclude<FilterScalar, null>[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return typeof value === "object" ? Object.values(value).flatMap(leaves) : [value];
}

/** A list equals the same values, in any order; a single value equals one of the field's. Nothing equals null. */
function equals(values: FilterScalar[], value: MetadataFilter["value"]): boolean {
  if (!Array.isArray(value)) return holds(values, value);
  return value.every((item) => holds(values, item)) && values.every((item) => value.includes(item));
}

function holds(values: readonly FilterScalar[], value: FilterScalar | undefined): boolean {
  return value !== null && value !== undefined && values.includes(value);
}

function list(value: MetadataFilter["value"]): FilterScalar[] {
  return Array.isArray(value) ? value : [value ?? null];
}

function sameType(item: FilterScalar, value: MetadataFilter["value"]): item is string | number {
  return typeof item === typeof value && (typeof item === "string" || typeof item === "number");
}

/** Strings by code point, which is the order of their UTF-8 bytes. */
export function compareValues(a: string | number | boolean, b: string | number | boolean): number {
  if (typeof a !== "string" || typeof b !== "string") return Number(a) - Number(b);
  const ours = [...a];
  const theirs = [...b];
  for (let i = 0; i < ours.length && i < theirs.length; i++) {
    const difference = ours[i]!.codePointAt(0)! - theirs[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return ours.length - theirs.length;
}

/** Small letters, character by character: what would become several stays. */
function folded(text: string): string {
  let out = "";
  for (const char of text) {
    const small = char.toLowerCase();
    out += [...small].length === 1 ? small : char;
  }
  return out;
}
