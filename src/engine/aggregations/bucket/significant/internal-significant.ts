/** Results of significant_terms and significant_text: shards' lists as one, scored by the frequencies of all (InternalSignificantTerms). */

import { JsonNumber } from "../../../json/types.ts";
import type { DocValueFormat } from "../../../mapping/doc-value-format.ts";
import { hashCode, javaDouble } from "../../../mapping/java-text.ts";
import { printAll, reduceSubs } from "../../reduce.ts";
import { priorityQueue } from "../../support/priority-queue.ts";
import type { Bucket, InternalKind, PrintedObject } from "../../types.ts";
import { printKey, type TermKey } from "../terms/internal-terms.ts";
import type { Heuristic } from "./heuristics.ts";

export interface SignificantBucket extends Bucket {
  readonly key: TermKey;
  /** Documents with the term among those that are compared with. */
  readonly background: number;
  readonly score: number;
}

export interface Significant {
  readonly heuristic: Heuristic;
  readonly size: number;
  readonly minDocCount: number;
  readonly format: DocValueFormat;
  readonly boolean: boolean;
  readonly subsetSize: number;
  readonly supersetSize: number;
  readonly buckets: readonly SignificantBucket[];
}

const keyOf = (bucket: Bucket) => (bucket as SignificantBucket).key;

/** The best, in the order in which a queue lets them go. */
function mostSignificant<B extends { readonly score: number }>(buckets: Iterable<B>, size: number): B[] {
  const queue = priorityQueue<B>(size, (a, b) => a.score < b.score);
  for (const bucket of buckets) queue.offer(bucket);
  return queue.drain();
}

/** What a shard has collected in a bucket, and how it is scored. */
export interface Collected
  extends Pick<
    Significant,
    "heuristic" | "size" | "minDocCount" | "format" | "boolean" | "subsetSize" | "supersetSize"
  > {
  readonly ords: Iterable<number>;
  readonly shardSize: number;
  readonly shardMinDocCount: number;
  count(ord: number): number;
  key(ord: number): TermKey;
  background(key: TermKey): number;
  subs(ord: number): Bucket["subs"];
}

/** The most significant terms of a shard. */
export function significantOf(collected: Collected): Significant {
  const { heuristic, size, minDocCount, format, boolean, subsetSize, supersetSize } = collected;
  const candidates: { ord: number; score: number; background: number }[] = [];
  for (const ord of collected.ords) {
    const subset = collected.count(ord);
    if (subset < collected.shardMinDocCount) continue;
    const superset = collected.background(collected.key(ord));
    candidates.push({
      ord,
      score: heuristic({ subset, subsetSize, superset, supersetSize }),
      background: superset,
    });
  }
  const buckets = mostSignificant(candidates, collected.shardSize).map(({ ord, score, background }) => ({
    key: collected.key(ord),
    docCount: collected.count(ord),
    background,
    score,
    subs: collected.subs(ord),
  }));
  return { heuristic, size, minDocCount, format, boolean, subsetSize, supersetSize, buckets };
}

const significantKind = (typedName: string, unmapped = false): InternalKind<Significant> => ({
  typedName,
  unmapped,
  reduce(all, context) {
    const [first] = all;
    const sum = (of: (data: Significant) => number) => all.reduce((total, data) => total + of(data), 0);
    const subsetSize = sum((data) => data.subsetSize);
    const supersetSize = sum((data) => data.supersetSize);
    const byKey = new Map<string, SignificantBucket[]>();
    for (const { buckets } of all) {
      for (const bucket of buckets) {
        const text = String(bucket.key);
        const same = byKey.get(text);
        if (same) same.push(bucket);
        else byKey.set(text, [bucket]);
      }
    }
    const merged: SignificantBucket[] = [];
    for (const key of slotOrder([...byKey.keys()], (text) => keyText(first, byKey.get(text)![0]))) {
      const same = byKey.get(key)!;
      const docCount = same.reduce((total, bucket) => total + bucket.docCount, 0);
      const background = same.reduce((total, bucket) => total + bucket.background, 0);
      const score = first.heuristic({ subset: docCount, subsetSize, superset: background, supersetSize });
      if (!(score > 0) || docCount < first.minDocCount) continue;
      merged.push({ key: same[0].key, docCount, background, score, subs: reduceSubs(same, context) });
    }
    const buckets = mostSignificant(merged, first.size);
    context.consumeBuckets(buckets.length);
    return { ...first, subsetSize, supersetSize, buckets };
  },
  print(data, context) {
    const { subsetSize, supersetSize, buckets, format } = data;
    const printed = buckets.map(({ key, docCount, score, background, subs }) => ({
      ...keyParts(key, data.boolean, format),
      doc_count: docCount,
      score: new JsonNumber(javaDouble(score)),
      bg_count: background,
      ...printAll(subs, context),
    }));
    return unmapped ? { buckets: printed } : { doc_count: subsetSize, bg_count: supersetSize, buckets: printed };
  },
  buckets: {
    list: ({ buckets }) => buckets,
    with: (data, buckets) => ({ ...data, buckets: buckets as readonly SignificantBucket[] }),
    keyText: (data, bucket) => keyText(data, bucket as SignificantBucket),
    key: keyOf,
  },
});

/**
 * The order in which Elasticsearch's hash map has the keys, by which the queue decides between equal scores: open addressing by the text's
 * hash, filled to six tenths at most.
 */
function slotOrder(keys: readonly string[], textOf: (key: string) => string): string[] {
  let slots = 2;
  while (keys.length > Math.floor(slots * 0.6)) slots *= 2;
  const table: string[] = Array(slots);
  for (const key of keys) {
    let slot = hashCode(textOf(key)) & (slots - 1);
    while (table[slot] !== undefined) slot = (slot + 1) & (slots - 1);
    table[slot] = key;
  }
  return table.filter((key) => key !== undefined);
}

const keyText = ({ format }: Significant, { key }: SignificantBucket) => String(format.format(key));

/** A boolean's text is a boolean here. */
function keyParts(key: TermKey, isBoolean: boolean, format: DocValueFormat): PrintedObject {
  return isBoolean ? { key: Number(key), key_as_string: Number(key) !== 0 } : printKey(key, false, format);
}

export const SIGNIFICANT_STRINGS = significantKind("sigsterms");
export const SIGNIFICANT_LONGS = significantKind("siglterms");
export const UNMAPPED_SIGNIFICANT = significantKind("sigsterms", true);
