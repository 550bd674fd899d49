/**
 * Looking into a query (Lucene's QueryVisitor): each kind of query tells a visitor what it looks for, and hands it on to its parts. Highlighters
 * are visitors.
 */
import type { FieldTerms } from "../segment/types.ts";
import type { IntervalsSource } from "./lucene/interval-sources.ts";
import type { PhrasePlace } from "./lucene/phrase.ts";
import type { SpanQuery } from "./lucene/spans.ts";
import type { IndexSearcher, Query } from "./types.ts";

/** A phrase; of an unfinished one the last place holds beginnings of terms. */
export interface VisitedPhrase {
  readonly field: string;
  readonly places: readonly PhrasePlace[];
  readonly slop: number;
}

export interface KnownTerm {
  readonly field: string;
  readonly term: string;
}

export interface MatchingTerms {
  /** The first `most` are enough. */
  ords(terms: FieldTerms, most?: number): readonly number[];
  /** How well a term matches, where not all match alike. */
  boost?(term: string): number;
}

/** How a part belongs to its query; "boost" and "constant" wrap one and change its scores alone. */
export type PartKind = "must" | "filter" | "should" | "must_not" | "dis_max" | "boost" | "constant" | "nested";

export interface QueryPart {
  readonly query: Query;
  readonly kind: PartKind;
  /** Of "boost": the factor. */
  readonly boost?: number;
}

export interface QueryVisitor {
  /** A term, or several that count as one. */
  terms(query: Query, field: string, terms: readonly string[]): void;
  /** Terms of any other query that knows them. */
  looseTerms(query: Query, field: string, terms: readonly string[]): void;
  /** All terms of a dictionary that match. */
  matching(query: Query, field: string, matching: MatchingTerms): void;
  phrase(query: Query, phrase: VisitedPhrase): void;
  phrasePrefix(query: Query, phrase: VisitedPhrase): void;
  span(query: SpanQuery): void;
  intervals(query: Query, field: string, source: IntervalsSource): void;
  /** Parts whose hits are joined. */
  parts(query: Query, parts: readonly QueryPart[]): void;
  /** A query that stands for another one, which depends on the index. @param known its terms, where they are known without one */
  rewritten(query: Query, rewrite: (searcher: IndexSearcher) => Query, known?: readonly KnownTerm[]): void;
  /** A query without terms to look for, of one field or of any. */
  leaf(query: Query, field?: string): void;
}

export function visitQuery(query: Query, visitor: QueryVisitor): void {
  if (query.visit) query.visit(visitor);
  else visitor.leaf(query);
}
