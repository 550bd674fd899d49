/** The terms of a query, and what it looks for where it does not know them (Lucene's QueryVisitor.termCollector and its kin). */
import type { FieldTerms } from "../segment/types.ts";
import type { IntervalsSource } from "./lucene/interval-sources.ts";
import type { SpanQuery } from "./lucene/spans.ts";
import type { Query } from "./types.ts";
import { type MatchingTerms, type QueryPart, type QueryVisitor, visitQuery } from "./visitor.ts";

export interface CollectedTerms {
  /** Distinct terms, in the order in which they are met. */
  readonly terms: readonly string[];
  /** Queries for all terms that match something. */
  readonly matching: readonly { readonly query: Query; ords(terms: FieldTerms): readonly number[] }[];
  /** What stands for many terms within spans. */
  readonly withinSpans: readonly MatchingTerms[];
  /** Queries of the fields whose terms are not known at all. */
  readonly unknown: boolean;
}

/** @param accepts the fields that count @param prohibited clauses that must not match count too */
export function collectTerms(query: Query, accepts: (field: string) => boolean): CollectedTerms {
  const terms = new Set<string>();
  const matching: CollectedTerms["matching"][number][] = [];
  const withinSpans: MatchingTerms[] = [];
  let unknown = false;
  const add = (_query: Query, field: string, found: readonly string[]): void => {
    if (accepts(field)) for (const term of found) terms.add(term);
  };
  const visitor: QueryVisitor = {
    terms: add,
    looseTerms: add,
    matching(from, field, { ords }) {
      if (accepts(field)) matching.push({ query: from, ords });
    },
    phrase(from, { field, places }) {
      for (const place of places) add(from, field, place.terms);
    },
    phrasePrefix(from, { field, places }) {
      if (!accepts(field)) return;
      for (const place of places.slice(0, -1)) add(from, field, place.terms);
      const last = places[places.length - 1].terms;
      matching.push({ query: from, ords: (dictionary) => startingWith(dictionary, last) });
    },
    span({ span }: SpanQuery) {
      for (const { field, term } of span.terms) if (accepts(field)) terms.add(term);
      for (const { multiTerm } of span.many ?? []) if (accepts(multiTerm.field)) withinSpans.push(multiTerm.matcher);
    },
    intervals(from, field, source) {
      intervalTerms(source, field, (of, { term, matcher }) => {
        if (term !== undefined) add(from, of, [term]);
        if (matcher && accepts(of)) matching.push({ query: from, ords: matcher.ords });
      });
    },
    parts(_query, parts: readonly QueryPart[]) {
      for (const part of parts) if (part.kind !== "must_not") visitQuery(part.query, visitor);
    },
    rewritten(from, _rewrite, known) {
      for (const { field, term } of known ?? []) add(from, field, [term]);
      unknown ||= known === undefined;
    },
    leaf(_query, field) {
      if (field === undefined || accepts(field)) unknown = true;
    },
  };
  visitQuery(query, visitor);
  return { terms: [...terms], matching, withinSpans, unknown };
}

function startingWith(dictionary: FieldTerms, prefixes: readonly string[]): number[] {
  return prefixes.flatMap((prefix) => {
    const [from, to] = dictionary.prefixRange(prefix);
    return Array.from({ length: to - from }, (_, i) => from + i);
  });
}

export function intervalTerms(
  source: IntervalsSource,
  field: string,
  add: (field: string, source: IntervalsSource) => void,
): void {
  const own = source.field ?? field;
  add(own, source);
  for (const part of source.parts ?? []) intervalTerms(part, own, add);
}
