/** How often something was done and how long it took, by kinds of work. */
import type { ResponseValue } from "../../action/response-value.ts";

export interface Breakdown<K extends string> {
  /** Does a piece of work of a kind, measured. */
  time<T>(kind: K, work: () => T): T;
  /** Adds work that was measured elsewhere. */
  add(kind: K, nanos: number, times?: number): void;
  /** All kinds together, in nanoseconds. */
  total(): number;
  print(): { readonly [key: string]: ResponseValue };
}

export function createBreakdown<K extends string>(kinds: readonly K[]): Breakdown<K> {
  const nanos = new Map(kinds.map((kind) => [kind, 0]));
  const counts = new Map(kinds.map((kind) => [kind, 0]));
  const breakdown: Breakdown<K> = {
    time(kind, work) {
      const began = performance.now();
      try {
        return work();
      } finally {
        breakdown.add(kind, nanosSince(began));
      }
    },
    add(kind, more, times = 1) {
      nanos.set(kind, nanos.get(kind)! + more);
      counts.set(kind, counts.get(kind)! + times);
    },
    total: () => kinds.reduce((sum, kind) => sum + nanos.get(kind)!, 0),
    print: () =>
      Object.fromEntries(
        kinds.flatMap((kind) => [
          [kind, nanos.get(kind)!],
          [`${kind}_count`, counts.get(kind)!],
        ]),
      ),
  };
  return breakdown;
}

/** Whole nanoseconds since a time of `performance.now()`. */
export function nanosSince(began: number): number {
  return Math.round((performance.now() - began) * 1e6);
}
