/** histogram: buckets of equal width over numbers. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import type { JsonObject } from "../../../json/types.ts";
import { parseJavaDouble } from "../../../mapping/java-numbers.ts";
import { javaDouble } from "../../../mapping/java-text.ts";
import { inField, located, textOf } from "../../../query/dsl/read.ts";
import { NUMERIC } from "../../metrics/numeric.ts";
import { KEY_ASCENDING, type Order, order } from "../../order.ts";
import { bool, double, type FieldReader, field, readObject } from "../../support/object-parser.ts";
import { checkRanges, collectRanges } from "../../support/ranges.ts";
import { bindSource, readSource } from "../../support/values-source.ts";
import type { AggregationParser, Collect } from "../../types.ts";
import { thresholds } from "../terms/terms.ts";
import { histogramAggregator } from "./aggregator.ts";
import { histogramKind } from "./internal-histogram.ts";

const kind = histogramKind("histogram", false);

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const end: FieldReader<number | undefined> = field(["number", "string", "null"], (value) =>
  value === null ? undefined : parseJavaDouble(textOf(value)!),
);

const bounds: FieldReader<Bounds> = field(["object"], (value) => {
  const json = value as JsonObject;
  const read = readObject<{ min: number | undefined; max: number | undefined }>("double_bounds", json, {
    min: end,
    max: end,
  });
  const { min, max } = read;
  if (min !== undefined && max !== undefined && max < min) throw wrongBounds(json, min, max);
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
});

/** Elasticsearch builds the object by reflection as soon as the last field has come, and says so. */
function wrongBounds(json: JsonObject, min: number, max: number): EngineError {
  const wrong = illegalArgument(`max bound [${javaDouble(max)}] must be greater than min bound [${javaDouble(min)}]`);
  const invocation = new EngineError("invocation_target_exception", null as unknown as string, { cause: wrong });
  const instance = illegalArgument(
    "Cannot instantiate an object of org.elasticsearch.search.aggregations.bucket.histogram.DoubleBounds",
    { cause: invocation },
  );
  const last = Object.keys(json).at(-1)!;
  const built = new EngineError(
    "x_content_parse_exception",
    "Failed to build [double_bounds] after last required field arrived",
    { cause: instance },
  );
  try {
    return inField("double_bounds", json, last, () => {
      throw located(built, json, { value: last });
    });
  } catch (error) {
    return error as EngineError;
  }
}

interface HistogramOptions {
  interval: number;
  offset: number;
  min_doc_count: number;
  keyed: boolean;
  order: readonly Order[];
  extended_bounds: Bounds;
  hard_bounds: Bounds;
}

export const parseHistogram: AggregationParser = (name, json) => {
  const options = readSource<HistogramOptions>("histogram", name, json, {
    interval: field(["number", "string"], (value) => {
      const interval = parseJavaDouble(textOf(value)!);
      if (interval > 0) return interval;
      throw illegalArgument(`[interval] must be >0 for histogram aggregation [${name}]`);
    }),
    offset: double,
    min_doc_count: thresholds(name).min_doc_count,
    keyed: bool,
    order,
    extended_bounds: bounds,
    hard_bounds: bounds,
  });
  const { interval = 0, offset = 0, extended_bounds: extended, hard_bounds: hard } = options;
  const inHard = (value: number) =>
    (hard?.min === undefined || value >= hard.min) && (hard?.max === undefined || value <= hard.max);
  return {
    takesSubs: true,
    sequential: { minDocCount: options.min_doc_count ?? 0 },
    bind(context, own) {
      const supports = [...NUMERIC, "range"] as const;
      const source = bindSource(context, options, { type: "histogram", supports, fallback: "number" });
      checkBounds(extended, hard);
      context.atCreation(() => {
        if (interval <= 0) throw illegalArgument(`interval must be positive, got: ${javaDouble(interval)}`);
      });
      const ranges = source.kind === "range";
      if (ranges) checkRanges(source, false, options.missing !== undefined);
      const round = (value: number) => Math.floor((value - offset) / interval) * interval + offset;
      return histogramAggregator({
        context,
        own,
        kind,
        order: options.order ?? [KEY_ASCENDING],
        minDocCount: options.min_doc_count ?? 0,
        keyed: options.keyed ?? false,
        format: source.format,
        empty: {
          first: extended?.min === undefined ? undefined : round(extended.min),
          last: extended?.max,
          next: (key) => round(key + interval + interval / 2),
        },
        leaf(leaf, take): Collect | undefined {
          if (!source.hasValues) return undefined;
          if (ranges) {
            const buckets = {
              least: hard?.min ?? Number.NEGATIVE_INFINITY,
              most: hard?.max ?? Number.POSITIVE_INFINITY,
              round: (value: number) => Math.floor((value - offset) / interval),
              next: (key: number) => key + 1,
            };
            return collectRanges(source, leaf, buckets, (doc, owner, key) => take(doc, owner, key * interval + offset));
          }
          const { start, end: endOf, value } = source.numbers(leaf);
          return (doc, owner) => {
            const last = endOf(doc);
            let before = Number.NaN;
            for (let i = start(doc); i < last; i++) {
              const key = Math.floor((value(i) - offset) / interval);
              if (key === before) continue;
              before = key;
              if (hard === undefined || inHard(key * interval)) take(doc, owner, key * interval + offset);
            }
          };
        },
      });
    },
  };
};

function checkBounds(extended: Bounds | undefined, hard: Bounds | undefined): void {
  if (!extended || !hard) return;
  const outside =
    (hard.max !== undefined && extended.max !== undefined && hard.max < extended.max) ||
    (hard.min !== undefined && extended.min !== undefined && hard.min > extended.min);
  if (!outside) return;
  const show = ({ min, max }: Bounds) =>
    `[${min === undefined ? "" : javaDouble(min)}--${max === undefined ? "" : javaDouble(max)}]`;
  throw illegalArgument(
    `Extended bounds have to be inside hard bounds, hard bounds: ${show(hard)}, extended bounds: ${show(extended)}`,
  );
}
