/** What terms over one field and over several share on a shard: counting by key, and choosing the best buckets. */

import type { LeafReader } from "../../../segment/types.ts";
import { buildSubs, deferredCollector, subCollector } from "../../collect.ts";
import { compareOrds, type Order, sortersOf } from "../../order.ts";
import type { BucketOrds } from "../../support/bucket-ords.ts";
import { Doubles } from "../../support/memory.ts";
import { selectTop } from "../../support/select.ts";
import {
  type AggregationContext,
  type Aggregator,
  type Collect,
  type InternalKind,
  internal,
  NO_BUCKET,
  type Own,
} from "../../types.ts";
import type { Terms, TermsBucket } from "./internal-terms.ts";

/** How the values of documents become buckets. */
export interface TermKeys<K> {
  /**
   * @param take is given each bucket of a document once
   * @param counts of buckets, where nothing but counting is wanted: many documents at a time need not be taken one by one
   */
  leaf(leaf: LeafReader, take: (doc: number, ord: number) => void, counts?: Doubles): Collect | undefined;
  key(ord: number): K;
  /** Adds the terms of all documents to the buckets of an owner. */
  fill(owner: number): void;
}

export interface TermsSettings {
  readonly size: number;
  readonly order: readonly Order[];
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly showError: boolean;
}

export interface TermsAggregatorOptions<K> {
  readonly context: AggregationContext;
  readonly own: Own;
  readonly settings: TermsSettings;
  /** Buckets are chosen before anything is collected in them (SubAggCollectionMode.BREADTH_FIRST). */
  readonly deferred?: boolean;
  readonly kind: InternalKind<Terms<K>>;
  /** Undefined: nothing can have a value. */
  readonly keys: TermKeys<K> | undefined;
  readonly ords: BucketOrds;
  readonly compare: (a: K, b: K) => number;
  /** What the results are printed with. */
  readonly printing: Pick<Terms<K>, "format" | "formats" | "floating">;
}

export function termsAggregator<K>(options: TermsAggregatorOptions<K>): Aggregator {
  const { context, own, settings, kind, keys, ords, compare, printing } = options;
  const { size, order, shardSize, minDocCount, shardMinDocCount, showError } = settings;
  const subs = own.subs();
  const sorters = context.atCreation(() => sortersOf(order, subs));
  const counts = new Doubles(context.memory);
  const count = (ord: number) => counts.get(ord);
  return {
    name: own.name,
    needsScores: subs.some(({ needsScores }) => needsScores),
    subs,
    sortable: { kind: "none" },
    leaf(leaf, scores): Collect | undefined {
      if (!keys) return undefined;
      const within = (options.deferred ? deferredCollector : subCollector)(subs, leaf, scores);
      if (within === undefined) return keys.leaf(leaf, (_, ord) => counts.add(ord, 1), counts);
      return keys.leaf(leaf, (doc, ord) => {
        counts.add(ord, 1);
        within(doc, ord);
      });
    },
    build(bucket) {
      if (minDocCount === 0 && bucket !== NO_BUCKET) keys?.fill(bucket);
      const all = ords.ordsOf(bucket);
      const candidates = all.filter((ord) => count(ord) >= shardMinDocCount);
      const before = compareOrds(sorters(), count, (a, b) => compare(keys!.key(a), keys!.key(b)));
      const best = selectTop(candidates, shardSize, before);
      let otherDocCount = 0;
      for (const ord of all) otherDocCount += count(ord);
      for (const ord of best) otherDocCount -= count(ord);
      const buckets: TermsBucket<K>[] = best.map((ord) => ({
        key: keys!.key(ord),
        docCount: count(ord),
        docCountError: 0,
        subs: buildSubs(subs, ord),
      }));
      const result = { order, size, shardSize, minDocCount, showError, otherDocCount, buckets, ...printing };
      return internal<Terms<K>>(own, kind, { ...result, docCountError: undefined });
    },
  };
}
