/** Full-text queries: match and multi_match. The question is analysed as the field's search analyzer does, and its terms are joined. */
import type { Analyzer } from "../../analysis/types.ts";
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { booleanQuery, type Clause } from "../lucene/boolean.ts";
import { matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import { synonymQuery } from "../lucene/term.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext, queryShardError } from "./builder.ts";
import { checkClauseCount, readCommon } from "./compound.ts";
import { applyMinimumShouldMatch, parseInteger } from "./minimum-should-match.ts";
import type { QueryParser } from "./parse.ts";
import {
  atOption,
  errorAt,
  isArray,
  isObject,
  onlyField,
  readBoolean,
  readInt,
  readText,
  textOf,
  tokenName,
} from "./read.ts";
import { fieldTermQuery } from "./term-level.ts";

export interface MatchOptions {
  boost?: number;
  queryName?: string;
  operator: "or" | "and";
  analyzer?: string;
  minimumShouldMatch?: string;
  zeroTermsQuery: "none" | "all";
  lenient: boolean;
  /** Checked and not used: no fuzzy term is searched. */
  fuzzyRewrite?: string;
}

export function defaultMatchOptions(): MatchOptions {
  return { operator: "or", zeroTermsQuery: "none", lenient: false };
}

/** Options that match and multi_match share. False: the key is none of them. */
export function readMatchOption(query: string, json: JsonObject, key: string, options: MatchOptions): boolean {
  const value = json[key];
  switch (key) {
    case "operator": {
      const operator = String(textOf(value)).toLowerCase();
      if (operator !== "or" && operator !== "and") {
        throw illegalArgument(`No enum constant org.elasticsearch.index.query.Operator.${operator.toUpperCase()}`);
      }
      options.operator = operator;
      return true;
    }
    case "analyzer":
      options.analyzer = textOf(value);
      return true;
    case "minimum_should_match":
      options.minimumShouldMatch = textOf(value);
      return true;
    case "zero_terms_query": {
      const zero = String(textOf(value)).toLowerCase();
      if (zero !== "none" && zero !== "all")
        throw errorAt(json, { value: key }, `Unsupported zero_terms_query value [${textOf(value)}]`);
      options.zeroTermsQuery = zero;
      return true;
    }
    case "lenient":
      options.lenient = readBoolean(value);
      return true;
    case "auto_generate_synonyms_phrase_query":
    case "fuzzy_transpositions":
      readBoolean(value);
      return true;
    case "prefix_length":
      if (readInt(value) < 0) throw illegalArgument(`[${query}] requires prefix length to be non-negative.`);
      return true;
    case "max_expansions":
      if (readInt(value) <= 0) throw illegalArgument(`[${query}] requires maxExpansions to be positive.`);
      return true;
    case "fuzzy_rewrite":
      options.fuzzyRewrite = textOf(value);
      return true;
    case "fuzziness":
      throw unsupported(`${query}.fuzziness`);
    default:
      return readCommon(json, key, options);
  }
}

export const parseMatch: QueryParser = (json) => {
  let options = defaultMatchOptions();
  let fieldName: string | undefined;
  let text: JsonValue | undefined;
  for (const [key, inner] of Object.entries(json)) {
    fieldName = onlyField("match", json, key, fieldName);
    if (isArray(inner)) readText(json, key);
    if (!isObject(inner)) {
      text = inner ?? undefined;
      continue;
    }
    options = defaultMatchOptions();
    for (const [option, value] of Object.entries(inner)) {
      if (textOf(value) === undefined)
        throw errorAt(inner, { value: option }, `[match] unknown token [${tokenName(value)}] after [${option}]`);
      if (option === "query") text = value;
      else if (!atOption(inner, option, () => readMatchOption("match", inner, option, options))) {
        throw errorAt(inner, { value: option }, `[match] query does not support [${option}]`);
      }
    }
  }
  if (text === undefined) throw errorAt(json, "end", "No text specified for text query");
  if (fieldName === undefined) throw illegalArgument("[match] requires fieldName");
  const [name, wanted] = [fieldName, text];
  return makeBuilder("match", options, (context) => {
    if (options.analyzer !== undefined && !context.analysis.get(options.analyzer)) {
      throw queryShardError(context, `[match] analyzer [${options.analyzer}] not found`);
    }
    checkRewriteMethod(options.fuzzyRewrite);
    const query = fieldMatchQuery(name, wanted, options, context);
    return applyMinimumShouldMatch(query, options.minimumShouldMatch);
  });
};

const REWRITE_METHODS = ["constant_score", "constant_score_blended", "constant_score_boolean", "scoring_boolean"];
const TOP_TERMS = ["top_terms_", "top_terms_boost_", "top_terms_blended_freqs_"];

/** QueryParsers.parseRewriteMethod: a name, or one of three with a number behind it. */
export function checkRewriteMethod(name: string | undefined): void {
  if (name === undefined || REWRITE_METHODS.includes(name)) return;
  const digits = name.search(/\d/);
  if (digits >= 0) {
    parseInteger(name.slice(digits));
    if (TOP_TERMS.includes(name.slice(0, digits))) return;
  }
  throw illegalArgument(`Failed to parse rewrite_method [${name}]`);
}

/** MatchQueryParser.parse of a field: text by its terms, everything else as a value. */
export function fieldMatchQuery(name: string, value: JsonValue, options: MatchOptions, context: QueryContext): Query {
  const field = context.mapping.field(name);
  if (!field) return matchNoneQuery(`unmapped fields [${name}]`);
  if (name === "_version" || name === "_source") {
    throw illegalArgument(`Field [${name}] of type [${name}] does not support match queries`);
  }
  if (field.family !== "text") return valueMatchQuery(field, value, options, context);
  const analyzer = options.analyzer === undefined ? field.searchAnalyzer : context.analysis.get(options.analyzer);
  const positions = analyzedPositions(analyzer ?? context.analysis.defaultSearch, textOf(value) ?? "");
  if (!field.indexed && positions.length > 0) {
    if (options.lenient) return matchNoneQuery(`[${name}] is not indexed`);
    throw illegalArgument(`Cannot search on field [${name}] since it is not indexed.`);
  }
  return termsAtPositions(field, positions, options);
}

/** A field without analysis is asked for the value as it stands; under an analyzer that the query names, for each of the text's terms. */
function valueMatchQuery(field: MappedField, value: JsonValue, options: MatchOptions, context: QueryContext): Query {
  const ask = (wanted: JsonValue): Query => {
    try {
      return fieldTermQuery(field, wanted, context);
    } catch (error) {
      if (options.lenient && error instanceof EngineError && error.type !== "unsupported_feature_exception") {
        return matchNoneQuery(`failed to create query on field [${field.name}]: ${error.reason}`);
      }
      throw error;
    }
  };
  const analyzer = options.analyzer === undefined ? undefined : context.analysis.get(options.analyzer);
  if (analyzer === undefined) return ask(value);
  const positions = analyzedPositions(analyzer, textOf(value) ?? "");
  return joined(
    positions,
    (terms) =>
      terms.length === 1 ? ask(terms[0]) : booleanQuery(terms.map((term) => ({ occur: "should", query: ask(term) }))),
    options,
  );
}

/** The terms of a text, those of one position together. */
function analyzedPositions(analyzer: Analyzer, text: string): string[][] {
  const positions: string[][] = [];
  analyzer.analyze(text, (term, _start, _end, increment, length) => {
    if (length > 1) throw unsupported("synonyms of several words at search time");
    const last = positions.at(-1);
    if (increment === 0 && last) last.push(term);
    else positions.push([term]);
  });
  return positions;
}

function termsAtPositions(field: MappedField, positions: string[][], options: MatchOptions): Query {
  return joined(positions, (terms) => synonymQuery(field.info.name, terms), options);
}

/** The queries of the positions, all or some of which must match. */
function joined(positions: string[][], query: (terms: string[]) => Query, options: MatchOptions): Query {
  if (positions.length === 0)
    return options.zeroTermsQuery === "all" ? matchAllQuery() : matchNoneQuery("no terms after analysis");
  if (positions.length === 1) return query(positions[0]);
  checkClauseCount(positions.length);
  const occur = options.operator === "and" ? "must" : "should";
  return booleanQuery(positions.map((terms): Clause => ({ occur, query: query(terms) })));
}
