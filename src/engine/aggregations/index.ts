/**
 * The table of aggregations: what the DSL's names mean. Each row is a parser in its own file; a new aggregation is one file and one row.
 * `types.ts` says what happens in which order.
 */
import { parseComposite } from "./bucket/composite/composite.ts";
import { parseFilter, parseFilters } from "./bucket/filter.ts";
import { parseAutoDateHistogram } from "./bucket/histogram/auto-date-histogram.ts";
import { parseDateHistogram } from "./bucket/histogram/date-histogram.ts";
import { parseHistogram } from "./bucket/histogram/histogram.ts";
import { parseIpRange } from "./bucket/ip-range.ts";
import { parseGlobal, parseMissing } from "./bucket/missing.ts";
import { parseNested, parseReverseNested } from "./bucket/nested.ts";
import { parseDateRange, parseRange } from "./bucket/range.ts";
import { parseDiversifiedSampler, parseSampler } from "./bucket/sampler.ts";
import { parseSignificantTerms } from "./bucket/significant/significant-terms.ts";
import { parseSignificantText } from "./bucket/significant/significant-text.ts";
import { parseMultiTerms } from "./bucket/terms/multi-terms.ts";
import { parseRareTerms } from "./bucket/terms/rare-terms.ts";
import { parseTerms } from "./bucket/terms/terms.ts";
import { parseVariableWidthHistogram } from "./bucket/variable-width-histogram.ts";
import { parseCardinality } from "./metrics/cardinality.ts";
import { parseExtendedStats } from "./metrics/extended-stats.ts";
import { parseMedianAbsoluteDeviation } from "./metrics/median-absolute-deviation.ts";
import { parsePercentileRanks, parsePercentiles } from "./metrics/percentiles.ts";
import { parseAvg, parseMax, parseMin, parseSum } from "./metrics/single.ts";
import { parseStats } from "./metrics/stats.ts";
import { parseValueCount } from "./metrics/value-count.ts";
import { parseWeightedAvg } from "./metrics/weighted-avg.ts";
import { type PipelineParser, registerAggregations } from "./parse.ts";
import { parseBucketSort, parseCumulativeSum, parseDerivative, parseSerialDiff } from "./pipelines/parent.ts";
import {
  parseAvgBucket,
  parseExtendedStatsBucket,
  parseMaxBucket,
  parseMinBucket,
  parsePercentilesBucket,
  parseStatsBucket,
  parseSumBucket,
} from "./pipelines/sibling.ts";
import type { AggregationParser } from "./types.ts";

const AGGREGATIONS: Readonly<Record<string, AggregationParser>> = {
  auto_date_histogram: parseAutoDateHistogram,
  avg: parseAvg,
  cardinality: parseCardinality,
  composite: parseComposite,
  date_histogram: parseDateHistogram,
  date_range: parseDateRange,
  diversified_sampler: parseDiversifiedSampler,
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
  multi_terms: parseMultiTerms,
  nested: parseNested,
  percentile_ranks: parsePercentileRanks,
  percentiles: parsePercentiles,
  range: parseRange,
  reverse_nested: parseReverseNested,
  rare_terms: parseRareTerms,
  sampler: parseSampler,
  significant_terms: parseSignificantTerms,
  significant_text: parseSignificantText,
  stats: parseStats,
  sum: parseSum,
  terms: parseTerms,
  value_count: parseValueCount,
  variable_width_histogram: parseVariableWidthHistogram,
  weighted_avg: parseWeightedAvg,
};

const PIPELINES: Readonly<Record<string, PipelineParser>> = {
  avg_bucket: parseAvgBucket,
  bucket_sort: parseBucketSort,
  cumulative_sum: parseCumulativeSum,
  derivative: parseDerivative,
  extended_stats_bucket: parseExtendedStatsBucket,
  max_bucket: parseMaxBucket,
  min_bucket: parseMinBucket,
  percentiles_bucket: parsePercentilesBucket,
  serial_diff: parseSerialDiff,
  stats_bucket: parseStatsBucket,
  sum_bucket: parseSumBucket,
};

/** Elasticsearch 8.17's other aggregations: named in the refusal, and in suggestions. */
export const UNSUPPORTED_AGGREGATIONS: readonly string[] = [
  "adjacency_matrix",
  "boxplot",
  "bucket_correlation",
  "bucket_count_ks_test",
  "bucket_script",
  "bucket_selector",
  "categorize_text",
  "change_point",
  "children",
  "cumulative_cardinality",
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
  "moving_fn",
  "moving_percentiles",
  "normalize",
  "parent",
  "random_sampler",
  "rate",
  "scripted_metric",
  "string_stats",
  "t_test",
  "time_series",
  "top_metrics",
];

registerAggregations(AGGREGATIONS, PIPELINES, UNSUPPORTED_AGGREGATIONS);

/** Names of the aggregations that work, for documentation. */
export const SUPPORTED_AGGREGATIONS: readonly string[] = [
  ...Object.keys(AGGREGATIONS),
  ...Object.keys(PIPELINES),
  // It stands with the search, whose hits it shows.
  "top_hits",
].sort();

export { type BoundAggregations, bindAggregations } from "./collect.ts";
export { type Definitions, parseDefinitions, queriesOf, registerAggregations } from "./parse.ts";
export { applyPipelines } from "./pipelines/apply.ts";
export { pipelineErrors } from "./pipelines/validate.ts";
export { printAll, reduceAll, reduceContext } from "./reduce.ts";
export type { AggregationBuilder, AggregationContext, Collect, Internal, InternalKind, Own } from "./types.ts";
