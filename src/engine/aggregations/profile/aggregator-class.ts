/** Names of Elasticsearch's aggregators in a profile: that of the aggregation, or that of the kind of values that it found. */
import type { Definition } from "../types.ts";

const BY_TYPE: { readonly [type: string]: string } = {
  auto_date_histogram: "AutoDateHistogramAggregator.FromSingle",
  date_range: "RangeAggregator.NoOverlap",
  filter: "FilterAggregationBuilder.FilterAggregator",
  filters: "FiltersAggregator.Compatible",
  histogram: "NumericHistogramAggregator",
  ip_range: "BinaryRangeAggregator",
  range: "RangeAggregator.NoOverlap",
};

interface Named {
  readonly className: string;
  readonly debug?: { readonly result_strategy: string };
}

/** By the name that results have under `typed_keys`. */
const BY_RESULT: { readonly [typedName: string]: Named } = {
  sterms: { className: "GlobalOrdinalsStringTermsAggregator", debug: { result_strategy: "terms" } },
  lterms: { className: "NumericTermsAggregator", debug: { result_strategy: "long_terms" } },
  dterms: { className: "NumericTermsAggregator", debug: { result_strategy: "double_terms" } },
  umterms: { className: "NonCollectingAggregator" },
  sigsterms: { className: "GlobalOrdinalsStringTermsAggregator", debug: { result_strategy: "significant_terms" } },
  siglterms: { className: "NumericTermsAggregator", debug: { result_strategy: "significant_terms" } },
  umsigterms: { className: "NonCollectingAggregator" },
  srareterms: { className: "StringRareTermsAggregator" },
  lrareterms: { className: "LongRareTermsAggregator" },
  umrareterms: { className: "NonCollectingAggregator" },
  tdigest_percentiles: { className: "TDigestPercentilesAggregator" },
  tdigest_percentile_ranks: { className: "TDigestPercentileRanksAggregator" },
  hdr_percentiles: { className: "HDRPercentilesAggregator" },
  hdr_percentile_ranks: { className: "HDRPercentileRanksAggregator" },
};

/** @param typedName of its result; undefined where nothing was built of it */
export function aggregatorClass({ type }: Definition, typedName: string | undefined): Named {
  if (type === "significant_text") {
    return { className: "MapStringTermsAggregator", debug: { result_strategy: "significant_terms" } };
  }
  const known = typedName === undefined ? undefined : BY_RESULT[typedName];
  if (known) return known;
  const camel = type.replace(/(^|_)([a-z])/g, (_, _under: string, letter: string) => letter.toUpperCase());
  return { className: BY_TYPE[type] ?? `${camel}Aggregator` };
}
