/**
 * The table of queries: what the DSL's names mean. Each row is a parser in its own file; a new query is one file and one row.
 *
 *     body ── parse.ts ──▶ builders (builder.ts) ── an index's mapping ──▶ queries (../lucene) ── a searcher ──▶ scorers (../scorers)
 */
import { parseCombinedFields } from "./combined-fields.ts";
import {
  parseBool,
  parseBoosting,
  parseConstantScore,
  parseDisMax,
  parseMatchAll,
  parseMatchNone,
} from "./compound.ts";
import { parseDistanceFeature } from "./distance-feature.ts";
import { parseExists } from "./exists.ts";
import { parseFunctionScore } from "./function-score.ts";
import { parseGeoBoundingBox } from "./geo-bounding-box.ts";
import { parseGeoDistance } from "./geo-distance.ts";
import { parseIds } from "./ids.ts";
import { parseIntervals } from "./intervals.ts";
import { parseKnnQuery } from "./knn.ts";
import { parseMatch } from "./match.ts";
import { parseMatchBoolPrefix } from "./match-bool-prefix.ts";
import { parseMatchPhrase, parseMatchPhrasePrefix } from "./match-phrase.ts";
import { parseMoreLikeThis } from "./more-like-this.ts";
import { parseMultiMatch } from "./multi-match.ts";
import { parseFuzzy, parsePrefix, parseRegexp, parseWildcard } from "./multi-term.ts";
import { parseNested } from "./nested.ts";
import { type QueryParser, registerQueries } from "./parse.ts";
import { parseQueryString } from "./query-string/query-string.ts";
import { parseSimpleQueryString } from "./query-string/simple-query-string.ts";
import { parseRange } from "./range.ts";
import {
  parseSpanContaining,
  parseSpanFieldMasking,
  parseSpanFirst,
  parseSpanNear,
  parseSpanNot,
  parseSpanOr,
  parseSpanTerm,
  parseSpanWithin,
} from "./span.ts";
import { parseSpanMulti } from "./span-multi.ts";
import { parseSparseVector } from "./sparse-vector.ts";
import { parseTerm, parseTerms } from "./term-level.ts";
import { parseTermsSet } from "./terms-set.ts";
import { parseWrapper } from "./wrapper.ts";

export { boolOf } from "./compound.ts";

const QUERIES: Readonly<Record<string, QueryParser>> = {
  bool: parseBool,
  boosting: parseBoosting,
  combined_fields: parseCombinedFields,
  constant_score: parseConstantScore,
  dis_max: parseDisMax,
  distance_feature: parseDistanceFeature,
  exists: parseExists,
  function_score: parseFunctionScore,
  fuzzy: parseFuzzy,
  geo_bounding_box: parseGeoBoundingBox,
  geo_distance: parseGeoDistance,
  ids: parseIds,
  intervals: parseIntervals,
  knn: parseKnnQuery,
  match: parseMatch,
  match_all: parseMatchAll,
  match_bool_prefix: parseMatchBoolPrefix,
  match_none: parseMatchNone,
  match_phrase: parseMatchPhrase,
  match_phrase_prefix: parseMatchPhrasePrefix,
  more_like_this: parseMoreLikeThis,
  multi_match: parseMultiMatch,
  nested: parseNested,
  prefix: parsePrefix,
  query_string: parseQueryString,
  range: parseRange,
  regexp: parseRegexp,
  simple_query_string: parseSimpleQueryString,
  span_containing: parseSpanContaining,
  span_field_masking: parseSpanFieldMasking,
  span_first: parseSpanFirst,
  span_multi: parseSpanMulti,
  span_near: parseSpanNear,
  span_not: parseSpanNot,
  span_or: parseSpanOr,
  span_term: parseSpanTerm,
  span_within: parseSpanWithin,
  sparse_vector: parseSparseVector,
  term: parseTerm,
  terms: parseTerms,
  terms_set: parseTermsSet,
  wildcard: parseWildcard,
  wrapper: parseWrapper,
};

/** Elasticsearch 8.17's other queries: named in the refusal, and in suggestions. */
export const UNSUPPORTED_QUERIES: readonly string[] = [
  "geo_grid",
  "geo_polygon",
  "geo_shape",
  "has_child",
  "has_parent",
  "parent_id",
  "percolate",
  "pinned",
  "rank_feature",
  "rule",
  "script",
  "script_score",
  "semantic",
  "shape",
  "span_gap",
  "text_expansion",
  "weighted_tokens",
];

registerQueries(QUERIES, UNSUPPORTED_QUERIES);

/** Names of the queries that work, for documentation. */
export const SUPPORTED_QUERIES: readonly string[] = Object.keys(QUERIES);

export {
  asShard,
  boosted,
  buildQuery,
  isShardError,
  lookupsOf,
  type QueryBuilder,
  type QueryContext,
  queryShardError,
  shardError,
} from "./builder.ts";
export { type HitOptions, type InnerHits, innerHitsOf, parseHitOptions } from "./inner-hits.ts";
export { parseInnerQuery } from "./parse.ts";
export { queryStringOf } from "./query-string/query-string.ts";
