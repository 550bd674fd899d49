/** Doc values that are spans of numbers. */
import { illegalArgument } from "../../errors.ts";
import type { LeafReader } from "../../segment/types.ts";
import type { Collect } from "../types.ts";
import type { ValuesSource } from "./values-source.ts";

export interface RangeBuckets {
  /** Values outside of it have no bucket. */
  readonly least: number;
  readonly most: number;
  /** The number of a value's bucket. */
  round(value: number): number;
  next(bucket: number): number;
}

/** @throws for a field whose ends cannot be put into buckets (RangeHistogramAggregator, DateRangeHistogramAggregator) */
export function checkRanges(source: ValuesSource, dates: boolean, missing: boolean): void {
  if (missing) {
    throw illegalArgument(
      "Can't apply missing values on a class org.elasticsearch.search.aggregations.support.ValuesSource$Range",
    );
  }
  const { field } = source;
  if (dates && field && field.type !== "date_range") {
    throw illegalArgument(`Expected date range type but found range type [${field.type}]`);
  }
  if (field && field.ranges?.numberOf === undefined) {
    throw illegalArgument(`Expected numeric range type but found non-numeric range [${field.type}]`);
  }
}

/** A document counts in each bucket that one of its spans touches, once. */
export function collectRanges(
  source: ValuesSource,
  leaf: LeafReader,
  { least, most, round, next }: RangeBuckets,
  take: (doc: number, owner: number, bucket: number) => void,
): Collect | undefined {
  const numberOf = source.field?.ranges?.numberOf;
  if (numberOf === undefined) return undefined;
  const { start, end, ord, term } = source.ordinals(leaf);
  return (doc, owner) => {
    const last = end(doc);
    let before = Number.NEGATIVE_INFINITY;
    // By their beginnings: what was counted before lies below.
    for (let i = start(doc); i < last; i++) {
      const ends = term(ord(i));
      const from = round(Math.max(least, numberOf(ends.slice(0, ends.length / 2))));
      const to = round(Math.min(most, numberOf(ends.slice(ends.length / 2))));
      for (let bucket = Math.max(from, before); bucket <= to; ) {
        if (bucket !== before) take(doc, owner, bucket);
        const following = next(bucket);
        // So far from zero there is no next number; Elasticsearch never ends here.
        if (!(following > bucket)) throw illegalArgument(`a range of [${source.field!.name}] has too many buckets`);
        bucket = following;
      }
      if (to > before) before = to;
    }
  };
}
