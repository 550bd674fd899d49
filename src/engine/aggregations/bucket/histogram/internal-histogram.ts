/** Results of histograms: buckets by key, with empty ones between and around them (InternalHistogram, InternalDateHistogram). */
import type { DocValueFormat } from "../../../mapping/doc-value-format.ts";
import { printDouble } from "../../../mapping/doc-value-format.ts";
import { javaDouble } from "../../../mapping/java-text.ts";
import { formatText } from "../../metrics/numeric.ts";
import { bucketOrder, type Order } from "../../order.ts";
import { printAll, reduceAll, reduceSubs } from "../../reduce.ts";
import type { Bucket, Internal, InternalKind, ReduceContext } from "../../types.ts";

export interface HistogramBucket extends Bucket {
  readonly key: number;
}

/** How empty buckets are made. */
export interface EmptyBuckets {
  /** Keys before the first bucket, or all where there is none. */
  readonly first: number | undefined;
  /** No key is beyond it. */
  readonly last: number | undefined;
  next(key: number): number;
  /** Aggregations in a bucket without documents. */
  readonly subs: readonly Internal[];
}

export interface Histogram {
  readonly buckets: readonly HistogramBucket[];
  readonly order: readonly Order[];
  readonly minDocCount: number;
  readonly keyed: boolean;
  readonly format: DocValueFormat;
  readonly empty: EmptyBuckets;
}

/** Empty buckets that are counted at once. */
const COUNTED = 1000;

function addEmpty(
  buckets: readonly HistogramBucket[],
  { first, last, next, subs }: EmptyBuckets,
  context: ReduceContext,
): HistogramBucket[] {
  const filled: HistogramBucket[] = [];
  let counted = 0;
  /** @param within keys from here on are no more */
  const fill = (from: number, within: (key: number) => boolean) => {
    for (let key = from; within(key); key = next(key)) {
      filled.push({ key, docCount: 0, subs: reduceAll([subs], context) });
      if (filled.length - counted < COUNTED) continue;
      context.consumeBuckets(filled.length - counted);
      counted = filled.length;
    }
  };
  if (buckets.length === 0) {
    if (first !== undefined && last !== undefined) fill(first, (key) => key <= last);
  } else if (first !== undefined) fill(first, (key) => key < buckets[0].key);
  for (const [at, bucket] of buckets.entries()) {
    if (at > 0) fill(next(buckets[at - 1].key), (key) => key < bucket.key);
    filled.push(bucket);
  }
  const end = buckets.at(-1);
  if (end && last !== undefined) fill(next(end.key), (key) => key <= last);
  context.consumeBuckets(filled.length - counted);
  return filled;
}

function reduceHistogram(all: readonly Histogram[], context: ReduceContext): Histogram {
  const [first] = all;
  const byKey = new Map<number, HistogramBucket[]>();
  for (const { buckets } of all) {
    for (const bucket of buckets) {
      const same = byKey.get(bucket.key);
      if (same) same.push(bucket);
      else byKey.set(bucket.key, [bucket]);
    }
  }
  const merged: HistogramBucket[] = [];
  for (const [key, same] of [...byKey].sort(([a], [b]) => a - b)) {
    const docCount = same.reduce((sum, bucket) => sum + bucket.docCount, 0);
    if (docCount >= first.minDocCount) merged.push({ key, docCount, subs: reduceSubs(same, context) });
  }
  const { minDocCount, empty, order } = first;
  let buckets = merged;
  if (minDocCount === 0) buckets = addEmpty(merged, empty, context);
  else context.consumeBuckets(merged.length);
  if (!(order[0].by === "key" && order[0].ascending)) {
    buckets = [...buckets].sort(bucketOrder(order, (a: HistogramBucket, b: HistogramBucket) => a.key - b.key));
  }
  return { ...first, buckets };
}

/** @param whole keys are longs */
export const histogramKind = (typedName: string, whole: boolean): InternalKind<Histogram> => ({
  typedName,
  reduce: reduceHistogram,
  print({ buckets, keyed, format }, context) {
    const body = ({ key, docCount, subs }: HistogramBucket) => ({
      ...(format.raw ? {} : { key_as_string: formatText(format, key) }),
      key: whole ? key : printDouble(key),
      doc_count: docCount,
      ...printAll(subs, context),
    });
    if (!keyed) return { buckets: buckets.map(body) };
    const named = buckets.map((bucket) => [keyText(format, whole, bucket.key), body(bucket)] as const);
    return { buckets: Object.fromEntries(named) };
  },
  buckets: {
    list: ({ buckets }) => buckets,
    with: (data, buckets) => ({ ...data, buckets: buckets as readonly HistogramBucket[] }),
    keyText: ({ format }, bucket) => keyText(format, whole, (bucket as HistogramBucket).key),
    key: (bucket) => (bucket as HistogramBucket).key,
  },
});

const keyText = (format: DocValueFormat, whole: boolean, key: number) =>
  format.raw ? (whole ? String(key) : javaDouble(key)) : formatText(format, key);
