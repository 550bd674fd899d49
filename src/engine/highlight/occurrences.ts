/** What is to be marked in a text: occurrences in the order of their places (Lucene's OffsetsEnum). */

import { compareUtf8 } from "../query/lucene/utf8-order.ts";
import type { Match } from "../query/matches.ts";
import { pop, siftDown, siftUp } from "../query/scorers/heap.ts";

export interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** What occurs: the same label is the same thing where passages are scored. */
  readonly label: string;
  /** How often it occurs in the text. */
  readonly freq: number;
}

export const byPlace = (a: Occurrence, b: Occurrence) =>
  a.start - b.start || a.end - b.end || compareUtf8(a.label, b.label);

const FREQ_UNKNOWN = 1;

function occurrenceOf({ startOffset, endOffset, label }: Match): Occurrence {
  return { start: startOffset, end: endOffset, label, freq: FREQ_UNKNOWN };
}

/** The innermost parts of matches. */
function innermost(parts: readonly Match[]): Occurrence[] {
  return parts.flatMap((part) => (part.parts ? innermost(part.parts) : [occurrenceOf(part)]));
}

/** Matches with their parts in their place; what has parts stands back behind them (OfMatchesIteratorWithSubs). */
export function occurrencesOf(matches: readonly Match[]): Occurrence[] {
  const found: Occurrence[] = [];
  /** Parts that wait for their turn, in order. */
  const waiting: Occurrence[] = [];
  let next = 0;
  const flushUpTo = (limit: Occurrence | undefined): void => {
    while (waiting.length > 0 && (limit === undefined || byPlace(waiting[0], limit) <= 0)) found.push(waiting.shift()!);
  };
  while (next < matches.length) {
    const match = matches[next++];
    const whole = occurrenceOf(match);
    flushUpTo(whole);
    if (!match.parts) found.push(whole);
    else {
      waiting.push(...innermost(match.parts));
      waiting.sort(byPlace);
    }
  }
  flushUpTo(undefined);
  return found;
}

interface Cursor {
  readonly list: readonly Occurrence[];
  at: number;
}

/** Several lists as one: of their first ones that at the least place comes next (MultiOffsetsEnum). */
export function merged(lists: readonly (readonly Occurrence[])[]): readonly Occurrence[] {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length <= 1) return filled[0] ?? [];
  const before = (a: Cursor, b: Cursor) => byPlace(a.list[a.at], b.list[b.at]) < 0;
  const heap: Cursor[] = [];
  for (const list of filled) {
    heap.push({ list, at: 0 });
    siftUp(heap, before);
  }
  const found: Occurrence[] = [];
  while (heap.length > 0) {
    const least = heap[0];
    found.push(least.list[least.at++]);
    if (least.at < least.list.length) siftDown(heap, before);
    else pop(heap, before);
  }
  return found;
}
