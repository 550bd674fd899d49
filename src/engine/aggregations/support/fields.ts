/** What the doc values of a field are for aggregations: their kind, their column, and how they are printed and read. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import { dateFormatter, fromMillis, toMillis } from "../../mapping/date/formatter.ts";
import { parseDateMath } from "../../mapping/date/math.ts";
import { parseZone } from "../../mapping/date/zone.ts";
import {
  BOOLEAN_FORMAT,
  type DocValueFormat,
  dateDocValueFormat,
  decimalDocValueFormat,
  IP_FORMAT,
  RAW_DOUBLE,
  RAW_LONG,
  RAW_TEXT,
} from "../../mapping/doc-value-format.ts";
import { checkFielddata } from "../../mapping/fielddata.ts";
import { DEFAULT_DATE_FORMAT } from "../../mapping/fields/date.ts";
import { parseAddress } from "../../mapping/ip-address.ts";
import { LONG_MAX, LONG_MIN, narrow, parseJavaDouble, toLong } from "../../mapping/java-numbers.ts";
import type { MappedField, Mapping } from "../../mapping/types.ts";
import type { IndexSearcher } from "../../query/types.ts";
import type { LeafReader } from "../../segment/types.ts";
import { columnNumbers, type Numbers } from "./numbers.ts";

/** Values that are aggregated alike (ValuesSourceType). */
export type SourceKind = "number" | "date" | "boolean" | "keyword" | "ip" | "range" | "geo_point";

export interface FieldSource {
  /** Of the field behind an alias. */
  readonly name: string;
  readonly type: string;
  readonly kind: SourceKind;
  /** Undefined for what the index knows without a mapping (`_index`). */
  readonly field: MappedField;
  readonly floating: boolean;
  readonly numbers?: (leaf: LeafReader) => Numbers | undefined;
  /** Name of the column of text. */
  readonly column: string;
  /** What its terms begin with, which is not shown. */
  readonly prefix?: string;
  /** The one value that all documents have. */
  readonly constant?: string;
  /** Asking for a value is an error. */
  readonly unreadable?: true;
}

interface Around {
  readonly mapping: Mapping;
  readonly indexName: string;
  readonly searcher: IndexSearcher;
}

/** The field of a name; undefined when it is not mapped. @throws where it has no values to aggregate */
export function fieldSource(name: string, { mapping, indexName }: Around): FieldSource | undefined {
  const field = mapping.field(name);
  if (!field) return undefined;
  checkFielddata(field, indexName);
  const shared = { name: field.name, type: field.type, field, column: field.info.name, floating: false };
  if (field.family === "metadata") return metadataSource(field, shared, indexName);
  if (field.type === "binary") throw unsupported("aggregation of [binary] fields");
  // Vectors are told by their values, which cannot be read.
  if (field.family === "vector") return { ...shared, kind: "keyword", unreadable: true };
  if (field.termPrefix !== undefined) return { ...shared, kind: "keyword", prefix: field.termPrefix };
  switch (field.family) {
    case "number": {
      const { scale } = field;
      const floating = field.info.docValues === "double" || scale !== undefined;
      return { ...shared, kind: "number", floating, numbers: columnOf(field, scale) };
    }
    case "date":
      return { ...shared, kind: "date", numbers: field.type === "date_nanos" ? nanosOf(field) : columnOf(field) };
    case "boolean":
      return { ...shared, kind: "boolean", numbers: columnOf(field) };
    case "ip":
      return { ...shared, kind: "ip" };
    case "range":
      return { ...shared, kind: "range" };
    default:
      if (field.type === "geo_point") return { ...shared, kind: "geo_point", numbers: columnOf(field) };
      return { ...shared, kind: "keyword" };
  }
}

function columnOf(field: MappedField, scale?: number) {
  return ({ segment }: LeafReader) => {
    const column = segment.numeric(field.info.name);
    return column && columnNumbers(column, scale);
  };
}

/** Nanoseconds are aggregated as the milliseconds that they lie in. */
function nanosOf(field: MappedField) {
  return ({ segment }: LeafReader): Numbers | undefined => {
    const column = segment.numeric(field.info.name);
    if (!column) return undefined;
    const numbers = columnNumbers(column, undefined);
    const millis = (index: number) => {
      const nanos = column.bigint(index);
      return nanos / 1_000_000n - (nanos < 0n && nanos % 1_000_000n !== 0n ? 1n : 0n);
    };
    return { ...numbers, wide: false, value: (index) => Number(millis(index)), bigint: millis };
  };
}

function metadataSource(field: MappedField, shared: Omit<FieldSource, "kind">, indexName: string): FieldSource {
  const perDocument = (value: (leaf: LeafReader, doc: number) => number) => (leaf: LeafReader) => ({
    single: true,
    wide: false,
    start: (doc: number) => doc,
    end: (doc: number) => doc + 1,
    value: (doc: number) => value(leaf, doc),
    bigint: (doc: number) => BigInt(value(leaf, doc)),
  });
  switch (field.name) {
    case "_index":
      return { ...shared, kind: "keyword", constant: indexName };
    case "_seq_no":
      return { ...shared, kind: "number", numbers: perDocument(({ segment }, doc) => segment.seqNo(doc)) };
    case "_version":
      return { ...shared, kind: "number", numbers: perDocument(({ segment }, doc) => segment.version(doc)) };
    default:
      return { ...shared, kind: "keyword" };
  }
}

interface Printing {
  readonly format?: string;
  readonly timeZone?: string;
}

/** How values are printed: by the field, or by what an unmapped one is taken for. */
export function formatOf(source: FieldSource | undefined, kind: SourceKind, printing: Printing): DocValueFormat {
  const { format, timeZone } = printing;
  if (source && source.field.family !== "metadata") {
    const own = source.field.docValueFormat(printing);
    // The prefix is cut off already.
    if (source.prefix !== undefined) return RAW_TEXT;
    if (source.kind === "range") return source.type === "date_range" ? longFormat(own, 1n) : RAW_DOUBLE;
    if (source.field.scale !== undefined)
      return format === undefined ? RAW_DOUBLE : decimalDocValueFormat(format, RAW_DOUBLE);
    return kind === "date" ? longFormat(own, source.type === "date_nanos" ? 1_000_000n : 1n) : own;
  }
  switch (kind) {
    case "number": {
      const raw = source ? RAW_LONG : RAW_DOUBLE;
      return format === undefined ? raw : decimalDocValueFormat(format, raw);
    }
    case "date": {
      const zone = timeZone === undefined ? {} : { zone: parseZone(timeZone) };
      const formatter = dateFormatter(format ?? DEFAULT_DATE_FORMAT);
      return longFormat(dateDocValueFormat(formatter, fromMillis, { ...zone, sorted: false }), 1n);
    }
    case "boolean":
      return BOOLEAN_FORMAT;
    case "ip":
      return IP_FORMAT;
    default:
      return RAW_TEXT;
  }
}

/** Dates are longs: what was computed of them is cut as Java's cast does. @param factor nanoseconds are aggregated as milliseconds */
function longFormat(inner: DocValueFormat, factor: bigint): DocValueFormat {
  const long = (value: string | number | bigint): number | bigint => {
    const cut = typeof value === "number" ? toLong(value) : BigInt(value);
    return factor === 1n ? cut : BigInt(cut) * factor;
  };
  return {
    raw: false,
    format: (value) => inner.format(long(value)),
    sortValue: (value) => inner.sortValue(long(value)),
  };
}

export type ParseValue = (text: string, options?: { readonly roundUp?: boolean }) => number | bigint | string;

/** How the request writes values (`missing`, lists, bounds). */
export function parserOf(
  source: FieldSource | undefined,
  kind: SourceKind,
  { format, timeZone, now }: Printing & { readonly now: number },
): ParseValue {
  if (source?.unreadable) {
    return () => {
      throw new EngineError("unsupported_operation_exception", "", { status: 500, noReason: true });
    };
  }
  switch (kind) {
    case "number":
      return (text) => {
        if (format !== undefined) throw unsupported("text that is a number in an aggregation with a format");
        return longOrDouble(text);
      };
    case "range":
    case "date": {
      if (kind === "range" && source?.type !== "date_range") return (text) => text;
      if (source) {
        const given = { ...(format === undefined ? {} : { format }), ...(timeZone === undefined ? {} : { timeZone }) };
        const nanos = source.type === "date_nanos";
        return (text, { roundUp = false } = {}) => {
          const value = source.field.rangeBound(text, { roundUp, now, ...given, ownZone: true });
          return nanos ? Number(BigInt(value) / 1_000_000n) : value;
        };
      }
      const formatter = dateFormatter(format ?? DEFAULT_DATE_FORMAT);
      const zone = timeZone === undefined ? {} : { zone: parseZone(timeZone) };
      return (text, { roundUp = false } = {}) =>
        toMillis(parseDateMath(text, formatter, { now, roundUp, ...zone, ownZone: true }));
    }
    case "boolean":
      return (text) => {
        if (text === "true") return 1;
        if (text === "false") return 0;
        throw illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`);
      };
    case "ip":
      return (text) => parseAddress(text);
    default:
      return (text) => text;
  }
}

/** Whole numbers keep all their digits. */
export function longOrDouble(text: string): number | bigint {
  if (/^[-+]?\d+$/.test(text)) {
    const long = BigInt(text.replace("+", ""));
    if (long >= LONG_MIN && long <= LONG_MAX) return narrow(long);
  }
  return parseJavaDouble(text);
}
