/** query_string: a query in Lucene's own language. */
import { EngineError } from "../../../errors.ts";
import type { JsonObject } from "../../../json/types.ts";
import { parseZone } from "../../../mapping/date/zone.ts";
import { DEFAULT_LIMIT } from "../../automaton/wildcard.ts";
import { booleanQuery, isBoolean, withoutPureNegation } from "../../lucene/boolean.ts";
import { askedBoostQuery, boostedBy, matchNoneQuery } from "../../lucene/constant.ts";
import type { Query } from "../../types.ts";
import { makeBuilder, type QueryBuilder, type QueryContext, queryShardError } from "../builder.ts";
import { readCommon } from "../compound.ts";
import { AUTO, type Fuzziness, parseFuzziness } from "../fuzziness.ts";
import { readOperator } from "../match.ts";
import { checkNamedAnalyzer } from "../match-field.ts";
import { applyMinimumShouldMatch } from "../minimum-should-match.ts";
import { byName, type FieldBoost, fieldBoost, readType } from "../multi-match.ts";
import type { QueryParser } from "../parse.ts";
import { atOption, errorAt, isArray, readBoolean, readFloat, readInt, readText, textOf, tokenName } from "../read.ts";
import { parseRewriteMethod } from "../rewrite-method.ts";
import { QueryParseError } from "./errors.ts";
import { escaped } from "./escapes.ts";
import { asksAll, fieldsOf, readFieldBoosts } from "./fields.ts";
import { parseQueryText } from "./grammar.ts";
import { leafQueries } from "./leaves.ts";

interface QueryStringOptions {
  boost?: number;
  queryName?: string;
  query?: string;
  defaultField?: string;
  fields: FieldBoost[];
  type: string;
  defaultOperator: "or" | "and";
  tieBreaker?: number;
  lenient?: boolean;
  analyzer?: string;
  quoteAnalyzer?: string;
  quoteFieldSuffix?: string;
  synonymPhrases: boolean;
  phraseSlop: number;
  analyzeWildcard: boolean;
  allowLeadingWildcard: boolean;
  fuzziness: Fuzziness;
  fuzzyPrefixLength: number;
  fuzzyMaxExpansions: number;
  fuzzyTranspositions: boolean;
  fuzzyRewrite?: string;
  rewrite?: string;
  minimumShouldMatch?: string;
  timeZone?: string;
  maxDeterminizedStates: number;
  /** The text has no operators: each of their characters stands for itself. */
  escape?: boolean;
}

type Reader = (json: JsonObject, key: string, options: QueryStringOptions) => void;

const OPTIONS: Readonly<Record<string, Reader>> = {
  query: (json, key, options) => (options.query = readText(json, key)),
  default_field: (json, key, options) => (options.defaultField = readText(json, key)),
  type: (json, key, options) => (options.type = readType(readText(json, key))),
  default_operator: (json, key, options) => (options.defaultOperator = readOperator(readText(json, key))),
  analyzer: (json, key, options) => (options.analyzer = readText(json, key)),
  quote_analyzer: (json, key, options) => (options.quoteAnalyzer = readText(json, key)),
  quote_field_suffix: (json, key, options) => (options.quoteFieldSuffix = textOf(json[key])),
  allow_leading_wildcard: (json, key, options) => (options.allowLeadingWildcard = readBoolean(json[key])),
  max_determinized_states: (json, key, options) => (options.maxDeterminizedStates = readInt(json[key], json, key)),
  enable_position_increments: (json, key) => readBoolean(json[key]),
  escape: (json, key, options) => (options.escape = readBoolean(json[key])),
  fuzzy_prefix_length: (json, key, options) => (options.fuzzyPrefixLength = readInt(json[key], json, key)),
  fuzzy_max_expansions: (json, key, options) => (options.fuzzyMaxExpansions = readInt(json[key], json, key)),
  fuzzy_rewrite: (json, key, options) => (options.fuzzyRewrite = textOf(json[key])),
  fuzzy_transpositions: (json, key, options) => (options.fuzzyTranspositions = readBoolean(json[key])),
  fuzziness: (json, key, options) => (options.fuzziness = parseFuzziness(json[key])),
  phrase_slop: (json, key, options) => (options.phraseSlop = readInt(json[key], json, key)),
  tie_breaker: (json, key, options) => (options.tieBreaker = readFloat(json[key], json, key)),
  analyze_wildcard: (json, key, options) => (options.analyzeWildcard = readBoolean(json[key])),
  rewrite: (json, key, options) => (options.rewrite = textOf(json[key])),
  minimum_should_match: (json, key, options) => (options.minimumShouldMatch = textOf(json[key])),
  lenient: (json, key, options) => (options.lenient = readBoolean(json[key])),
  time_zone: (json, key, options) => (options.timeZone = readText(json, key)),
  auto_generate_synonyms_phrase_query: (json, key, options) => (options.synonymPhrases = readBoolean(json[key])),
};

function defaults(): QueryStringOptions {
  return {
    fields: [],
    type: "best_fields",
    defaultOperator: "or",
    synonymPhrases: true,
    phraseSlop: 0,
    analyzeWildcard: false,
    allowLeadingWildcard: true,
    fuzziness: AUTO,
    fuzzyPrefixLength: 0,
    fuzzyMaxExpansions: 50,
    fuzzyTranspositions: true,
    maxDeterminizedStates: DEFAULT_LIMIT,
  };
}

export const parseQueryString: QueryParser = (json) => {
  const options = defaults();
  for (const [key, value] of Object.entries(json)) {
    if (isArray(value) && key === "fields") options.fields = readFieldBoosts(json, key);
    else if (textOf(value) === undefined && !isArray(value)) {
      throw errorAt(json, { value: key }, `[query_string] unknown token [${tokenName(value)}] after [${key}]`);
    } else if (!isArray(value) && Object.hasOwn(OPTIONS, key))
      atOption(json, key, () => OPTIONS[key](json, key, options));
    else if (isArray(value) || !readCommon(json, key, options)) {
      throw errorAt(json, { value: key }, `[query_string] query does not support [${key}]`);
    }
  }
  const { query, timeZone } = options;
  if (query === undefined) throw errorAt(json, "end", "[query_string] must be provided with a [query]");
  if (timeZone !== undefined) checkZone(timeZone);
  return builderOf({ ...options, query });
};

/** A query that comes without a body: its text and options. */
export function queryStringOf(
  options: { query: string } & Partial<
    Pick<QueryStringOptions, "defaultField" | "analyzer" | "analyzeWildcard" | "lenient" | "defaultOperator">
  >,
): QueryBuilder {
  return builderOf({ ...defaults(), ...options });
}

function builderOf(options: QueryStringOptions & { query: string }): QueryBuilder {
  const { query, defaultField, fields } = options;
  const text = options.escape ? escaped(query) : query;
  return makeBuilder("query_string", options, (context) => {
    if (defaultField !== undefined && fields.length > 0) {
      const reason = "1: [query_string] cannot use [fields] parameter in conjunction with [default_field];";
      throw new EngineError("query_validation_exception", `Validation Failed: ${reason}`);
    }
    return build(text, options, context);
  });
}

/** Java's own exception, which Elasticsearch does not wrap here. */
function checkZone(zone: string): void {
  try {
    parseZone(zone);
  } catch (error) {
    const cause = error instanceof EngineError ? error.cause : undefined;
    if (!(cause instanceof EngineError)) throw error;
    throw new EngineError(cause.type, cause.reason, { status: 500 });
  }
}

function build(text: string, options: QueryStringOptions, context: QueryContext): Query {
  const { defaultField, analyzer, quoteAnalyzer, fuzzyRewrite, rewrite } = options;
  const patterns = byName(
    defaultField !== undefined
      ? [{ pattern: defaultField, boost: 1 }]
      : options.fields.length > 0
        ? options.fields
        : context.defaultFields.map((each) => fieldBoost(each)),
  );
  const all = asksAll(patterns);
  // All fields are a field of the grammar, but for those that `fields` names.
  const field = all && options.fields.length === 0 ? "*" : defaultField;
  checkNamedAnalyzer("[query_string] analyzer", analyzer, context);
  checkNamedAnalyzer("[query_string] quote_analyzer", quoteAnalyzer, context);
  parseRewriteMethod(fuzzyRewrite);
  const leaves = leafQueries({
    ...options,
    fields: fieldsOf(patterns, context),
    patterns,
    defaultField: field,
    context,
    tieBreaker: options.tieBreaker,
    lenient: options.lenient ?? all,
    analyzer,
    quoteAnalyzer,
    quoteFieldSuffix: options.quoteFieldSuffix,
    rewrite: parseRewriteMethod(rewrite),
    timeZone: options.timeZone,
  });
  if (text.trim() === "") return matchNoneQuery("Matching no documents because no terms present");
  const query = parsed(text, options, field, leaves, context);
  return withLeast(query ?? booleanQuery([]), options.minimumShouldMatch);
}

function parsed(
  text: string,
  { defaultOperator }: QueryStringOptions,
  field: string | undefined,
  leaves: ReturnType<typeof leafQueries>,
  context: QueryContext,
): Query | undefined {
  try {
    return parseQueryText(text, { defaultOperator, field, leaves });
  } catch (error) {
    const tooMany = error instanceof EngineError && error.type === "too_many_clauses";
    if (tooMany) throw parseFailure("too many boolean clauses", error, text, context);
    if (!(error instanceof QueryParseError)) throw error;
    throw parseFailure(error.message, new EngineError(error.type, error.message), text, context);
  }
}

/** Lucene's exception in the shard's, which is the one to look at. */
function parseFailure(reason: string, inner: EngineError, text: string, context: QueryContext): EngineError {
  const shown = queryShardError(context, `Failed to parse query [${text}]`);
  const { type, metadata } = shown;
  const cause = new EngineError("parse_exception", `Cannot parse '${text}': ${reason}`, { cause: inner });
  return new EngineError(type, shown.reason, { metadata, cause, rootCause: [shown] });
}

/** The clauses of a boosted query are counted as those of one that is not. */
function withLeast(query: Query, spec: string | undefined): Query {
  const boosted = boostedBy(query);
  if (boosted) return askedBoostQuery(withLeast(boosted.query, spec), boosted.boost);
  return applyMinimumShouldMatch(isBoolean(query) ? withoutPureNegation(query) : query, spec);
}
