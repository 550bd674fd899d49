/** Terms that begin with something, looked for among the beginnings that `index_prefixes` has indexed (TextFieldMapper.PrefixFieldType). */
import { utf8Length } from "../../json/utf8.ts";
import type { MappedField } from "../../mapping/types.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { constantScoreQuery } from "../lucene/constant.ts";
import {
  anyIntervals,
  fixedFieldIntervals,
  type IntervalsSource,
  multiTermIntervals,
  termIntervals,
} from "../lucene/interval-sources.ts";
import { CONSTANT_SCORE, multiTermQuery, type RewriteMethod, type TermMatcher } from "../lucene/multi-term.ts";
import type { PhrasePlace } from "../lucene/phrase.ts";
import { fieldMaskingSpanQuery, spanNearQuery, spanOrQuery, spanTermQuery } from "../lucene/span-queries.ts";
import type { SpanQuery } from "../lucene/spans.ts";
import { synonymQuery, termQuery } from "../lucene/term.ts";
import { prefixMatcher, termIgnoringCaseMatcher, wildcardMatcher } from "../lucene/term-matchers.ts";
import type { Query } from "../types.ts";
import { MAX_CLAUSES } from "./compound.ts";

interface Options {
  readonly ignoreCase: boolean;
  readonly rewrite?: RewriteMethod | undefined;
}

/** Whether beginnings of this length are indexed. Lengths are told in UTF-16 units here, and in characters where they are cut. */
const isIndexed = ({ min, max }: NonNullable<MappedField["prefixes"]>, { length }: string) =>
  length >= min && length <= max;

/** A prefix query; undefined where beginnings of its length are not indexed. One character less than the shortest will do. */
export function beginningQuery(field: MappedField, value: string, options: Options): Query | undefined {
  const { prefixes } = field;
  if (prefixes === undefined || value.length < prefixes.min - 1 || value.length > prefixes.max) return undefined;
  const query = beginningOf(field, prefixes, value, options);
  const { rewrite = CONSTANT_SCORE } = options;
  const constant = rewrite.kind === "constant_score" || rewrite.kind === "constant_score_boolean";
  return constant ? constantScoreQuery(query) : query;
}

function beginningOf(
  field: MappedField,
  prefixes: NonNullable<MappedField["prefixes"]>,
  value: string,
  { ignoreCase, rewrite = CONSTANT_SCORE }: Options,
): Query {
  if (value.length >= prefixes.min) {
    return ignoreCase
      ? multiTermQuery(prefixes.field, termIgnoringCaseMatcher(value), CONSTANT_SCORE, MAX_CLAUSES)
      : termQuery(prefixes.field, value);
  }
  const longer = multiTermQuery(prefixes.field, oneMoreMatcher(value, ignoreCase), rewrite, MAX_CLAUSES);
  return booleanQuery([
    { occur: "should", query: longer },
    { occur: "should", query: termQuery(field.info.name, value) },
  ]);
}

/** Terms of one character more than what they begin with. */
function oneMoreMatcher(value: string, ignoreCase: boolean): TermMatcher {
  const begins = prefixMatcher(value, ignoreCase);
  const length = [...value].length + 1;
  return {
    text: `${begins.text} and one character more`,
    // Lucene shows which automaton it is in this process.
    describe: (field) => `${field}:AutomatonQuery {\norg.apache.lucene.util.automaton.Automaton@0}`,
    ords: (terms, most) =>
      begins
        .ords(terms)
        .filter((ord) => [...terms.term(ord)].length === length)
        .slice(0, most),
  };
}

/** A phrase whose last place is only begun; undefined where the beginnings are not indexed. */
export function phraseOfBeginnings(
  { info: { name }, prefixes }: MappedField,
  places: readonly PhrasePlace[],
  slop: number,
): Query | undefined {
  const last = places.at(-1);
  if (prefixes === undefined || slop > 0 || last === undefined) return undefined;
  if (!last.terms.every((term) => isIndexed(prefixes, term))) return undefined;
  if (places.length === 1) {
    const query = synonymQuery(prefixes.field, last.terms);
    if (last.terms.length > 1) return query;
    return { ...query, describe: () => `Synonym(${query.describe()})` };
  }
  const clauses = places.flatMap(({ terms, position }, i) => {
    const gap = position - (i === 0 ? -1 : places[i - 1].position) - 1;
    const begun = i === places.length - 1;
    const spans = terms.map((term) =>
      begun ? fieldMaskingSpanQuery(spanTermQuery(prefixes.field, term), name) : spanTermQuery(name, term),
    );
    const place: SpanQuery = spans.length === 1 ? spans[0] : spanOrQuery(spans);
    return gap > 0 ? [{ gap }, place] : [place];
  });
  return spanNearQuery(clauses, { slop: 0, inOrder: true });
}

/** The intervals of terms that begin with something, whose length is that of its bytes here; undefined where it is too long. */
export function intervalsOfBeginning({ prefixes }: MappedField, value: string): IntervalsSource | undefined {
  const missing = prefixes === undefined ? 0 : prefixes.min - utf8Length(value);
  if (prefixes === undefined || utf8Length(value) > prefixes.max) return undefined;
  if (missing <= 0) return fixedFieldIntervals(prefixes.field, termIntervals(value));
  const pattern = value + "?".repeat(missing);
  const longer = multiTermIntervals(wildcardMatcher(pattern, false, false), pattern, MAX_CLAUSES);
  return anyIntervals([fixedFieldIntervals(prefixes.field, longer), termIntervals(value)]);
}

/** The spans of terms that begin with something; undefined where beginnings of its length are not indexed with their positions. */
export function spansOfBeginning({ info, prefixes }: MappedField, value: string): SpanQuery | undefined {
  if (prefixes === undefined || info.index !== "positions" || !isIndexed(prefixes, value)) return undefined;
  return fieldMaskingSpanQuery(spanTermQuery(prefixes.field, value), info.name);
}
