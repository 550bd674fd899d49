/**
 * Where an aggregation's values come from (ValuesSourceConfig): a field's doc values, `missing` in the place of none, printed by the field's
 * or a given format. Scripts are refused.
 */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { DocValueFormat } from "../../mapping/doc-value-format.ts";
import { readPoint } from "../../mapping/geo/read-point.ts";
import type { MappedField } from "../../mapping/types.ts";
import { textOf } from "../../query/dsl/read.ts";
import type { LeafReader } from "../../segment/types.ts";
import type { AggregationContext } from "../types.ts";
import { type FieldSource, fieldSource, formatOf, parserOf, type SourceKind } from "./fields.ts";
import { type Numbers, numbersOf, withMissing } from "./numbers.ts";
import { type FieldReader, field, readObject, refused, text } from "./object-parser.ts";
import { type Ordinals, ordinalsOf, withMissingTerm } from "./ordinals.ts";

export type { SourceKind } from "./fields.ts";
export type { Numbers } from "./numbers.ts";
export type { Ordinals } from "./ordinals.ts";

/** Keys that all aggregations over a field take. */
export interface SourceOptions {
  readonly field: string;
  readonly missing: JsonValue;
  readonly value_type: SourceKind;
  readonly format: string;
  readonly script: never;
}

const VALUE_TYPES: Readonly<Record<string, SourceKind>> = {
  string: "keyword",
  byte: "number",
  short: "number",
  integer: "number",
  long: "number",
  unsigned_long: "number",
  double: "number",
  float: "number",
  number: "number",
  numeric: "number",
  date: "date",
  ip: "ip",
  geo_point: "geo_point",
  geopoint: "geo_point",
  boolean: "boolean",
  range: "range",
};

export const SOURCE_FIELDS: { readonly [K in keyof SourceOptions]-?: FieldReader<SourceOptions[K]> } = {
  field: text,
  missing: field(["string", "number", "boolean", "null"], (value) => value),
  value_type: field(["string"], (value) => {
    const type = VALUE_TYPES[value as string];
    if (!type) throw illegalArgument(`Unknown value type [${String(value)}]`);
    return type;
  }),
  format: text,
  script: refused("aggregation script"),
};

/** Reads the body of an aggregation over one field. @param without keys that it does not take */
export function readSource<T extends object>(
  type: string,
  name: string,
  json: JsonObject,
  own: { readonly [K in keyof T]-?: FieldReader<T[K]> },
  without: readonly (keyof SourceOptions)[] = [],
): Partial<T> & Partial<SourceOptions> & { readonly field: string } {
  const missing: FieldReader<JsonValue> = (object, key, parser) => {
    if (object[key] !== null) return SOURCE_FIELDS.missing(object, key, parser);
    return field(["null"], () => {
      throw illegalArgument(`[missing] must not be null: [${name}]`);
    })(object, key, parser);
  };
  const table = Object.entries({ ...SOURCE_FIELDS, missing, ...own });
  const fields = Object.fromEntries(table.filter(([key]) => !without.includes(key as keyof SourceOptions)));
  const options = readObject<T & SourceOptions>(type, json, fields as never);
  return { ...options, field: requiredField(options.field) };
}

/** @throws where no field is named */
export function requiredField(name: string | undefined): string {
  if (name !== undefined) return name;
  throw illegalArgument("Required one of fields [field, script], but none were specified. ");
}

/** The values of a shard. */
export interface ValuesSource {
  readonly kind: SourceKind;
  /** Undefined: not mapped in this index. */
  readonly field: MappedField | undefined;
  /** False: nothing can have a value. */
  readonly hasValues: boolean;
  readonly format: DocValueFormat;
  /** Numbers with fractions. */
  readonly floating: boolean;
  /** A value as the request writes it (`missing`, lists, bounds) in the form of the doc values. */
  readonly parse: (text: string, options?: { readonly roundUp?: boolean }) => number | bigint | string;
  numbers(leaf: LeafReader): Numbers;
  ordinals(leaf: LeafReader): Ordinals;
  /** Where the values of a document are, of whatever kind. */
  values(leaf: LeafReader): Pick<Numbers, "start" | "end">;
}

export interface SourceRequest {
  /** Name of the aggregation in the DSL, for errors. */
  readonly type: string;
  readonly supports: readonly SourceKind[];
  /** What an unmapped field is taken for. */
  readonly fallback: SourceKind;
  readonly timeZone?: string;
}

export function bindSource(
  { query: { mapping, now, indexName }, searcher }: AggregationContext,
  options: Partial<Omit<SourceOptions, "script">> & { readonly field: string },
  request: SourceRequest,
): ValuesSource {
  const source = fieldSource(options.field, { mapping, indexName, searcher });
  const kind = source?.kind ?? options.value_type ?? request.fallback;
  const printing = {
    ...(options.format === undefined ? {} : { format: options.format }),
    ...(request.timeZone === undefined ? {} : { timeZone: request.timeZone }),
  };
  // What the field says to the format and to a missing value is told before whether it fits.
  const format = formatOf(source, kind, printing);
  const parse = parserOf(source, kind, { ...printing, now });
  const { missing } = options;
  const value = missing === undefined ? undefined : missingValue(missing, kind, parse);
  checkKind(source, kind, request);
  const hasFraction = typeof value === "number" && !Number.isInteger(value);
  const numbers = (leaf: LeafReader) => withMissing(numbersOf(source, leaf), value as number | bigint | undefined);
  const ordinals = (leaf: LeafReader) => withMissingTerm(ordinalsOf(source, leaf), value as string | undefined);
  return {
    kind,
    field: source?.field,
    hasValues: source !== undefined || missing !== undefined,
    format,
    floating: (source?.floating ?? false) || hasFraction,
    parse,
    numbers,
    ordinals,
    values: IN_NUMBERS.has(kind) ? numbers : ordinals,
  };
}

/** Kinds whose doc values are numbers. */
const IN_NUMBERS: ReadonlySet<SourceKind> = new Set(["number", "date", "boolean", "geo_point"]);

function checkKind(source: FieldSource | undefined, kind: SourceKind, { type, supports }: SourceRequest): void {
  if (supports.includes(kind)) return;
  const what = source
    ? `Field [${source.name}] of type [${source.type}]`
    : `unmapped field with value source type [${kind}]`;
  throw illegalArgument(`${what} is not supported for aggregation [${type}]`);
}

/** A number stands for itself; what else is written is read as a value of the field. */
function missingValue(missing: JsonValue, kind: SourceKind, parse: ValuesSource["parse"]): number | bigint | string {
  const shown = textOf(missing) ?? "";
  if (kind === "range") {
    const source = "org.elasticsearch.search.aggregations.support.ValuesSource$Range";
    throw illegalArgument(`Can't apply missing values on a class ${source}`);
  }
  if (kind === "geo_point") readPoint(shown, { ignoreZ: false });
  const written = typeof missing !== "string" && typeof missing !== "boolean";
  if (kind === "keyword" || kind === "ip" || !written) return parse(shown);
  return Number(shown);
}
