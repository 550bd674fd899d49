/**
 * The table of aggregations: what the DSL's names mean. Each row is a parser in its own file; a new aggregation is one file and one row.
 * `types.ts` says what happens in which order.
 */
import { parseFilter, parseFilters } from "./bucket/filter.ts";
import { parseDateHistogram } from "./bucket/histogram/date-histogram.ts";
import { parseHistogram } from "./bucket/histogram/histogram.ts";
import { parseIpRange } from "./bucket/ip-range.ts";
import { parseGlobal, parseMissing } from "./bucket/missing.ts";
import { parseNested, parseReverseNested } from "./bucket/nested.ts";
import { parseDateRange, parseRange } from "./bucket/range.ts";
import { parseTerms } from "./bucket/terms/terms.ts";
import { parseCardinality } from "./metrics/cardinality.ts";
import { parseExtendedStats } from "./metrics/extended-stats.ts";
import { parseMedianAbsoluteDeviation } from "./metrics/median-absolute-deviation.ts";
import { parsePercentileRanks, parsePercentiles } from "./metrics/percentiles.ts";
import { parseAvg, parseMax, parseMin, parseSum } from "./metrics/single.ts";
import { parseStats } from "./metrics/stats.ts";
import { parseValueCount } from "./metrics/value-count.ts";
import { parseWeightedAvg } from "./metrics/weighted-avg.ts";
import { type PipelineParser, registerAggregations } from "./parse.ts";
import type { AggregationParser } from "./types.ts";

const AGGREGATIONS: Readonly<Record<string, AggregationParser>> = {
  avg: parseAvg,
  cardinality: parseCardinality,
  date_histogram: parseDateHistogram,
  date_range: parseDateRange,
  extended_stats: parseExtendedStats,
  filter: parseFilter,
  filters: parseFilters,
  global: parseGlobal,
  histogram: parseHistogram,
  ip_range: parseIpRange,
  max: parseMax,
  median_absolute_deviation: parseMedianAbsoluteDeviation,
  min: parseMin,
  missing: parseMissing,
  nested: parseNested,
  percentile_ranks: parsePercentileRanks,
  percentiles: parsePercentiles,
  range: parseRange,
  reverse_nested: parseReverseNested,
  stats: parseStats,
  sum: parseSum,
  terms: parseTerms,
  value_count: parseValueCount,
  weighted_avg: parseWeightedAvg,
};

const PIPELINES: Readonly<Record<string, PipelineParser>> = {};

/** Elasticsearch 8.17's other aggregations: named in the refusal, and in suggestions. */
export const UNSUPPORTED_AGGREGATIONS: readonly string[] = [
  "adjacency_matrix",
  "auto_date_histogram",
  "avg_bucket",
  "boxplot",
  "bucket_correlation",
  "bucket_count_ks_test",
  "bucket_script",
  "bucket_selector",
  "bucket_sort",
  "categorize_text",
  "change_point",
  "children",
  "composite",
  "cumulative_cardinality",
  "cumulative_sum",
  "derivative",
  "diversified_sampler",
  "extended_stats_bucket",
  "frequent_item_sets",
  "geo_bounds",
  "geo_centroid",
  "geo_distance",
  "geo_line",
  "geohash_grid",
  "geohex_grid",
  "geotile_grid",
  "inference",
  "ip_prefix",
  "matrix_stats",
  "max_bucket",
  "min_bucket",
  "moving_fn",
  "moving_percentiles",
  "multi_terms",
  "normalize",
  "parent",
  "percentiles_bucket",
  "random_sampler",
  "rare_terms",
  "rate",
  "sampler",
  "scripted_metric",
  "serial_diff",
  "significant_terms",
  "significant_text",
  "stats_bucket",
  "string_stats",
  "sum_bucket",
  "t_test",
  "time_series",
  "top_hits",
  "top_metrics",
  "variable_width_histogram",
];

registerAggregations(AGGREGATIONS, PIPELINES, UNSUPPORTED_AGGREGATIONS);

/** Names of the aggregations that work, for documentation. */
export const SUPPORTED_AGGREGATIONS: readonly string[] = [
  ...Object.keys(AGGREGATIONS),
  ...Object.keys(PIPELINES),
].sort();

export { aggregateShard } from "./collect.ts";
export { type Definitions, parseDefinitions, queriesOf } from "./parse.ts";
export { printAll, reduceAll, reduceContext } from "./reduce.ts";
export type { AggregationContext, Internal } from "./types.ts";
