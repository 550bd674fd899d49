/**
 * How the doc values of a field are printed: in `docvalue_fields`, as keys of buckets, and in `sort` (Elasticsearch's DocValueFormat). A field
 * gives its format by `docValueFormat`; most take no options.
 */
import { illegalArgument } from "../errors.ts";
import { JsonNumber, type JsonValue } from "../json/types.ts";
import type { DateFormatter, Instant } from "./date/formatter.ts";
import { UTC, type Zone } from "./date/zone.ts";
import { decimalFormat } from "./decimal-format.ts";
import { formatAddress } from "./ip-address.ts";
import { toLong } from "./java-numbers.ts";
import { javaDouble, javaFloat } from "./java-text.ts";

/** A value as it stands in a column. */
export type DocValue = string | number | bigint;

export interface DocValueFormatOptions {
  /** A pattern of numbers or dates. */
  readonly format?: string;
  readonly timeZone?: string;
}

export interface DocValueFormat {
  /** True where values are printed as they are: buckets have no `key_as_string`. */
  readonly raw: boolean;
  /** A value as `docvalue_fields` and `key_as_string` have it. */
  format(value: DocValue): JsonValue;
  /** A value as `sort` has it: text in its printed form, numbers as they are. */
  sortValue(value: DocValue): JsonValue;
}

/** Text as it stands. */
export const RAW_TEXT: DocValueFormat = { raw: true, format: String, sortValue: String };

/** Whole numbers as they are. */
export const RAW_LONG: DocValueFormat = { raw: true, format: printLong, sortValue: printLong };

/** Fractions as Java prints doubles. */
export const RAW_DOUBLE: DocValueFormat = { raw: true, format: printDouble, sortValue: printDouble };

/** Floats: a sort value keeps its type, everything else is a double. */
export const RAW_FLOAT: DocValueFormat = { raw: true, format: printDouble, sortValue: printFloat };

export const BOOLEAN_FORMAT: DocValueFormat = {
  raw: false,
  format: (value) => Number(value) !== 0,
  sortValue: printLong,
};

export const IP_FORMAT: DocValueFormat = {
  raw: false,
  format: (value) => formatAddress(String(value)),
  sortValue: (value) => formatAddress(String(value)),
};

/** Numbers by a pattern of Java's DecimalFormat. @param raw how they are printed without one */
export function decimalDocValueFormat(pattern: string, raw: DocValueFormat): DocValueFormat {
  const decimal = decimalFormat(pattern);
  const whole = raw === RAW_LONG;
  return {
    raw: false,
    // What was computed of whole numbers may have a fraction.
    format: (value) => decimal.format(value as number | bigint, whole && Number.isSafeInteger(value)),
    sortValue: raw.sortValue,
  };
}

/** @param sorted a sort that names a format has its values in it */
export function dateDocValueFormat(
  formatter: DateFormatter,
  toInstant: (value: number | bigint) => Instant,
  { zone = UTC, sorted }: { zone?: Zone; sorted: boolean },
): DocValueFormat {
  // A date has no fraction: averages lose theirs.
  const whole = (value: DocValue) => (typeof value === "number" ? toLong(value) : (value as bigint));
  const format = (value: DocValue) => formatter.print(toInstant(whole(value)), zone);
  return { raw: false, format, sortValue: sorted ? format : printLong };
}

/** What most types say to a format or a time zone. */
export function refuseFormat(name: string, type: string, { format, timeZone }: DocValueFormatOptions): void {
  if (format !== undefined) throw illegalArgument(`Field [${name}] of type [${type}] does not support custom formats`);
  refuseTimeZone(name, type, { timeZone });
}

export function refuseTimeZone(name: string, type: string, { timeZone }: DocValueFormatOptions): void {
  if (timeZone === undefined) return;
  throw illegalArgument(`Field [${name}] of type [${type}] does not support custom time zones`);
}

function printLong(value: DocValue): JsonValue {
  return typeof value === "bigint" ? new JsonNumber(value.toString()) : value;
}

/** A double as Java prints it: whole ones with `.0`. */
export function printDouble(value: DocValue): JsonValue {
  return printed(Number(value), javaDouble);
}

export function printFloat(value: DocValue): JsonValue {
  return printed(Number(value), javaFloat);
}

function printed(value: number, text: (value: number) => string): JsonValue {
  if (!Number.isFinite(value)) return value;
  const shown = text(value);
  return String(value) === shown ? value : new JsonNumber(shown);
}
