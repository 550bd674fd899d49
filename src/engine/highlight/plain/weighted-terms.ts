/** The terms of a query with their weights, and where they count when they are part of a phrase (Lucene's WeightedSpanTermExtractor). */
import { EngineError } from "../../errors.ts";
import { collectTerms } from "../../query/collect-terms.ts";
import { isNearest } from "../../query/lucene/knn-vector-query.ts";
import type { SpanQuery } from "../../query/lucene/spans.ts";
import type { Query } from "../../query/types.ts";
import { type QueryVisitor, visitQuery } from "../../query/visitor.ts";
import { type FieldTerms, type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import { phraseSpans, spanFields } from "../span-extraction.ts";
import { overlaid, searcherOf } from "../text-index.ts";

export interface PositionSpan {
  readonly start: number;
  /** The last position. */
  readonly end: number;
}

export interface WeightedTerm {
  readonly weight: number;
  /** Counts only within its spans. */
  readonly positionSensitive: boolean;
  readonly spans: PositionSpan[];
}

interface SpanIndex {
  /** The first span that begins at a position. */
  readonly from: ReadonlyMap<number, PositionSpan>;
  /** What the spans cover, ascending, without overlaps. */
  readonly covered: readonly PositionSpan[];
}

const indices = new WeakMap<WeightedTerm, SpanIndex>();

/** Made when the terms of a text are complete: a text may have very many spans. */
function indexOf(term: WeightedTerm): SpanIndex {
  const known = indices.get(term);
  if (known) return known;
  const from = new Map<number, PositionSpan>();
  for (const span of term.spans) if (!from.has(span.start)) from.set(span.start, span);
  const covered: { start: number; end: number }[] = [];
  for (const { start, end } of [...term.spans].sort((a, b) => a.start - b.start)) {
    const last = covered.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else covered.push({ start, end });
  }
  const made = { from, covered };
  indices.set(term, made);
  return made;
}

export function spanFrom(term: WeightedTerm, position: number): PositionSpan | undefined {
  return indexOf(term).from.get(position);
}

/** Whether a position lies within a span. */
export function isWithinSpan(term: WeightedTerm, position: number): boolean {
  const { covered } = indexOf(term);
  let [low, high] = [0, covered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (covered[middle].end < position) low = middle + 1;
    else high = middle;
  }
  return low < covered.length && covered[low].start <= position;
}

/** @param accepts the fields whose terms count @param terms those of the text: it stands for all fields */
export function weightedTerms(
  query: Query,
  accepts: (field: string) => boolean,
  terms: FieldTerms,
  leaf: LeafReader,
): Map<string, WeightedTerm> {
  const found = new Map<string, WeightedTerm>();
  const shadow = overlaid(leaf, () => terms);
  const searcher = searcherOf(shadow);

  /** A term that stands alone takes the place of one in a phrase. */
  const add = (field: string, texts: readonly string[], boost: number): void => {
    if (!accepts(field)) return;
    for (const term of texts) found.set(term, { weight: Math.fround(boost), positionSensitive: false, spans: [] });
  };
  const addSpans = (query: SpanQuery, boost: number): void => {
    if (!spanFields(query).some(accepts)) return;
    const span = query.rewrite(searcher) as SpanQuery;
    const docs = span.span.source(shadow);
    if (span.span.terms.length === 0 || !docs || docs.nextDoc() === NO_MORE_DOCS) return;
    const spans = docs.spans().map(({ start, end }) => ({ start, end: end - 1 }));
    if (spans.length === 0) return;
    for (const { field, term } of new Set(span.span.terms)) {
      if (!accepts(field)) continue;
      const known = found.get(term);
      if (known) known.spans.push(...spans);
      else found.set(term, { weight: Math.fround(boost), positionSensitive: true, spans: [...spans] });
    }
  };
  const visitor = (boost: number): QueryVisitor => ({
    terms: (_query, field, texts) => add(field, texts, boost),
    looseTerms: (_query, field, texts) => add(field, texts, boost),
    matching(_query, field, matching) {
      if (!accepts(field)) return;
      for (const term of matching.ords(terms).map((ord) => terms.term(ord))) {
        add(field, [term], Math.fround(boost * (matching.boost?.(term) ?? 1)));
      }
    },
    phrase: (_query, phrase) => addSpans(phraseSpans(phrase), boost),
    phrasePrefix(prefix) {
      const rewritten = prefix.rewrite(searcher);
      if (rewritten !== prefix) visitQuery(rewritten, visitor(boost));
    },
    span: (span) => addSpans(span, boost),
    intervals(intervals, field) {
      add(field, collectTerms(intervals, accepts).terms, 1);
    },
    parts(_query, parts) {
      for (const part of parts) {
        if (part.kind !== "must_not") visitQuery(part.query, visitor(Math.fround(boost * (part.boost ?? 1))));
      }
    },
    rewritten: (_query, rewrite) => visitQuery(rewrite(searcher), visitor(boost)),
    leaf(query) {
      // It is rewritten on an index of the text alone, which has no vectors to look for (MemoryIndex).
      if (!isNearest(query)) return;
      throw new EngineError("unsupported_operation_exception", "", { status: 500, noReason: true });
    },
  });
  visitQuery(query, visitor(1));
  return found;
}
