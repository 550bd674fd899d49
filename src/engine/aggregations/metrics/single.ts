/** avg, sum, min, max: one number each. */
import type { DocValueFormat } from "../../mapping/doc-value-format.ts";
import { Doubles } from "../support/memory.ts";
import type { InternalKind } from "../types.ts";
import { CompensatedSum } from "./kahan.ts";
import { numericMetric, printValue } from "./numeric.ts";

interface Single {
  readonly value: number;
  readonly format: DocValueFormat;
}

function singleKind<D extends Single>(
  typedName: string,
  reduce: InternalKind<D>["reduce"],
  shown: (data: D) => number | null = ({ value }) => (Number.isFinite(value) ? value : null),
): InternalKind<D> {
  return {
    typedName,
    reduce,
    print: (data) => printValue("value", shown(data), data.format),
    value: ({ value }, name) => (name === undefined || name === "value" ? value : undefined),
  };
}

const extreme = (type: "min" | "max", initial: number, pick: (a: number, b: number) => number) =>
  numericMetric<Single, object>({
    type,
    options: {},
    kind: singleKind(
      type,
      (all) => ({ ...all[0], value: all.reduce((best, { value }) => pick(best, value), initial) }),
      ({ value }) => (value === Infinity || value === -Infinity ? null : value),
    ),
    state(memory, format) {
      const best = new Doubles(memory, initial);
      return {
        collect(bucket, numbers, start, end) {
          best.ensure(bucket);
          // Values ascend.
          best.values[bucket] = pick(best.values[bucket], numbers.value(type === "min" ? start : end - 1));
        },
        data: (bucket) => ({ value: best.get(bucket), format }),
        sortable: { kind: "value", value: (bucket) => best.get(bucket) },
      };
    },
  });

export const parseMin = extreme("min", Number.POSITIVE_INFINITY, Math.min);
export const parseMax = extreme("max", Number.NEGATIVE_INFINITY, Math.max);

/** Sums by bucket. */
export function sumsOf(memory: ConstructorParameters<typeof Doubles>[0]) {
  const sums = new Doubles(memory);
  const deltas = new Doubles(memory);
  const kahan = new CompensatedSum();
  return {
    add(bucket: number, values: (index: number) => number, start: number, end: number) {
      sums.ensure(bucket);
      deltas.ensure(bucket);
      kahan.reset(sums.values[bucket], deltas.values[bucket]);
      for (let i = start; i < end; i++) kahan.add(values(i));
      sums.values[bucket] = kahan.value;
      deltas.values[bucket] = kahan.delta;
    },
    get: (bucket: number) => sums.get(bucket),
  };
}

export function sumUp(values: Iterable<number>): number {
  const kahan = new CompensatedSum();
  for (const value of values) kahan.add(value);
  return kahan.value;
}

export const parseSum = numericMetric<Single, object>({
  type: "sum",
  options: {},
  kind: singleKind(
    "sum",
    (all) => ({ ...all[0], value: sumUp(all.map(({ value }) => value)) }),
    ({ value }) => value,
  ),
  state(memory, format) {
    const sums = sumsOf(memory);
    return {
      collect: (bucket, { value }, start, end) => sums.add(bucket, value, start, end),
      data: (bucket) => ({ value: sums.get(bucket), format }),
      sortable: { kind: "value", value: sums.get },
    };
  },
});

interface Average extends Single {
  readonly sum: number;
  readonly count: number;
}

const average = (sum: number, count: number, format: DocValueFormat): Average => ({
  sum,
  count,
  format,
  value: sum / count,
});

export const parseAvg = numericMetric<Average, object>({
  type: "avg",
  options: {},
  kind: singleKind(
    "avg",
    (all) =>
      average(
        sumUp(all.map(({ sum }) => sum)),
        all.reduce((total, { count }) => total + count, 0),
        all[0].format,
      ),
    ({ value, count }) => (count === 0 ? null : value),
  ),
  state(memory, format) {
    const sums = sumsOf(memory);
    const counts = new Doubles(memory);
    return {
      collect(bucket, { value }, start, end) {
        counts.add(bucket, end - start);
        sums.add(bucket, value, start, end);
      },
      data: (bucket) => average(sums.get(bucket), counts.get(bucket), format),
      sortable: { kind: "value", value: (bucket) => sums.get(bucket) / counts.get(bucket) },
    };
  },
});
