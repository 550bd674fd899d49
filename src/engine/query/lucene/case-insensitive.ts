/** Terms that differ from one in the case of ASCII letters only, found by walking down the sorted dictionary. */
import type { FieldTerms } from "../../segment/types.ts";
import type { Query } from "../types.ts";
import { iteratorQuery } from "./range.ts";
import { ordsIterator } from "./term.ts";

export function caseInsensitiveTermQuery(field: string, term: string): Query {
  return iteratorQuery(`${field}:i${JSON.stringify(term)}`, (leaf) => {
    const terms = leaf.segment.terms(field);
    const ords = terms ? caseVariants(terms, term) : [];
    return ords.length === 0 ? undefined : ordsIterator(leaf, field, ords);
  });
}

/** Ords of the terms; a branch is followed only where some term begins with what has been spelt so far. */
function caseVariants(terms: FieldTerms, term: string): number[] {
  const ords: number[] = [];
  const characters = [...term];
  const visit = (prefix: string, at: number): void => {
    if (at === characters.length) {
      const ord = terms.lookup(prefix);
      if (ord >= 0) ords.push(ord);
      return;
    }
    const character = characters[at];
    const variants = /[a-z]/i.test(character) ? [character.toLowerCase(), character.toUpperCase()] : [character];
    for (const variant of new Set(variants)) {
      const next = prefix + variant;
      const first = terms.seekCeil(next);
      if (first < terms.size && terms.term(first).startsWith(next)) visit(next, at + 1);
    }
  };
  visit("", 0);
  return ords;
}
