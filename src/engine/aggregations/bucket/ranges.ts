/** What the aggregations over given ranges share: their buckets, how they are reduced and printed. */
import type { DocValueFormat } from "../../mapping/doc-value-format.ts";
import type { LeafReader } from "../../segment/types.ts";
import { buildSubs, subCollector } from "../collect.ts";
import { printAll, reduceSubs } from "../reduce.ts";
import { Doubles } from "../support/memory.ts";
import {
  type AggregationContext,
  type Aggregator,
  type Bucket,
  type Collect,
  type InternalKind,
  internal,
  type Own,
  type PrintedObject,
} from "../types.ts";

export interface RangeBucket<V> {
  readonly key: string;
  /** Undefined: open. */
  readonly from: V | undefined;
  readonly to: V | undefined;
}

export interface Ranges<V> {
  readonly keyed: boolean;
  readonly format: DocValueFormat;
  readonly buckets: readonly (RangeBucket<V> & Bucket)[];
}

/** @param printBounds the ends of a bucket */
export function rangesKind<V>(
  typedName: string,
  printBounds: (bucket: RangeBucket<V>, format: DocValueFormat) => PrintedObject,
): InternalKind<Ranges<V>> {
  type Own = RangeBucket<V> & Bucket;
  return {
    typedName,
    reduce(all, context) {
      const [first] = all;
      const buckets = first.buckets.map((bucket, at) => {
        const same = all.map(({ buckets: each }) => each[at]);
        const docCount = same.reduce((sum, each) => sum + each.docCount, 0);
        return { ...bucket, docCount, subs: reduceSubs(same, context) };
      });
      context.consumeBuckets(buckets.length);
      return { ...first, buckets };
    },
    print({ keyed, format, buckets }, context) {
      const body = (bucket: Own) => ({
        ...printBounds(bucket, format),
        doc_count: bucket.docCount,
        ...printAll(bucket.subs, context),
      });
      if (!keyed) return { buckets: buckets.map((bucket) => ({ key: bucket.key, ...body(bucket) })) };
      return { buckets: Object.fromEntries(buckets.map((bucket) => [bucket.key, body(bucket)])) };
    },
    buckets: {
      list: ({ buckets }) => buckets,
      with: (data, buckets) => ({ ...data, buckets: buckets as readonly Own[] }),
      keyText: (_data, bucket) => (bucket as Own).key,
      key: (bucket) => (bucket as Own).key,
    },
  };
}

export interface RangesOptions<V> {
  readonly context: AggregationContext;
  readonly own: Own;
  /** Some document may be in them. */
  readonly mapped: boolean;
  readonly kind: InternalKind<Ranges<V>>;
  readonly format: DocValueFormat;
  readonly keyed: boolean;
  readonly buckets: readonly RangeBucket<V>[];
  readonly leaf: (leaf: LeafReader, take: (doc: number, owner: number, at: number) => void) => Collect | undefined;
}

export function rangesAggregator<V>({
  context,
  own,
  mapped,
  kind,
  format,
  keyed,
  buckets,
  leaf,
}: RangesOptions<V>): Aggregator {
  const subs = own.subs(mapped ? context : { ...context, notOneBucket: true });
  const counts = new Doubles(context.memory);
  const total = buckets.length;
  return {
    name: own.name,
    needsScores: subs.some(({ needsScores }) => needsScores),
    subs,
    sortable: { kind: "none" },
    leaf(reader, scores) {
      const within = subCollector(subs, reader, scores);
      return leaf(reader, (doc, owner, at) => {
        const bucket = owner * total + at;
        counts.add(bucket, 1);
        within?.(doc, bucket);
      });
    },
    build: (owner) =>
      internal(own, kind, {
        keyed,
        format,
        buckets: buckets.map((bucket, i) => {
          const at = owner * total + i;
          return { ...bucket, docCount: counts.get(at), subs: buildSubs(subs, at) };
        }),
      }),
  };
}
