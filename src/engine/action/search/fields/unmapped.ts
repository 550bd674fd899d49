/** `include_unmapped`: what the source has beside the mapping (UnmappedFieldFetcher). Names are looked up; patterns walk through the source. */
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { isArray, isObject } from "../../../query/dsl/read.ts";
import { matchesSimple } from "../../../simple-match.ts";
import { extractRawValues } from "./extract.ts";
import type { FieldValues } from "./field-fetcher.ts";

export interface UnmappedFields {
  collect(source: JsonObject, found: Map<string, FieldValues>): void;
}

/** @param skipped paths of fields that are read otherwise @param scope the nested path whose objects are read */
export function unmappedFields(
  wanted: readonly string[],
  skipped: (path: string) => boolean,
  scope: string,
): UnmappedFields {
  const prefix = scope === "" ? "" : `${scope}.`;
  const patterns = wanted.filter((name) => name.includes("*"));
  const names = wanted.filter((name) => !name.includes("*") && name.startsWith(prefix));
  const matches = (path: string) => path.startsWith(prefix) && patterns.some((pattern) => matchesSimple(pattern, path));
  const add = (found: Map<string, FieldValues>, path: string, values: readonly JsonValue[]) => {
    const known = found.get(path);
    if (known === undefined) found.set(path, { values: [...values], ignored: [] });
    else known.values.push(...values);
  };
  const walk = (source: JsonObject, above: string, found: Map<string, FieldValues>): void => {
    for (const key of Object.keys(source)) {
      const path = above + key;
      if (skipped(path)) continue;
      const value = source[key];
      if (isObject(value)) walk(value, `${path}.`, found);
      else if (isArray(value)) walkList(value, path, found);
      else if (value !== null && matches(path)) add(found, path, [value]);
    }
  };
  const walkList = (list: readonly JsonValue[], path: string, found: Map<string, FieldValues>): void => {
    const own: JsonValue[] = [];
    for (const item of list) {
      if (isObject(item)) walk(item, `${path}.`, found);
      else if (isArray(item)) walkList(item, path, found);
      else if (matches(path)) own.push(item);
    }
    if (own.length > 0) add(found, path, own);
  };
  return {
    collect(source, found) {
      if (patterns.length > 0) walk(source, "", found);
      for (const name of names) {
        if (skipped(name)) continue;
        const values = extractRawValues(source, name);
        if (values.length > 0) found.set(name, { values, ignored: [] });
      }
    },
  };
}
