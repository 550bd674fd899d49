/**
 * A text asked of one field, as Elasticsearch's MatchQueryParser asks it: text fields by the terms of the text, everything else by its value.
 * What the terms become (clauses or a phrase) is the type.
 */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { booleanQuery, type Clause } from "../lucene/boolean.ts";
import { matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import { phraseQuery } from "../lucene/phrase.ts";
import { synonymQuery } from "../lucene/term.ts";
import type { Query } from "../types.ts";
import { type AnalyzedText, analyzeText } from "./analyzed-text.ts";
import { type QueryContext, queryShardError } from "./builder.ts";
import { checkClauseCount } from "./compound.ts";
import { textOf } from "./read.ts";
import { fieldTermQuery } from "./term-level.ts";

export interface FieldMatch {
  /** The terms as clauses (the default), or as a phrase. */
  readonly type?: "boolean" | "phrase";
  readonly operator?: "or" | "and";
  readonly slop?: number;
  /** Name of the analyzer in place of the field's own. */
  readonly analyzer?: string;
  /** What a text without terms matches. */
  readonly zeroTermsQuery?: "none" | "all";
  /** Fields that the text does not fit match nothing instead of failing. */
  readonly lenient?: boolean;
}

export function checkAnalyzer(query: string, analyzer: string | undefined, context: QueryContext): void {
  if (analyzer === undefined || context.analysis.get(analyzer)) return;
  throw queryShardError(context, `[${query}] analyzer [${analyzer}] not found`);
}

export function fieldMatchQuery(name: string, value: JsonValue, options: FieldMatch, context: QueryContext): Query {
  const field = context.mapping.field(name);
  if (!field) return matchNoneQuery(`unmapped fields [${name}]`);
  if (name === "_version" || name === "_source") {
    throw illegalArgument(`Field [${name}] of type [${name}] does not support match queries`);
  }
  const named = options.analyzer === undefined ? undefined : context.analysis.get(options.analyzer);
  const ask = (wanted: JsonValue) => leniently(field, options, () => fieldTermQuery(field, wanted, context));
  // What is not analysed is asked for the value as it stands.
  if (field.family !== "text" && named === undefined) return ask(value);
  const own = options.type === "phrase" ? field.searchQuoteAnalyzer : field.searchAnalyzer;
  const text = analyzeText(named ?? own ?? context.analysis.defaultSearch, textOf(value) ?? "");
  return textQuery(field, text, ask, options);
}

/** A field that the value does not fit matches nothing when the query is lenient. */
function leniently(field: MappedField, { lenient }: FieldMatch, query: () => Query): Query {
  try {
    return query();
  } catch (error) {
    if (lenient && error instanceof EngineError && error.type !== "unsupported_feature_exception") {
      return matchNoneQuery(`failed to create query on field [${field.name}]: ${error.reason}`);
    }
    throw error;
  }
}

function textQuery(
  field: MappedField,
  { places, graph }: AnalyzedText,
  ask: (term: string) => Query,
  options: FieldMatch,
): Query {
  if (graph) throw unsupported("synonyms of several words at search time");
  if (places.length === 0) {
    return options.zeroTermsQuery === "all" ? matchAllQuery() : matchNoneQuery("no terms after analysis");
  }
  const atPlace = (terms: readonly string[]): Query => {
    if (terms.length === 1) return ask(terms[0]);
    if (field.family === "text" && field.indexed) return synonymQuery(field.info.name, terms);
    return booleanQuery(terms.map((term) => ({ occur: "should", query: ask(term) })));
  };
  if (places.length === 1) return atPlace(places[0].terms);
  if (options.type === "phrase") {
    return leniently(field, options, () => {
      checkPositions(
        field,
        places.some(({ terms }) => terms.length > 1),
      );
      return phraseQuery(field.info.name, places, options.slop);
    });
  }
  checkClauseCount(places.length);
  const occur = options.operator === "and" ? "must" : "should";
  return booleanQuery(places.map(({ terms }): Clause => ({ occur, query: atPlace(terms) })));
}

/** @throws what Elasticsearch says of a field that can have no phrases */
export function checkPositions(field: MappedField, multi: boolean): void {
  if (field.family !== "text") {
    throw illegalArgument(
      `Can only use phrase queries on text fields - not on [${field.name}] which is of type [${field.type}]`,
    );
  }
  if (field.info.index !== "positions") {
    const query = multi ? "MultiPhraseQuery" : "PhraseQuery";
    const reason = `field:[${field.name}] was indexed without position data; cannot run ${query}`;
    throw new EngineError("illegal_state_exception", reason);
  }
}
