/** Pipelines beside the aggregation that they read: one result of all its buckets. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { DocValueFormat } from "../../mapping/doc-value-format.ts";
import { parseJavaDouble } from "../../mapping/java-numbers.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { textOf } from "../../query/dsl/read.ts";
import { type ExtendedStats, extendedStatsValue, printExtendedStats } from "../metrics/extended-stats.ts";
import { formatText } from "../metrics/numeric.ts";
import { printPlain, printStats, type Stats, statsValue } from "../metrics/stats.ts";
import type { PipelineParser } from "../parse.ts";
import { type Internal, type InternalKind, internal, type PipelineBuilder, type Printed } from "../types.ts";
import { readSibling, type SiblingOptions } from "./parse.ts";
import { bucketsAt, bucketValue } from "./paths.ts";
import { checkSiblingPath } from "./validate.ts";
import { KEYED_VALUE, SIMPLE_VALUE } from "./values.ts";

interface Value {
  readonly key: string;
  readonly value: number;
}

function sibling(
  options: SiblingOptions,
  build: (values: readonly Value[], own: Pick<Internal, "name" | "meta">) => Internal,
): PipelineBuilder {
  const { paths, gapPolicy } = options;
  return {
    paths,
    validate: (own, at, errors) => checkSiblingPath(own.name, paths[0], at, errors),
    sibling(beside, own) {
      const found = bucketsAt(beside, paths[0], own.name);
      const values: Value[] = [];
      for (const bucket of found?.buckets ?? []) {
        const value = bucketValue(found!.around, bucket, found!.rest, gapPolicy);
        if (value === undefined || Number.isNaN(value)) continue;
        const { kind, data } = found!.around;
        values.push({ key: kind.buckets!.keyText(data, bucket), value });
      }
      return build(values, own);
    },
  };
}

const sumOf = (values: readonly Value[]) => values.reduce((sum, { value }) => sum + value, 0);

const simple =
  (compute: (values: readonly Value[]) => number): PipelineParser =>
  (name, json) => {
    const options = readSibling(name, json);
    return sibling(options, (values, own) =>
      internal(own, SIMPLE_VALUE, { value: compute(values), format: options.format }),
    );
  };

export const parseAvgBucket = simple((values) => sumOf(values) / values.length);
export const parseSumBucket = simple(sumOf);

const extreme =
  (initial: number, better: (value: number, best: number) => boolean): PipelineParser =>
  (name, json) => {
    const options = readSibling(name, json);
    return sibling(options, (values, own) => {
      const best = values.reduce((known, { value }) => (better(value, known) ? value : known), initial);
      const keys = values.filter(({ value }) => value === best).map(({ key }) => key);
      return internal(own, KEYED_VALUE, { value: best, format: options.format, keys });
    });
  };

export const parseMaxBucket = extreme(-Infinity, (value, best) => value > best);
export const parseMinBucket = extreme(Infinity, (value, best) => value < best);

function statsOf(values: readonly Value[], format: DocValueFormat): Stats {
  return {
    count: values.length,
    sum: sumOf(values),
    min: values.reduce((least, { value }) => Math.min(least, value), Infinity),
    max: values.reduce((most, { value }) => Math.max(most, value), -Infinity),
    format,
  };
}

const statsBucket: InternalKind<Stats> = {
  typedName: "stats_bucket",
  reduce: ([only]) => only,
  print: printStats,
  value: (data, name) => (name === undefined ? undefined : statsValue(data, name)),
};

export const parseStatsBucket: PipelineParser = (name, json) => {
  const options = readSibling(name, json);
  return sibling(options, (values, own) => internal(own, statsBucket, statsOf(values, options.format)));
};

const extendedStatsBucket: InternalKind<ExtendedStats> = {
  typedName: "extended_stats_bucket",
  reduce: ([only]) => only,
  print: printExtendedStats,
  value: (data, name) => (name === undefined ? undefined : extendedStatsValue(data, name)),
};

export const parseExtendedStatsBucket: PipelineParser = (name, json) => {
  const options = readSibling(name, json, { sigma: "number" });
  const sigma = Number(options.more["sigma"] ?? 2);
  if (sigma < 0) throw illegalArgument("sigma must be a non-negative double");
  return sibling(options, (values, own) => {
    const sumOfSquares = values.reduce((sum, { value }) => sum + value * value, 0);
    return internal(own, extendedStatsBucket, { ...statsOf(values, options.format), sumOfSquares, sigma });
  });
};

interface Percentiles {
  readonly percents: readonly number[];
  readonly values: readonly number[];
  readonly keyed: boolean;
  readonly format: DocValueFormat;
}

const percentilesBucket: InternalKind<Percentiles> = {
  typedName: "percentiles_bucket",
  reduce: ([only]) => only,
  print({ percents, values, keyed, format }) {
    const text = (name: string, value: number) =>
      format.raw || Number.isNaN(value) ? {} : { [name]: formatText(format, value) };
    const number = (name: string, value: number) => printPlain(name, Number.isNaN(value) ? null : value);
    if (!keyed) {
      const rows = percents.map((percent, i) => ({
        ...printPlain("key", percent),
        ...number("value", values[i]),
        ...text(`${javaDouble(percent)}_as_string`, values[i]),
      }));
      return { values: rows };
    }
    const printed: { [key: string]: Printed } = {};
    for (const [i, percent] of percents.entries()) {
      Object.assign(
        printed,
        number(javaDouble(percent), values[i]),
        text(`${javaDouble(percent)}_as_string`, values[i]),
      );
    }
    return { values: printed };
  },
  value: ({ percents, values }, name) => (name === undefined ? undefined : values[percents.indexOf(Number(name))]),
};

const DEFAULT_PERCENTS = [1, 5, 25, 50, 75, 95, 99];

export const parsePercentilesBucket: PipelineParser = (name, json: JsonObject) => {
  const options = readSibling(name, json, { percents: "array", keyed: "boolean" });
  const given = options.more["percents"] as readonly JsonValue[] | undefined;
  const percents = given?.map((item) => parseJavaDouble(textOf(item) ?? "")) ?? DEFAULT_PERCENTS;
  if (percents.some((percent) => !(percent >= 0 && percent <= 100))) {
    throw illegalArgument("percents must only contain non-null doubles from 0.0-100.0 inclusive");
  }
  return sibling(options, (all, own) => {
    const sorted = all.map(({ value }) => value).sort((a, b) => a - b);
    const values = percents.map((percent) =>
      sorted.length === 0 ? Number.NaN : sorted[Math.floor((percent / 100) * (sorted.length - 1) + 0.5)],
    );
    return internal(own, percentilesBucket, {
      percents,
      values,
      keyed: options.more["keyed"] !== false,
      format: options.format,
    });
  });
};
