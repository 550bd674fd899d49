/** Lucene's text of a range of numbers: points and doc values write the same bounds differently. */
import { javaDouble, javaFloat } from "../../mapping/java-text.ts";
import type { MappedField } from "../../mapping/types.ts";
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
  float: FLOAT,
  double: DOUBLE,
};

export function describeRange(field: MappedField, low: Bound, high: Bound): RangeDescription {
  const texts = TEXTS[field.type];
  if (!texts) return {};
  const between = (text: (bound: Bound) => string) => `${field.info.name}:[${text(low)} TO ${text(high)}]`;
  const [points, docValues] = [between(texts.points), between(texts.docValues)];
  if (!field.indexed) return { description: docValues };
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
  if (!texts || !field.indexed) return {};
  const text = texts.points(value);
  const description = `${field.info.name}:[${text} TO ${text}]`;
  return { description, className: "PointRangeQuery" };
}
