/** extended_stats: stats with squares, variances and deviations. */
import { illegalArgument } from "../../errors.ts";
import type { DocValueFormat } from "../../mapping/doc-value-format.ts";
import { parseJavaDouble } from "../../mapping/java-numbers.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { textOf as scalarText } from "../../query/dsl/read.ts";
import { field } from "../support/object-parser.ts";
import type { InternalKind, PrintedObject } from "../types.ts";
import { formatText, numericMetric } from "./numeric.ts";
import { sumsOf, sumUp } from "./single.ts";
import { average, printPlain, printStats, reduceStats, type Stats, statsState, statsValue } from "./stats.ts";

export interface ExtendedStats extends Stats {
  readonly sumOfSquares: number;
  readonly sigma: number;
}

/** A rounding error must not make it negative. */
function variance({ sum, count, sumOfSquares }: ExtendedStats, divisor: number): number {
  const value = (sumOfSquares - (sum * sum) / count) / divisor;
  return Number.isNaN(value) ? value : Math.max(value, 0);
}

type Reader = (stats: ExtendedStats) => number;
const population: Reader = (stats) => variance(stats, stats.count);
const sampling: Reader = (stats) => variance(stats, stats.count - 1);
const root =
  (of: Reader): Reader =>
  (stats) =>
    Math.sqrt(of(stats));
const bound =
  (of: Reader, sign: 1 | -1): Reader =>
  (stats) =>
    average(stats) + sign * (Math.sqrt(of(stats)) * stats.sigma);

const PLAIN: readonly (readonly [string, Reader])[] = [
  ["sum_of_squares", ({ sumOfSquares }) => sumOfSquares],
  ["variance", population],
  ["variance_population", population],
  ["variance_sampling", sampling],
  ["std_deviation", root(population)],
  ["std_deviation_population", root(population)],
  ["std_deviation_sampling", root(sampling)],
];

const BOUNDS: readonly (readonly [string, Reader])[] = [
  ["upper", bound(population, 1)],
  ["lower", bound(population, -1)],
  ["upper_population", bound(population, 1)],
  ["lower_population", bound(population, -1)],
  ["upper_sampling", bound(sampling, 1)],
  ["lower_sampling", bound(sampling, -1)],
];

/** Names under which orders and pipelines find the values. */
const VALUES: ReadonlyMap<string, Reader> = new Map([
  ...PLAIN,
  ["std_upper", bound(population, 1)],
  ["std_lower", bound(population, -1)],
  ["std_upper_population", bound(population, 1)],
  ["std_lower_population", bound(population, -1)],
  ["std_upper_sampling", bound(sampling, 1)],
  ["std_lower_sampling", bound(sampling, -1)],
]);

export function extendedStatsValue(stats: ExtendedStats, name: string): number | undefined {
  return statsValue(stats, name) ?? VALUES.get(name)?.(stats);
}

export function printExtendedStats(stats: ExtendedStats): PrintedObject {
  const { format, count } = stats;
  const none = count === 0;
  const shown = (readers: typeof PLAIN): PrintedObject =>
    Object.assign({}, ...readers.map(([name, read]) => printPlain(name, none ? null : read(stats))));
  // Deviations are shown as text, also where the format gives something else (booleans).
  const textOf = (name: string, value: number) =>
    /^(sum|var)/.test(name) ? format.format(value) : formatText(format, value);
  const texts = (readers: typeof PLAIN, suffix: string): PrintedObject =>
    Object.fromEntries(readers.map(([name, read]) => [name + suffix, textOf(name, read(stats))]));
  return {
    ...printStats(stats),
    ...shown(PLAIN),
    std_deviation_bounds: shown(BOUNDS),
    ...(none || format.raw ? {} : { ...texts(PLAIN, "_as_string"), std_deviation_bounds_as_string: texts(BOUNDS, "") }),
  };
}

export function reduceExtendedStats(all: readonly ExtendedStats[]): ExtendedStats {
  return {
    ...reduceStats(all),
    sumOfSquares: sumUp(all.map(({ sumOfSquares }) => sumOfSquares)),
    sigma: all[0].sigma,
  };
}

const kind: InternalKind<ExtendedStats> = {
  typedName: "extended_stats",
  reduce: reduceExtendedStats,
  print: printExtendedStats,
  value: (data, name) => (name === undefined ? undefined : extendedStatsValue(data, name)),
};

export const parseExtendedStats = (name: string, json: Parameters<ReturnType<typeof withSigma>>[1]) =>
  withSigma(name)(name, json);

function withSigma(aggregation: string) {
  return numericMetric<ExtendedStats, { sigma: number }>({
    type: "extended_stats",
    options: {
      sigma: field(["number", "string"], (value) => {
        const sigma = parseJavaDouble(scalarText(value)!);
        if (sigma >= 0) return sigma;
        throw illegalArgument(
          `[sigma] must be greater than or equal to 0. Found [${javaDouble(sigma)}] in [${aggregation}]`,
        );
      }),
    },
    kind,
    state(memory, format: DocValueFormat, { sigma = 2 }) {
      const plain = statsState(memory, format);
      const squares = sumsOf(memory);
      const data = (bucket: number): ExtendedStats => ({
        ...plain.data(bucket),
        sumOfSquares: squares.get(bucket),
        sigma,
      });
      return {
        collect(bucket, numbers, start, end) {
          plain.collect(bucket, numbers, start, end);
          squares.add(
            bucket,
            (index) => {
              const value = numbers.value(index);
              return value * value;
            },
            start,
            end,
          );
        },
        data,
        sortable: {
          kind: "values",
          value: (name) => {
            if (extendedStatsValue(data(0), name) === undefined) return undefined;
            // Elasticsearch lets the name pass and fails over its value.
            if (/^std_(upper|lower)_/.test(name)) return () => unknownValue(name);
            return (bucket) => extendedStatsValue(data(bucket), name)!;
          },
        },
      };
    },
  });
}

function unknownValue(name: string): never {
  throw illegalArgument(`Unknown value [${name}] in common stats aggregation`);
}
