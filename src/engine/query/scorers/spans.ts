/**
 * Spans: parts of a document between two positions, and how those of a query come from those of its parts (Lucene's Spans). Each step takes
 * and gives the spans of one document, by start and then by end.
 */

import { siftDown, siftUp } from "./heap.ts";

export interface Span {
  readonly start: number;
  /** After the last position. */
  readonly end: number;
  /** What lies between the parts: the wider, the less it counts. */
  readonly width: number;
  /** The terms that it is made of, where they were asked for. */
  readonly leaves?: readonly SpanLeaf[];
}

/** An occurrence of a term within a span. */
export interface SpanLeaf {
  readonly field: string;
  readonly term: string;
  readonly position: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** The terms of what a span is made of, where they are known. */
const leavesOf = (spans: readonly Span[]) =>
  spans[0]?.leaves === undefined ? undefined : { leaves: spans.flatMap(({ leaves = [] }) => leaves) };

const compare = (a: Span, b: Span): number => a.start - b.start || a.end - b.end;

/** A part of an ordered near query that stands for positions of any term. */
export interface Gap {
  readonly gap: number;
}

export function isGap(part: readonly Span[] | Gap): part is Gap {
  return "gap" in part;
}

/**
 * The parts one after another, with at most `slop` positions between them (NearSpansOrdered). Each span of the first part takes the nearest
 * of the others; those before are not looked at again.
 */
export function nearOrdered(parts: readonly (readonly Span[] | Gap)[], slop: number): Span[] {
  const found: Span[] = [];
  const at = new Array<number>(parts.length).fill(0);
  const [first] = parts;
  if (isGap(first)) return found;
  for (const span of first) {
    let { end } = span;
    let width = 0;
    for (let i = 1; i < parts.length; i++) {
      const part = parts[i];
      if (isGap(part)) {
        end += part.gap;
        continue;
      }
      while (at[i] < part.length && part[at[i]].start < end) at[i]++;
      if (at[i] === part.length) return found;
      width += part[at[i]].start - end;
      end = part[at[i]].end;
    }
    if (width > slop) continue;
    const rest = span.leaves ? parts.map((part, i) => (i === 0 || isGap(part) ? span : part[at[i]])) : [];
    found.push({ start: span.start, end, width, ...leavesOf([...new Set(rest)]) });
  }
  return found;
}

/** All parts in any order, with at most `slop` positions that belong to none of them (NearSpansUnordered). */
export function nearUnordered(parts: readonly (readonly Span[])[], slop: number): Span[] {
  const found: Span[] = [];
  if (parts.some((spans) => spans.length === 0)) return found;
  const at = new Array<number>(parts.length).fill(0);
  const current = (part: number) => parts[part][at[part]];
  // Of equal spans it matters which moves on: a heap as Lucene's, the least part at its head.
  const before = (a: number, b: number) => compare(current(a), current(b)) < 0;
  const heap: number[] = [];
  let covered = 0;
  let greatest = -1;
  for (let part = 0; part < parts.length; part++) {
    covered += current(part).end - current(part).start;
    greatest = Math.max(greatest, current(part).end);
    heap.push(part);
    siftUp(heap, before);
  }
  for (;;) {
    const least = heap[0];
    const span = current(least);
    if (greatest - span.start - covered <= slop) {
      const all = span.leaves ? leavesOf(parts.map((_, part) => current(part))) : undefined;
      found.push({ start: span.start, end: greatest, width: greatest - span.start, ...all });
    }
    if (++at[least] === parts[least].length) return found;
    const next = current(least);
    covered += next.end - next.start - (span.end - span.start);
    greatest = Math.max(greatest, next.end);
    siftDown(heap, before);
  }
}

export function either(parts: readonly (readonly Span[])[]): Span[] {
  return parts.flat().sort(compare);
}

/** Spans that no excluded one meets, `pre` positions before and `post` after them included (SpanNotQuery). */
export function without(included: readonly Span[], excluded: readonly Span[], pre: number, post: number): Span[] {
  let at = 0;
  return included.filter(({ start, end }) => {
    while (at < excluded.length && excluded[at].end <= start - pre) at++;
    return at === excluded.length || excluded[at].start - post >= end;
  });
}

/** Big spans that hold a little one (SpanContainingQuery). */
export function containing(big: readonly Span[], little: readonly Span[]): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const span of big) {
    while (at < little.length && little[at].start < span.start) at++;
    if (at === little.length) break;
    if (span.end >= little[at].end) found.push(span.leaves ? { ...span, ...leavesOf([span, little[at]]) } : span);
  }
  return found;
}

/** Little spans within a big one (SpanWithinQuery). */
export function within(big: readonly Span[], little: readonly Span[]): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const span of little) {
    while (at < big.length && big[at].end < span.end) at++;
    if (at === big.length) break;
    if (big[at].start <= span.start) found.push(span.leaves ? { ...span, ...leavesOf([big[at], span]) } : span);
  }
  return found;
}
