/** median_absolute_deviation: the median of how far values lie from their median. */
import type { DocValueFormat } from "../../mapping/doc-value-format.ts";
import { createDigest, type Digest } from "../sketch/tdigest.ts";
import type { AggregationParser, InternalKind } from "../types.ts";
import { numericMetric, printValue } from "./numeric.ts";
import { compressionFrom, executionHint } from "./percentiles.ts";

const DEFAULT_COMPRESSION = 1000;

interface Deviation {
  readonly digest: Digest;
  readonly compression: number;
  readonly format: DocValueFormat;
}

function deviation({ digest, compression }: Deviation): number {
  if (digest.size === 0) return Number.NaN;
  const median = digest.quantile(0.5);
  const deviations = createDigest(compression);
  const { means, weights } = digest.centroids();
  for (let i = 0; i < means.length; i++) deviations.add(Math.abs(median - means[i]), weights[i]);
  return deviations.quantile(0.5);
}

const kind: InternalKind<Deviation> = {
  typedName: "median_absolute_deviation",
  reduce(all) {
    if (all.length === 1) return all[0];
    const digest = createDigest(all[0].compression);
    for (const each of all) digest.merge(each.digest);
    return { ...all[0], digest };
  },
  print(data) {
    const value = deviation(data);
    return printValue("value", Number.isNaN(value) ? null : value, data.format);
  },
  value: (data, name) => (name === undefined || name === "value" ? deviation(data) : undefined),
};

export const parseMedianAbsoluteDeviation: AggregationParser = (name, json) =>
  numericMetric<Deviation, { compression: number; execution_hint: string }>({
    type: "median_absolute_deviation",
    options: {
      compression: compressionFrom((value) => value > 0, "greater than 0", ` in [${name}]`),
      execution_hint: executionHint,
    },
    supports: ["number"],
    kind,
    state(memory, format, { compression = DEFAULT_COMPRESSION }) {
      const digests: (Digest | undefined)[] = [];
      const data = (bucket: number): Deviation => ({
        digest: digests[bucket] ?? createDigest(compression),
        compression,
        format,
      });
      return {
        collect(bucket, numbers, start, end) {
          digests[bucket] ??= createDigest(compression, memory);
          for (let i = start; i < end; i++) digests[bucket].add(numbers.value(i));
        },
        data,
        sortable: { kind: "value", value: (bucket) => deviation(data(bucket)) },
      };
    },
  })(name, json);
