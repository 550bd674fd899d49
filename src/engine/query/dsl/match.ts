/** Full-text queries: match and multi_match. The question is analysed as the field's search analyzer does, and its terms are joined. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { makeBuilder, type QueryContext } from "./builder.ts";
import { readCommon } from "./compound.ts";
import type { FuzzyOptions } from "./field-terms.ts";
import { readFieldText } from "./field-text.ts";
import { type Fuzziness, parseFuzziness } from "./fuzziness.ts";
import { checkAnalyzer, type FieldMatch, fieldMatchQuery, holdsText } from "./match-field.ts";
import { applyMinimumShouldMatch } from "./minimum-should-match.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, readBoolean, readInt, textOf } from "./read.ts";
import { parseRewriteMethod } from "./rewrite-method.ts";
import { termOfNone, whyNone } from "./term-level.ts";

export interface MatchOptions extends FieldMatch {
  boost?: number;
  queryName?: string;
  operator: "or" | "and";
  analyzer?: string;
  minimumShouldMatch?: string;
  zeroTermsQuery: "none" | "all";
  lenient: boolean;
  maxExpansions?: number;
  synonymPhrases?: boolean;
  fuzziness?: Fuzziness;
  prefixLength: number;
  transpositions: boolean;
  fuzzyRewrite?: string;
}

export function defaultMatchOptions(): MatchOptions {
  return { operator: "or", zeroTermsQuery: "none", lenient: false, prefixLength: 0, transpositions: true };
}

/** How terms are searched when some edits are allowed; undefined when none are. */
export function fuzzyOptions(options: MatchOptions): FuzzyOptions | undefined {
  const rewrite = parseRewriteMethod(options.fuzzyRewrite);
  const { fuzziness, prefixLength, maxExpansions = 50, transpositions } = options;
  return fuzziness && { fuzziness, prefixLength, maxExpansions, transpositions, rewrite };
}

/** Options that match and multi_match share. False: the key is none of them. */
export function readMatchOption(query: string, json: JsonObject, key: string, options: MatchOptions): boolean {
  const value = json[key];
  switch (key) {
    case "operator":
      options.operator = readOperator(String(textOf(value)));
      return true;
    case "analyzer":
      options.analyzer = textOf(value);
      return true;
    case "minimum_should_match":
      options.minimumShouldMatch = textOf(value);
      return true;
    case "zero_terms_query":
      options.zeroTermsQuery = readZeroTerms(json, key);
      return true;
    case "lenient":
      options.lenient = readBoolean(value);
      return true;
    case "auto_generate_synonyms_phrase_query":
      options.synonymPhrases = readBoolean(value);
      return true;
    case "fuzzy_transpositions":
      options.transpositions = readBoolean(value);
      return true;
    case "prefix_length":
      options.prefixLength = readInt(value, json, key);
      if (options.prefixLength < 0) throw illegalArgument(`[${query}] requires prefix length to be non-negative.`);
      return true;
    case "max_expansions":
      options.maxExpansions = readInt(value, json, key);
      if (options.maxExpansions <= 0) throw illegalArgument(`[${query}] requires maxExpansions to be positive.`);
      return true;
    case "fuzzy_rewrite":
      options.fuzzyRewrite = textOf(value);
      return true;
    case "fuzziness":
      options.fuzziness = parseFuzziness(value);
      return true;
    default:
      return readCommon(json, key, options);
  }
}

export function readOperator(text: string): "or" | "and" {
  const operator = text.toLowerCase();
  if (operator === "or" || operator === "and") return operator;
  throw illegalArgument(`No enum constant org.elasticsearch.index.query.Operator.${text.toUpperCase()}`);
}

export function readZeroTerms(json: JsonObject, key: string): "none" | "all" {
  const zero = String(textOf(json[key])).toLowerCase();
  if (zero === "none" || zero === "all") return zero;
  throw errorAt(json, { value: key }, `Unsupported zero_terms_query value [${textOf(json[key])}]`);
}

/** Whether a text is looked for as one term, whatever it is (MatchQueryBuilder.doSearchRewrite). */
function becomesTerm(name: string, { fuzziness, lenient, analyzer }: MatchOptions, context: QueryContext): boolean {
  return fuzziness === undefined && !lenient && isWhole(name, analyzer, context);
}

/** Whether an analyzer leaves texts as they are: the request's, or a field's own. */
export function isWhole(name: string, analyzer: string | undefined, context: QueryContext): boolean {
  if (analyzer !== undefined) return context.analysis.get(analyzer)?.name === "keyword";
  const field = context.mapping.field(name);
  if (field === undefined || !holdsText(field)) return false;
  return field.searchAnalyzer ? field.searchAnalyzer.name === "keyword" : field.normalizer === undefined;
}

export const parseMatch: QueryParser = (json) => {
  const options = defaultMatchOptions();
  const { field, text } = readFieldText("match", json, (inner, option) =>
    readMatchOption("match", inner, option, options),
  );
  if (text === undefined) throw errorAt(json, "end", "No text specified for text query");
  if (field === undefined) throw illegalArgument("[match] requires fieldName");
  return makeBuilder(
    "match",
    { ...options, noneReason: whyNone(field) },
    (context) => {
      checkAnalyzer("match", options.analyzer, context);
      // What becomes a term query has lost the options of a match before anybody reads them.
      const fuzzy = becomesTerm(field, options, context) ? undefined : fuzzyOptions(options);
      const query = fieldMatchQuery(field, text, { ...options, fuzzy }, context);
      return applyMinimumShouldMatch(query, options.minimumShouldMatch);
    },
    (context, anyIndex) => !anyIndex && becomesTerm(field, options, context) && termOfNone(field, text)(context),
  );
};
