/** Results of terms: shards' lists as one, with how far their counts can be off (AbstractInternalTerms). */
import { EngineError } from "../../../errors.ts";
import { JsonNumber } from "../../../json/types.ts";
import { type DocValueFormat, printDouble } from "../../../mapping/doc-value-format.ts";
import { compareUtf8 } from "../../../query/lucene/utf8-order.ts";
import { formatText } from "../../metrics/numeric.ts";
import { bucketOrder, type Order } from "../../order.ts";
import { printAll, reduceSubs } from "../../reduce.ts";
import { selectTop } from "../../support/select.ts";
import type { Bucket, InternalKind, PrintedObject, ReduceContext } from "../../types.ts";

export type TermKey = string | number | bigint;

export interface TermsBucket extends Bucket {
  readonly key: TermKey;
  /** −1: unknown. */
  readonly docCountError: number;
}

export interface Terms {
  readonly order: readonly Order[];
  readonly size: number;
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly showError: boolean;
  readonly otherDocCount: number;
  /** Undefined: not reduced yet. −1: unknown. */
  readonly docCountError: number | undefined;
  readonly format: DocValueFormat;
  readonly buckets: readonly TermsBucket[];
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

const keyOf = (bucket: Bucket): TermKey => (bucket as TermsBucket).key;

/** How far a shard's counts may be off for a term that it did not name; −1 when nothing can be said. */
function errorOf({ buckets, shardSize, order, docCountError }: Terms): number {
  const [first] = order;
  if (buckets.length === 0 || buckets.length < shardSize || first.by === "key") return 0;
  if (first.by !== "count" || first.ascending) return -1;
  return docCountError ?? buckets.reduce((least, { docCount }) => Math.min(least, docCount), Infinity);
}

function reduceTerms(all: readonly Terms[], context: ReduceContext): Terms {
  const [first] = all;
  const { order, size, minDocCount, showError } = first;
  let sumError = 0;
  let other = 0;
  const byKey = new Map<string, TermsBucket[]>();
  for (const terms of all) {
    const error = errorOf(terms);
    sumError = sumError === -1 || error === -1 ? -1 : sumError + error;
    other += terms.otherDocCount;
    for (const bucket of terms.buckets) {
      // What this shard's error adds to all buckets does not concern those that it names.
      const own = { ...bucket, docCountError: bucket.docCountError - error };
      const text = keyText(bucket.key);
      const same = byKey.get(text);
      if (same) same.push(own);
      else byKey.set(text, [own]);
    }
  }
  const merged: TermsBucket[] = [];
  for (const same of byKey.values()) {
    const docCount = same.reduce((sum, bucket) => sum + bucket.docCount, 0);
    if (docCount < minDocCount) continue;
    const own = same.reduce((sum, { docCountError }) => sum + docCountError, 0);
    const docCountError = sumError === -1 ? -1 : own + sumError;
    merged.push({
      key: same[0].key,
      docCount,
      docCountError,
      subs: reduceSubs(same, context),
    });
  }
  const best = selectTop(
    merged,
    size,
    bucketOrder(order, (a, b) => compareKeys(keyOf(a), keyOf(b))),
  );
  const kept = new Set(best);
  for (const bucket of merged) if (!kept.has(bucket)) other += bucket.docCount;
  context.consumeBuckets(best.length);
  return {
    ...first,
    showError,
    otherDocCount: other,
    docCountError: sumError === -1 ? -1 : all.length === 1 ? 0 : sumError,
    buckets: best,
  };
}

const keyText = (key: TermKey): string => (Object.is(key, -0) ? "-0" : String(key));

function printTerms(terms: Terms, context: ReduceContext): PrintedObject {
  const { buckets, format, showError } = terms;
  return {
    doc_count_error_upper_bound: terms.docCountError ?? 0,
    sum_other_doc_count: terms.otherDocCount,
    buckets: buckets.map(({ key, docCount, docCountError, subs }) => ({
      ...printKey(key, terms.floating === true, format),
      doc_count: docCount,
      ...(showError ? { doc_count_error_upper_bound: docCountError } : {}),
      ...printAll(subs, context),
    })),
  };
}

/** `key`, and `key_as_string` where numbers have another form. */
export function printKey(key: TermKey, floating: boolean, format: DocValueFormat): PrintedObject {
  if (typeof key === "string") return { key: formatText(format, key) };
  const number = floating ? printDouble(key) : typeof key === "bigint" ? new JsonNumber(String(key)) : key;
  return { key: number, ...(format.raw ? {} : { key_as_string: formatText(format, key) }) };
}

const termsKind = (typedName: string, unmapped = false): InternalKind<Terms> => ({
  typedName,
  unmapped,
  reduce: reduceTerms,
  print: printTerms,
  buckets: {
    list: ({ buckets }) => buckets,
    with: (data, buckets) => ({ ...data, buckets: buckets as readonly TermsBucket[] }),
    keyText: ({ format }, bucket) => formatText(format, keyOf(bucket)),
    key: keyOf,
  },
});

export const STRING_TERMS = termsKind("sterms");
export const LONG_TERMS = termsKind("lterms");
export const DOUBLE_TERMS = termsKind("dterms");
export const UNMAPPED_TERMS = termsKind("sterms", true);

/** Fields of the same name in different indices. */
export function differingTypes(name: string): EngineError {
  return new EngineError(
    "aggregation_execution_exception",
    `Merging/Reducing the aggregations failed when computing the aggregation [${name}] because the field you gave in the aggregation query ` +
      "existed as two different types in two different indices",
    { status: 500 },
  );
}
