/** simple_query_string: a query in a small language in which nothing is wrong. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import { JsonNumber, type JsonObject } from "../../../json/types.ts";
import type { MappedField } from "../../../mapping/types.ts";
import { matchNoneQuery } from "../../lucene/constant.ts";
import { disMaxQuery } from "../../lucene/dis-max.ts";
import { CONSTANT_SCORE, multiTermQuery } from "../../lucene/multi-term.ts";
import { prefixMatcher } from "../../lucene/term-matchers.ts";
import type { Query } from "../../types.ts";
import { boosted, makeBuilder, type QueryContext } from "../builder.ts";
import { checkClauseCount, MAX_CLAUSES, readCommon } from "../compound.ts";
import { fieldFuzzyQuery, fieldPrefixQuery } from "../field-terms.ts";
import { readOperator } from "../match.ts";
import { checkNamedAnalyzer, holdsText, NO_TERMS } from "../match-field.ts";
import { applyMinimumShouldMatch } from "../minimum-should-match.ts";
import { type FieldBoost, fieldBoost, readType, textInFields } from "../multi-match.ts";
import type { QueryParser } from "../parse.ts";
import { atOption, errorAt, isArray, readBoolean, readInt, readText, textOf, tokenName } from "../read.ts";
import { asksAll, fieldsOf, readFieldBoosts, type WeightedField } from "./fields.ts";
import { analyzedPrefix, lenientQuery, normalizer } from "./leaves.ts";
import { parseSimpleQuery, SIMPLE_FLAGS, type SimpleLeaves } from "./simple-parser.ts";

interface SimpleQueryOptions {
  boost?: number;
  queryName?: string;
  query?: string | undefined;
  fields: FieldBoost[];
  analyzer?: string;
  defaultOperator: "or" | "and";
  flags: number;
  synonymPhrases: boolean;
  lenient?: boolean;
  analyzeWildcard: boolean;
  minimumShouldMatch?: string;
  quoteFieldSuffix?: string;
  fuzzyPrefixLength: number;
  fuzzyMaxExpansions: number;
  fuzzyTranspositions: boolean;
  type: string;
}

type Reader = (json: JsonObject, key: string, options: SimpleQueryOptions) => void;

const OPTIONS: Readonly<Record<string, Reader>> = {
  query: (json, key, options) => (options.query = readText(json, key)),
  type: (json, key, options) => (options.type = readType(readText(json, key))),
  analyzer: (json, key, options) => (options.analyzer = readText(json, key)),
  default_operator: (json, key, options) => (options.defaultOperator = readOperator(readText(json, key))),
  flags: (json, key, options) => (options.flags = readFlags(json, key)),
  lenient: (json, key, options) => (options.lenient = readBoolean(json[key])),
  analyze_wildcard: (json, key, options) => (options.analyzeWildcard = readBoolean(json[key])),
  minimum_should_match: (json, key, options) => (options.minimumShouldMatch = textOf(json[key])),
  quote_field_suffix: (json, key, options) => (options.quoteFieldSuffix = textOf(json[key])),
  auto_generate_synonyms_phrase_query: (json, key, options) => (options.synonymPhrases = readBoolean(json[key])),
  fuzzy_prefix_length: (json, key, options) => (options.fuzzyPrefixLength = readInt(json[key], json, key)),
  fuzzy_max_expansions: (json, key, options) => (options.fuzzyMaxExpansions = readInt(json[key], json, key)),
  fuzzy_transpositions: (json, key, options) => (options.fuzzyTranspositions = readBoolean(json[key])),
};

/** Names with `|` between them, or a number of bits. */
function readFlags(json: JsonObject, key: string): number {
  const value = json[key];
  if (typeof value === "number" || value instanceof JsonNumber) {
    const flags = readInt(value, json, key);
    return flags < 0 ? SIMPLE_FLAGS.ALL : flags;
  }
  const text = readText(json, key);
  if (text === "") return SIMPLE_FLAGS.ALL;
  let flags = 0;
  for (const part of text.split("|")) {
    if (part === "") continue;
    const name = part.toUpperCase();
    const flag = Object.entries(SIMPLE_FLAGS).find(([known]) => known === name)?.[1];
    if (flag === undefined) throw illegalArgument(`Unknown simple_query_string flag [${part}]`);
    if (name === "NONE") return 0;
    if (name === "ALL") return SIMPLE_FLAGS.ALL;
    flags |= flag;
  }
  return flags;
}

export const parseSimpleQueryString: QueryParser = (json) => {
  const options: SimpleQueryOptions = {
    fields: [],
    defaultOperator: "or",
    flags: SIMPLE_FLAGS.ALL,
    synonymPhrases: true,
    analyzeWildcard: false,
    fuzzyPrefixLength: 0,
    fuzzyMaxExpansions: 50,
    fuzzyTranspositions: true,
    type: "most_fields",
  };
  for (const [key, value] of Object.entries(json)) {
    if (isArray(value) && key === "fields") options.fields = readFieldBoosts(json, key);
    else if (textOf(value) === undefined && !isArray(value)) {
      throw errorAt(json, { value: key }, `[simple_query_string] unknown token [${tokenName(value)}] after [${key}]`);
    } else if (!isArray(value) && Object.hasOwn(OPTIONS, key))
      atOption(json, key, () => OPTIONS[key](json, key, options));
    else if (isArray(value)) {
      throw errorAt(json, { value: key }, `[simple_query_string] query does not support [${key}]`);
    } else if (!readCommon(json, key, options)) {
      throw errorAt(json, { value: key }, `[simple_query_string] unsupported field [${key}]`);
    }
  }
  const { query } = options;
  if (query === undefined) throw errorAt(json, "end", "[simple_query_string] query text missing");
  return makeBuilder("simple_query_string", options, (context) => build(query, options, context));
};

function build(text: string, options: SimpleQueryOptions, context: QueryContext): Query {
  const { flags, defaultOperator } = options;
  const patterns = options.fields.length > 0 ? options.fields : context.defaultFields.map((each) => fieldBoost(each));
  checkNamedAnalyzer("[simple_query_string] analyzer", options.analyzer, context);
  const lenient = options.lenient ?? asksAll(patterns);
  const query = parseSimpleQuery(text, {
    flags,
    defaultOccur: defaultOperator === "and" ? "must" : "should",
    leaves: simpleLeaves(patterns, { ...options, lenient }, context),
    checkClauses: checkClauseCount,
  });
  return applyMinimumShouldMatch(query, options.minimumShouldMatch);
}

function simpleLeaves(
  patterns: readonly FieldBoost[],
  options: SimpleQueryOptions & { readonly lenient: boolean },
  context: QueryContext,
): SimpleLeaves {
  const { lenient, defaultOperator, type } = options;
  const analyzer = options.analyzer === undefined ? undefined : context.analysis.get(options.analyzer);
  const fields = fieldsOf(patterns, context);
  /** The query of each field; all of their scores are added. */
  const inFields = (query: (field: MappedField) => Query): Query[] =>
    fields.flatMap(({ field, boost }) => {
      const own = lenientQuery(lenient, field, () => query(field));
      return own === NO_TERMS ? [] : [boosted(own, boost)];
    });
  const added = (queries: readonly Query[]): Query => {
    if (queries.length === 0) return matchNoneQuery("no fields");
    return queries.length === 1 ? queries[0] : disMaxQuery(queries, 1);
  };
  const matching = (asked: readonly WeightedField[], text: string, as: string, slop: number): Query | undefined => {
    if (asked.length === 0) return matchNoneQuery("unmapped fields []");
    const match = {
      operator: defaultOperator,
      synonymPhrases: options.synonymPhrases,
      analyzer: options.analyzer,
      lenient,
      type: as,
      tieBreaker: undefined,
      slop,
    };
    const query = textInFields(asked, text, match, context);
    return query === NO_TERMS ? undefined : query;
  };
  /** `analyze_wildcard` makes a plain prefix of each field's terms, whatever the field. */
  const analyzed = (field: MappedField, text: string): Query => {
    if (field.family === "text") {
      return analyzedPrefix(field, text, { context, defaultOperator }, analyzer) ?? NO_TERMS;
    }
    // Their analyzer only throws (TextSearchInfo.NONE).
    if (!analyzer && !holdsText(field)) {
      throw new EngineError("unsupported_operation_exception", "null", { noReason: true });
    }
    if (field.info.index === "none") return matchNoneQuery(`no terms in [${field.name}]`);
    return multiTermQuery(
      field.info.name,
      prefixMatcher(normalizer(field, analyzer)(text), false),
      CONSTANT_SCORE,
      MAX_CLAUSES,
    );
  };
  return {
    text: (text) => matching(fields, text, type, 0),
    phrase: (text, slop) => matching(fieldsOf(patterns, context, options.quoteFieldSuffix), text, "phrase", slop),
    prefix(text) {
      const queries = inFields((field) => {
        if (options.analyzeWildcard) return analyzed(field, text);
        return fieldPrefixQuery(field, normalizer(field, analyzer)(text), {}, context);
      });
      return queries.length === 0 ? undefined : added(queries);
    },
    fuzzy(text, edits) {
      const fuzzy = {
        fuzziness: { edits },
        prefixLength: options.fuzzyPrefixLength,
        maxExpansions: options.fuzzyMaxExpansions,
        transpositions: options.fuzzyTranspositions,
      };
      return added(inFields((field) => fieldFuzzyQuery(field, normalizer(field, analyzer)(text), fuzzy, context)));
    },
  };
}
