/**
 * `fields`: values of the source as the mapping has them, by names and patterns (FieldFetcher). Values of nested objects are grouped by their
 * object: a fetcher has one for each nested path right below its own.
 */
import { EngineError, illegalArgument } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { hashOrder } from "../../../mapping/java-text.ts";
import { METADATA_FIELDS } from "../../../mapping/metadata.ts";
import type { Mapping } from "../../../mapping/types.ts";
import type { ValueFetcher } from "../../../mapping/value-fetcher.ts";
import { isArray } from "../../../query/dsl/read.ts";
import { alone, objectsAt } from "../inner-hits/nested-identity.ts";
import { extractValue } from "./extract.ts";
import type { FieldAndFormat } from "./field-and-format.ts";
import { type UnmappedFields, unmappedFields } from "./unmapped.ts";

/** Values of a field, and those of the source that the field ignores. */
export interface FieldValues {
  values: JsonValue[];
  ignored: readonly JsonValue[];
}

/** Metadata fields of a hit. */
export type MetadataOf = (name: string) => readonly JsonValue[];

export interface FieldFetcher {
  fetch(source: JsonObject, metadata: MetadataOf): Map<string, FieldValues>;
}

/** Metadata fields that have values; of the others some have none, and some fail. */
const WITH_VALUES = new Set(["_id", "_index", "_version", "_ignored", "_routing"]);
const WITHOUT_VALUES = new Set(["_tier"]);

type Reader = (source: JsonObject, metadata: MetadataOf) => FieldValues;

/** @param scope the nested path whose objects are read; "" for documents. @throws Elasticsearch's error for a format that a field does not take */
export function fieldFetcher(mapping: Mapping, wanted: readonly FieldAndFormat[], scope = ""): FieldFetcher {
  const nested = directlyBelow(mapping.nestedPaths(), scope);
  const prefix = scope === "" ? "" : `${scope}.`;
  const readers = new Map<string, Reader>();
  for (const item of wanted) {
    for (const name of matching(mapping, item.field)) {
      if (!name.startsWith(prefix) || nested.some((path) => isWithin(name, path))) continue;
      readers.set(name, reader(mapping, name, item));
    }
  }
  const inner = nested.map((path) => ({ path, fetcher: fieldFetcher(mapping, wanted, path) }));
  const patterns = wanted.filter(({ includeUnmapped }) => includeUnmapped).map(({ field }) => field);
  const skipped = (path: string) => readers.has(path) || nested.some((other) => isWithin(path, other));
  const unmapped: UnmappedFields | undefined =
    patterns.length === 0 ? undefined : unmappedFields(patterns, skipped, scope);
  return {
    fetch(source, metadata) {
      const found = new Map<string, FieldValues>();
      for (const [name, read] of readers) {
        const field = read(source, metadata);
        if (field.values.length > 0 || field.ignored.length > 0) found.set(name, field);
      }
      for (const { path, fetcher } of inner) {
        const values = nestedValues(source, path, fetcher, metadata);
        if (values.length > 0) found.set(path, { values, ignored: [] });
      }
      unmapped?.collect(source, found);
      return found;
    },
  };
}

const isWithin = (path: string, object: string) => path === object || path.startsWith(`${object}.`);

/** Nested paths below a scope that lie in no other one below it. */
function directlyBelow(paths: readonly string[], scope: string): readonly string[] {
  const below = paths.filter((path) => scope === "" || path.startsWith(`${scope}.`));
  return below.filter((path) => !below.some((other) => path.startsWith(`${other}.`)));
}

/** Names of fields for a name or pattern; patterns match no metadata fields. */
function matching(mapping: Mapping, pattern: string): readonly string[] {
  const names = mapping.names(pattern);
  if (pattern.includes("*")) return hashOrder(names);
  return names.length === 0 && METADATA_FIELDS.has(pattern) ? [pattern] : names;
}

function reader(mapping: Mapping, name: string, { field: pattern, format }: FieldAndFormat): Reader {
  const field = mapping.field(name)!;
  const options = format === undefined ? {} : { format };
  try {
    if (field.family === "metadata") {
      if (WITHOUT_VALUES.has(name)) return () => ({ values: [], ignored: [] });
      if (!WITH_VALUES.has(name)) field.valueFetcher();
      if (name === "_version" || name === "_ignored") field.docValueFormat(options);
      return (_source, metadata) => ({ values: [...metadata(name)], ignored: [] });
    }
    const fetcher = field.valueFetcher(options);
    const paths = mapping.sourcePaths(name);
    return (source) => readValues(fetcher, paths, source);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== "illegal_argument_exception") throw error;
    const which = pattern === name ? "" : ` which matched [${pattern}]`;
    throw illegalArgument(`error fetching [${name}]${which}: ${error.reason}`, { cause: error });
  }
}

/** What the source has under the paths of a field. */
export function readValues(fetcher: ValueFetcher, paths: readonly string[], source: JsonObject): FieldValues {
  const values: JsonValue[] = [];
  const ignored: JsonValue[] = [];
  for (const path of paths) {
    const found = extractValue(source, path, fetcher.nullValue);
    if (found === undefined) continue;
    if (fetcher.kind === "whole") values.push(...fetcher.readAll(found));
    else readEach(fetcher.read, found, values, ignored);
  }
  return { values, ignored };
}

/** Arrays within arrays come after what stands beside them. */
function readEach(
  read: (value: JsonValue) => JsonValue | undefined,
  found: JsonValue,
  values: JsonValue[],
  ignored: JsonValue[],
): void {
  const queue: JsonValue[] = [found];
  for (let at = 0; at < queue.length; at++) {
    const value = queue[at];
    if (isArray(value)) {
      for (const item of value) if (item !== null) queue.push(item);
      continue;
    }
    try {
      const printed = read(value);
      if (printed === undefined) ignored.push(value);
      else values.push(printed);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      ignored.push(value);
    }
  }
}

/** The objects of a nested path, each with its fields under their names below it. */
function nestedValues(source: JsonObject, path: string, fetcher: FieldFetcher, metadata: MetadataOf): JsonValue[] {
  return objectsAt(source, path).flatMap((entry) => {
    const shown = inHashOrder(fetcher.fetch(alone(path, entry), metadata))
      .filter(([, { values }]) => values.length > 0)
      .map(([name, { values }]) => [name.slice(path.length + 1), values] as const);
    return shown.length === 0 ? [] : [Object.fromEntries(shown)];
  });
}

function inHashOrder<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return hashOrder([...map.keys()]).map((key) => [key, map.get(key)!]);
}

/** `fields` and `ignored_field_values` of a hit. */
export function printFields(found: ReadonlyMap<string, FieldValues>): {
  readonly ignored_field_values?: JsonObject;
  readonly fields?: JsonObject;
} {
  const ordered = inHashOrder(found);
  const of = (part: keyof FieldValues) =>
    ordered.filter(([, field]) => field[part].length > 0).map(([name, field]) => [name, field[part]] as const);
  const [ignored, fields] = [of("ignored"), of("values")];
  return {
    ...(ignored.length > 0 ? { ignored_field_values: Object.fromEntries(ignored) } : {}),
    ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
  };
}
