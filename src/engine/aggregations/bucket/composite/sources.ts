/** The sources of a composite: how they are read, and what values documents have in them. */
import { EngineError, illegalArgument, unsupported } from "../../../errors.ts";
import type { JsonValue } from "../../../json/types.ts";
import { JsonNumber } from "../../../json/types.ts";
import { type DocValueFormat, RAW_DOUBLE, RAW_LONG } from "../../../mapping/doc-value-format.ts";
import { parseJavaDouble, toLong } from "../../../mapping/java-numbers.ts";
import { errorAt, isObject, located, textOf, tokenName } from "../../../query/dsl/read.ts";
import type { PointRange } from "../../../query/lucene/range.ts";
import type { LeafReader } from "../../../segment/types.ts";
import { longOrDouble } from "../../support/fields.ts";
import { bool, type FieldReader, field, readObject, refused, text } from "../../support/object-parser.ts";
import { type Rounding, withOffset } from "../../support/rounding.ts";
import { timeZone } from "../../support/time-zone.ts";
import { bindSource, type ValuesSource } from "../../support/values-source.ts";
import type { AggregationContext } from "../../types.ts";
import { type DateInterval, intervalFields, offsetField, roundingOf } from "../histogram/date-histogram.ts";
import { compareKeys as compareTerms } from "../terms/internal-terms.ts";
import type { CompositeSource, Part } from "./internal-composite.ts";

type MissingOrder = "first" | "last" | "default";

interface SourceOptions extends DateInterval {
  field: string;
  missing_bucket: boolean;
  missing_order: MissingOrder;
  value_type: never;
  script: never;
  order: "asc" | "desc";
  interval: number;
  format: string;
  time_zone: string;
  offset: number;
}

const enumeration = <T extends string>(values: readonly T[], javaName: string): FieldReader<T> =>
  field(["string"], (value) => {
    const found = values.find((known) => known === String(value).toLowerCase());
    if (found) return found;
    throw illegalArgument(`No enum constant ${javaName}.${String(value).toUpperCase()}`);
  });

const SHARED = {
  field: text,
  missing_bucket: bool,
  missing_order: enumeration<MissingOrder>(
    ["first", "last", "default"],
    "org.elasticsearch.search.aggregations.bucket.composite.MissingOrder",
  ),
  value_type: refused("composite source with a value_type"),
  script: refused("aggregation script"),
  order: enumeration(["asc", "desc"], "org.elasticsearch.search.sort.SortOrder"),
};

const TYPES: Readonly<Record<string, Readonly<Record<string, FieldReader<unknown>>>>> = {
  terms: SHARED,
  histogram: {
    ...SHARED,
    interval: field(["number", "string"], (value) => {
      const interval = parseJavaDouble(textOf(value)!);
      if (interval > 0) return interval;
      throw illegalArgument("[interval] must be greater than 0 for [histogram] source");
    }),
  },
  date_histogram: { ...SHARED, ...intervalFields, format: text, time_zone: timeZone, offset: offsetField },
};

export interface GivenSource {
  readonly name: string;
  readonly type: string;
  readonly options: Partial<SourceOptions>;
}

const expecting = (json: JsonValue, at: "end" | { value: string | number }, wanted: string, found: string) =>
  errorAt(json, at, `Failed to parse object: expecting token of type [${wanted}] but found [${found}]`);

/** `{name: {type: {…}}}` */
export function readCompositeSource(list: JsonValue, at: string | number, item: JsonValue): GivenSource {
  if (!isObject(item)) throw expecting(list, { value: at }, "START_OBJECT", tokenName(item));
  const [name, second] = Object.keys(item);
  if (name === undefined) throw expecting(item, "end", "FIELD_NAME", "END_OBJECT");
  const source = item[name];
  if (!isObject(source)) throw expecting(item, { value: name }, "START_OBJECT", tokenName(source));
  const [type, more] = Object.keys(source);
  if (type === undefined) throw expecting(source, "end", "FIELD_NAME", "END_OBJECT");
  const body = source[type];
  if (!isObject(body)) throw expecting(source, { value: type }, "START_OBJECT", tokenName(body));
  if (type === "geotile_grid") throw unsupported("composite source geotile_grid");
  const fields = TYPES[type];
  if (!fields) throw errorAt(source, { value: type }, `invalid source type: ${type}`);
  const options = readObject<SourceOptions>(type, body, fields as never);
  if (more !== undefined)
    throw located(new EngineError("illegal_state_exception", "expected value but got [END_OBJECT]"), item, "end");
  if (second !== undefined) throw unsupported("composite source with several names");
  return { name, type, options };
}

/** The values of a field in their order, or those in a range of it. */
export interface Walk {
  readonly range?: PointRange;
}

/** A source over a shard. */
export interface BoundSource extends CompositeSource {
  /** Puts the values of a document into a list, each once. @param walk only what is met on it */
  leaf(leaf: LeafReader, walk?: Walk): (doc: number, into: Part[]) => void;
  /** What Elasticsearch can walk where this source leads: its points, or its terms; undefined: neither. */
  readonly walked: { readonly field: string; readonly points: boolean } | undefined;
  /** A value of `after`. */
  parse(value: JsonValue): Part;
  readonly missingBucket: boolean;
}

export function bindCompositeSource({ name, type, options }: GivenSource, context: AggregationContext): BoundSource {
  if (options.field === undefined) {
    throw new EngineError("null_pointer_exception", 'Cannot invoke "Object.hashCode()" because "pk" is null', {
      status: 500,
    });
  }
  const missingBucket = options.missing_bucket ?? false;
  const missingOrder = options.missing_order ?? "default";
  const source = bindSource(
    context,
    { field: options.field, ...(options.format === undefined ? {} : { format: options.format }) },
    {
      type,
      supports: type === "terms" ? ["number", "date", "boolean", "keyword", "ip"] : ["number", "date"],
      fallback: type === "terms" ? "keyword" : type === "histogram" ? "number" : "date",
      ...(options.time_zone === undefined ? {} : { timeZone: options.time_zone }),
    },
  );
  if (source.field?.termPrefix !== undefined) throw unsupported("composite over a key of a [flattened] field");
  if (missingOrder !== "default" && !missingBucket) {
    throw illegalArgument("missingOrder can only be set if missingBucket is true");
  }
  const descending = options.order === "desc";
  const values = valuesOf(source, type, options);
  const format = formatOf(source, type, options);
  return {
    name,
    missingBucket,
    compare: comparator(descending, missingOrder),
    print: (part) => (part === null ? null : format.format(part)),
    ...(type === "date_histogram" && !format.raw
      ? { check: (part: Part) => checkPrinted(part, format, source, options) }
      : {}),
    parse: parserOf(source, type, format),
    walked: walkedOf(source, type, options),
    leaf(leaf, walk) {
      const read = source.hasValues ? values(leaf, walk?.range) : () => {};
      return (doc, into) => {
        read(doc, into);
        if (into.length === 0 && missingBucket && walk === undefined) into.push(null);
      };
    },
  };
}

function comparator(descending: boolean, missing: MissingOrder): CompositeSource["compare"] {
  const sign = descending ? -1 : 1;
  const nullSign = missing === "default" ? -sign : missing === "first" ? -1 : 1;
  return (a, b) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? nullSign : -nullSign;
    return compareTerms(a, b) * sign;
  };
}

function checkPrinted(part: Part, format: DocValueFormat, source: ValuesSource, options: Partial<SourceOptions>): void {
  if (part === null) return;
  // Aggregations print dates of either resolution by their milliseconds, and a field of nanoseconds reads none before 1970.
  if (source.field?.type === "date_nanos" && Number(part) < 0) return;
  const parsed = source.parse(String(format.format(part)));
  if (Number(parsed) === Number(part)) return;
  const zone = options.time_zone === undefined || options.time_zone === "+00:00" ? "Z" : options.time_zone;
  const locale = source.field?.toJson()["locale"] ?? "en";
  throw illegalArgument(
    `Format [DocValueFormat.DateTime(format[${options.format}] locale[${locale}], ${zone}, MILLISECONDS)] created output it couldn't parse ` +
      `for value [${part}] of type [class java.lang.Long]. parsed value: [${parsed}(class java.lang.Long)]`,
  );
}

/** Dates are longs unless a format is asked for, and dates again in a histogram of numbers. */
function formatOf(source: ValuesSource, type: string, { format }: Partial<SourceOptions>): DocValueFormat {
  if (type === "histogram") return source.kind === "date" ? source.format : RAW_DOUBLE;
  if (type === "date_histogram") return format === undefined ? RAW_LONG : source.format;
  return source.kind === "date" ? RAW_LONG : source.format;
}

function valuesOf(source: ValuesSource, type: string, options: Partial<SourceOptions>) {
  if (source.kind === "keyword" || source.kind === "ip") {
    return (leaf: LeafReader) => {
      const { start, end, ord, term } = source.ordinals(leaf);
      return (doc: number, into: Part[]) => {
        for (let i = start(doc), to = end(doc); i < to; i++) into.push(term(ord(i)));
      };
    };
  }
  const round = roundValues(source, type, options);
  return (leaf: LeafReader, only?: PointRange) => {
    const { start, end, value, bigint, wide } = source.numbers(leaf);
    const exact = wide && type === "terms" && !source.floating;
    const raw = only && leaf.segment.numeric(only.field);
    const within = raw && ((i: number) => isWithin(raw.wide ? raw.bigint(i) : raw.value(i), only));
    return (doc: number, into: Part[]) => {
      for (let i = start(doc), to = end(doc); i < to; i++) {
        if (within?.(i) === false) continue;
        const part = exact ? narrowed(bigint(i)) : round(value(i));
        // Values ascend: equal ones follow each other.
        if (into.length === 0 || !Object.is(into[into.length - 1], part)) into.push(part);
      }
    };
  };
}

const isWithin = (value: number | bigint, { low, high }: PointRange) => low <= value && value <= high;

/** Types whose points are walked; of integers Elasticsearch asks by a name that they do not have. */
const WALKED = new Set(["long", "short", "byte", "date", "date_nanos"]);

/** CompositeValuesSource.createSortedDocsProducerOrNull. */
function walkedOf(
  { field }: ValuesSource,
  type: string,
  { order }: Partial<SourceOptions>,
): { readonly field: string; readonly points: boolean } | undefined {
  if (field === undefined || !field.indexed || type === "histogram" || order === "desc") return undefined;
  const points = WALKED.has(field.type);
  return points || field.type === "keyword" ? { field: field.info.name, points } : undefined;
}

const narrowed = (long: bigint): number | bigint => {
  const number = Number(long);
  return Number.isSafeInteger(number) ? number : long;
};

function roundValues(source: ValuesSource, type: string, options: Partial<SourceOptions>): (value: number) => number {
  if (type === "histogram") {
    const interval = options.interval ?? Number.NaN;
    return (value) => Math.floor(value / interval) * interval;
  }
  if (type === "date_histogram") {
    const rounding: Rounding = withOffset(roundingOf(options, options.time_zone), options.offset ?? 0);
    return source.floating ? (value) => rounding.round(Number(toLong(value))) : (value) => rounding.round(value);
  }
  return (value) => value;
}

/** Numbers are read as text, so that any form of them is taken. */
function parserOf(source: ValuesSource, type: string, format: DocValueFormat): BoundSource["parse"] {
  if (source.kind === "keyword" || source.kind === "ip") {
    return (value) => {
      if (typeof value === "string") return source.parse(value);
      throw illegalArgument(`invalid value, expected string, got ${javaClass(value)}`);
    };
  }
  const asDouble = type === "histogram" || (type === "terms" && source.floating);
  return (value) => {
    const written = textOf(value) ?? "";
    if (asDouble && (format.raw || typeof value !== "string"))
      return typeof value === "string" ? parseJavaDouble(value) : Number(written);
    if (!format.raw) return source.parse(written) as Part;
    const number = longOrDouble(written);
    return typeof number === "number" ? Math.floor(number) : number;
  };
}

function javaClass(value: JsonValue): string {
  if (typeof value === "boolean") return "Boolean";
  const number = Number(value);
  if (!Number.isInteger(number) || (value instanceof JsonNumber && !value.integer)) return "Double";
  return Math.abs(number) < 2 ** 31 ? "Integer" : Number.isSafeInteger(number) ? "Long" : "BigInteger";
}
