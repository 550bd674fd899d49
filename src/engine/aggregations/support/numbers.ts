/** Numeric doc values of a segment. */
import type { LeafReader, NumericColumn } from "../../segment/types.ts";
import type { FieldSource } from "./fields.ts";

/** The values of a document are those at `start(doc)` … `end(doc)` − 1, ascending. */
export interface Numbers {
  /** True when no document has several. */
  readonly single: boolean;
  /** True when some lie beyond 2^53: `bigint` has them exactly. */
  readonly wide: boolean;
  start(doc: number): number;
  end(doc: number): number;
  value(index: number): number;
  bigint(index: number): bigint;
}

const NONE: Numbers = {
  single: true,
  wide: false,
  start: () => 0,
  end: () => 0,
  value: () => 0,
  bigint: () => 0n,
};

export function numbersOf(source: FieldSource | undefined, leaf: LeafReader): Numbers {
  return source?.numbers?.(leaf) ?? NONE;
}

/** @param scale what each is multiplied with */
export function columnNumbers(column: NumericColumn, scale: number | undefined): Numbers {
  const { single, wide, has, start, end, value, bigint } = column;
  return {
    single,
    wide,
    start: (doc) => (has(doc) ? start(doc) : 0),
    end: (doc) => (has(doc) ? end(doc) : 0),
    // Elasticsearch multiplies with the inverse of the factor.
    value: scale === undefined ? value : (index) => value(index) * scale,
    bigint,
  };
}

/** One value for documents that have none. It stands at index −1. */
export function withMissing(numbers: Numbers, missing: number | bigint | undefined): Numbers {
  if (missing === undefined) return numbers;
  const { start, end, value, bigint } = numbers;
  const double = Number(missing);
  const long = typeof missing === "bigint" ? missing : BigInt(Number.isFinite(double) ? Math.trunc(double) : 0);
  return {
    single: numbers.single,
    wide: numbers.wide || (Number.isInteger(double) && !Number.isSafeInteger(double)),
    start: (doc) => {
      const at = start(doc);
      return at < end(doc) ? at : -1;
    },
    end: (doc) => {
      const to = end(doc);
      return start(doc) < to ? to : 0;
    },
    value: (index) => (index < 0 ? double : value(index)),
    bigint: (index) => (index < 0 ? long : bigint(index)),
  };
}
