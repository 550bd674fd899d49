/** The highlighter `unified` (Elasticsearch's DefaultHighlighter over Lucene's UnifiedHighlighter): the default. */
import { illegalArgument } from "../../errors.ts";
import { type CollectedTerms, collectTerms } from "../../query/collect-terms.ts";
import { isScoredDocs } from "../../query/lucene/scored-docs.ts";
import { matchesOf } from "../../query/matches.ts";
import type { Query } from "../../query/types.ts";
import { type QueryVisitor, visitQuery } from "../../query/visitor.ts";
import type { FieldTerms, LeafReader } from "../../segment/types.ts";
import { type AnalyzedText, analyzeText, onlyTerms } from "../analyzed-text.ts";
import { DONE } from "../breaks/break-iterator.ts";
import {
  boundedSentences,
  sentenceBreaks,
  separatorBreaks,
  splitByValues,
  VALUE_SEPARATOR,
  wordBreaks,
} from "../breaks/passages.ts";
import { encoderOf } from "../encode.ts";
import { checkLength, type FieldToHighlight, type HighlightDocument, type Highlighter } from "../highlighter.ts";
import { merged, type Occurrence, occurrencesOf } from "../occurrences.ts";
import type { HighlightOptions } from "../options.ts";
import { maskedFields } from "../span-extraction.ts";
import { overlaid, searcherOf, textTerms } from "../text-index.ts";
import { classicOccurrences } from "./classic.ts";
import { formatPassage } from "./format.ts";
import { type Passage, passagesOf } from "./passages.ts";

/** What Java does not take for white space, such as no-break spaces (Character.isWhitespace). */
const SHOWN = /[^\t-\r\x1c-\x1f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/;

/** All passages, as many as Java counts. */
const ALL = 0x7fffffff - 1;

/** What does not depend on the document. */
interface Plan {
  readonly field: FieldToHighlight;
  /** Whether the query is asked where it matches; otherwise its terms are marked. */
  readonly byMatches: boolean;
  /** Nothing in the query can match the field. */
  readonly idle: boolean;
  /** What the query looks for in each of the fields. */
  readonly collected: ReadonlyMap<string, CollectedTerms>;
  /** Fields whose terms stand for those of others in its spans. */
  readonly masked: ReadonlySet<string>;
}

export const unifiedHighlighter: Highlighter = { canHighlight: () => true, highlighterOf };

function highlighterOf(field: FieldToHighlight): HighlightDocument {
  const { options, matchedFields, settings } = field;
  if (matchedFields.length > 0 && !options.requireFieldMatch) {
    throw illegalArgument("Matched fields are not supported when [require_field_match] is set to [false]");
  }
  const byMatches = settings.weightMatches && options.requireFieldMatch && asksForMatches(field.query);
  const names = [...matchedFields.map(({ name }) => name), field.name];
  const collected = new Map(names.map((name) => [name, collectTerms(field.query, acceptedBy(name, options))]));
  const idle = [...collected.values()].every(
    ({ terms, matching, withinSpans, unknown }) =>
      terms.length + matching.length + withinSpans.length === 0 && !unknown,
  );
  // What is wrong with the scanner shows in any document.
  passageBreaks(field);
  const plan = { field, byMatches, idle, collected, masked: maskedFields(field.query) };
  return (leaf, doc, values, others) => highlight(plan, leaf, doc, values, others);
}

/** Terms of other fields count too where none is required; those of ids never. */
function acceptedBy(name: string, { requireFieldMatch }: HighlightOptions): (field: string) => boolean {
  return requireFieldMatch ? (field) => field === name : (field) => field !== "_id";
}

/** Queries that look beyond the document cannot be asked where in it they match (CustomUnifiedHighlighter.weightMatchesUnsupported). */
function asksForMatches(query: Query): boolean {
  let asks = true;
  const visitor: QueryVisitor = {
    terms() {},
    looseTerms() {},
    matching() {},
    phrase() {},
    phrasePrefix() {},
    span() {},
    intervals() {},
    parts(_query, parts) {
      for (const part of parts) {
        if (part.kind === "nested") asks = false;
        visitQuery(part.query, visitor);
      }
    },
    rewritten() {},
    leaf(leaf) {
      if (isScoredDocs(leaf)) asks = false;
    },
  };
  visitQuery(query, visitor);
  return asks;
}

type Others = Parameters<HighlightDocument>[3];

function highlight(
  plan: Plan,
  leaf: LeafReader,
  doc: number,
  values: readonly string[],
  others: Others,
): readonly string[] {
  const { field, idle } = plan;
  const { options } = field;
  if ((idle && options.noMatchSize <= 0) || values.length === 0) return [];
  const text = values.join(VALUE_SEPARATOR);
  if (field.offsets === "analysis") checkLength(field, text.length, doc);
  if (text.length === 0) return [];
  const whole = options.numberOfFragments === 0;
  const breaks = passageBreaks(field);
  breaks.setText(text);
  const most = whole ? ALL : options.numberOfFragments;
  let passages = passagesOf(occurrences(plan, leaf, doc, text, others), breaks, text.length, most);
  if (passages.length === 0) passages = beginning(text, options.noMatchSize);
  const [preTag, postTag] = [options.preTags[0], options.postTags[0]];
  const format = { preTag, postTag, encode: encoderOf(options.encoder), trimmed: !whole };
  const fragments = passages
    .map((passage) => ({ text: formatPassage(text, passage, format), score: passage.score }))
    .filter((fragment) => SHOWN.test(fragment.text));
  if (options.scoreOrdered) fragments.sort((a, b) => b.score - a.score);
  return fragments.map((fragment) => fragment.text);
}

function passageBreaks({ options, tokenized }: FieldToHighlight) {
  const { boundaryScanner: scanner = "sentence", fragmentSize, numberOfFragments } = options;
  // What is no text is not cut.
  if (numberOfFragments === 0 || !tokenized) return splitByValues(separatorBreaks());
  if (scanner === "chars") throw illegalArgument("Invalid boundary scanner type: chars");
  if (scanner === "word") return splitByValues(wordBreaks());
  return splitByValues(fragmentSize > 0 ? boundedSentences(fragmentSize) : sentenceBreaks());
}

function* occurrences(plan: Plan, leaf: LeafReader, doc: number, text: string, others: Others): Iterable<Occurrence> {
  if (plan.idle || isElsewhere(plan)) return;
  const { field } = plan;
  const most = field.options.maxAnalyzedOffset ?? Number.POSITIVE_INFINITY;
  // A separator within a value separates as well.
  const values = text.split(VALUE_SEPARATOR);
  const lists = [...field.matchedFields, field].map(({ name, analyzer, termVectors }) => {
    const accepts = acceptedBy(name, field.options);
    const tokens = analyzeText(analyzer, values, most);
    const terms =
      field.offsets === "analysis"
        ? wantedTerms(name, doc, tokens, plan.collected.get(name)!, plan.byMatches)
        : textTerms(name, doc, tokens, termVectors !== "offsets");
    if (!plan.byMatches) return classicOccurrences({ query: field.query, accepts, terms, leaf });
    return matchOccurrences(
      field.query,
      accepts,
      doc,
      overlaid(leaf, (of) => (accepts(of) ? terms : plan.masked.has(of) ? otherTerms(of, doc, others) : undefined)),
    );
  });
  for (const occurrence of merged(lists)) {
    if (occurrence.start > most) return;
    yield occurrence;
  }
}

/** The terms of a masked field: its postings know their places in its own text. */
function otherTerms(name: string, doc: number, others: Others): FieldTerms | undefined {
  const other = others(name);
  return other && textTerms(name, doc, analyzeText(other.analyzer, other.values));
}

/** Terms that are not known beforehand are not looked for in postings alone: the text is analysed (UnifiedHighlighter.getOptimizedOffsetSource). */
function isElsewhere({ field, collected }: Plan): boolean {
  if (field.inDocument || field.offsets === "analysis") return false;
  if (field.offsets === "term_vectors" || field.termVectors !== "none") return true;
  const { matching, withinSpans } = collected.get(field.name)!;
  return matching.length + withinSpans.length === 0;
}

/**
 * The terms of a text that a query looks for (MemoryIndexOffsetStrategy): what it only excludes is not there. All, where what it looks for is
 * not known.
 */
function wantedTerms(
  name: string,
  doc: number,
  tokens: AnalyzedText,
  { terms: known, matching, withinSpans, unknown }: CollectedTerms,
  byMatches: boolean,
): FieldTerms {
  if (unknown && byMatches) return textTerms(name, doc, tokens);
  const wanted = new Set(known);
  if (matching.length + withinSpans.length > 0) {
    const all = textTerms(name, doc, tokens);
    for (const many of [...matching, ...withinSpans]) for (const ord of many.ords(all)) wanted.add(all.term(ord));
  }
  return textTerms(name, doc, onlyTerms(tokens, wanted));
}

function matchOccurrences(
  query: Query,
  accepts: (field: string) => boolean,
  doc: number,
  leaf: LeafReader,
): readonly Occurrence[] {
  const searcher = searcherOf(leaf);
  const matches = matchesOf(query.rewrite(searcher).createWeight(searcher, "complete", 1), leaf, doc);
  if (!matches) return [];
  return merged(
    [...matches]
      .filter(([field]) => accepts(field))
      .map(([field, found]) => {
        // Terms of another field that stand for this one's: where they are is not known.
        if (found.some(({ startOffset, endOffset }) => startOffset < 0 || endOffset < 0)) {
          throw illegalArgument(`field '${field}' was indexed without offsets, cannot highlight`);
        }
        return occurrencesOf(found);
      }),
  );
}

/** Where nothing is marked: the beginning of the first value, up to the end of a word. */
function beginning(text: string, size: number): Passage[] {
  if (size <= 0) return [];
  let start = 0;
  while (text[start] === VALUE_SEPARATOR) start++;
  if (start === text.length) return [];
  const separator = text.indexOf(VALUE_SEPARATOR, start);
  let end = separator < 0 ? text.length : separator;
  if (size + start < end) {
    const words = wordBreaks();
    words.setText(text);
    const found = words.following(size + start);
    end = found === DONE ? text.length : found;
  }
  return [{ start, end, occurrences: [], score: Number.NaN }];
}
