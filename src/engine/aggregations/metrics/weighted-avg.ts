/** weighted_avg: the mean of one field's values, each counted by another field's. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { type DocValueFormat, RAW_DOUBLE } from "../../mapping/doc-value-format.ts";
import { located } from "../../query/dsl/read.ts";
import { type FieldReader, field, readObject, refused, text } from "../support/object-parser.ts";
import { bindSource, SOURCE_FIELDS, type ValuesSource } from "../support/values-source.ts";
import { type AggregationContext, type AggregationParser, type InternalKind, internal } from "../types.ts";
import { NUMERIC, printValue } from "./numeric.ts";
import { sumsOf, sumUp } from "./single.ts";

interface Weighted {
  readonly sum: number;
  readonly weight: number;
  readonly format: DocValueFormat;
}

const average = ({ sum, weight }: Weighted) => sum / weight;

const kind: InternalKind<Weighted> = {
  typedName: "weighted_avg",
  reduce: (all) => ({
    ...all[0],
    sum: sumUp(all.map(({ sum }) => sum)),
    weight: sumUp(all.map(({ weight }) => weight)),
  }),
  print: (data) => printValue("value", data.weight === 0 ? null : average(data), data.format),
  value: (data, name) => (name === undefined || name === "value" ? average(data) : undefined),
};

interface FieldConfig {
  readonly field: string;
  readonly missing: JsonValue;
  readonly format: string;
}

interface FieldKeys extends FieldConfig {
  readonly script: never;
  readonly time_zone: never;
}

const config: FieldReader<FieldConfig> = field(["object"], (value) => {
  const read = readObject<FieldKeys>("field_config", value as JsonObject, {
    field: text,
    // Null is as if it were not there.
    missing: (json, key, parser) =>
      json[key] === null ? (undefined as never) : SOURCE_FIELDS.missing(json, key, parser),
    format: text,
    script: refused("aggregation script"),
    time_zone: refused("weighted_avg.time_zone"),
  });
  if (read.field !== undefined) return read as FieldConfig;
  const error = illegalArgument("[field] and [script] cannot both be null.  Please specify one or the other.");
  throw located(error, value, "end");
});

interface Options {
  readonly value: FieldConfig;
  readonly weight: FieldConfig;
  readonly format: string;
  readonly value_type: string;
}

export const parseWeightedAvg: AggregationParser = (name, json) => {
  const { value, weight, format } = readObject<Options>("weighted_avg", json, {
    value: config,
    weight: config,
    format: text,
    value_type: (object, key, parser) => {
      SOURCE_FIELDS.value_type(object, key, parser);
      return "";
    },
  });
  return {
    takesSubs: false,
    bind(context, own) {
      // Elasticsearch looks for both on the shard.
      if (!value) throw illegalArgument("Could not find field name [value] in multiValuesSource");
      if (!weight) throw illegalArgument("Could not find field name [weight] in multiValuesSource");
      const values = numbersOf(context, value, format);
      const weights = numbersOf(context, weight);
      const sums = sumsOf(context.memory);
      const totals = sumsOf(context.memory);
      const data = (bucket: number): Weighted => ({
        sum: sums.get(bucket),
        weight: totals.get(bucket),
        format: format === undefined ? RAW_DOUBLE : values.format,
      });
      return {
        name,
        needsScores: false,
        subs: [],
        sortable: { kind: "value", value: (bucket) => average(data(bucket)) },
        leaf(leaf) {
          if (!values.hasValues || !weights.hasValues) return undefined;
          const of = values.numbers(leaf);
          const by = weights.numbers(leaf);
          return (doc, bucket) => {
            const start = of.start(doc);
            const end = of.end(doc);
            const at = by.start(doc);
            if (start >= end || at >= by.end(doc)) return;
            if (by.end(doc) - at > 1) {
              throw illegalArgument(
                "Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.",
              );
            }
            const weight = by.value(at);
            sums.add(bucket, (index) => of.value(index) * weight, start, end);
            totals.add(bucket, () => weight, start, end);
          };
        },
        build: (bucket) => internal(own, kind, data(bucket)),
      };
    },
  };
};

function numbersOf(context: AggregationContext, { field: name, missing }: FieldConfig, format?: string): ValuesSource {
  const mapped = context.query.mapping.field(name);
  const options = {
    field: name,
    ...(missing === undefined ? {} : { missing }),
    ...(format === undefined ? {} : { format }),
  };
  const source = bindSource(context, options, {
    type: "weighted_avg",
    supports: [...NUMERIC, "keyword", "ip", "range", "geo_point"],
    fallback: "number",
  });
  if (NUMERIC.includes(source.kind)) return source;
  throw illegalArgument(
    `Expected numeric type on field [${mapped?.name ?? name}], but got [${source.field?.family === "vector" ? source.field.type : source.kind}]`,
  );
}
