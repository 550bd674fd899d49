/** Results of auto_date_histogram: buckets as long as their number asks for, without gaps (InternalAutoDateHistogram). */
import type { DocValueFormat } from "../../../mapping/doc-value-format.ts";
import { formatText } from "../../metrics/numeric.ts";
import { printAll, reduceAll, reduceSubs } from "../../reduce.ts";
import type { Rounding } from "../../support/rounding.ts";
import type { Internal, InternalKind, ReduceContext } from "../../types.ts";
import type { HistogramBucket } from "./internal-histogram.ts";

/** A unit of the calendar with the multiples of it that buckets may span. */
export interface AutoRounding {
  readonly rounding: Rounding;
  readonly unit: string;
  readonly multiples: readonly number[];
  /** How long the unit is about, in milliseconds. */
  readonly duration: number;
}

export interface AutoDateHistogram {
  readonly buckets: readonly HistogramBucket[];
  /** From fine to coarse. */
  readonly roundings: readonly AutoRounding[];
  /** That of the buckets. */
  readonly at: number;
  /** Units that a bucket spans. */
  readonly multiple: number;
  /** Buckets that are wanted at most. */
  readonly target: number;
  readonly format: DocValueFormat;
  /** Aggregations in a bucket without documents. */
  readonly empty: readonly Internal[];
}

export const largest = ({ multiples }: AutoRounding): number => multiples[multiples.length - 1];

/** Neighbours with one key as one bucket. @param keepFirst it keeps the key of the first of them */
function merged(
  buckets: readonly HistogramBucket[],
  keyOf: (bucket: HistogramBucket, at: number) => number,
  context: ReduceContext,
  keepFirst = false,
): HistogramBucket[] {
  const groups: { readonly key: number; readonly same: HistogramBucket[] }[] = [];
  for (const [at, bucket] of buckets.entries()) {
    const key = keyOf(bucket, at);
    const last = groups.at(-1);
    if (last?.key === key) last.same.push(bucket);
    else groups.push({ key, same: [bucket] });
  }
  return groups.map(({ key, same }) => ({
    key: keepFirst ? same[0].key : key,
    docCount: same.reduce((sum, bucket) => sum + bucket.docCount, 0),
    subs: reduceSubs(same, context),
  }));
}

/** Coarser until the buckets are few enough for the multiples of their unit. */
function coarser(histogram: AutoDateHistogram, context: ReduceContext): AutoDateHistogram {
  const { roundings, target } = histogram;
  let { at, buckets } = histogram;
  while (buckets.length > target * largest(roundings[at]) && at < roundings.length - 1) {
    const { rounding } = roundings[++at];
    buckets = merged(buckets, ({ key }) => rounding.round(key), context);
  }
  return { ...histogram, at, buckets };
}

/** The rounding with which buckets from the first to the last are few enough, empty ones included (getAppropriateRounding). */
function roundingBetween({ buckets, roundings, at, target }: AutoDateHistogram): number {
  if (at === roundings.length - 1) return at;
  const [first, last] = [buckets[0].key, buckets[buckets.length - 1].key];
  const near = roundings.findIndex(
    (each, i) => i > at && Math.trunc((last - first) / each.duration) < target * largest(each),
  );
  let chosen = near < 0 ? at : near - 1;
  for (; chosen < roundings.length - 1; chosen++) {
    const most = target * largest(roundings[chosen]);
    const { rounding } = roundings[chosen];
    let count = 0;
    for (let key = first; key < last && count <= most; key = rounding.next(key)) count++;
    if (count <= most) break;
  }
  return chosen;
}

/** More buckets than these are too many even when as many as possible are put together. */
const TOO_MANY = 65_535 * 100;

function withoutGaps(histogram: AutoDateHistogram, context: ReduceContext): AutoDateHistogram {
  if (histogram.buckets.length === 0) return histogram;
  const at = roundingBetween(histogram);
  const { rounding } = histogram.roundings[at];
  const found = merged(histogram.buckets, ({ key }) => rounding.round(key), context);
  const buckets: HistogramBucket[] = [];
  for (const [i, bucket] of found.entries()) {
    if (i > 0) {
      for (let key = rounding.next(found[i - 1].key); key < bucket.key; key = rounding.next(key)) {
        buckets.push({ key, docCount: 0, subs: reduceAll([histogram.empty], context) });
        if (buckets.length > TOO_MANY) context.consumeBuckets(buckets.length);
      }
    }
    buckets.push(bucket);
  }
  return { ...histogram, at, buckets };
}

/** Neighbours together, as many as the smallest multiple that makes the buckets few enough. */
function together(histogram: AutoDateHistogram, context: ReduceContext): AutoDateHistogram {
  const { buckets, roundings, at, target } = histogram;
  if (buckets.length <= target) return histogram;
  const multiple = roundings[at].multiples.find((each) => Math.ceil(buckets.length / each) <= target);
  if (multiple === undefined) return histogram;
  const firstOf = (i: number) => buckets[i - (i % multiple)].key;
  return { ...histogram, multiple, buckets: merged(buckets, (_, i) => firstOf(i), context) };
}

export const autoDateKind: InternalKind<AutoDateHistogram> = {
  typedName: "auto_date_histogram",
  reduce(all, context) {
    const [first] = all;
    const at = Math.max(...all.map((each) => each.at));
    const { rounding } = first.roundings[at];
    const sorted = all.flatMap(({ buckets }) => buckets).sort((a, b) => a.key - b.key);
    // What shares a key of the coarsest rounding keeps its own first key until it is rounded for good.
    const runs = merged(sorted, ({ key }) => rounding.round(key), context, true);
    const whole = withoutGaps(coarser({ ...first, at, multiple: 1, buckets: runs }, context), context);
    const reduced = together(coarser(whole, context), context);
    context.consumeBuckets(reduced.buckets.length);
    return reduced;
  },
  print: ({ buckets, format, roundings, at, multiple }, context) => ({
    buckets: buckets.map(({ key, docCount, subs }) => ({
      ...(format.raw ? {} : { key_as_string: formatText(format, key) }),
      key,
      doc_count: docCount,
      ...printAll(subs, context),
    })),
    interval: `${multiple}${roundings[at].unit}`,
  }),
  buckets: {
    list: ({ buckets }) => buckets,
    with: (data, buckets) => ({ ...data, buckets: buckets as readonly HistogramBucket[] }),
    keyText: ({ format }, bucket) => formatText(format, (bucket as HistogramBucket).key),
    key: (bucket) => (bucket as HistogramBucket).key,
  },
};
