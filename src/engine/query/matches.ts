/**
 * Where in a document a query finds its terms (Lucene's Matches): what highlighting marks. Only documents whose text has just been analysed
 * know the places of their tokens.
 */
import type { FieldTerms, LeafReader, Postings } from "../segment/types.ts";
import { matchesAt } from "./scorers/index.ts";
import type { Weight } from "./types.ts";

/** Places in the text, and positions among the tokens, the last one included. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly startOffset: number;
  readonly endOffset: number;
  /** What is found: the terms that are looked for. Occurrences of the same count together where passages are scored. */
  readonly label: string;
  /** What it is made of, where that is to be shown in its place. */
  readonly parts?: readonly Match[];
}

/** By field, in the order of their positions. */
export type Matches = ReadonlyMap<string, readonly Match[]>;

/** The document matches without a term (MatchesUtils.MATCH_WITH_NO_TERMS). */
export const NO_TERMS: Matches = new Map();

/** Where a document matches; undefined where it does not. */
export function matchesOf(weight: Weight, leaf: LeafReader, doc: number): Matches | undefined {
  if (weight.matches) return weight.matches(leaf, doc);
  return matchesAt(weight.scorer(leaf), doc) ? NO_TERMS : undefined;
}

const byPosition = (a: Match, b: Match) => a.start - b.start || a.end - b.end || a.startOffset - b.startOffset;

/** Of one field; undefined where there is none. */
export function fieldMatches(field: string, matches: readonly Match[]): Matches | undefined {
  return matches.length === 0 ? undefined : new Map([[field, [...matches].sort(byPosition)]]);
}

/** All of several; undefined without any (MatchesUtils.fromSubMatches). */
export function joinedMatches(parts: readonly (Matches | undefined)[]): Matches | undefined {
  const found = parts.filter((part) => part !== undefined);
  if (found.length <= 1) return found[0];
  const joined = new Map<string, readonly Match[]>();
  for (const part of found) {
    for (const [field, matches] of part) {
      const known = joined.get(field);
      joined.set(field, known ? [...known, ...matches].sort(byPosition) : matches);
    }
  }
  return joined;
}

/** To a document that an iterator may stand on already. */
export function standsAt(docs: Pick<Postings, "docID" | "advance">, doc: number): boolean {
  return (docs.docID() < doc ? docs.advance(doc) : docs.docID()) === doc;
}

/** Occurrences of the terms of some ords; without positions they are where the text knows their places, and otherwise not to be found. */
export function termMatches(
  leaf: LeafReader,
  doc: number,
  field: string,
  ordsOf: (terms: FieldTerms) => Iterable<number>,
  label: string,
): Matches | undefined {
  const terms = leaf.segment.terms(field);
  if (!terms) return undefined;
  const positions = terms.info.index === "positions";
  const found: Match[] = [];
  for (const ord of ordsOf(terms)) {
    const postings = terms.postings(ord, { positions });
    if (!standsAt(postings, doc)) continue;
    if (!positions && !postings.startOffset) return NO_TERMS;
    for (let left = postings.freq(); left > 0; left--) {
      const next = postings.nextPosition();
      const at = positions ? next : -1;
      found.push({ start: at, end: at, ...offsetsOf(postings), label });
    }
  }
  return fieldMatches(field, found);
}

/** Where the token of the position that was read last lies; −1 where that is not known. */
export function offsetsOf(postings: { startOffset?(): number; endOffset?(): number }): {
  readonly startOffset: number;
  readonly endOffset: number;
} {
  return { startOffset: postings.startOffset?.() ?? -1, endOffset: postings.endOffset?.() ?? -1 };
}
