/** Aggregations of one bucket: filter, missing, global, and others that take some of the documents around them. */

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
  NO_BUCKET,
  type Own,
  type Scorable,
} from "../types.ts";

export const singleKind = (typedName: string): InternalKind<Bucket> => ({
  typedName,
  reduce: (all, context) => ({
    docCount: all.reduce((sum, { docCount }) => sum + docCount, 0),
    subs: reduceSubs(all, context),
  }),
  print: ({ docCount, subs }, context) => ({ doc_count: docCount, ...printAll(subs, context) }),
  bucket: (data) => data,
  withSubs: (data, subs) => ({ ...data, subs }),
});

export interface SingleOptions {
  readonly context: AggregationContext;
  readonly own: Own;
  readonly kind: InternalKind<Bucket>;
  readonly subs?: readonly Aggregator[];
  readonly needsScores?: boolean;
  /** False: no index has such documents, and nothing is made up within. */
  readonly mapped?: boolean;
  /** Which documents the bucket takes, as a step before the one that counts. Undefined: none of the segment. */
  readonly leaf: (leaf: LeafReader, take: Collect, scores: Scorable) => Collect | undefined;
}

export function singleBucket({ context, own, kind, leaf: collectorOf, ...rest }: SingleOptions): Aggregator {
  const subs = rest.subs ?? own.subs();
  const counts = new Doubles(context.memory);
  return {
    name: own.name,
    needsScores: rest.needsScores ?? subs.some(({ needsScores }) => needsScores),
    subs,
    sortable:
      rest.mapped === false
        ? { kind: "none" }
        : { kind: "bucket", docCount: (bucket) => counts.get(bucket), explains: kind.typedName !== "filter" },
    leaf(leaf, scores) {
      const within = subCollector(subs, leaf, scores);
      const take: Collect = within
        ? (doc, bucket) => {
            counts.add(bucket, 1);
            within(doc, bucket);
          }
        : (_doc, bucket) => counts.add(bucket, 1);
      return collectorOf(leaf, take, scores);
    },
    build: (bucket) =>
      internal(own, kind, {
        docCount: counts.get(bucket),
        subs: buildSubs(subs, rest.mapped === false ? NO_BUCKET : bucket),
      }),
  };
}
