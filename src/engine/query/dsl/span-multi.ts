/** span_multi: a query for many terms as a span query. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { MappedField } from "../../mapping/types.ts";
import { inner, matchesNone } from "../lucene/constant.ts";
import { isMultiTerm } from "../lucene/multi-term.ts";
import { spanMultiQuery, spanNoneQuery } from "../lucene/span-queries.ts";
import type { SpanQuery } from "../lucene/spans.ts";
import { prefixMatcher } from "../lucene/term-matchers.ts";
import type { Query } from "../types.ts";
import { spansOfBeginning } from "./beginnings.ts";
import { isShardError, makeBuilder, type QueryBuilder, unmarked } from "./builder.ts";
import { MAX_CLAUSES, readCommon } from "./compound.ts";
import { multiTermOf } from "./field-terms.ts";
import { type PrefixRequest, readPrefix } from "./multi-term.ts";
import { parseInnerQuery, type QueryParser } from "./parse.ts";
import { errorAt, isArray, isObject } from "./read.ts";
import { parseRewriteMethod } from "./rewrite-method.ts";
import { unknown } from "./span.ts";
import { checkSearchable } from "./term-level.ts";

const MULTI_TERM = ["fuzzy", "prefix", "range", "regexp", "wildcard"];

export const parseSpanMulti: QueryParser = (json, depth) => {
  const options: { boost?: number; queryName?: string } = {};
  let match: QueryBuilder | undefined;
  let field = "";
  let prefix: PrefixRequest | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (key === "match" && isObject(value)) {
      match = parseInnerQuery(json, key, depth + 1);
      if (!MULTI_TERM.includes(match.name)) {
        throw errorAt(value, "end", "[span_multi] [match] must be of type multi term query");
      }
      const body = value[match.name];
      field = isObject(body) ? Object.keys(body)[0] : "";
      prefix = match.name === "prefix" && isObject(body) ? readPrefix(body) : undefined;
    } else if (isObject(value) || isArray(value) || !readCommon(json, key, options))
      throw unknown("span_multi", json, key);
  }
  if (!match) throw errorAt(json, "end", "[span_multi] must have [match] multi term query clause");
  const wanted = match;
  return makeBuilder("span_multi", options, (context) => {
    const none = spanNoneQuery(field, "Inner query rewrote to match_none");
    const mapped = context.mapping.field(field);
    if (!mapped || here(() => wanted.rewritesToNone?.(context))) return none;
    if (prefix && mapped.name !== "_index") return spanPrefixQuery(mapped, prefix);
    const query = withoutScores(here(() => wanted.toQuery(context)));
    if (matchesNone(query) && mapped.family !== "number") return none;
    // Lucene finds ranges of addresses by points, not by terms.
    if (isMultiTerm(query) && mapped.family !== "ip") return spanMultiQuery(query, MAX_CLAUSES);
    throw notForTerms(mapped, wanted, query);
  });
};

/** Of the query within neither boost nor score counts. */
function withoutScores(query: Query): Query {
  const within = inner(query);
  return within ? withoutScores(within) : query;
}

/** A query that is rewritten while this one is built: what fails then is wrapped as what fails in building. */
function here<T>(rewrite: () => T): T {
  try {
    return rewrite();
  } catch (error) {
    throw isShardError(error) && error.type !== "query_shard_exception" ? unmarked(error) : error;
  }
}

/** A prefix has a way of its own (MappedFieldType.spanPrefixQuery), that minds neither case nor the length allowed elsewhere. */
function spanPrefixQuery(field: MappedField, { value, rewrite }: PrefixRequest): SpanQuery {
  const method = parseRewriteMethod(rewrite);
  if (field.family !== "text") {
    const of = `not on [${field.info.name}] which is of type [${field.type}]`;
    throw illegalArgument(`Can only use span prefix queries on text fields - ${of}`);
  }
  checkSearchable(field);
  const indexed = spansOfBeginning(field, value);
  return indexed ?? spanMultiQuery(multiTermOf(field, prefixMatcher(value, false), method), MAX_CLAUSES);
}

/** The queries of Elasticsearch that look values up one by one where a keyword has no index. */
const OVER_VALUES: Readonly<Record<string, string>> = {
  wildcard: "elasticsearch.search.runtime.StringScriptFieldWildcardQuery",
  regexp: "elasticsearch.search.runtime.StringScriptFieldRegexpQuery",
  fuzzy: "elasticsearch.search.runtime.StringScriptFieldFuzzyQuery",
  range: "apache.lucene.document.SortedSetDocValuesRangeQuery",
};

/** The error names the class of the query that came instead; where that is not known for sure, the request is refused. */
function notForTerms(
  { name, family, indexed, hasDocValues }: MappedField,
  match: QueryBuilder,
  query: Query,
): EngineError {
  const found = () => {
    if (name === "_index") return "apache.lucene.search.MatchAllDocsQuery";
    if (query.describe().startsWith("FieldExistsQuery [")) return "apache.lucene.search.FieldExistsQuery";
    if (family === "keyword" && !indexed) return OVER_VALUES[match.name];
    if ((family !== "number" && family !== "ip") || matchesNone(query)) return undefined;
    if (indexed) return hasDocValues ? "apache.lucene.search.IndexOrDocValuesQuery" : undefined;
    return `apache.lucene.document.Sorted${family === "ip" ? "Set" : "Numeric"}DocValuesRangeQuery`;
  };
  const type = found();
  if (type === undefined) return unsupported(`span_multi of a [${match.name}] query on this field`);
  const reason = `unsupported inner query, should be org.apache.lucene.search.MultiTermQuery but was org.${type}`;
  return new EngineError("unsupported_operation_exception", reason);
}
