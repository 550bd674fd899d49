/** Buckets of terms by text. Terms are looked at once for a segment, by their ordinals. */
import type { BucketOrds } from "../../support/bucket-ords.ts";
import type { ValuesSource } from "../../support/values-source.ts";
import type { AggregationContext } from "../../types.ts";
import type { TermKeys } from "./aggregator.ts";
import { type IncludeExclude, termFilter } from "./include-exclude.ts";
import type { TermKey } from "./internal-terms.ts";

/** Marks of ordinals that were not seen yet, and of those that do not count. */
const UNSEEN = -1;
const LEFT_OUT = -2;

export function stringKeys(
  source: ValuesSource,
  limits: IncludeExclude,
  ords: BucketOrds,
  context: AggregationContext,
  name: string,
): TermKeys<TermKey> {
  const accepted = context.atCreation(() => termFilter(limits, source, { name, context: context.query }));
  const ids = new Map<string, number>();
  const terms: string[] = [];
  const idOf = (term: string): number => {
    const known = ids.get(term);
    if (known !== undefined) return known;
    if (accepted()?.(term) === false) return LEFT_OUT;
    context.memory.take(48 + term.length * 2);
    const id = terms.length;
    ids.set(term, id);
    terms.push(term);
    return id;
  };
  const ordOf = (owner: number, id: number) => {
    const ord = ords.add(owner, id);
    return ord < 0 ? -1 - ord : ord;
  };
  return {
    leaf(leaf, take, counts) {
      const ordinals = source.ordinals(leaf);
      const { start, end, ord, term, valueCount, byDoc } = ordinals;
      if (valueCount === 0) return undefined;
      context.memory.take(valueCount * 8);
      // Of each ordinal its term, and its bucket where there is nothing around.
      const seen = new Int32Array(valueCount).fill(UNSEEN);
      const top = new Int32Array(valueCount).fill(UNSEEN);
      const collect = (doc: number, owner: number) => {
        const to = end(doc);
        for (let i = start(doc); i < to; i++) {
          const at = ord(i);
          let id = seen[at];
          if (id === UNSEEN) {
            id = idOf(term(at));
            seen[at] = id;
          }
          if (id === LEFT_OUT) continue;
          if (owner !== 0) {
            take(doc, ordOf(owner, id));
            continue;
          }
          if (top[at] === UNSEEN) top[at] = ordOf(0, id);
          take(doc, top[at]);
        }
      };
      if (counts === undefined || byDoc === undefined) return collect;
      const all = (docs: Int32Array, count: number) => {
        for (let i = 0; i < count; i++) {
          const ord = top[byDoc[docs[i]]];
          // What has a bucket was counted before: there is room for it.
          if (ord >= 0) counts.values[ord]++;
          else collect(docs[i], 0);
        }
      };
      return Object.assign(collect, { all });
    },
    key: (ord) => terms[ords.key(ord)],
    fill(owner) {
      for (const leaf of context.searcher.leaves) {
        const { first, valueCount, term } = source.ordinals(leaf);
        for (let at = first; at < valueCount; at++) {
          const id = idOf(term(at));
          if (id !== LEFT_OUT) ords.add(owner, id);
        }
      }
    },
  };
}
