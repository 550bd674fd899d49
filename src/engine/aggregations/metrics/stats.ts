/** stats: count, min, max, avg and sum of numbers. */
import type { DocValueFormat } from "../../mapping/doc-value-format.ts";
import { Doubles, type Memory } from "../support/memory.ts";
import type { Numbers } from "../support/values-source.ts";
import type { InternalKind, Printed, PrintedObject } from "../types.ts";
import { numericMetric, printValue } from "./numeric.ts";
import { sumsOf, sumUp } from "./single.ts";

export interface Stats {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly format: DocValueFormat;
}

export function reduceStats(all: readonly Stats[]): Stats {
  return {
    count: all.reduce((total, { count }) => total + count, 0),
    sum: sumUp(all.map(({ sum }) => sum)),
    min: all.reduce((best, { min }) => Math.min(best, min), Infinity),
    max: all.reduce((best, { max }) => Math.max(best, max), -Infinity),
    format: all[0].format,
  };
}

export const average = ({ sum, count }: Stats): number => sum / count;

export function printStats(stats: Stats): PrintedObject {
  const { count, sum, min, max, format } = stats;
  const named = { min, max, avg: average(stats), sum };
  if (count === 0) return { count, min: null, max: null, avg: null, ...printSum(0) };
  const texts: { [key: string]: Printed } = {};
  const numbers: PrintedObject[] = [];
  for (const [name, value] of Object.entries(named)) {
    numbers.push(printPlain(name, value));
    if (!format.raw) texts[`${name}_as_string`] = format.format(value);
  }
  return Object.assign({ count }, ...numbers, texts) as PrintedObject;
}

const printSum = (sum: number) => printPlain("sum", sum);

/** A value without its text. */
export const printPlain = (name: string, value: number | null) => printValue(name, value, PLAIN);

const PLAIN: DocValueFormat = { raw: true, format: String, sortValue: String };

/** A value by its name (InternalStats.value); undefined when there is none of the name. */
export function statsValue(stats: Stats, name: string): number | undefined {
  switch (name) {
    case "count":
    case "sum":
    case "min":
    case "max":
      return stats[name];
    case "avg":
      return average(stats);
    default:
      return undefined;
  }
}

/** What stats need by bucket. */
export function statsState(memory: Memory, format: DocValueFormat) {
  const counts = new Doubles(memory);
  const sums = sumsOf(memory);
  const mins = new Doubles(memory, Infinity);
  const maxs = new Doubles(memory, -Infinity);
  return {
    collect(bucket: number, { value }: Numbers, start: number, end: number) {
      counts.add(bucket, end - start);
      sums.add(bucket, value, start, end);
      mins.ensure(bucket);
      maxs.ensure(bucket);
      // Values ascend.
      mins.values[bucket] = Math.min(mins.values[bucket], value(start));
      maxs.values[bucket] = Math.max(maxs.values[bucket], value(end - 1));
    },
    data: (bucket: number): Stats => ({
      count: counts.get(bucket),
      sum: sums.get(bucket),
      min: mins.get(bucket),
      max: maxs.get(bucket),
      format,
    }),
  };
}

const kind: InternalKind<Stats> = {
  typedName: "stats",
  reduce: reduceStats,
  print: printStats,
  value: (data, name) => (name === undefined ? undefined : statsValue(data, name)),
};

export const parseStats = numericMetric<Stats, object>({
  type: "stats",
  options: {},
  kind,
  state(memory, format) {
    const { collect, data } = statsState(memory, format);
    return {
      collect,
      data,
      sortable: {
        kind: "values",
        value: (name) =>
          statsValue(data(0), name) === undefined ? undefined : (bucket) => statsValue(data(bucket), name)!,
      },
    };
  },
});
