/**
 * cross_fields: fields of one analyzer are searched as if they were one. A term is asked of all of them at once, as rare as it is in the
 * field where it is most frequent.
 */

import { EngineError } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import { hashOrder } from "../../mapping/java-text.ts";
import type { MappedField } from "../../mapping/types.ts";
import { type BlendedTerm, blendedTermQuery } from "../lucene/blended.ts";
import { disMaxQuery } from "../lucene/dis-max.ts";
import { isTerm } from "../lucene/term.ts";
import type { Query } from "../types.ts";
import { analyzeText, keywordText } from "./analyzed-text.ts";
import { boosted, type QueryContext } from "./builder.ts";
import { checkTieBreaker } from "./compound.ts";
import {
  type FieldMatch,
  fieldMatchQuery,
  fieldPhraseQuery,
  holdsText,
  isAnalyzed,
  leniently,
  type TermQueries,
  textQuery,
} from "./match-field.ts";
import { applyMinimumShouldMatch } from "./minimum-should-match.ts";
import { textOf } from "./read.ts";
import { fieldTermQuery } from "./term-level.ts";

interface CrossFieldOptions extends FieldMatch {
  readonly minimumShouldMatch?: string | undefined;
}

interface WeightedField {
  readonly field: MappedField;
  readonly boost: number;
}

/** One query for each group of fields that are analysed alike. */
export function crossFieldQueries(
  fields: readonly { readonly name: string; readonly boost: number }[],
  value: JsonValue,
  options: CrossFieldOptions,
  tieBreaker: number,
  context: QueryContext,
): Query[] {
  const groups = new Map<string, WeightedField[]>();
  for (const { name, boost } of fields) {
    const field = context.mapping.field(name)!;
    const analyzer = options.analyzer ?? analyzerName(field);
    groups.set(analyzer, [...(groups.get(analyzer) ?? []), { field, boost }]);
  }
  return inOrder([...groups.keys()]).map((analyzer) => {
    if (analyzer === FORBIDDEN) throw new EngineError("unsupported_operation_exception", "null", { noReason: true });
    const group = groups.get(analyzer)!;
    const query =
      group.length === 1 && holdsText(group[0].field)
        ? fieldMatchQuery(group[0].field.name, value, options, context)
        : blendedQuery(group, textOf(value) ?? "", options, tieBreaker, context);
    const least = applyMinimumShouldMatch(query, options.minimumShouldMatch);
    return group.length === 1 ? boosted(least, group[0].boost) : least;
  });
}

/** The analyzer of fields that hold no text: it fails when it is used, whether that is lenient or not. */
const FORBIDDEN = "";

/** It comes after that of numbers, dates and keywords, the only other one with which anything fails. */
const inOrder = (analyzers: readonly string[]) =>
  hashOrder(analyzers).sort((a, b) => Number(a === FORBIDDEN) - Number(b === FORBIDDEN));

/** That of a keyword whose queries are split at white space. */
const splittingAnalyzer = ({ family, searchAnalyzer }: MappedField) =>
  family === "keyword" ? searchAnalyzer : undefined;

/** Fields are analysed alike when their analyzers have one name: that of the index's default is "default". */
export function analyzerName(field: MappedField): string {
  if (isAnalyzed(field)) {
    const { search_analyzer: search, analyzer } = field.toJson();
    return textOf(search) ?? textOf(analyzer) ?? "default";
  }
  if (!holdsText(field)) return FORBIDDEN;
  return field.normalizer?.name ?? (splittingAnalyzer(field) ? "_whitespace" : "_keyword");
}

function blendedQuery(
  group: readonly WeightedField[],
  value: string,
  options: CrossFieldOptions,
  tieBreaker: number,
  context: QueryContext,
): Query {
  const [{ field: first }] = group;
  const named = options.analyzer === undefined ? undefined : context.analysis.get(options.analyzer);
  const analyzer =
    named ?? (isAnalyzed(first) ? (first.searchAnalyzer ?? context.analysis.defaultSearch) : splittingAnalyzer(first));
  const blend = (terms: readonly string[]) => blendedTerms(group, terms, options, tieBreaker, context);
  // Synonyms of several words are phrases in each field.
  const phrase: TermQueries["phrase"] = (places, how) =>
    disMaxQuery(
      group.map(({ field, boost }) => boosted(fieldPhraseQuery(field, places, { ...options, ...how }), boost)),
      tieBreaker,
    );
  const text = analyzer ? analyzeText(analyzer, value) : keywordText(value);
  return textQuery(text, { terms: blend, begins: (prefix) => blend([prefix]), phrase }, options);
}

/** The terms of one place in every field: blended where a field's query is a plain term, beside it otherwise. */
function blendedTerms(
  group: readonly WeightedField[],
  terms: readonly string[],
  options: CrossFieldOptions,
  tieBreaker: number,
  context: QueryContext,
): Query {
  const others: Query[] = [];
  const blended: BlendedTerm[] = [];
  for (const { field, boost } of group) {
    for (const wanted of terms) {
      const query = leniently(field, options, () => fieldTermQuery(field, wanted, context));
      if (isTerm(query)) blended.push({ field: query.field, term: query.term, boost });
      else others.push(boosted(query, boost));
    }
  }
  const queries = blended.length === 0 ? others : [...others, blendedTermQuery(blended, tieBreaker)];
  if (queries.length === 1) return queries[0];
  checkTieBreaker(tieBreaker);
  return disMaxQuery(queries, tieBreaker);
}
