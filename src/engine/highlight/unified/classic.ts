/**
 * What is marked where a query is not asked where it matches (fields are mixed, or it is about documents that are not here): all its terms, those of
 * phrases and spans only where these match (Lucene's PhraseHelper and MultiTermHighlighting).
 */
import { collectTerms } from "../../query/collect-terms.ts";
import type { SpanLeaf } from "../../query/scorers/spans.ts";
import type { Query } from "../../query/types.ts";
import { type FieldTerms, type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import { byPlace, merged, type Occurrence } from "../occurrences.ts";
import { collectSpans } from "../span-extraction.ts";
import { overlaid, searcherOf } from "../text-index.ts";

export interface ClassicOptions {
  readonly query: Query;
  /** Fields whose terms count. */
  readonly accepts: (field: string) => boolean;
  /** The terms of the text. */
  readonly terms: FieldTerms;
  readonly leaf: LeafReader;
}

export function classicOccurrences({ query, accepts, terms, leaf }: ClassicOptions): readonly Occurrence[] {
  const collected = collectTerms(query, accepts);
  const { spans, terms: insensitive } = collectSpans(query, accepts);
  const single = spans.length > 0 ? [...insensitive] : collected.terms;
  const lists: (readonly Occurrence[])[] = single.map((term) => termOccurrences(terms, terms.lookup(term), term));
  // All fields are the text's.
  const shadow = overlaid(leaf, () => terms);
  const searcher = searcherOf(shadow);
  const leaves: SpanLeaf[] = [];
  for (const span of spans) {
    const source = span.rewrite(searcher);
    const docs = "span" in source ? (source as typeof span).span.source(shadow) : undefined;
    if (!docs || docs.nextDoc() === NO_MORE_DOCS) continue;
    for (const found of docs.spans(true)) leaves.push(...(found.leaves ?? []));
  }
  lists.push(
    ...leafOccurrences(
      leaves.filter(({ field, term }) => accepts(field) && !insensitive.has(term)),
      terms,
    ),
  );
  for (const { query: many, ords } of collected.matching) {
    const found = ords(terms);
    const freq = found.reduce((sum, ord) => sum + terms.totalTermFreq(ord), 0);
    lists.push(...found.map((ord) => termOccurrences(terms, ord, many.describe(), freq)));
  }
  return merged(lists);
}

function termOccurrences(terms: FieldTerms, ord: number, label: string, freq?: number): Occurrence[] {
  if (ord < 0) return [];
  const postings = terms.postings(ord, { positions: true });
  postings.nextDoc();
  return Array.from({ length: postings.freq() }, () => {
    postings.nextPosition();
    return { start: postings.startOffset!(), end: postings.endOffset!(), label, freq: freq ?? postings.freq() };
  });
}

/** Each place of a term once. */
function leafOccurrences(leaves: readonly SpanLeaf[], terms: FieldTerms): Occurrence[][] {
  const byTerm = new Map<string, Map<string, Occurrence>>();
  for (const { term, startOffset: start, endOffset: end } of leaves) {
    const known = byTerm.get(term) ?? new Map<string, Occurrence>();
    byTerm.set(term, known);
    const ord = terms.lookup(term);
    known.set(`${start} ${end}`, { start, end, label: term, freq: ord < 0 ? 1 : terms.totalTermFreq(ord) });
  }
  return [...byTerm.values()].map((known) => [...known.values()].sort(byPlace));
}
