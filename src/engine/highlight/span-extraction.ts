/** Phrases of a query as spans, beside the terms that stand alone (Lucene's WeightedSpanTermExtractor, as PhraseHelper uses it). */
import { intervalTerms } from "../query/collect-terms.ts";
import { CONSTANT_SCORE, multiTermQuery } from "../query/lucene/multi-term.ts";
import { spanMultiQuery, spanNearQuery, spanOrQuery, spanTermQuery } from "../query/lucene/span-queries.ts";
import type { SpanQuery } from "../query/lucene/spans.ts";
import { prefixMatcher } from "../query/lucene/term-matchers.ts";
import type { Query } from "../query/types.ts";
import { type QueryVisitor, type VisitedPhrase, visitQuery } from "../query/visitor.ts";

/** No limit: a text has only so many terms. */
const ALL_TERMS = 0x7fffffff;

export function collectSpans(
  query: Query,
  accepts: (field: string) => boolean,
): { readonly spans: readonly SpanQuery[]; readonly terms: ReadonlySet<string> } {
  const terms = new Set<string>();
  const spans = new Map<string, SpanQuery>();
  const add = (span: SpanQuery): void => {
    if (spanFields(span).every(accepts)) spans.set(String(span), span);
  };
  const visitor: QueryVisitor = {
    terms(_query, field, found) {
      if (accepts(field)) for (const term of found) terms.add(term);
    },
    phrase: (_query, phrase) => add(phraseSpans(phrase)),
    phrasePrefix: (_query, phrase) => add(phrasePrefixSpans(phrase)),
    span: add,
    parts(_query, parts) {
      for (const part of parts) if (part.kind !== "must_not") visitQuery(part.query, visitor);
    },
    looseTerms() {},
    matching() {},
    intervals() {},
    rewritten() {},
    leaf() {},
  };
  visitQuery(query, visitor);
  return { spans: [...spans.values()], terms };
}

/** The fields that a span query looks in. */
export function spanFields({ span }: SpanQuery): string[] {
  const fields = [
    ...span.terms.map(({ field }) => field),
    ...(span.many ?? []).map(({ multiTerm }) => multiTerm.field),
  ];
  return fields.length === 0 ? [span.field] : [...new Set(fields)];
}

/** Fields whose terms a query's spans and intervals take for another field's. */
export function maskedFields(query: Query): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (field: string, of: string) => void (of !== field && found.add(of));
  const visitor: QueryVisitor = {
    span(each) {
      for (const of of spanFields(each)) add(each.span.field, of);
    },
    intervals: (_query, field, source) => intervalTerms(source, field, (of) => add(field, of)),
    parts(_query, parts) {
      for (const part of parts) if (part.kind !== "must_not") visitQuery(part.query, visitor);
    },
    terms() {},
    phrase() {},
    phrasePrefix() {},
    looseTerms() {},
    matching() {},
    rewritten() {},
    leaf() {},
  };
  visitQuery(query, visitor);
  return found;
}

/** A phrase as spans: in order where it has no slop; places between its terms count as slop. */
export function phraseSpans({ field, places, slop }: VisitedPhrase): SpanQuery {
  // Terms of one position are one place.
  const byPosition = new Map<number, string[]>();
  for (const { terms, position } of places) {
    byPosition.set(position, [...(byPosition.get(position) ?? []), ...terms]);
  }
  const multiple = places.some(({ terms }) => terms.length > 1);
  const clauses = [...byPosition].map(([, terms]) => {
    const each = terms.map((term) => spanTermQuery(field, term));
    return each.length === 1 ? each[0] : spanOrQuery(each);
  });
  if (clauses.length === 1) return clauses[0];
  const positions = places.map(({ position }) => position);
  const last = Math.max(...positions);
  // What has several terms at a place counts the positions before the first one too.
  const gaps = multiple ? last + 1 - clauses.length : Math.max(0, last - positions[0] - positions.length + 1);
  return spanNearQuery(clauses, { slop: slop + gaps, inOrder: slop === 0 });
}

/** Likewise, the last place standing for all terms that begin so (CustomUnifiedHighlighter.preSpanQueryRewrite). */
export function phrasePrefixSpans({ field, places, slop }: VisitedPhrase): SpanQuery {
  const clauses = places.map(({ terms }, i) => {
    const each = terms.map((term) => (i === places.length - 1 ? prefixSpans(field, term) : spanTermQuery(field, term)));
    return each.length === 1 ? each[0] : spanOrQuery(each);
  });
  if (clauses.length === 1) return clauses[0];
  const positions = places.map(({ position }) => position);
  const gaps = Math.max(0, positions[positions.length - 1] - positions[0] - positions.length + 1);
  return spanNearQuery(clauses, { slop: slop + gaps, inOrder: slop === 0 });
}

function prefixSpans(field: string, prefix: string): SpanQuery {
  return spanMultiQuery(multiTermQuery(field, prefixMatcher(prefix, false), CONSTANT_SCORE, ALL_TERMS), ALL_TERMS);
}
