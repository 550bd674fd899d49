/** Where the terms and phrases of a query occur in a text, the longest ones first (Lucene's FieldTermStack and FieldPhraseList). */
import type { FieldTerms } from "../../segment/types.ts";
import type { FieldQuery, PhraseNode } from "./field-query.ts";

export interface Range {
  start: number;
  end: number;
}

/** An occurrence: where its terms lie, runs of neighbours as one. */
export interface FoundPhrase {
  readonly ranges: Range[];
  boost: number;
  /** Its number in the query: chooses the tag. */
  readonly number: number;
}

/** An occurrence of a term; `next` goes around those at the same position. */
interface FoundTerm {
  readonly term: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
  next: FoundTerm;
}

/** @param most how many are looked for */
export function foundPhrases(field: string, query: FieldQuery, terms: FieldTerms, most: number): FoundPhrase[] {
  const wanted = query.of(field);
  if (!wanted) return [];
  // The next one is the last.
  const stack = foundTerms(terms, wanted.terms).reverse();
  const found: FoundPhrase[] = [];
  while (stack.length > 0 && found.length < most) {
    let term: FoundTerm | undefined = among(stack.pop()!, wanted.root);
    if (!term) continue;
    let node = wanted.root.next.get(term.term)!;
    const phrase = [term];
    for (;;) {
      const top = stack.pop();
      term = top && among(top, node);
      if (term) {
        phrase.push(term);
        node = node.next.get(term.term)!;
        continue;
      }
      // Lucene goes on with the last one at the position, not with the first.
      if (top) stack.push(lastOf(top));
      if (isWhole(node, phrase)) add(found, phrase, node);
      else giveBack(found, phrase, wanted.root, stack);
      break;
    }
  }
  return found;
}

/** The terms that are looked for, by their positions. */
function foundTerms(terms: FieldTerms, wanted: ReadonlySet<string>): FoundTerm[] {
  const all: FoundTerm[] = [];
  for (let ord = 0; ord < terms.size; ord++) {
    const term = terms.term(ord);
    if (!wanted.has(term)) continue;
    const postings = terms.postings(ord, { positions: true });
    postings.nextDoc();
    for (let left = postings.freq(); left > 0; left--) {
      const position = postings.nextPosition();
      const found = { term, position, start: postings.startOffset!(), end: postings.endOffset!() };
      all.push(ring(found));
    }
  }
  all.sort((a, b) => a.position - b.position);
  const firsts: FoundTerm[] = [];
  let last: FoundTerm | undefined;
  for (const each of all) {
    if (last && last.position === each.position) {
      each.next = last.next;
      last.next = each;
    } else firsts.push(each);
    last = each;
  }
  return firsts;
}

function ring(term: Omit<FoundTerm, "next">): FoundTerm {
  const own = { ...term } as FoundTerm;
  own.next = own;
  return own;
}

/** The first of the terms at a position that may come there. */
function among(first: FoundTerm, node: PhraseNode): FoundTerm | undefined {
  let term = first;
  do {
    if (node.next.has(term.term)) return term;
    term = term.next;
  } while (term !== first);
  return undefined;
}

function lastOf(first: FoundTerm): FoundTerm {
  let term = first;
  while (term.next !== first) term = term.next;
  return term;
}

/** A phrase ends there, and its terms stand as near to each other as it allows. */
function isWhole({ end }: PhraseNode, phrase: readonly FoundTerm[]): boolean {
  if (!end) return false;
  return phrase.every(({ position }, i) => i === 0 || Math.abs(position - phrase[i - 1].position - 1) <= end.slop);
}

/** Terms are given back until what is left is a phrase. */
function giveBack(found: FoundPhrase[], phrase: FoundTerm[], root: PhraseNode, stack: FoundTerm[]): void {
  while (phrase.length > 1) {
    stack.push(phrase.pop()!);
    let node: PhraseNode | undefined = root;
    for (const { term } of phrase) node = node?.next.get(term);
    if (!node || !isWhole(node, phrase)) continue;
    add(found, phrase, node);
    return;
  }
}

/** Ends of the phrases that were found: behind the furthest nothing overlaps, and no phrase is looked at. */
const furthestEnds = new WeakMap<FoundPhrase[], number>();

/** What overlaps with one that is there adds to its boost alone. */
function add(found: FoundPhrase[], phrase: readonly FoundTerm[], { end }: PhraseNode): void {
  const ranges: Range[] = [];
  for (const [i, { position, start, end: to }] of phrase.entries()) {
    if (i > 0 && position - phrase[i - 1].position === 1) ranges[ranges.length - 1].end = to;
    else ranges.push({ start, end: to });
  }
  const made: FoundPhrase = { ranges, boost: end!.boost, number: end!.number };
  const furthest = furthestEnds.get(found) ?? 0;
  furthestEnds.set(found, Math.max(furthest, endOf(made)));
  const known = startOf(made) < furthest ? found.find((other) => overlap(other, made)) : undefined;
  if (known) known.boost = Math.fround(known.boost + made.boost);
  else found.push(made);
}

export const startOf = ({ ranges }: FoundPhrase) => ranges[0].start;
export const endOf = ({ ranges }: FoundPhrase) => ranges[ranges.length - 1].end;

function overlap(a: FoundPhrase, b: FoundPhrase): boolean {
  const [from, to, otherFrom, otherTo] = [startOf(a), endOf(a), startOf(b), endOf(b)];
  return (
    (from <= otherFrom && otherFrom < to) ||
    (from < otherTo && otherTo <= to) ||
    (otherFrom <= from && from < otherTo) ||
    (otherFrom < to && to <= otherTo)
  );
}

/** Occurrences in several fields over one text: what overlaps is one. */
export function mergedPhrases(lists: readonly (readonly FoundPhrase[])[]): FoundPhrase[] {
  const all = lists.flat().sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b) || a.boost - b.boost);
  const merged: FoundPhrase[] = [];
  let group: FoundPhrase[] = [];
  let end = 0;
  for (const phrase of all) {
    if (group.length > 0 && startOf(phrase) > end) {
      merged.push(mergedGroup(group));
      group = [];
    }
    end = group.length === 0 ? endOf(phrase) : Math.max(end, endOf(phrase));
    group.push(phrase);
  }
  if (group.length > 0) merged.push(mergedGroup(group));
  return merged;
}

function mergedGroup(group: readonly FoundPhrase[]): FoundPhrase {
  if (group.length === 1) return group[0];
  const all = group.flatMap(({ ranges }) => ranges).sort((a, b) => a.start - b.start || a.end - b.end);
  const ranges: Range[] = [];
  for (const range of all) {
    const last = ranges.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else ranges.push({ ...range });
  }
  const boost = group.reduce((sum, each) => Math.fround(sum + each.boost), 0);
  return { ranges, boost, number: group[0].number };
}
