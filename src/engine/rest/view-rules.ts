/**
 * What may be asked of a view that hides documents. The hidden ones are as if they were deleted, so whatever goes over living documents may
 * be asked. The rest is refused: words and counts of the whole index (suggestions, significant terms, terms that no document has, profiles,
 * expanded queries), and routes that are not named here, new ones among them.
 */

import { forbidden, type View } from "../action/view.ts";
import type { JsonValue } from "../json/types.ts";
import { isArray, isObject } from "../query/dsl/read.ts";

/** Keys of a search. */
const SEARCH_KEYS = new Set([
  "_source",
  "aggregations",
  "aggs",
  "collapse",
  "docvalue_fields",
  "explain",
  "fields",
  "from",
  "highlight",
  "indices_boost",
  "knn",
  "min_score",
  "pit",
  "post_filter",
  "query",
  "rescore",
  "retriever",
  "search_after",
  "seq_no_primary_term",
  "size",
  "slice",
  "sort",
  "stored_fields",
  "terminate_after",
  "timeout",
  "track_scores",
  "track_total_hits",
  "version",
]);

/** Aggregations of what living documents have. */
const AGGREGATIONS = new Set([
  "auto_date_histogram",
  "avg",
  "avg_bucket",
  "bucket_script",
  "bucket_selector",
  "bucket_sort",
  "cardinality",
  "composite",
  "cumulative_sum",
  "date_histogram",
  "date_range",
  "derivative",
  "diversified_sampler",
  "extended_stats",
  "extended_stats_bucket",
  "filter",
  "filters",
  "global",
  "histogram",
  "ip_range",
  "max",
  "max_bucket",
  "median_absolute_deviation",
  "min",
  "min_bucket",
  "missing",
  "moving_fn",
  "multi_terms",
  "nested",
  "normalize",
  "percentile_ranks",
  "percentiles",
  "percentiles_bucket",
  "range",
  "rare_terms",
  "reverse_nested",
  "sampler",
  "serial_diff",
  "stats",
  "stats_bucket",
  "sum",
  "sum_bucket",
  "terms",
  "top_hits",
  "value_count",
  "variable_width_histogram",
  "weighted_avg",
]);
/** Those that show terms which no document has, with `min_doc_count` 0. */
const OF_TERMS = new Set(["terms", "multi_terms", "rare_terms"]);

/**
 * Parts of queries that would tell of other documents, wherever they stand: choices among all words of the index, errors that name a word, and
 * what computes with the values of a document, and may fail at them, before anybody looks whether it may be seen. `wrapper` could hold any.
 */
const TELLING = new Set([
  "fuzzy_max_expansions",
  "fuzzy_rewrite",
  "max_expansions",
  "min_score",
  "rewrite",
  "span_multi",
  "wrapper",
]);

const refused = (what: string) =>
  forbidden(`[${what}] is refused to a key with a filter: it could show something of documents that the filter hides`);

/** @throws security_exception for a search of which a part may not be asked */
export function checkSearch(body: JsonValue | undefined): void {
  if (!isObject(body)) return;
  for (const [key, value] of Object.entries(body)) {
    if (!SEARCH_KEYS.has(key)) throw refused(key);
    checkQueries(value);
    if (key === "aggs" || key === "aggregations") checkAggregations(value);
  }
}

/** @throws security_exception for a value in which something that would tell of other documents stands */
export function checkQueries(value: JsonValue | undefined): void {
  if (isArray(value)) for (const each of value) checkQueries(each);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      if (TELLING.has(key)) throw refused(key);
      checkQueries(inner);
    }
}

function checkAggregations(aggregations: JsonValue | undefined): void {
  if (!isObject(aggregations)) return;
  for (const aggregation of Object.values(aggregations)) {
    if (!isObject(aggregation)) continue;
    for (const [type, options] of Object.entries(aggregation)) {
      if (type === "aggs" || type === "aggregations") checkAggregations(options);
      else if (type !== "meta" && !AGGREGATIONS.has(type)) throw refused(type);
      else if (OF_TERMS.has(type) && isObject(options) && Number(options["min_doc_count"] ?? 1) < 1)
        throw refused(`min_doc_count of ${type}`);
    }
  }
}

/** Routes over documents that are alive. */
export const VIEW_ROUTES: ReadonlySet<string> = new Set([
  "/",
  "/_search",
  "/{index}/_search",
  "/_msearch",
  "/{index}/_msearch",
  "/_search/scroll",
  "/_search/scroll/{scroll_id}",
  "/_pit",
  "/{index}/_pit",
  "/_count",
  "/{index}/_count",
  "/{index}/_explain/{id}",
  "/_mget",
  "/{index}/_mget",
  "/{index}/_doc/{id}",
  "/{index}/_source/{id}",
  "/_cat/count",
  "/_cat/count/{index}",
]);
/** What writes where others of the routes above read. */
const WRITING = new Set(["PUT /{index}/_doc/{id}", "POST /{index}/_doc/{id}", "DELETE /{index}/_doc/{id}"]);

const MAPPINGS = new Set(["/{index}/_mapping", "/{index}/_mappings"]);

/** @throws security_exception when a view may not be asked this */
export function checkView(
  { filter, readsMappings = false }: View,
  method: string,
  route: string,
  params: ReadonlyMap<string, string>,
): void {
  if (filter === undefined) return;
  if (readsMappings && method === "GET" && MAPPINGS.has(route)) return;
  if (!VIEW_ROUTES.has(route) || WRITING.has(`${method} ${route}`)) throw refused(`${method} ${route}`);
  for (const name of params.keys()) if (name.startsWith("suggest_")) throw refused(name);
}
