/**
 * A text asked of one field, as Elasticsearch's MatchQueryParser asks it: text fields by the terms of the text, everything else by its value.
 * What the terms become (clauses or a phrase) is the type.
 */
import { checkPairs, pairOf } from "../../analysis/index.ts";
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { booleanQuery, type Clause } from "../lucene/boolean.ts";
import { matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import { onePlaceQuery, phraseQuery } from "../lucene/phrase.ts";
import { phrasePrefixQuery } from "../lucene/phrase-prefix.ts";
import { synonymQuery } from "../lucene/term.ts";
import type { Query } from "../types.ts";
import { type AnalyzedPlace, type AnalyzedText, analyzeText } from "./analyzed-text.ts";
import { phraseOfBeginnings } from "./beginnings.ts";
import { type QueryContext, queryShardError } from "./builder.ts";
import { checkClauseCount, MAX_CLAUSES } from "./compound.ts";
import { type FuzzyOptions, fieldFuzzyQuery, fieldPrefixQuery } from "./field-terms.ts";
import { graphBooleanQuery, graphPhraseQuery } from "./graph-queries.ts";
import { textOf } from "./read.ts";
import { fieldTermQuery } from "./term-level.ts";

export interface FieldMatch {
  /** The terms as clauses (the default), or as a phrase; of a prefix type, the last one is only begun. */
  readonly type?: "boolean" | "phrase" | "phrase_prefix" | "bool_prefix";
  readonly operator?: "or" | "and";
  readonly slop?: number;
  /** Terms that the prefix of a phrase may stand for, 50 by default. */
  readonly maxExpansions?: number;
  /** Name of the analyzer in place of the field's own. */
  readonly analyzer?: string;
  /** What a text without terms matches. */
  readonly zeroTermsQuery?: "none" | "all";
  /** Single terms are searched with some edits. */
  readonly fuzzy?: FuzzyOptions | undefined;
  /** Whether synonyms of several words are phrases (the default), or words that must all be there. */
  readonly synonymPhrases?: boolean;
  /** Fields that the text does not fit match nothing instead of failing. */
  readonly lenient?: boolean;
}

export function checkAnalyzer(query: string, analyzer: string | undefined, context: QueryContext): void {
  checkNamedAnalyzer(`[${query}] analyzer`, analyzer, context);
}

/** @param option what the analyzer is named for */
export function checkNamedAnalyzer(option: string, analyzer: string | undefined, context: QueryContext): void {
  if (analyzer === undefined || context.analysis.get(analyzer)) return;
  throw queryShardError(context, `${option} [${analyzer}] not found`);
}

/** A text of which the analyzer left nothing; query strings leave it out. */
export const NO_TERMS = matchNoneQuery("Matching no documents because no terms present");

/** Whether texts can be looked for in a field at all (TextSearchInfo). */
export function holdsText({ family, type }: MappedField): boolean {
  return (family !== "opaque" || type === "sparse_vector" || type === "completion") && family !== "vector";
}

/** Whether what is looked for is several terms, or one that is not its text. */
export const isAnalyzed = ({ family, completion }: MappedField) => family === "text" || completion !== undefined;

export function fieldMatchQuery(name: string, value: JsonValue, options: FieldMatch, context: QueryContext): Query {
  const field = context.mapping.field(name);
  if (!field) return matchNoneQuery(`unmapped fields [${name}]`);
  if (name === "_version" || name === "_source") {
    throw illegalArgument(`Field [${name}] of type [${name}] does not support match queries`);
  }
  if (!holdsText(field)) {
    return leniently(field, options, () => {
      throw illegalArgument(`Field [${name}] of type [${field.type}] does not support match queries`);
    });
  }
  const named = options.analyzer === undefined ? undefined : context.analysis.get(options.analyzer);
  const { fuzzy } = options;
  const ask = (wanted: JsonValue) =>
    leniently(field, options, () =>
      fuzzy ? fieldFuzzyQuery(field, wanted, fuzzy, context) : fieldTermQuery(field, wanted, context),
    );
  const queries: TermQueries = {
    terms(terms) {
      if (terms.length === 1) return ask(terms[0]);
      if (isAnalyzed(field) && field.indexed) return synonymQuery(field.info.name, terms);
      return booleanQuery(terms.map((term) => ({ occur: "should", query: ask(term) })));
    },
    begins: (prefix) => leniently(field, options, () => fieldPrefixQuery(field, prefix, {}, context)),
    phrase: (places, how) => leniently(field, options, () => fieldPhraseQuery(field, places, { ...options, ...how })),
    field: field.info.name,
  };
  const text = textOf(value) ?? "";
  const quoted = options.type === "phrase" || options.type === "phrase_prefix";
  // Keywords may have an analyzer that splits at white space.
  const split = field.family === "keyword" && !quoted && field.searchAnalyzer !== undefined;
  // What is not analysed is asked for the value as it stands.
  if (!isAnalyzed(field) && named === undefined && !split) {
    if (options.type === "phrase_prefix") return queries.phrase([], { type: "phrase_prefix", slop: 0 });
    return options.type === "bool_prefix" && field.type === "keyword" ? queries.begins(text) : ask(value);
  }
  const own = quoted ? field.searchQuoteAnalyzer : field.searchAnalyzer;
  // Without positions there are no phrases.
  const synonymPhrases = options.synonymPhrases !== false && field.info.index === "positions";
  const analyzed = analyzeText(named ?? own ?? context.analysis.defaultSearch, text);
  return textQuery(analyzed, queries, { ...options, synonymPhrases });
}

/** A field that the value does not fit matches nothing when the query is lenient. */
export function leniently(field: MappedField, { lenient }: FieldMatch, query: () => Query): Query {
  try {
    return query();
  } catch (error) {
    if (lenient && error instanceof EngineError && error.type !== "unsupported_feature_exception") {
      return failedQuery(field, error);
    }
    throw error;
  }
}

/** Queries.newLenientFieldQuery */
export const failedQuery = (field: MappedField, { type, reason }: EngineError): Query =>
  matchNoneQuery(`failed [${field.name}] query, caused by ${type}:[${reason}]`);

/** What the parts of a text become in a field, or in several. */
export interface TermQueries {
  /** Terms of one position. */
  terms(terms: readonly string[]): Query;
  /** Terms with a beginning. */
  begins(prefix: string): Query;
  phrase(places: readonly AnalyzedPlace[], how: PhraseMatch): Query;
  /** The field that phrases of several paths are looked for in; undefined where there are several. */
  readonly field?: string;
}

export interface PhraseMatch {
  readonly type: "phrase" | "phrase_prefix";
  readonly slop: number;
  /** Of the text: see `AnalyzedText`. */
  readonly trailing?: boolean | undefined;
  readonly overlapping?: boolean | undefined;
}

export function textQuery(text: AnalyzedText, queries: TermQueries, options: FieldMatch): Query {
  const { tokens, places, graph, open, trailing, overlapping } = text;
  if (places.length === 0) {
    return options.zeroTermsQuery === "all" ? matchAllQuery() : NO_TERMS;
  }
  const quoted = options.type === "phrase_prefix" || options.type === "phrase";
  if (graph && tokens.length > 1) {
    if (!quoted) return graphBooleanQuery(text, queries, options);
    return graphPhraseQuery(text, queries, options);
  }
  if (options.type === "phrase_prefix" || (options.type === "phrase" && places.length > 1)) {
    return queries.phrase(places, { type: options.type, slop: options.slop ?? 0, trailing, overlapping });
  }
  const atPlace = ({ terms }: AnalyzedPlace, begun: boolean): Query =>
    begun && terms.length === 1 ? queries.begins(terms[0]) : queries.terms(terms);
  const begun = options.type === "bool_prefix" && open;
  if (places.length === 1) return atPlace(places[0], begun);
  checkClauseCount(places.length);
  const occur = options.operator === "and" ? "must" : "should";
  const last = places.length - 1;
  return booleanQuery(places.map((place, i): Clause => ({ occur, query: atPlace(place, begun && i === last) })));
}

export function fieldPhraseQuery(
  field: MappedField,
  places: readonly AnalyzedPlace[],
  options: FieldMatch & Partial<PhraseMatch>,
): Query {
  const { type, slop = 0, maxExpansions = 50 } = options;
  if (field.family !== "text") {
    const kind = type === "phrase_prefix" ? "phrase prefix" : "phrase";
    throw illegalArgument(
      `Can only use ${kind} queries on text fields - not on [${field.name}] which is ${field.runtime ? "a runtime field " : ""}of type [${field.type}]`,
    );
  }
  // Phrases with several terms at a place find out when they are searched.
  const multi = type !== "phrase_prefix" && places.some(({ terms }) => terms.length > 1);
  if (places.length > 1 && !multi) checkPositions(field);
  if (type !== "phrase_prefix" && field.phrases !== undefined && slop === 0 && !hasGaps(places)) {
    if (options.overlapping) throw unsupported("index_phrases with an analyzer whose tokens overlap");
    return pairedPhraseQuery(field.phrases, places, options.trailing === true);
  }
  if (type !== "phrase_prefix") return phraseQuery(field.info.name, places, slop);
  return (
    phraseOfBeginnings(field, places, slop) ??
    phrasePrefixQuery({ field: field.info.name, places, slop, maxExpansions, maxClauses: MAX_CLAUSES })
  );
}

/** Pairs are no help where tokens were dropped before others. */
const hasGaps = (places: readonly AnalyzedPlace[]) => places.some(({ position }, i) => position !== i);

/** A phrase by the pairs of its terms (`index_phrases`). */
function pairedPhraseQuery(name: string, places: readonly AnalyzedPlace[], trailing: boolean): Query {
  checkPairs(places.flatMap(({ terms, position }) => terms.map(() => ({ position, length: 1 }))));
  const pairs = places.slice(0, -1).map(({ terms, position }, i) => {
    const seconds = places[i + 1].terms;
    return { terms: terms.flatMap((first) => seconds.map((second) => pairOf(first, second))), position };
  });
  const last = places[places.length - 1];
  if (trailing) pairs.push({ terms: last.terms.map((term) => pairOf(term)), position: last.position });
  return pairs.length === 1 ? onePlaceQuery(name, pairs[0]) : phraseQuery(name, pairs);
}

/** @throws what Elasticsearch says of a field that can have no phrases */
function checkPositions(field: MappedField): void {
  if (field.info.index === "positions") return;
  const reason = `field:[${field.name}] was indexed without position data; cannot run PhraseQuery`;
  throw new EngineError("illegal_state_exception", reason, { status: 500 });
}
