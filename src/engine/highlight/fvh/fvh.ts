/** The highlighter `fvh` (Lucene's FastVectorHighlighter): of fields whose mapping keeps term vectors with the places of tokens. */
import { illegalArgument } from "../../errors.ts";
import { analyzeText } from "../analyzed-text.ts";
import { encoderOf } from "../encode.ts";
import type { AnalyzedField, FieldToHighlight, HighlightDocument, Highlighter } from "../highlighter.ts";
import { textTerms } from "../text-index.ts";
import { boundaryScanner } from "./boundaries.ts";
import { type FieldQuery, fieldQuery } from "./field-query.ts";
import { byValues, type Fragment, fragmentsAround, fragmentWriter, wholeFragment } from "./fragments.ts";
import { foundPhrases, mergedPhrases } from "./phrases.ts";

const canHighlight = ({ termVectors }: AnalyzedField) => termVectors !== "none";

export const fastVectorHighlighter: Highlighter = { canHighlight, highlighterOf };

function highlighterOf(field: FieldToHighlight): HighlightDocument {
  if (!canHighlight(field)) {
    throw illegalArgument(
      `the field [${field.name}] should be indexed with term vector with position offsets to be used with fast vector highlighter`,
    );
  }
  const query = fieldQuery(field.query, field.searcher, field.options.requireFieldMatch);
  return (_leaf, doc, values) => highlight(field, query, doc, values);
}

function highlight(field: FieldToHighlight, query: FieldQuery, doc: number, values: readonly string[]) {
  const { options, matchedFields } = field;
  const whole = options.numberOfFragments === 0;
  const searched = matchedFields.length > 0 ? matchedFields : [field];
  const found = searched.map(({ name, analyzer, termVectors }) => {
    // Without positions there is nothing to find.
    if (termVectors !== "positions" || !field.inDocument) return [];
    return foundPhrases(name, query, textTerms(name, doc, analyzeText(analyzer, values)), options.phraseLimit);
  });
  const phrases = matchedFields.length > 0 ? mergedPhrases(found) : found[0];
  const fragments = whole
    ? wholeFragment(phrases)
    : fragmentsAround(phrases, options.fragmentSize, options.fragmentOffset);
  const most = whole ? Number.POSITIVE_INFINITY : options.numberOfFragments;
  const written = write(field, fragments, values, most);
  if (written.length > 0 || options.noMatchSize <= 0) return written;
  return write(field, [{ start: 0, end: options.noMatchSize, phrases: [], boost: 0 }], values, 1);
}

function write(
  { options }: FieldToHighlight,
  fragments: readonly Fragment[],
  values: readonly string[],
  most: number,
): string[] {
  if (most < 0) throw illegalArgument(`maxNumFragments(${most}) must be positive number.`);
  if (values.length === 0) return [];
  const { preTags, postTags, encoder, scoreOrdered, numberOfFragments } = options;
  const cut = values.length > 1 ? byValues(fragments, values) : [...fragments];
  if (scoreOrdered && numberOfFragments !== 0) cut.sort((a, b) => b.boost - a.boost || a.start - b.start);
  const scanner = boundaryScanner(options);
  const writeFragment = fragmentWriter(values, { preTags, postTags, encode: encoderOf(encoder), scanner });
  return cut.slice(0, most).map(writeFragment);
}
