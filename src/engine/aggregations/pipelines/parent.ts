/** Pipelines within the aggregation whose buckets they go through: derivative, cumulative_sum, serial_diff, bucket_sort. */
import { illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import { errorAt, isArray, isObject, readInt, textOf } from "../../query/dsl/read.ts";
import { parsePath } from "../order.ts";
import type { PipelineParser } from "../parse.ts";
import { type FieldReader, field, readObject, text } from "../support/object-parser.ts";
import { CALENDAR_UNITS, type CalendarUnit } from "../support/rounding.ts";
import { parseTimeValue } from "../support/time-value.ts";
import { type Bucket, type Internal, internal, type PipelineBuilder } from "../types.ts";
import { gapPolicy, readSibling, required, valueFormat } from "./parse.ts";
import { bucketValue, type GapPolicy, pathNames } from "./paths.ts";
import { checkHistogramParent, checkSinglePath } from "./validate.ts";
import { DERIVATIVE, SIMPLE_VALUE } from "./values.ts";

const policy: FieldReader<GapPolicy> = field(["string"], gapPolicy);

const paths: FieldReader<readonly string[]> = field(["string", "array"], (value) =>
  isArray(value) ? value.map((item) => textOf(item) ?? "") : [value as string],
);

/** Changes the buckets of an aggregation. */
function withBuckets(around: Internal, change: (bucket: Bucket, at: number) => Bucket): Internal {
  const { list, with: replace } = around.kind.buckets!;
  return { ...around, data: replace(around.data, list(around.data).map(change)) };
}

const adding = (bucket: Bucket, more: Internal): Bucket => ({ ...bucket, subs: [...bucket.subs, more] });

/** A pipeline over the buckets of a histogram, in their order. */
function overHistogram(
  type: string,
  given: readonly string[],
  compute: (around: Internal, path: readonly string[], own: Pick<Internal, "name" | "meta">) => Internal,
): PipelineBuilder {
  return {
    paths: given,
    validate(own, at, errors) {
      checkSinglePath(own.name, given, errors);
      // Differences are taken between buckets that are there, however far apart they lie.
      checkHistogramParent(type, own.name, at.parent, errors, type === "serial_diff");
    },
    parent: (around, own) => compute(around, pathNames(parsePath(given[0])), own),
  };
}

export const parseCumulativeSum: PipelineParser = (_name, json) => {
  const options = readObject<{ buckets_path: string; format: string }>("cumulative_sum", json, {
    buckets_path: text,
    format: text,
  });
  const format = valueFormat(options.format);
  return overHistogram("cumulative_sum", [required(options.buckets_path, "buckets_path")], (around, path, own) => {
    let sum = 0;
    return withBuckets(around, (bucket) => {
      const value = bucketValue(around, bucket, path, "insert_zeros");
      if (value !== undefined && Number.isFinite(value)) sum += value;
      return adding(bucket, internal(own, SIMPLE_VALUE, { value: sum, format }));
    });
  });
};

/** Lengths of units of the calendar on the average (ChronoUnit's). */
const UNIT_MILLIS: Readonly<Record<CalendarUnit, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_746_000,
  quarter: 7_889_238_000,
  year: 31_556_952_000,
};

interface DerivativeOptions {
  buckets_path: readonly string[];
  format: string;
  gap_policy: GapPolicy;
  unit: string;
}

export const parseDerivative: PipelineParser = (_name, json) => {
  const options = readObject<DerivativeOptions>("derivative", json, {
    buckets_path: paths,
    format: text,
    gap_policy: policy,
    unit: text,
  });
  const format = valueFormat(options.format);
  const gaps = options.gap_policy ?? "skip";
  const unit = options.unit === undefined ? undefined : unitMillis(options.unit);
  return overHistogram("derivative", required(options.buckets_path, "buckets_path"), (around, path, own) => {
    let before: { readonly value: number; readonly key: number } | undefined;
    return withBuckets(around, (bucket) => {
      const value = bucketValue(around, bucket, path, gaps);
      const key = Number(around.kind.buckets!.key(bucket));
      const last = before;
      before = value === undefined ? undefined : { value, key };
      if (last === undefined || value === undefined) return bucket;
      const units = unit === undefined ? -1 : (key - last.key) / unit;
      return adding(bucket, internal(own, DERIVATIVE, { value: value - last.value, units, format }));
    });
  });
};

function unitMillis(unit: string): number {
  const calendar = CALENDAR_UNITS.get(unit);
  return calendar === undefined
    ? parseTimeValue(unit, "DerivativePipelineAggregationBuilder.unit")
    : UNIT_MILLIS[calendar];
}

export const parseSerialDiff: PipelineParser = (name, json) => {
  const { paths: given, gapPolicy: gaps, format, more } = readSibling(name, json, { lag: "number" });
  const lag = more["lag"] === undefined ? 1 : readInt(more["lag"], json, "lag");
  if (lag <= 0) {
    const reason = `Lag must be a positive, non-zero integer.  Value supplied was${lag} in [${name}]: [lag].`;
    throw errorAt(json, { value: "lag" }, reason);
  }
  return overHistogram("serial_diff", given, (around, path, own) => {
    const values: number[] = [];
    return withBuckets(around, (bucket, at) => {
      const value = bucketValue(around, bucket, path, gaps) ?? Number.NaN;
      values.push(value);
      const difference = value - (at < lag ? Number.NaN : values[at - lag]);
      return Number.isNaN(difference)
        ? bucket
        : adding(bucket, internal(own, SIMPLE_VALUE, { value: difference, format }));
    });
  });
};

interface BucketSort {
  readonly path: string;
  readonly descending: boolean;
}

const sorts: FieldReader<readonly BucketSort[]> = field(["array", "object", "string"], (value) => {
  const items = isArray(value) ? value : [value];
  return items.flatMap(sortOf);
});

/** `"a"`, `{"a": "desc"}`, `{"a": {"order": "desc"}}` */
function sortOf(item: JsonValue): BucketSort[] {
  if (typeof item === "string") return [{ path: item, descending: false }];
  if (!isObject(item))
    throw illegalArgument(`malformed sort format, within the sort array, an object, or an actual string are allowed`);
  return Object.entries(item).map(([path, given]) => {
    const order = isObject(given) ? given["order"] : given;
    if (isObject(given)) {
      const unknown = Object.keys(given).find((name) => name !== "order");
      if (unknown !== undefined)
        throw illegalArgument(`[bucket_sort] only supports [order] in a sort, not [${unknown}]`);
    }
    if (order === undefined) return { path, descending: false };
    const text = String(order).toLowerCase();
    if (text === "asc" || text === "desc") return { path, descending: text === "desc" };
    throw illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${text.toUpperCase()}`);
  });
}

interface BucketSortOptions {
  sort: readonly BucketSort[];
  from: number;
  size: number;
  gap_policy: GapPolicy;
}

export const parseBucketSort: PipelineParser = (name, json) => {
  const options = readObject<BucketSortOptions>("bucket_sort", json, {
    sort: sorts,
    from: field(["number", "string"], (value, object, key) => {
      const from = readInt(value, object, key);
      if (from < 0) throw illegalArgument(`[from] must be a non-negative integer: [${from}]`);
      return from;
    }),
    size: field(["number", "string"], (value, object, key) => {
      const size = readInt(value, object, key);
      if (size <= 0) throw illegalArgument(`[size] must be a positive integer: [${size}]`);
      return size;
    }),
    gap_policy: policy,
  });
  const { sort = [], from = 0, size, gap_policy: gaps = "skip" } = options;
  return {
    paths: sort.map(({ path }) => path),
    validate(own, { parent }, errors) {
      if (!parent) errors.push(`bucket_sort aggregation [${own.name}] must be declared inside of another aggregation`);
      if (sort.length === 0 && size === undefined && from === 0) {
        errors.push(
          `[${name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`,
        );
      }
    },
    parent(around) {
      const { list, with: replace } = around.kind.buckets!;
      const buckets = list(around.data);
      const ordered = sort.length === 0 ? buckets : sorted(around, buckets, sort, gaps);
      return {
        ...around,
        data: replace(around.data, ordered.slice(from, size === undefined ? undefined : from + size)),
      };
    },
  };
};

/** Buckets without any of the values are left out; without one of them they come last. */
function sorted(around: Internal, buckets: readonly Bucket[], sort: readonly BucketSort[], gaps: GapPolicy): Bucket[] {
  const rows = buckets.map((bucket) => ({
    bucket,
    values: sort.map(({ path }) => {
      if (path === "_key") return around.kind.buckets!.key(bucket);
      const value = bucketValue(around, bucket, pathNames(parsePath(path)), gaps);
      return value === undefined || (gaps === "skip" && Number.isNaN(value)) ? undefined : value;
    }),
  }));
  const kept = rows.filter(({ values }) => values.some((value) => value !== undefined));
  kept.sort((a, b) => {
    for (const [at, { descending }] of sort.entries()) {
      const [one, other] = [a.values[at], b.values[at]];
      if (one === undefined && other === undefined) continue;
      if (one === undefined) return 1;
      if (other === undefined) return -1;
      const order = one < other ? -1 : one > other ? 1 : 0;
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return kept.map(({ bucket }) => bucket);
}
