/** Passages around occurrences, and the best of them (Lucene's FieldHighlighter and PassageScorer). */
import { illegalArgument } from "../../errors.ts";
import { siftDown, siftUp } from "../../query/scorers/heap.ts";
import type { BreakIterator } from "../breaks/break-iterator.ts";
import type { Occurrence } from "../occurrences.ts";

export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly occurrences: readonly Occurrence[];
  /** A float32; NaN for one without anything to mark. */
  readonly score: number;
}

interface Draft {
  start: number;
  end: number;
  occurrences: Occurrence[];
}

/** @param length of the text @param most how many passages are kept: the best ones */
export function passagesOf(
  occurrences: Iterable<Occurrence>,
  breaks: BreakIterator,
  length: number,
  most: number,
): Passage[] {
  const kept: Passage[] = [];
  let draft: Draft | undefined;
  let lastEnd = 0;
  for (const occurrence of occurrences) {
    const { start, end } = occurrence;
    // Java's queue says no more than that it cannot be made.
    if (most < 0) throw illegalArgument(`[number_of_fragments] must not be negative, but was [${most}]`);
    if (start < length && end > length) continue;
    if (!draft || start >= draft.end) {
      keep(kept, draft, length, most);
      draft = undefined;
      if (start >= length) break;
      // A passage is that around the middle of what it begins with.
      const middle = start + ((end - start) >> 1);
      const from = Math.min(start, Math.max(breaks.preceding(Math.max(start + 1, middle)), lastEnd));
      lastEnd = Math.max(end, Math.min(breaks.following(Math.min(end - 1, middle)), length));
      draft = { start: from, end: lastEnd, occurrences: [] };
    }
    draft.occurrences.push(occurrence);
  }
  keep(kept, draft, length, most);
  return kept.sort((a, b) => a.start - b.start);
}

const worse = (a: Passage, b: Passage) => a.score < b.score || (a.score === b.score && a.start < b.start);

/** @param kept a heap, the worst one first */
function keep(kept: Passage[], draft: Draft | undefined, length: number, most: number): void {
  if (!draft) return;
  const passage = { ...draft, score: score(draft, length) };
  if (kept.length < most) {
    kept.push(passage);
    siftUp(kept, worse);
  } else if (worse(kept[0], passage)) {
    kept[0] = passage;
    siftDown(kept, worse);
  }
}

const f = Math.fround;
const K1 = f(1.2);
const B = f(0.75);
/** About the length of an English sentence in characters. */
const PIVOT = 87;

/** BM25 of the passage among passages of the pivot's length; those at the beginning count more. */
function score({ start, end, occurrences }: Draft, length: number): number {
  const counted = new Map<string, { inPassage: number; readonly inText: number }>();
  for (const { label, freq } of occurrences) {
    const known = counted.get(label);
    if (known) known.inPassage++;
    else counted.set(label, { inPassage: 1, inText: freq });
  }
  let sum = 0;
  for (const { inPassage, inText } of counted.values()) sum += f(tf(inPassage, end - start) * weight(length, inText));
  return f(sum * norm(start));
}

function weight(length: number, freq: number): number {
  const passages = f(1 + f(length / PIVOT));
  return f(f(K1 + 1) * f(Math.log(1 + (passages + 0.5) / (freq + 0.5))));
}

function tf(freq: number, length: number): number {
  const norm = f(K1 * f(f(1 - B) + f(B * f(length / PIVOT))));
  return f(freq / f(freq + norm));
}

function norm(start: number): number {
  return f(1 + f(1 / f(Math.log(f(PIVOT + start)))));
}
