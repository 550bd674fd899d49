/**
 * Intervals of one document, found lazily in the order of their starts and ends (Lucene's IntervalIterator): of the intervals that end alike
 * only the narrowest is given. The rules are those of "Efficient Optimally Lazy Algorithms for Minimal-Interval Semantics" (Boldi, Vigna)
 * as Lucene has them, with its choices where several sources meet: hits and scores depend on them.
 */
import { type Before, pop, siftDown, siftUp } from "./heap.ts";

/** Start and end of an iterator that is used up. */
export const NO_MORE_INTERVALS = 0x7fffffff;

export interface Intervals {
  /** First position of the current interval; −1 before the first one. */
  start(): number;
  /** Last position of the current interval. */
  end(): number;
  /** Positions within the current interval that none of its parts covers. */
  gaps(): number;
  /** Positions that the current interval counts for where it is a part of another. */
  width(): number;
  /** Moves on; returns the start. */
  next(): number;
  /** The terms that the current interval is made of; only where they were asked for. */
  leaves?(): readonly IntervalLeaf[];
}

/** An occurrence of a term within an interval. */
export interface IntervalLeaf {
  readonly term: string;
  readonly position: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

/** The terms of all parts, where all know theirs. */
function leavesOf(parts: readonly Intervals[]): (() => readonly IntervalLeaf[]) | undefined {
  return parts.every(({ leaves }) => leaves) ? () => parts.flatMap((part) => part.leaves!()) : undefined;
}

const span = (it: Pick<Intervals, "start" | "end">) => it.end() - it.start() + 1;
const widths = (parts: readonly Intervals[]) => parts.reduce((sum, part) => sum + part.width(), 0);

/**
 * Intervals of one position each.
 * @param read the next of `count` positions, ascending @param distinct each position once @param leaf the term at the position that was read last
 */
export function positionIntervals(
  count: number,
  read: () => number,
  distinct = false,
  leaf?: (position: number) => IntervalLeaf,
): Intervals {
  let left = count;
  let at = -1;
  let leaves: readonly IntervalLeaf[] = [];
  return {
    ...(leaf ? { leaves: () => leaves } : {}),
    start: () => at,
    end: () => at,
    gaps: () => 0,
    width: () => 1,
    next() {
      const before = at;
      do {
        at = left-- > 0 ? read() : NO_MORE_INTERVALS;
      } while (distinct && at === before && at !== NO_MORE_INTERVALS);
      if (leaf && at !== NO_MORE_INTERVALS) leaves = [leaf(at)];
      return at;
    },
  };
}

/** Parts one after another, whatever lies between them. */
export function orderedIntervals(parts: readonly Intervals[]): Intervals {
  const last = parts.length - 1;
  let [start, end, slop] = [-1, -1, -1];
  /** The part to move next: the search goes on where it broke off. */
  let i = 1;
  parts[0].next();
  const partLeaves = leavesOf(parts);
  let leaves: readonly IntervalLeaf[] = [];
  const it: Intervals = {
    ...(partLeaves ? { leaves: () => leaves } : {}),
    start: () => start,
    end: () => end,
    gaps: () => slop,
    width: () => span(it),
    next() {
      start = end = slop = NO_MORE_INTERVALS;
      let lastStart = NO_MORE_INTERVALS;
      // Once there is an interval, a later start may make it narrower while the last part stays.
      for (let narrowing = false; ; narrowing = true) {
        for (; ; i++) {
          if (parts[i - 1].end() >= lastStart) return start;
          if (i > last || (narrowing && parts[i].start() > parts[i - 1].end())) break;
          do {
            if (parts[i].end() >= lastStart || parts[i].next() === NO_MORE_INTERVALS) return start;
          } while (parts[i].start() <= parts[i - 1].end());
        }
        start = parts[0].start();
        end = start === NO_MORE_INTERVALS ? start : parts[last].end();
        if (start === NO_MORE_INTERVALS) return start;
        slop = end - start + 1 - widths(parts);
        // Before the parts move on.
        if (partLeaves) leaves = partLeaves();
        lastStart = parts[last].start();
        i = 1;
        if (parts[0].next() === NO_MORE_INTERVALS) return start;
      }
    },
  };
  return it;
}

/** All parts in any order; they may overlap. */
export function unorderedIntervals(parts: readonly Intervals[]): Intervals {
  const before: Before<Intervals> = (a, b) => a.start() < b.start() || (a.start() === b.start() && a.end() >= b.end());
  const heap: Intervals[] = [];
  let [start, end, slop, furthest] = [-1, -1, -1, -1];
  const add = (part: Intervals): void => {
    heap.push(part);
    siftUp(heap, before);
    furthest = Math.max(furthest, part.end());
  };
  const advanceFirst = (): void => {
    const first = pop(heap, before);
    if (first && first.next() !== NO_MORE_INTERVALS) add(first);
  };
  for (const part of parts) {
    if (part.next() === NO_MORE_INTERVALS) break;
    add(part);
  }
  const partLeaves = leavesOf(parts);
  let leaves: readonly IntervalLeaf[] = [];
  const it: Intervals = {
    ...(partLeaves ? { leaves: () => leaves } : {}),
    start: () => start,
    end: () => end,
    gaps: () => slop,
    width: () => span(it),
    next() {
      while (heap.length === parts.length && heap[0].start() === start) advanceFirst();
      if (heap.length < parts.length) {
        start = end = NO_MORE_INTERVALS;
        return start;
      }
      do {
        start = heap[0].start();
        end = furthest;
        slop = end - start + 1 - widths(parts);
        if (partLeaves) leaves = partLeaves();
        if (heap[0].end() === end) return start;
        advanceFirst();
      } while (heap.length === parts.length && end === furthest);
      return start;
    },
  };
  return it;
}

/** Parts next to each other in order: a phrase. */
export function blockIntervals(parts: readonly Intervals[]): Intervals {
  let [start, end] = [-1, -1];
  const exhausted = () => {
    start = end = NO_MORE_INTERVALS;
    return start;
  };
  const leaves = leavesOf(parts);
  const it: Intervals = {
    ...(leaves ? { leaves } : {}),
    start: () => start,
    end: () => end,
    gaps: () => 0,
    width: () => span(it),
    next() {
      if (parts[0].next() === NO_MORE_INTERVALS) return exhausted();
      for (let i = 1; i < parts.length; ) {
        while (parts[i].start() <= parts[i - 1].end()) {
          if (parts[i].next() === NO_MORE_INTERVALS) return exhausted();
        }
        if (parts[i].start() === parts[i - 1].end() + 1) i++;
        else if (parts[0].next() === NO_MORE_INTERVALS) return exhausted();
        else i = 1;
      }
      start = parts[0].start();
      end = parts[parts.length - 1].end();
      return start;
    },
  };
  return it;
}

/** Intervals of any part; of those that hold one another the innermost. */
export function eitherIntervals(parts: readonly Intervals[]): Intervals {
  const before: Before<Intervals> = (a, b) => a.end() < b.end() || (a.end() === b.end() && a.start() >= b.start());
  const heap: Intervals[] = [];
  for (const part of parts) {
    part.next();
    heap.push(part);
    siftUp(heap, before);
  }
  let current: Intervals | undefined;
  let exhausted = false;
  const bound = (of: "start" | "end") => (exhausted ? NO_MORE_INTERVALS : current === undefined ? -1 : current[of]());
  const it: Intervals = {
    ...(leavesOf(parts) ? { leaves: () => current?.leaves?.() ?? [] } : {}),
    start: () => bound("start"),
    end: () => bound("end"),
    gaps: () => current?.gaps() ?? 0,
    width: () => span(it),
    next() {
      if (current !== undefined && !exhausted) {
        const [start, end] = [current.start(), current.end()];
        while (heap.length > 0 && heap[0].start() <= start && heap[0].end() >= end) {
          if (heap[0].next() === NO_MORE_INTERVALS) pop(heap, before);
          else siftDown(heap, before);
        }
        exhausted = heap.length === 0;
      }
      if (heap.length > 0) current = heap[0];
      return it.start();
    },
  };
  return it;
}

/** Runs of so many intervals of one source, as when a term is asked for several times. */
export function repeatedIntervals(inner: Intervals, count: number): Intervals {
  let run: (readonly [start: number, end: number, leaves: readonly IntervalLeaf[]])[] = [];
  let [started, exhausted] = [false, false];
  const take = (): boolean => {
    if (inner.next() === NO_MORE_INTERVALS) exhausted = true;
    else run.push([inner.start(), inner.end(), inner.leaves?.() ?? []]);
    return !exhausted;
  };
  const it: Intervals = {
    ...(inner.leaves ? { leaves: () => run.flatMap(([, , leaves]) => leaves) } : {}),
    start: () => (exhausted ? NO_MORE_INTERVALS : started ? run[0][0] : -1),
    end: () => (exhausted ? NO_MORE_INTERVALS : started ? run[run.length - 1][1] : -1),
    // Lucene takes the ends from the starts here: right where an interval is one position, and kept where it is not.
    width: () => (started ? run.reduce((sum, [start, end]) => sum + start - end + 1, 0) : count),
    gaps: () => span(it) - it.width(),
    next() {
      if (exhausted) return NO_MORE_INTERVALS;
      if (started) run = run.slice(1);
      while (run.length < count && take());
      started = true;
      return it.start();
    },
  };
  return it;
}

/** Intervals made wider on both sides. */
export function extendedIntervals(inner: Intervals, before: number, after: number): Intervals {
  let positioned = false;
  const within = (bound: number, moved: number) =>
    !positioned ? -1 : bound === NO_MORE_INTERVALS ? bound : Math.min(Math.max(0, moved), NO_MORE_INTERVALS - 1);
  const it: Intervals = {
    ...(inner.leaves ? { leaves: inner.leaves } : {}),
    start: () => within(inner.start(), inner.start() - before),
    end: () => within(inner.end(), inner.end() + after),
    gaps: () => inner.gaps(),
    width: () => span(it),
    next() {
      positioned = true;
      inner.next();
      return it.start();
    },
  };
  return it;
}

/** The one position before, or behind, each interval. */
export function besideIntervals(inner: Intervals, side: "before" | "after"): Intervals {
  const at = (): number => {
    const bound = side === "before" ? inner.start() : inner.end();
    if (bound === -1 || bound === NO_MORE_INTERVALS) return bound;
    return side === "before" ? Math.max(0, bound - 1) : Math.min(bound + 1, NO_MORE_INTERVALS - 1);
  };
  return {
    ...(inner.leaves ? { leaves: inner.leaves } : {}),
    start: at,
    end: at,
    gaps: () => 0,
    width: () => 1,
    next() {
      inner.next();
      return at();
    },
  };
}

/** Intervals with so many gaps at most. */
export function intervalsWithin(inner: Intervals, maxGaps: number): Intervals {
  const it: Intervals = {
    ...(inner.leaves ? { leaves: inner.leaves } : {}),
    start: () => inner.start(),
    end: () => inner.end(),
    gaps: () => inner.gaps(),
    width: () => span(it),
    next() {
      for (;;) {
        const start = inner.next();
        if (start === NO_MORE_INTERVALS || inner.gaps() <= maxGaps) return start;
      }
    },
  };
  return it;
}
