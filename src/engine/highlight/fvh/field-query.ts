/**
 * A query as terms and phrases, those that overlap joined to longer ones, in a tree of terms for each field (Lucene's FieldQuery, with what
 * Elasticsearch's CustomFieldQuery adds).
 */
import { topTerms } from "../../query/lucene/multi-term.ts";
import type { IndexSearcher, Query } from "../../query/types.ts";
import { type QueryVisitor, type VisitedPhrase, visitQuery } from "../../query/visitor.ts";

/** A term, or a phrase of several. */
interface FlatQuery {
  readonly field: string;
  readonly terms: readonly string[];
  readonly slop: number;
  readonly boost: number;
}

export interface PhraseNode {
  /** Terms that follow. */
  readonly next: Map<string, PhraseNode>;
  /** A term or phrase ends here. */
  end?: { readonly slop: number; readonly boost: number; readonly number: number };
}

export interface FieldQuery {
  /** Of a field: the tree of what is looked for, and all its terms. */
  of(field: string): { readonly root: PhraseNode; readonly terms: ReadonlySet<string> } | undefined;
}

/** More terms of one query are not looked for. */
const MOST_TERMS = 1024;
/** Phrases with more terms in all count term by term. */
const MOST_PHRASE_TERMS = 16;

/** @param fieldMatch false: terms of all fields are looked for in each */
export function fieldQuery(query: Query, searcher: IndexSearcher, fieldMatch: boolean): FieldQuery {
  const key = (field: string) => (fieldMatch ? field : "");
  const fields = new Map<string, { root: PhraseNode; terms: Set<string> }>();
  const fieldOf = (field: string) => {
    const known = fields.get(key(field)) ?? { root: { next: new Map() }, terms: new Set<string>() };
    fields.set(key(field), known);
    return known;
  };
  const flat = flatten(query, searcher);
  for (const { field, terms } of flat) for (const term of terms) fieldOf(field).terms.add(term);
  let number = 0;
  for (const { field, terms, slop, boost } of expand(flat, fieldMatch)) {
    let node: PhraseNode = fieldOf(field).root;
    for (const term of terms) {
      const next: PhraseNode = node.next.get(term) ?? { next: new Map() };
      node.next.set(term, next);
      node = next;
    }
    node.end = { slop, boost, number: number++ };
  }
  return { of: (field) => fields.get(key(field)) };
}

const keyOf = ({ field, terms, slop, boost }: FlatQuery) => JSON.stringify([field, terms, slop, boost]);

function flatten(query: Query, searcher: IndexSearcher): FlatQuery[] {
  const flat = new Map<string, FlatQuery>();
  const add = (each: FlatQuery) => {
    if (!flat.has(keyOf(each))) flat.set(keyOf(each), each);
  };
  const addTerms = (field: string, terms: readonly string[], boost: number) => {
    for (const term of terms) add({ field, terms: [term], slop: 0, boost });
  };
  const visitor = (boost: number): QueryVisitor => ({
    terms: (_query, field, terms) => addTerms(field, terms, boost),
    looseTerms: (_query, field, terms) => addTerms(field, terms, boost),
    matching(_query, field, matching) {
      for (const { term, boost: own } of topTerms(searcher, field, matching, MOST_TERMS)) {
        addTerms(field, [term], Math.fround(boost * own));
      }
    },
    phrase(_query, phrase) {
      for (const each of phrasesOf(phrase, boost)) add(each);
    },
    phrasePrefix(prefix) {
      const rewritten = prefix.rewrite(searcher);
      if (rewritten !== prefix) visitQuery(rewritten, visitor(boost));
    },
    span({ span }) {
      if (span.kind === "term") addTerms(span.terms[0].field, [span.terms[0].term], boost);
    },
    intervals() {},
    parts(_query, parts) {
      for (const part of parts) {
        if (part.kind !== "must_not") visitQuery(part.query, visitor(Math.fround(boost * (part.boost ?? 1))));
      }
    },
    rewritten: (_query, rewrite) => visitQuery(rewrite(searcher), visitor(boost)),
    leaf() {},
  });
  visitQuery(query, visitor(1));
  return [...flat.values()];
}

/** Each way through a phrase with several terms at a place; those lose the boost. */
function phrasesOf({ field, places, slop }: VisitedPhrase, boost: number): FlatQuery[] {
  if (places.every(({ terms }) => terms.length === 1)) {
    return [{ field, terms: places.map(({ terms }) => terms[0]), slop, boost }];
  }
  const all = places.flatMap(({ terms }) => terms);
  if (all.length > MOST_PHRASE_TERMS) return all.map((term) => ({ field, terms: [term], slop: 0, boost: 1 }));
  let ways: string[][] = [[]];
  for (const { terms } of places) ways = ways.flatMap((way) => terms.map((term) => [...way, term]));
  return ways.map((terms) => ({ field, terms, slop, boost: 1 }));
}

/** With the phrases that two overlapping ones make: "a b" and "b c" are "a b c" too. */
function expand(flat: readonly FlatQuery[], fieldMatch: boolean): FlatQuery[] {
  const expanded = new Map<string, FlatQuery>();
  const add = (each: FlatQuery) => {
    if (!expanded.has(keyOf(each))) expanded.set(keyOf(each), each);
  };
  for (const [i, a] of flat.entries()) {
    add(a);
    if (a.terms.length === 1) continue;
    for (const b of flat.slice(i + 1)) {
      if (b.terms.length === 1 || a.slop !== b.slop || (fieldMatch && a.field !== b.field)) continue;
      for (const joined of [...overlaps(a, b), ...overlaps(b, a)]) add(joined);
    }
  }
  return [...expanded.values()];
}

function overlaps(a: FlatQuery, b: FlatQuery): FlatQuery[] {
  const joined: FlatQuery[] = [];
  for (let i = 1; i < a.terms.length; i++) {
    const rest = a.terms.slice(i);
    const overlap = rest.every((term, at) => at >= b.terms.length || term === b.terms[at]);
    if (!overlap || rest.length >= b.terms.length) continue;
    joined.push({ field: a.field, terms: [...a.terms, ...b.terms.slice(rest.length)], slop: a.slop, boost: 1 });
  }
  return joined;
}
