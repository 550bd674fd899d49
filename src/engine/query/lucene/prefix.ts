/** Documents with a term that begins with a text, all with one score (Lucene's PrefixQuery). */
import type { FieldTerms } from "../../segment/types.ts";
import type { Query } from "../types.ts";
import { iteratorQuery } from "./range.ts";
import { ordsIterator } from "./term.ts";

export function prefixQuery(field: string, prefix: string): Query {
  return iteratorQuery(`${field}:${JSON.stringify(prefix)}*`, (leaf) => {
    const terms = leaf.segment.terms(field);
    const ords = terms ? [...prefixOrds(terms, prefix)] : [];
    return ords.length === 0 ? undefined : ordsIterator(leaf, field, ords);
  });
}

/** Ords of the terms that begin with a text, ascending. */
export function* prefixOrds(terms: FieldTerms, prefix: string): Generator<number> {
  for (let ord = terms.seekCeil(prefix); ord < terms.size && terms.term(ord).startsWith(prefix); ord++) yield ord;
}
