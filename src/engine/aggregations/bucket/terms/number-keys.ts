/** Buckets of terms by numbers. */
import type { BucketOrds } from "../../support/bucket-ords.ts";
import type { Numbers, ValuesSource } from "../../support/values-source.ts";
import type { AggregationContext } from "../../types.ts";
import type { TermKeys } from "./aggregator.ts";
import { type IncludeExclude, numberFilter } from "./include-exclude.ts";
import type { TermKey } from "./internal-terms.ts";

export function numberKeys(
  source: ValuesSource,
  limits: IncludeExclude,
  ords: BucketOrds,
  context: AggregationContext,
  name: string,
): TermKeys<TermKey> {
  const accepted = context.atCreation(() => numberFilter(limits, source, name));
  const wide = wideKeys(context);
  const keyAt = (numbers: Numbers, index: number): number =>
    numbers.wide && !source.floating ? wide.id(numbers.bigint(index)) : numbers.value(index);
  const numberOf = (key: number, numbers: Numbers) => (numbers.wide && !source.floating ? wide.value(key) : key);
  const ordOf = (owner: number, key: number) => {
    const ord = ords.add(owner, key);
    return ord < 0 ? -1 - ord : ord;
  };
  return {
    leaf(leaf, take) {
      const numbers = source.numbers(leaf);
      const { start, end } = numbers;
      const accepts = accepted();
      return (doc, owner) => {
        const to = end(doc);
        let last = Number.NaN;
        for (let i = start(doc); i < to; i++) {
          const key = keyAt(numbers, i);
          // A value counts once for a document.
          if (Object.is(key, last)) continue;
          last = key;
          if (accepts && !accepts(numberOf(key, numbers))) continue;
          take(doc, ordOf(owner, key));
        }
      };
    },
    key: (ord) => wide.value(ords.key(ord)),
    fill(owner) {
      const accepts = accepted();
      for (const leaf of context.searcher.leaves) {
        const numbers = source.numbers(leaf);
        for (let doc = 0; doc < leaf.segment.maxDoc; doc++) {
          for (let i = numbers.start(doc), to = numbers.end(doc); i < to; i++) {
            const key = keyAt(numbers, i);
            if (!accepts || accepts(numberOf(key, numbers))) ords.add(owner, key);
          }
        }
      }
    },
  };
}

/** Longs beyond 2^53 are kept aside, under numbers that no other key has (fractions: longs have none). */
function wideKeys(context: AggregationContext) {
  const ids = new Map<bigint, number>();
  const values: bigint[] = [];
  return {
    id(value: bigint): number {
      const double = Number(value);
      if (Number.isSafeInteger(double)) return double;
      const known = ids.get(value);
      if (known !== undefined) return known;
      context.memory.take(64);
      const id = values.length + 0.5;
      ids.set(value, id);
      values.push(value);
      return id;
    },
    value: (key: number): number | bigint => (values.length > 0 && key % 1 !== 0 ? values[key - 0.5] : key),
  };
}
