/** The terms of a field over all segments of one shard, whatever statistics its queries score by. */

import type { TermMatcher } from "../../query/lucene/multi-term.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import type { FieldTerms, LeafReader } from "../../segment/types.ts";

export interface ReaderTerms {
  docFreq(term: string): number;
  totalTermFreq(term: string): number;
  readonly sumTotalTermFreq: number;
  /** How many there are; undefined where nobody counts them, as they lie in several segments (Terms.size of MultiTerms). */
  readonly size: number | undefined;
  /** Terms that match, in the order of their bytes. */
  matching(matcher: TermMatcher): readonly string[];
}

/** @returns undefined where no document has the field */
export function readerTerms(leaves: readonly LeafReader[], field: string): ReaderTerms | undefined {
  const parts = leaves.map(({ segment }) => segment.terms(field)).filter((terms) => terms !== undefined);
  if (parts.length === 0) return undefined;
  const sum = (count: (terms: FieldTerms) => number) => parts.reduce((total, terms) => total + count(terms), 0);
  const ofTerm = (term: string, what: "docFreq" | "totalTermFreq") =>
    sum((terms) => {
      const ord = terms.lookup(term);
      return ord < 0 ? 0 : terms[what](ord);
    });
  return {
    docFreq: (term) => ofTerm(term, "docFreq"),
    totalTermFreq: (term) => ofTerm(term, "totalTermFreq"),
    sumTotalTermFreq: sum((terms) => terms.sumTotalTermFreq),
    size: leaves.length === 1 ? parts[0].size : undefined,
    matching(matcher) {
      const found = parts.map((terms) => matcher.ords(terms).map((ord) => terms.term(ord)));
      return found.length === 1 ? found[0] : [...new Set(found.flat())].sort(compareUtf8);
    },
  };
}
