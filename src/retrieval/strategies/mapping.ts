/** What an index says of its fields: which kinds they are, and which of a field's forms serves a purpose. */
import type { Client, estypes } from "@elastic/elasticsearch";
import { METADATA_FIELD } from "../../elasticsearch/layout.ts";
import { type CallOptions, InvalidArgumentError } from "../../schema/index.ts";

interface Property {
  type?: string;
  ignore_above?: number;
  fields?: Record<string, Property>;
  properties?: Record<string, Property>;
}

/** The fields of an index, by their paths. */
export interface IndexFields {
  /** A field or subfield by its full name. */
  field(name: string): { type: string; ignoreAbove?: number } | undefined;
  /** Names of the metadata. */
  metadata: readonly string[];
}

/** Reads the fields of an index from its mapping. */
export async function indexFields(
  target: { client: Client; index: string },
  { signal }: CallOptions,
): Promise<IndexFields> {
  const answer = await target.client.indices.getMapping({ index: target.index }, signal ? { signal } : {});
  const found = new Map<string, { type: string; ignoreAbove?: number }>();
  for (const { mappings } of Object.values(answer))
    walk((mappings as estypes.MappingTypeMapping & Property).properties, "", found);
  const prefix = `${METADATA_FIELD}.`;
  return {
    field: (name) => found.get(name),
    metadata: [...found]
      .filter(([name, { type }]) => name.startsWith(prefix) && type !== "object" && type !== "subfield")
      .map(([name]) => name.slice(prefix.length)),
  };
}

function walk(
  properties: Record<string, Property> | undefined,
  prefix: string,
  found: Map<string, { type: string; ignoreAbove?: number }>,
): void {
  for (const [key, property] of Object.entries(properties ?? {})) {
    const name = prefix + key;
    const ignoreAbove = property.ignore_above === undefined ? {} : { ignoreAbove: property.ignore_above };
    found.set(name, { type: property.type ?? "object", ...ignoreAbove });
    for (const [sub, inner] of Object.entries(property.fields ?? {})) {
      const above = inner.ignore_above === undefined ? {} : { ignoreAbove: inner.ignore_above };
      found.set(`${name}.${sub}`, { type: inner.type ?? "object", ...above });
    }
    walk(property.properties, `${name}.`, found);
  }
}

const NUMBERS = new Set([
  "long",
  "integer",
  "short",
  "byte",
  "double",
  "float",
  "half_float",
  "scaled_float",
  "unsigned_long",
]);
const DATES = new Set(["date", "date_nanos"]);

/** Whether a field of this type holds numbers. */
export function isNumber(type: string | undefined): boolean {
  return NUMBERS.has(type ?? "");
}

/** Whether a field of this type holds dates. */
export function isDate(type: string | undefined): boolean {
  return DATES.has(type ?? "");
}

/** The full name of a metadata key, or of a field that is named in full. */
function fullName(fields: IndexFields, name: string): string {
  return fields.field(`${METADATA_FIELD}.${name}`) ? `${METADATA_FIELD}.${name}` : name;
}

/**
 * The form of a field that has numbers or dates.
 *
 * @throws InvalidArgumentError where there is none
 */
export function scaleField(fields: IndexFields, name: string, option: string): { field: string; date: boolean } {
  const full = fullName(fields, name);
  const type = fields.field(full)?.type;
  if (isNumber(type)) return { field: full, date: false };
  if (isDate(type)) return { field: full, date: true };
  if (isDate(fields.field(`${full}.date`)?.type)) return { field: `${full}.date`, date: true };
  throw new InvalidArgumentError(
    option,
    name,
    type === undefined
      ? `${option}: no passage has the metadata "${name}"; there are ${fields.metadata.slice(0, 20).join(", ") || "none"}`
      : `${option}: "${name}" is ${type} in this index, and needs to be a number or a date. Dates are indexed as such under names that say so (date, effective, published, created, updated, …) in collections made by this version`,
  );
}

/**
 * The form of a field whose whole values can be counted and compared.
 *
 * @throws InvalidArgumentError where there is none
 */
export function valueField(fields: IndexFields, name: string, option: string): string {
  const full = fullName(fields, name);
  const type = fields.field(full)?.type;
  if (type === undefined) {
    throw new InvalidArgumentError(
      option,
      name,
      `${option}: no passage has the metadata "${name}"; there are ${fields.metadata.slice(0, 20).join(", ") || "none"}`,
    );
  }
  if (type !== "text") return full;
  if (fields.field(`${full}.keyword`)) return `${full}.keyword`;
  throw new InvalidArgumentError(
    option,
    name,
    `${option}: "${name}" is text without a keyword subfield, and cannot be counted`,
  );
}
