/** What histograms share on a shard: a bucket for each key that values are rounded to. */
import type { LeafReader } from "../../../segment/types.ts";
import { buildSubs, subCollector } from "../../collect.ts";
import { type Order, sortersOf } from "../../order.ts";
import { bucketOrds } from "../../support/bucket-ords.ts";
import { Doubles } from "../../support/memory.ts";
import {
  type AggregationContext,
  type Aggregator,
  type Collect,
  type InternalKind,
  internal,
  NO_BUCKET,
  type Own,
} from "../../types.ts";
import type { EmptyBuckets, Histogram } from "./internal-histogram.ts";

export interface HistogramOptions {
  readonly context: AggregationContext;
  readonly own: Own;
  readonly kind: InternalKind<Histogram>;
  readonly order: readonly Order[];
  readonly minDocCount: number;
  readonly keyed: boolean;
  readonly format: Histogram["format"];
  readonly empty: Omit<EmptyBuckets, "subs">;
  /** Gives each key of a document once. Undefined: no document of the segment has one. */
  readonly leaf: (leaf: LeafReader, take: (doc: number, owner: number, key: number) => void) => Collect | undefined;
}

export function histogramAggregator({ context, own, kind, leaf, empty, ...settings }: HistogramOptions): Aggregator {
  const subs = own.subs(context);
  // Checks the paths; the order is that of the reduced buckets.
  context.atCreation(() => sortersOf(settings.order, subs));
  const ords = bucketOrds(context.memory);
  const counts = new Doubles(context.memory);
  return {
    name: own.name,
    needsScores: subs.some(({ needsScores }) => needsScores),
    subs,
    sortable: { kind: "none" },
    leaf(reader, scores) {
      const within = subCollector(subs, reader, scores);
      return leaf(reader, (doc, owner, key) => {
        const added = ords.add(owner, key);
        const ord = added < 0 ? -1 - added : added;
        counts.add(ord, 1);
        within?.(doc, ord);
      });
    },
    build(owner) {
      const buckets = Array.from(ords.ordsOf(owner), (ord) => ({
        key: ords.key(ord),
        docCount: counts.get(ord),
        subs: buildSubs(subs, ord),
      }));
      return internal(own, kind, { ...settings, buckets, empty: { ...empty, subs: buildSubs(subs, NO_BUCKET) } });
    },
  };
}
