/** Results of terms: shards' lists as one, with how far their counts can be off (AbstractInternalTerms). */
import { JsonNumber } from "../../../json/types.ts";
import { type DocValueFormat, printDouble } from "../../../mapping/doc-value-format.ts";
import { compareUtf8 } from "../../../query/lucene/utf8-order.ts";
import { formatText } from "../../metrics/numeric.ts";
import { bucketOrder, type Order } from "../../order.ts";
import { printAll, reduceAll, reduceSubs } from "../../reduce.ts";
import { selectTop } from "../../support/select.ts";
import type { Bucket, InternalKind, PrintedObject, ReduceContext } from "../../types.ts";

export type TermKey = string | number | bigint;

export interface TermsBucket<K = TermKey> extends Bucket {
  readonly key: K;
  /** −1: unknown. */
  readonly docCountError: number;
}

export interface Terms<K = TermKey> {
  readonly order: readonly Order[];
  readonly size: number;
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly showError: boolean;
  readonly otherDocCount: number;
  /** Undefined: not reduced yet. −1: unknown. */
  readonly docCountError: number | undefined;
  readonly format: DocValueFormat;
  /** Of keys of several parts. */
  readonly formats?: readonly DocValueFormat[];
  readonly buckets: readonly TermsBucket<K>[];
  /** Text keys are shown in their printed form and have no other. */
  readonly floating?: boolean;
}

export function compareKeys(a: TermKey, b: TermKey): number {
  if (typeof a === "string" && typeof b === "string") return compareUtf8(a, b);
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === 0 && b === 0) return (Object.is(a, -0) ? 0 : 1) - (Object.is(b, -0) ? 0 : 1);
  return 0;
}

/** How far a shard's counts may be off for a term that it did not name; −1 when nothing can be said. */
function errorOf({ buckets, shardSize, order, docCountError }: Terms<unknown>): number {
  const [first] = order;
  if (buckets.length === 0 || buckets.length < shardSize || first.by === "key") return 0;
  if (first.by !== "count" || first.ascending) return -1;
  return docCountError ?? buckets.reduce((least, { docCount }) => Math.min(least, docCount), Infinity);
}

/** What is done with the keys of a kind of terms. */
export interface KeysOf<K> {
  compare(a: K, b: K): number;
  /** Text that no other key has. */
  text(key: K): string;
  print(terms: Terms<K>, key: K): PrintedObject;
  /** As `key_as_string` has it. */
  keyText(terms: Terms<K>, key: K): string;
  /** As it is compared in pipelines. */
  key(key: K): TermKey;
}

function reduceTerms<K>(all: readonly Terms<K>[], keys: KeysOf<K>, context: ReduceContext, of: number): Terms<K> {
  const [first] = all;
  const { order, size, minDocCount } = first;
  let sumError = 0;
  let other = 0;
  const byKey = new Map<string, TermsBucket<K>[]>();
  for (const terms of all) {
    const error = errorOf(terms);
    sumError = sumError === -1 || error === -1 ? -1 : sumError + error;
    other += terms.otherDocCount;
    for (const bucket of terms.buckets) {
      // What this shard's error adds to all buckets does not concern those that it names.
      const own = { ...bucket, docCountError: bucket.docCountError - error };
      const text = keys.text(bucket.key);
      const same = byKey.get(text);
      if (same) same.push(own);
      else byKey.set(text, [own]);
    }
  }
  const merged: TermsBucket<K>[] = [];
  for (const same of byKey.values()) {
    const docCount = same.reduce((sum, bucket) => sum + bucket.docCount, 0);
    if (docCount < minDocCount) continue;
    const own = same.reduce((sum, { docCountError }) => sum + docCountError, 0);
    const docCountError = sumError === -1 ? -1 : own + sumError;
    merged.push({ key: same[0].key, docCount, docCountError, subs: subsOf(same, context) });
  }
  const compare = bucketOrder<TermsBucket<K>>(order, (a, b) => keys.compare(a.key, b.key));
  const best = selectTop(merged, size, compare);
  const kept = new Set(best);
  for (const bucket of merged) if (!kept.has(bucket)) other += bucket.docCount;
  context.consumeBuckets(best.length);
  return {
    ...first,
    floating: all.some(({ floating }) => floating),
    otherDocCount: other,
    docCountError: sumError === -1 ? -1 : of === 1 ? 0 : sumError,
    buckets: best,
  };
}

/** A bucket of one shard keeps the order of what is in it. */
const subsOf = (same: readonly Bucket[], context: ReduceContext) =>
  same.length === 1 ? reduceAll([same[0].subs], context) : reduceSubs(same, context);

/** @param precedence of kinds of shards that differ the highest leads */
export function termsKind<K>(
  typedName: string,
  keys: KeysOf<K>,
  {
    family,
    unmapped = false,
    precedence = 0,
  }: Partial<Pick<InternalKind<unknown>, "family" | "unmapped" | "precedence">> = {},
): InternalKind<Terms<K>> {
  const keyOf = (bucket: Bucket) => (bucket as TermsBucket<K>).key;
  return {
    typedName,
    unmapped,
    precedence,
    ...(family === undefined ? {} : { family }),
    reduce: (all, context, of) => reduceTerms(all, keys, context, of),
    print: (terms, context) => ({
      doc_count_error_upper_bound: terms.docCountError ?? 0,
      sum_other_doc_count: terms.otherDocCount,
      buckets: terms.buckets.map(({ key, docCount, docCountError, subs }) => ({
        ...keys.print(terms, key),
        doc_count: docCount,
        ...(terms.showError ? { doc_count_error_upper_bound: docCountError } : {}),
        ...printAll(subs, context),
      })),
    }),
    buckets: {
      list: ({ buckets }) => buckets,
      with: (data, buckets) => ({ ...data, buckets: buckets as readonly TermsBucket<K>[] }),
      keyText: (data, bucket) => keys.keyText(data, keyOf(bucket)),
      key: (bucket) => keys.key(keyOf(bucket)),
    },
  };
}

/** `key`, and `key_as_string` where numbers have another form. */
export function printKey(key: TermKey, floating: boolean, format: DocValueFormat): PrintedObject {
  if (typeof key === "string") return { key: formatText(format, key) };
  const number = floating ? printDouble(key) : typeof key === "bigint" ? new JsonNumber(String(key)) : key;
  return { key: number, ...(format.raw ? {} : { key_as_string: formatText(format, key) }) };
}

const KEYS: KeysOf<TermKey> = {
  compare: compareKeys,
  text: (key) => (Object.is(key, -0) ? "-0" : String(key)),
  print: ({ floating, format }, key) => printKey(key, floating === true, format),
  keyText: ({ format }, key) => formatText(format, key),
  key: (key) => key,
};

export const STRING_TERMS = termsKind("sterms", KEYS);
export const LONG_TERMS = termsKind("lterms", KEYS, { family: "numbers" });
export const DOUBLE_TERMS = termsKind("dterms", KEYS, { family: "numbers", precedence: 1 });
export const UNMAPPED_TERMS = termsKind("sterms", KEYS, { unmapped: true });
