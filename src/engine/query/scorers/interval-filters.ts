/** Intervals of one source chosen by those of another, in the same document: the filters of an `intervals` query. */
import { type Intervals, NO_MORE_INTERVALS } from "./intervals.ts";

/** Says of the current interval of a source whether it stays; undefined when none after it can. Moves the others only forward. */
type Accepts = (it: Intervals, others: Intervals) => boolean | undefined;

/** Moves the others while they lie before; false when they end there. */
function skip(others: Intervals, before: () => boolean): boolean {
  while (before()) if (others.next() === NO_MORE_INTERVALS) return false;
  return true;
}

/** Where there are no others, nothing is found. @param both the others are parts of what is found */
function chosen(it: Intervals, others: Intervals, accepts: Accepts, both = false): Intervals {
  let open = others.next() !== NO_MORE_INTERVALS;
  return {
    ...(it.leaves ? { leaves: () => [...it.leaves!(), ...(both ? (others.leaves?.() ?? []) : [])] } : {}),
    start: () => (open ? it.start() : NO_MORE_INTERVALS),
    end: () => (open ? it.end() : NO_MORE_INTERVALS),
    gaps: () => it.gaps(),
    width: () => it.end() - it.start() + 1,
    next() {
      while (open && it.next() !== NO_MORE_INTERVALS) {
        const kept = accepts(it, others);
        if (kept) return it.start();
        if (kept === undefined) break;
      }
      open = false;
      return NO_MORE_INTERVALS;
    },
  };
}

/** Intervals that lie within another. */
export const containedBy = (it: Intervals, big: Intervals): Intervals =>
  chosen(it, big, () => (skip(big, () => big.end() < it.end()) ? big.start() <= it.start() : undefined));

/** Intervals that hold another. */
export const containing = (it: Intervals, small: Intervals): Intervals =>
  chosen(
    it,
    small,
    () => {
      if (!skip(small, () => small.start() < it.start() && small.end() < it.end())) return undefined;
      return it.start() <= small.start() && it.end() >= small.end();
    },
    true,
  );

/** Intervals that share a position with another. */
export const overlapping = (it: Intervals, others: Intervals): Intervals =>
  chosen(it, others, () => (skip(others, () => others.end() < it.start()) ? others.start() <= it.end() : undefined));

/** Intervals that none of the others speaks against. */
function remaining(
  it: Intervals,
  others: Intervals,
  accepts: (it: Intervals, others: Intervals) => boolean,
): Intervals {
  return {
    ...(it.leaves ? { leaves: it.leaves } : {}),
    start: () => it.start(),
    end: () => it.end(),
    gaps: () => it.gaps(),
    width: () => it.end() - it.start() + 1,
    next() {
      for (;;) if (it.next() === NO_MORE_INTERVALS || accepts(it, others)) return it.start();
    },
  };
}

/** Intervals that share no position with another. */
export const notOverlapping = (it: Intervals, others: Intervals): Intervals =>
  remaining(it, others, () => !skip(others, () => others.end() < it.start()) || others.start() > it.end());

/** Intervals that hold none of the others. */
export const notContaining = (it: Intervals, small: Intervals): Intervals =>
  remaining(it, small, () => {
    const left = skip(small, () => small.start() < it.start() && small.end() < it.end());
    return !left || small.start() > it.end();
  });

/** Intervals that lie within none of the others. */
export const notContainedBy = (it: Intervals, big: Intervals): Intervals =>
  remaining(it, big, () => !skip(big, () => big.end() < it.end()) || it.start() < big.start());
