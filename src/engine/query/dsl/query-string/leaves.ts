/** What the parts of a query_string become in its fields (Elasticsearch's QueryStringQueryParser). */
import { normalizeTerm } from "../../../analysis/index.ts";
import type { Analyzer } from "../../../analysis/types.ts";
import { EngineError, illegalArgument } from "../../../errors.ts";
import type { MappedField } from "../../../mapping/types.ts";
import { REGEXP_FLAGS } from "../../automaton/regexp.ts";
import { booleanQuery, type Clause, withoutPureNegation } from "../../lucene/boolean.ts";
import { matchAllQuery, matchNoneQuery } from "../../lucene/constant.ts";
import { disMaxQuery } from "../../lucene/dis-max.ts";
import type { RewriteMethod } from "../../lucene/multi-term.ts";
import { synonymQuery, termQuery } from "../../lucene/term.ts";
import type { Query } from "../../types.ts";
import { analyzeText } from "../analyzed-text.ts";
import { boosted, type QueryContext } from "../builder.ts";
import { checkClauseCount, checkTieBreaker } from "../compound.ts";
import { existsFilter } from "../exists.ts";
import {
  fieldFuzzyQuery,
  fieldPrefixQuery,
  fieldRegexpQuery,
  fieldWildcardQuery,
  normalizedPattern,
} from "../field-terms.ts";
import { type Fuzziness, maxEdits, parseFuzziness } from "../fuzziness.ts";
import { failedQuery, holdsText, isAnalyzed, NO_TERMS } from "../match-field.ts";
import { type FieldBoost, type MultiFieldOptions, textInFields, typicalTieBreaker } from "../multi-match.ts";
import { fieldRangeQuery } from "../range.ts";
import { queryParseError } from "./errors.ts";
import { fieldsOf, namedFields, type WeightedField } from "./fields.ts";
import type { LeafQueries, RangeBounds } from "./grammar.ts";

export interface LeafOptions {
  /** The request's fields, resolved. */
  readonly fields: readonly WeightedField[];
  /** The request's fields as it names them, for those with a suffix. */
  readonly patterns: readonly FieldBoost[];
  /** Field of the grammar where one was named by `default_field`. */
  readonly defaultField: string | undefined;
  readonly context: QueryContext;
  readonly type: string;
  readonly defaultOperator: "or" | "and";
  readonly tieBreaker: number | undefined;
  readonly lenient: boolean;
  readonly analyzer: string | undefined;
  readonly quoteAnalyzer: string | undefined;
  readonly quoteFieldSuffix: string | undefined;
  readonly synonymPhrases: boolean;
  readonly phraseSlop: number;
  readonly analyzeWildcard: boolean;
  readonly allowLeadingWildcard: boolean;
  readonly fuzziness: Fuzziness;
  readonly fuzzyPrefixLength: number;
  readonly fuzzyMaxExpansions: number;
  readonly fuzzyTranspositions: boolean;
  readonly rewrite: RewriteMethod | undefined;
  readonly timeZone: string | undefined;
  readonly maxDeterminizedStates: number;
}

/** The form in which a field's terms are looked up, under the analyzer of the request if it names one. */
export function normalizer(field: MappedField, forced: Analyzer | undefined): (text: string) => string {
  if (forced) return (text) => normalizeTerm(forced, text);
  if (isAnalyzed(field)) return (text) => normalizeTerm(field.searchAnalyzer!, text);
  return (text) => field.normalizer?.normalize(text) ?? text;
}

/** @param name what is asked where no field was named by itself is Java's null */
export const unmappedField = (name = "null") => matchNoneQuery(`unmapped fields [${name}]`);

/** Documents that have a field, in the words of a query string. */
const existsInQuery = (name: string, context: QueryContext) => existsFilter(name, context, `unmapped field:${name}`);

/** What fails in one field is let pass when the query is lenient. */
export function lenientQuery(lenient: boolean, field: MappedField, query: () => Query): Query {
  try {
    return query();
  } catch (error) {
    if (!lenient || !(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    return failedQuery(field, error);
  }
}

export function leafQueries(options: LeafOptions): LeafQueries {
  const { context, lenient, rewrite } = options;
  const analyzer = options.analyzer === undefined ? undefined : context.analysis.get(options.analyzer);
  const tieBreaker = options.tieBreaker ?? typicalTieBreaker(options.type);

  const fieldsFor = (name: string | undefined, quoted = false): readonly WeightedField[] => {
    const suffix = quoted ? options.quoteFieldSuffix : undefined;
    if (name === undefined) return suffix === undefined ? options.fields : fieldsOf(options.patterns, context, suffix);
    return namedFields(name, context, suffix);
  };
  /** The query of each field; the best one's score counts. */
  const inFields = (
    name: string | undefined,
    query: (field: MappedField) => Query | undefined,
    unmapped = name,
  ): Query | undefined => {
    const fields = fieldsFor(name);
    if (fields.length === 0) return unmappedField(unmapped);
    const queries = fields.flatMap(({ field, boost }) => {
      const own = query(field);
      return own ? [boosted(own, boost)] : [];
    });
    if (queries.length === 0) return undefined;
    if (queries.length === 1) return queries[0];
    checkTieBreaker(tieBreaker);
    return disMaxQuery(queries, tieBreaker);
  };
  const leniently = (field: MappedField, query: () => Query) => lenientQuery(lenient, field, query);

  const range = (name: string | undefined, { from, to, includeLower, includeUpper }: RangeBounds) =>
    inFields(name, (field) => {
      if (!holdsText(field)) return unmappedField(name);
      const normalize = normalizer(field, analyzer);
      const bound = (text: string | undefined) => (text === undefined || text === "*" ? null : normalize(text));
      const zone = options.timeZone === undefined ? {} : { timeZone: options.timeZone };
      return leniently(field, () => {
        const bounds = { from: bound(from), to: bound(to), includeLower, includeUpper };
        return fieldRangeQuery(field, bounds, zone, context);
      });
    });

  /** `>=10`: a range that is open at one end. */
  const comparison = (name: string, text: string): Query | undefined => {
    const [, sign, equal, value] = /^([<>])(=?)(.*)$/s.exec(text) ?? [];
    if (sign === undefined || text.length < 2) return undefined;
    // A sign and nothing but `=`: the sign is compared with that.
    const inclusive = equal === "=" && value !== "";
    const bound = inclusive ? value : equal + value;
    return sign === ">"
      ? range(name, { from: bound, to: undefined, includeLower: inclusive, includeUpper: true })
      : range(name, { from: undefined, to: bound, includeLower: true, includeUpper: inclusive });
  };

  const matching = (
    fields: readonly WeightedField[],
    text: string,
    type: string,
    more: Partial<MultiFieldOptions>,
  ): Query | undefined => {
    const query = textInFields(
      fields,
      text,
      {
        operator: options.defaultOperator,
        synonymPhrases: options.synonymPhrases,
        lenient,
        type,
        tieBreaker: options.tieBreaker,
        ...more,
      },
      context,
    );
    return query === NO_TERMS ? undefined : query;
  };

  return {
    range,
    text(name, text) {
      if (name === "_exists_") return existsInQuery(text, context);
      if (name !== undefined) {
        const compared = comparison(name, text);
        if (compared) return compared;
        if (options.timeZone !== undefined && context.mapping.field(name)?.family === "date") {
          return range(name, { from: text, to: text, includeLower: true, includeUpper: true });
        }
      }
      const fields = fieldsFor(name);
      if (fields.length === 0) return unmappedField(name);
      return matching(fields, text, options.type, { analyzer: options.analyzer, slop: options.phraseSlop });
    },
    phrase(name, text, slop = options.phraseSlop) {
      if (name === "_exists_") return existsInQuery(text, context);
      const fields = fieldsFor(name, true);
      if (fields.length === 0) return unmappedField(name);
      return matching(fields, text, "phrase", { analyzer: options.quoteAnalyzer ?? options.analyzer, slop });
    },
    prefix: (name, prefix) =>
      inFields(
        name,
        (field) => {
          if (!holdsText(field)) return unmappedField(name);
          if (field.family !== "text")
            return leniently(field, () => fieldPrefixQuery(field, prefix, { rewrite }, context));
          if (options.analyzeWildcard) {
            const query = leniently(field, () => analyzedPrefix(field, prefix, options, analyzer) ?? NO_TERMS);
            return query === NO_TERMS ? undefined : query;
          }
          const normalize = normalizer(field, analyzer);
          return leniently(field, () => fieldPrefixQuery(field, normalize(prefix), { rewrite }, context));
        },
        prefix,
      ),
    wildcard(name, pattern) {
      const asked = name ?? options.defaultField;
      if (pattern === "*" && asked !== undefined) {
        return asked === "*" ? matchAllQuery() : existsInQuery(asked, context);
      }
      return inFields(
        name,
        (field) => {
          if (pattern === "*") return existsInQuery(field.name, context);
          if (!options.allowLeadingWildcard && /^[*?]/.test(pattern)) {
            throw queryParseError("'*' or '?' not allowed as first character in WildcardQuery");
          }
          const normalize = normalizer(field, analyzer);
          return leniently(field, () => {
            const normalized = field.family === "text" ? normalizedPattern(pattern, normalize) : pattern;
            return fieldWildcardQuery(field, normalized, { rewrite }, context);
          });
        },
        pattern,
      );
    },
    regexp(name, pattern) {
      if (pattern.length > context.maxRegexLength) {
        throw illegalArgument(
          `The length of regex [${pattern.length}] used in the [query_string] has exceeded the allowed maximum of [${context.maxRegexLength}]. ` +
            "This maximum can be set by changing the [index.max_regex_length] index level setting.",
        );
      }
      const limit = options.maxDeterminizedStates;
      const own = { flags: REGEXP_FLAGS.ALL, ignoreCase: false, limit, rewrite };
      return inFields(name, (field) => leniently(field, () => fieldRegexpQuery(field, pattern, own, context)), pattern);
    },
    fuzzy(name, term, edits) {
      const fuzziness = edits === "" ? options.fuzziness : parseFuzziness(edits);
      const distance = { edits: maxEdits(fuzziness, term) };
      return inFields(name, (field) => {
        if (!holdsText(field)) return unmappedField(name);
        const own = {
          fuzziness: distance,
          prefixLength: options.fuzzyPrefixLength,
          maxExpansions: options.fuzzyMaxExpansions,
          transpositions: options.fuzzyTranspositions,
        };
        return leniently(field, () => fieldFuzzyQuery(field, normalizer(field, analyzer)(term), own, context));
      });
    },
    bool(clauses: readonly Clause[]) {
      checkClauseCount(clauses.length);
      return withoutPureNegation(booleanQuery(clauses));
    },
  };
}

interface AnalyzedPrefixOptions {
  readonly context: QueryContext;
  readonly defaultOperator: "or" | "and";
  readonly rewrite?: RewriteMethod | undefined;
}

/** `analyze_wildcard`: the terms of a prefix, the last of which is one; undefined where there are none. */
export function analyzedPrefix(
  field: MappedField,
  prefix: string,
  { context, defaultOperator, rewrite }: AnalyzedPrefixOptions,
  forced: Analyzer | undefined,
): Query | undefined {
  const { places } = analyzeText(forced ?? field.searchAnalyzer!, prefix);
  if (places.length === 0) return undefined;
  const begins = (term: string) => fieldPrefixQuery(field, term, { rewrite }, context);
  const queries = places.map(({ terms }, i) => {
    const last = i === places.length - 1;
    if (!last) return terms.length === 1 ? termQuery(field.info.name, terms[0]) : synonymQuery(field.info.name, terms);
    if (terms.length === 1) return begins(terms[0]);
    return booleanQuery(terms.map((term): Clause => ({ occur: "should", query: begins(term) })));
  });
  if (queries.length === 1) return queries[0];
  const occur = defaultOperator === "and" ? "must" : "should";
  return booleanQuery(queries.map((query): Clause => ({ occur, query })));
}
