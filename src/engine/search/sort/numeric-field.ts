/** Numbers, dates and booleans as keys: `numeric_type`, missing values, formats. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import { dateFormatter, fromMillis } from "../../mapping/date/formatter.ts";
import { RAW_DOUBLE, RAW_FLOAT, RAW_LONG } from "../../mapping/doc-value-format.ts";
import { LONG_MAX, LONG_MIN, narrow } from "../../mapping/java-numbers.ts";
import type { MappedField } from "../../mapping/types.ts";
import { shardError } from "../../query/dsl/index.ts";
import type { LeafReader, NumericColumn } from "../../segment/types.ts";
import type { FieldSort, NumericType } from "./field-sort.ts";
import type { SortMode } from "./multi-value.ts";
import type { NestedChildren } from "./nested-values.ts";
import { numericKey } from "./numeric-key.ts";
import { readAfter, readAfterLong, readDouble, readFloat, readLong } from "./read-value.ts";
import type { SortKey } from "./types.ts";

export interface NumericSource {
  readonly kind: "number";
  readonly name: string;
  readonly typeName: string;
  readonly type: "LONG" | "DOUBLE" | "FLOAT";
  /** Of dates: how finely they count. */
  readonly resolution?: "millis" | "nanos";
  /** Of dates: reads a text. */
  readonly parseDate?: (text: string, format: string | undefined) => number | bigint;
  readonly isBoolean?: boolean;
  /** Whether a `format` is looked at; it has to be one of dates then. */
  readonly customFormats: boolean;
  readonly scale?: number;
  /** Sorted as Lucene sorts numbers. */
  readonly plain: boolean;
  column(leaf: LeafReader): NumericColumn | undefined;
}

const FLOATS: readonly string[] = ["float", "half_float"];
const DOUBLES: readonly string[] = ["double", "scaled_float"];

/** Undefined for a field of texts. */
export function numericSource(field: MappedField): NumericSource | undefined {
  const { name, type, family, info } = field;
  if (family !== "number" && family !== "date" && family !== "boolean") return undefined;
  const factor = field.toJson()["scaling_factor"];
  return {
    kind: "number",
    name,
    typeName: type,
    type: FLOATS.includes(type) ? "FLOAT" : DOUBLES.includes(type) ? "DOUBLE" : "LONG",
    customFormats: family !== "boolean",
    isBoolean: family === "boolean",
    ...(family === "date" ? { resolution: type === "date" ? "millis" : "nanos", parseDate: dateReader(field) } : {}),
    ...(factor === undefined || factor === null ? {} : { scale: 1 / Number(factor) }),
    plain: !field.runtime && type !== "half_float" && type !== "scaled_float",
    column: ({ segment }) => segment.numeric(info.name),
  };
}

function dateReader(field: MappedField) {
  return (text: string, format: string | undefined): number | bigint => {
    if (text.startsWith("now")) {
      throw new EngineError("parse_exception", "could not read the current timestamp", {
        cause: new EngineError("illegal_state_exception", "now() is not allowed in [search_after] key", {
          status: 500,
        }),
      });
    }
    const options = { roundUp: false, now: 0, ...(format === undefined ? {} : { format }) };
    return field.rangeBound(text, options) as number | bigint;
  };
}

interface NumericOptions {
  readonly sort: FieldSort;
  readonly mode: SortMode;
  readonly children: NestedChildren | undefined;
}

export function numericFieldKey(source: NumericSource, options: NumericOptions): SortKey {
  const { sort, mode, children } = options;
  const wanted = conversion(source, sort.numericType);
  const minimum = sort.missing === "_first" ? !sort.descending : sort.descending;
  const missing = () => asShardError(() => missingValue(sort.missing, wanted, minimum));
  // Lucene's own sorts are handed the value when they are made, Elasticsearch's read it when they collect (IndexNumericFieldData.sortField).
  const own = source.plain && !children && (mode === "min" || mode === "max");
  if (own && (sort.numericType === undefined || sort.numericType === source.typeName)) missing();
  checkFormat(source, sort);
  return numericKey({
    field: source.name,
    type: wanted.type,
    descending: sort.descending,
    mode,
    missing,
    nested: children,
    column: source.column,
    convert: wanted.convert,
    print: printer(wanted, sort.format),
    read: reader(source, wanted, sort.format),
  });
}

function asShardError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof EngineError ? shardError(error) : error;
  }
}

interface Conversion {
  readonly type: "LONG" | "DOUBLE" | "FLOAT";
  readonly resolution?: "millis" | "nanos";
  readonly convert?: (value: number | bigint) => number | bigint;
}

/** What a field's values become under `numeric_type`. */
function conversion(source: NumericSource, wanted: NumericType | undefined): Conversion {
  const { type, resolution, scale } = source;
  const own = scale === undefined ? undefined : (value: number | bigint) => Number(value) * scale;
  if (wanted === undefined) {
    return { type, ...(resolution ? { resolution } : {}), ...(own ? { convert: own } : {}) };
  }
  if (wanted === "date_nanos") {
    if (resolution === undefined) {
      throw illegalArgument("trying to convert a known date time formatter to a nanosecond one, wrong field used?");
    }
    return { type: "LONG", resolution: "nanos", ...(resolution === "millis" ? { convert: millisToNanos } : {}) };
  }
  if (wanted === "double") {
    const convert = resolution === "nanos" ? (value: number | bigint) => Number(nanosToMillis(value)) : (own ?? Number);
    return { type: "DOUBLE", convert };
  }
  if (wanted === "date" && resolution !== undefined) {
    return { type: "LONG", resolution: "millis", ...(resolution === "nanos" ? { convert: nanosToMillis } : {}) };
  }
  if (type === "LONG") return { type: "LONG" };
  return { type: "LONG", convert: (value) => doubleToLong(own ? own(value) : Number(value)) };
}

const MAX_NANO_MILLIS = 9223372036854n;

function millisToNanos(value: number | bigint): number | bigint {
  if (value < 0) {
    throw shardError(
      illegalArgument(`milliSeconds [${value}] are before the epoch in 1970 and cannot be converted to nanoseconds`),
    );
  }
  if (value > MAX_NANO_MILLIS) {
    throw shardError(
      illegalArgument(
        `milliSeconds [${value}] are after 2262-04-11T23:47:16.854775807 and cannot be converted to nanoseconds`,
      ),
    );
  }
  return narrow(BigInt(value) * 1_000_000n);
}

const nanosToMillis = (value: number | bigint): number | bigint => Number(BigInt(value) / 1_000_000n);

/** Java's cast of a double to a long. */
function doubleToLong(value: number): number | bigint {
  if (Number.isNaN(value)) return 0;
  const whole = Math.trunc(value) + 0;
  if (Number.isSafeInteger(whole)) return whole;
  if (whole >= 2 ** 63) return LONG_MAX;
  return whole <= -(2 ** 63) ? LONG_MIN : BigInt(whole);
}

/** XFieldComparatorSource.missingObject. @param minimum the least value is wanted, not the greatest */
function missingValue(
  missing: JsonValue | undefined,
  { type, resolution }: Conversion,
  minimum: boolean,
): number | bigint {
  if (missing === undefined || missing === null || missing === "_last" || missing === "_first") {
    if (type !== "LONG") return minimum ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    if (!minimum) return LONG_MAX;
    return resolution === "nanos" ? 0 : LONG_MIN;
  }
  if (type === "LONG") return readLong(missing);
  return type === "FLOAT" ? readFloat(missing) : readDouble(missing);
}

function checkFormat({ name, typeName, customFormats, resolution }: NumericSource, { format }: FieldSort): void {
  if (format === undefined) return;
  if (!customFormats) {
    throw illegalArgument(`Field [${name}] of type [${typeName}] does not support custom formats`);
  }
  if (resolution === undefined) throw illegalArgument("require a date_time formatter; got [decimal]");
  dateFormatter(format);
}

function printer({ type, resolution }: Conversion, format: string | undefined): (value: number | bigint) => JsonValue {
  if (type === "FLOAT") return RAW_FLOAT.sortValue;
  if (type === "DOUBLE") return RAW_DOUBLE.sortValue;
  if (format === undefined || resolution === undefined) return RAW_LONG.sortValue;
  const formatter = dateFormatter(format);
  // The ends of a long are beyond the seconds that a double counts exactly.
  if (resolution === "millis") {
    return (value) => (format === "epoch_millis" ? String(value) : formatter.print(fromMillis(value)));
  }
  return (value) => {
    const nanos = BigInt(value);
    return formatter.print({ seconds: Number(nanos / 1_000_000_000n), nanos: Number(nanos % 1_000_000_000n) });
  };
}

/** DocValueFormat.BOOLEAN. */
function booleanOf(text: string): number {
  if (text === "true" || text === "false") return text === "true" ? 1 : 0;
  throw illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`);
}

/** Values of `search_after`: dates may be written as the format prints them. */
function reader(source: NumericSource, wanted: Conversion, format: string | undefined) {
  const { name, parseDate, isBoolean } = source;
  return (value: JsonValue): number | bigint => {
    if (wanted.type === "FLOAT") return readAfter(value, "Float", name, readFloat);
    if (wanted.type === "DOUBLE") return readAfter(value, "Double", name, readDouble);
    const isText = typeof value === "string" || typeof value === "boolean";
    if (isText && isBoolean) return booleanOf(String(value));
    if (isText && parseDate && wanted.resolution) {
      const parsed = parseDate(String(value), format);
      return wanted.convert ? wanted.convert(parsed) : parsed;
    }
    return readAfter(value, "Long", name, readAfterLong);
  };
}
