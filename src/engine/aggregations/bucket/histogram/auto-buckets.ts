/** Buckets of auto_date_histogram on a shard, in each bucket around it with a rounding of its own. */
import type { Memory } from "../../support/memory.ts";
import { type AutoRounding, largest } from "./internal-auto-date-histogram.ts";

export interface AutoBucket {
  readonly key: number;
  readonly docCount: number;
  readonly ord: number;
}

export interface AutoBuckets {
  /** The key of a time, with the rounding that its owner has now. */
  round(owner: number, millis: number): number;
  /** Counts a document. @returns the ordinal of its bucket, which may become part of another one */
  add(owner: number, key: number): number;
  /** After the last document. */
  finish(): void;
  /** The bucket that one has become. */
  current(ord: number): number;
  /** The rounding of an owner, and its buckets by key. */
  of(owner: number): { readonly at: number; readonly list: readonly AutoBucket[] };
}

interface Owned {
  at: number;
  ords: Map<number, number>;
  min: number;
  max: number;
  /** How many buckets there would be if all were rounded as the last one was; fewer at most. */
  live: number;
}

/** Buckets beyond those that are needed from which on all are rounded again; twice as many the next time. */
const WASTED = 1000;

/**
 * @param many there may be several buckets around it: buckets are rounded again all at once, not when their rounding changes, and until then
 * their number is an estimate (AutoDateHistogramAggregator.FromMany)
 */
export function autoBuckets(
  roundings: readonly AutoRounding[],
  target: number,
  many: boolean,
  memory: Memory,
): AutoBuckets {
  const owners = new Map<number, Owned>();
  const counts: number[] = [];
  /** Of each ordinal the one that it has become part of, or itself. */
  const merged: number[] = [];
  let wasted = 0;
  let mostWasted = WASTED;
  const ownedBy = (owner: number) => {
    let owned = owners.get(owner);
    if (owned === undefined) {
      memory.take(128);
      owned = { at: 0, ords: new Map(), min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, live: 0 };
      owners.set(owner, owned);
    }
    return owned;
  };
  const current = (ord: number): number => {
    let root = ord;
    while (merged[root] !== root) root = merged[root];
    for (let at = ord; merged[at] !== root; ) {
      const next = merged[at];
      merged[at] = root;
      at = next;
    }
    return root;
  };
  const last = roundings.length - 1;
  const tooMany = (at: number, count: number, { min, max }: Owned) => {
    const most = target * largest(roundings[at]);
    return count > most || max - min > most * roundings[at].duration;
  };
  const roundAgain = (owned: Owned) => {
    const { rounding } = roundings[owned.at];
    const ords = new Map<number, number>();
    for (const [key, ord] of owned.ords) {
      const coarse = rounding.round(key);
      const known = ords.get(coarse);
      if (known === undefined) ords.set(coarse, ord);
      else {
        merged[ord] = known;
        counts[known] += counts[ord];
      }
    }
    owned.ords = ords;
    owned.live = ords.size;
  };
  const goCoarserByEstimate = (owned: Owned) => {
    const { duration } = roundings[owned.at];
    let estimate = owned.live;
    do {
      owned.at++;
      estimate = Math.ceil(owned.live * (duration / roundings[owned.at].duration));
    } while (owned.at < last && tooMany(owned.at, estimate, owned));
    const { rounding } = roundings[owned.at];
    owned.min = rounding.round(owned.min);
    owned.max = rounding.round(owned.max);
    wasted += owned.live - estimate;
    owned.live = estimate;
    if (wasted <= mostWasted) return;
    for (const each of owners.values()) roundAgain(each);
    wasted = 0;
    mostWasted *= 2;
  };
  const goCoarser = (owned: Owned) => {
    while (owned.at < last && tooMany(owned.at, owned.ords.size, owned)) {
      owned.at++;
      roundAgain(owned);
    }
  };
  return {
    round: (owner, millis) => roundings[ownedBy(owner).at].rounding.round(millis),
    add(owner, key) {
      const owned = ownedBy(owner);
      const known = owned.ords.get(key);
      if (known !== undefined) {
        counts[known]++;
        return known;
      }
      memory.take(48);
      const ord = counts.push(1) - 1;
      merged.push(ord);
      owned.ords.set(key, ord);
      owned.live++;
      if (owned.at < last) {
        owned.min = Math.min(owned.min, key);
        owned.max = Math.max(owned.max, key);
        if (!many) goCoarser(owned);
        else if (tooMany(owned.at, owned.live, owned)) goCoarserByEstimate(owned);
      }
      return ord;
    },
    finish() {
      for (const owned of owners.values()) roundAgain(owned);
    },
    current,
    of(owner) {
      const { at = 0, ords = new Map<number, number>() } = owners.get(owner) ?? {};
      const list = [...ords].map(([key, ord]) => ({ key, ord, docCount: counts[ord] }));
      return { at, list: list.sort((a, b) => a.key - b.key) };
    },
  };
}
