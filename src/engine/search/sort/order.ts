/** The order of sort values, and of hits by several of them. */
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import type { SortKey, SortValue } from "./types.ts";

/** Numbers of either kind, as Java's Long.compare and Double.compare have it: −0 before 0, NaN last. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b && a !== 0) return 0;
  const rank = (value: number | bigint) => (Object.is(value, -0) ? -1 : Number.isNaN(value) ? 1 : 0);
  return rank(a) - rank(b);
}

/** In ascending order. */
export function compareValues({ nullsLast }: SortKey, a: SortValue, b: SortValue): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === (nullsLast ?? false) ? 1 : -1;
  }
  if (typeof a === "string" || typeof b === "string") return compareUtf8(String(a), String(b));
  return compareNumbers(a, b);
}

/** Hits by all their keys, the better one first. */
export function compareRows(keys: readonly SortKey[], a: readonly SortValue[], b: readonly SortValue[]): number {
  for (let i = 0; i < keys.length; i++) {
    const order = compareValues(keys[i], a[i], b[i]);
    if (order !== 0) return keys[i].descending ? -order : order;
  }
  return 0;
}
