/** Fragments around the occurrences in a text (Lucene's SimpleFragListBuilder and BaseFragmentsBuilder). */
import { illegalArgument } from "../../errors.ts";
import type { BoundaryScanner } from "./boundaries.ts";
import { endOf, type FoundPhrase, type Range, startOf } from "./phrases.ts";

export interface Fragment {
  readonly start: number;
  readonly end: number;
  readonly phrases: FoundPhrase[];
  readonly boost: number;
}

const boostOf = (phrases: readonly FoundPhrase[]) => phrases.reduce((sum, { boost }) => Math.fround(sum + boost), 0);

/** One for the whole text. */
export function wholeFragment(phrases: readonly FoundPhrase[]): Fragment[] {
  return phrases.length === 0 ? [] : [{ start: 0, end: 0x7fffffff, phrases: [...phrases], boost: boostOf(phrases) }];
}

const DEFAULT_MARGIN = 6;
const LEAST_SIZE_PER_MARGIN = 3;

/** Fragments of one size with their occurrences in the middle. @param margin characters before the first; −1: the default */
export function fragmentsAround(phrases: readonly FoundPhrase[], size: number, offset: number): Fragment[] {
  const margin = offset === -1 ? DEFAULT_MARGIN : offset;
  if (margin < 0) throw illegalArgument(`margin(${margin}) is too small. It must be 0 or higher.`);
  const least = Math.max(1, margin * LEAST_SIZE_PER_MARGIN);
  if (size < least) throw illegalArgument(`fragCharSize(${size}) is too small. It must be ${least} or higher.`);
  const fragments: Fragment[] = [];
  let from = 0;
  for (let i = 0; i < phrases.length; ) {
    const first = phrases[i];
    // What reaches into the fragment before is left out.
    if (startOf(first) < from) {
      i++;
      continue;
    }
    const begin = startOf(first);
    let end = endOf(first);
    const limit = Math.max(end, Math.max(begin - margin, from) + size);
    const taken: FoundPhrase[] = [];
    const take = (phrase: FoundPhrase) => {
      if (phrase.ranges.length <= 1 || end - begin <= size) taken.push(phrase);
    };
    take(first);
    for (i++; i < phrases.length && endOf(phrases[i]) <= limit; i++) {
      end = endOf(phrases[i]);
      take(phrases[i]);
    }
    if (taken.length === 0) continue;
    const length = end - begin;
    const start = Math.max(from, begin - Math.max(0, Math.trunc((size - length) / 2)));
    from = start + Math.max(length, size);
    fragments.push({ start, end: from, phrases: taken, boost: boostOf(taken) });
  }
  return fragments;
}

/** No fragment goes from one value into another: it is cut, and what is marked with it. */
export function byValues(fragments: readonly Fragment[], values: readonly string[]): Fragment[] {
  const result: Fragment[] = [];
  for (const fragment of fragments) result.push(...cutByValues(fragment, values));
  return result.sort((a, b) => a.start - b.start);
}

function cutByValues({ start, end, phrases, boost }: Fragment, values: readonly string[]): Fragment[] {
  const cut: Fragment[] = [];
  let left = phrases.map((phrase) => ({ ...phrase, ranges: [...phrase.ranges] }));
  let valueEnd = 0;
  for (const value of values) {
    if (value === "") {
      valueEnd++;
      continue;
    }
    const valueStart = valueEnd;
    valueEnd += value.length + 1;
    if (start >= valueStart && end >= valueStart && start <= valueEnd && end <= valueEnd) {
      return [...cut, { start, end, phrases: left, boost }];
    }
    if (left.length === 0) return cut;
    if (start >= valueEnd || startOf(left[0]) >= valueEnd) continue;
    const own: FoundPhrase[] = [];
    for (const phrase of left) {
      const ranges = takeRanges(phrase.ranges, valueStart, valueEnd);
      if (ranges.length > 0) own.push({ ...phrase, ranges });
    }
    left = left.filter(({ ranges }) => ranges.length > 0);
    const from = start > valueStart && start < valueEnd ? start : valueStart;
    const to = end > valueStart && end < valueEnd ? end : valueEnd;
    cut.push({ start: from, end: to, phrases: own, boost: boostOf(own) });
  }
  return cut;
}

/** The parts of ranges within a value; what ends there is taken away from them. */
function takeRanges(ranges: Range[], from: number, to: number): Range[] {
  const taken: Range[] = [];
  for (let i = 0; i < ranges.length; ) {
    const { start, end } = ranges[i];
    if (start >= to) break;
    const ends = end < to;
    taken.push({ start: Math.max(start, from), end: ends ? end : to - 1 });
    if (ends) ranges.splice(i, 1);
    else i++;
  }
  return taken;
}

export interface WriteOptions {
  readonly preTags: readonly string[];
  readonly postTags: readonly string[];
  readonly encode: (text: string) => string;
  readonly scanner: BoundaryScanner;
}

/** Writes fragments one after another: the values are joined as far as a fragment needs them. */
export function fragmentWriter(
  values: readonly string[],
  { preTags, postTags, encode, scanner }: WriteOptions,
): (fragment: Fragment) => string {
  let text = "";
  let next = 0;
  return ({ start, end, phrases }) => {
    while (text.length < end && next < values.length) text += `${values[next++]} `;
    const length = text.length - 1;
    const to = length < end ? length : scanner.end(text, end);
    const from = scanner.start(text, start);
    const parts: string[] = [];
    let at = from;
    for (const { ranges, number } of [...phrases].sort((a, b) => startOf(a) - startOf(b))) {
      for (const range of ranges) {
        parts.push(encode(text.slice(at, range.start)), preTags[number % preTags.length]);
        parts.push(encode(text.slice(range.start, range.end)), postTags[number % postTags.length]);
        at = range.end;
      }
    }
    parts.push(encode(text.slice(at, to)));
    return parts.join("");
  };
}
