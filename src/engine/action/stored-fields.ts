/** Fields of `store: true`: Elasticsearch keeps their values beside the source, from which they are read here. */

import { illegalArgument, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { wellFormed } from "../json/utf8.ts";
import { printFloat } from "../mapping/doc-value-format.ts";
import { hashOrder, javaDouble, javaText } from "../mapping/java-text.ts";
import type { MappedField, Mapping } from "../mapping/types.ts";
import type { ValueFetcher } from "../mapping/value-fetcher.ts";
import { readValues } from "./search/fields/field-fetcher.ts";

/** The stored values of a field in a source. */
export interface StoredField {
  readonly name: string;
  read(source: JsonObject): JsonValue[];
}

/** Stored fields by names and patterns, aliases under their own names; others have nothing to show. */
export function storedFields(mapping: Mapping, wanted: readonly string[], nestedPath?: string): StoredField[] {
  const names = new Set(wanted.flatMap((name) => hashOrder(mapping.names(name))));
  return [...names].flatMap((name) => {
    const field = mapping.field(name);
    return field === undefined || field.nestedPath !== nestedPath ? [] : storedField(mapping, name, field);
  });
}

/** The same for reading by id, which knows neither patterns nor aliases. @throws for objects */
export function storedFieldsOfDocument(
  mapping: Mapping,
  wanted: readonly string[],
  source: JsonObject,
): { [field: string]: readonly JsonValue[] } | undefined {
  const found: { [field: string]: readonly JsonValue[] } = {};
  for (const name of wanted) {
    const field = mapping.field(name);
    if (field === undefined && mapping.object(name) !== undefined) {
      throw illegalArgument(`field [${name}] isn't a leaf field`);
    }
    if (field === undefined || field.name !== name || field.nestedPath !== undefined) continue;
    for (const { read } of storedField(mapping, name, field)) {
      const values = read(source);
      if (values.length > 0) found[name] = values;
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

export const isStored = (field: MappedField): boolean => field.toJson()["store"] === true;

function storedField(mapping: Mapping, name: string, field: MappedField): StoredField[] {
  if (!isStored(field)) return [];
  if (field.family === "range") throw unsupported(`stored_fields of a field of type [${field.type}]`);
  const fetcher = storedFetcher(field);
  const paths = mapping.sourcePaths(name);
  return [{ name, read: (source) => readValues(fetcher, paths, source).values }];
}

/** What is kept is printed as `fields` prints it, but for points, and for half floats, which are kept as floats. */
function storedFetcher(field: MappedField): ValueFetcher {
  const fetcher = field.valueFetcher();
  if (fetcher.kind === "whole") {
    const readAll = (value: JsonValue) => fetcher.readAll(value).map(pointText);
    return { ...fetcher, readAll };
  }
  if (field.type !== "half_float") {
    const read = (value: JsonValue) => asKept(fetcher.read(value));
    return fetcher.kind === "values" ? { ...fetcher, read } : fetcher;
  }
  const read = (value: JsonValue) =>
    fetcher.read(value) === undefined ? undefined : printFloat(Math.fround(Number(javaText(value))));
  return { ...fetcher, read };
}

/** What is kept is kept as UTF-8, which has no halves of pairs. */
const asKept = (value: JsonValue | undefined) => (typeof value === "string" ? wellFormed(value) : value);

function pointText(point: JsonValue): string {
  const [lon, lat] = ((point as JsonObject)["coordinates"] as readonly JsonValue[]).map(Number);
  return `${javaDouble(lat)}, ${javaDouble(lon)}`;
}
