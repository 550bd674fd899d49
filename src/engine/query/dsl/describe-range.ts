/** Lucene's text of a range of numbers: points and doc values write the same bounds differently. */

import { formatAddress, GREATEST_ADDRESS, LEAST_ADDRESS } from "../../mapping/ip-address.ts";
import { javaDouble, javaFloat } from "../../mapping/java-text.ts";
import type { MappedField } from "../../mapping/types.ts";
import { compareNumbers } from "../../segment/index.ts";
import type { RangeDescription } from "../lucene/range.ts";

type Bound = number | bigint;

interface BoundText {
  readonly points: (bound: Bound) => string;
  readonly docValues: (bound: Bound) => string;
}

const bits = new DataView(new ArrayBuffer(8));

/** An open end is the last number of the type. */
const whole = (least: bigint, greatest: bigint) => (bound: Bound) =>
  bound === Number.NEGATIVE_INFINITY
    ? String(least)
    : bound === Number.POSITIVE_INFINITY
      ? String(greatest)
      : String(bound);

const INT = whole(-(2n ** 31n), 2n ** 31n - 1n);
const LONG = whole(-(2n ** 63n), 2n ** 63n - 1n);

/** NumericUtils.floatToSortableInt, doubleToSortableLong: bits that sort as the numbers do. */
function sortableFloat(value: number): string {
  bits.setFloat32(0, value);
  const int = bits.getInt32(0);
  return String(int ^ ((int >> 31) & 0x7fffffff));
}

function sortableDouble(value: number): string {
  bits.setFloat64(0, value);
  const long = bits.getBigInt64(0);
  return String(long ^ ((long >> 63n) & 0x7fffffffffffffffn));
}

const FLOAT: BoundText = {
  points: (bound) => javaFloat(Number(bound)),
  docValues: (bound) => sortableFloat(Number(bound)),
};
const DOUBLE: BoundText = {
  points: (bound) => javaDouble(Number(bound)),
  docValues: (bound) => sortableDouble(Number(bound)),
};

const TEXTS: Readonly<Record<string, BoundText>> = {
  byte: { points: INT, docValues: INT },
  short: { points: INT, docValues: INT },
  integer: { points: INT, docValues: INT },
  long: { points: LONG, docValues: LONG },
  date: { points: LONG, docValues: LONG },
  date_nanos: { points: LONG, docValues: LONG },
  float: FLOAT,
  double: DOUBLE,
};

/** An address as Java shows it: of the longer ones, every group. */
function hostAddress(address: string): string {
  const short = formatAddress(address);
  if (short.includes(".")) return short;
  return address
    .match(/.{4}/g)!
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/** Addresses: points show them as they are written, doc values by their bytes. */
export function describeAddresses(
  field: MappedField,
  low: string = LEAST_ADDRESS,
  high: string = GREATEST_ADDRESS,
): RangeDescription {
  if (field.family !== "ip" || !field.indexed) return {};
  const name = field.info.name;
  const points = `${name}:[${hostAddress(low)} TO ${hostAddress(high)}]`;
  if (!field.hasDocValues) return { description: points, className: "PointRangeQuery" };
  const bytes = (address: string) =>
    `[${address
      .match(/../g)!
      .map((pair) => Number.parseInt(pair, 16).toString(16))
      .join(" ")}]`;
  const values = `${name}:[${bytes(low)} TO ${bytes(high)}]`;
  return {
    description: `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${values})`,
    explained: values,
    className: "IndexOrDocValuesQuery",
  };
}

/** A network, or a single address. */
export function describeNetwork(field: MappedField, low: string, high: string): RangeDescription {
  if (field.family !== "ip" || !field.indexed) return {};
  const description = `${field.info.name}:[${hostAddress(low)} TO ${hostAddress(high)}]`;
  return { description, className: "PointRangeQuery" };
}

/** Several addresses. */
export function describeAddressSet(field: MappedField, addresses: readonly string[]): RangeDescription {
  if (field.family !== "ip" || !field.indexed) return {};
  const shown = [...new Set(addresses)].sort().map(hostAddress);
  return { description: `${field.info.name}:{${shown.join(" ")}}`, className: "PointInSetQuery" };
}

export function describeRange(field: MappedField, low: Bound, high: Bound): RangeDescription {
  const texts = TEXTS[field.type];
  if (!texts) return {};
  const between = (text: (bound: Bound) => string) => `${field.info.name}:[${text(low)} TO ${text(high)}]`;
  const [points, docValues] = [between(texts.points), between(texts.docValues)];
  if (!field.indexed) return { description: docValues, className: "SortedNumericDocValuesRangeQuery" };
  if (!field.hasDocValues) return { description: points, className: "PointRangeQuery" };
  return {
    description: `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${docValues})`,
    explained: docValues,
    className: "IndexOrDocValuesQuery",
  };
}

/** Lucene's text of a query for one number. */
export function describeNumber(field: MappedField, value: Bound): RangeDescription {
  const texts = TEXTS[field.type];
  if (!texts) return {};
  const text = field.indexed ? texts.points(value) : texts.docValues(value);
  const description = `${field.info.name}:[${text} TO ${text}]`;
  return { description, className: field.indexed ? "PointRangeQuery" : "SortedNumericDocValuesRangeQuery" };
}

/** Lucene's text of a query for any of some numbers. */
export function describeNumbers(field: MappedField, values: readonly Bound[]): RangeDescription {
  const texts = TEXTS[field.type];
  if (!texts || !field.indexed) return {};
  const sorted = [...new Set(values)].sort(compareNumbers).map(texts.points);
  return { description: `${field.info.name}:{${sorted.join(" ")}}`, className: "PointInSetQuery" };
}
