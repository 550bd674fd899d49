/** Results of composite: buckets in the order of their keys, the last of which is where the next page begins. */
import { EngineError } from "../../../errors.ts";
import type { JsonValue } from "../../../json/types.ts";
import { printAll, reduceSubs, reducing } from "../../reduce.ts";
import type { Bucket, InternalKind } from "../../types.ts";

/** A value of one source; null where a document has none. */
export type Part = number | bigint | string | null;

export interface CompositeBucket extends Bucket {
  readonly key: readonly Part[];
}

export interface CompositeSource {
  readonly name: string;
  compare(a: Part, b: Part): number;
  print(part: Part): JsonValue;
  /** @throws for a key that would be read as another from what it is printed as */
  check?(part: Part): void;
}

export interface Composite {
  readonly size: number;
  readonly sources: readonly CompositeSource[];
  readonly buckets: readonly CompositeBucket[];
}

export function compareKeys(sources: readonly CompositeSource[], a: readonly Part[], b: readonly Part[]): number {
  for (let i = 0; i < sources.length; i++) {
    const order = sources[i].compare(a[i], b[i]);
    if (order !== 0) return order;
  }
  return 0;
}

const printKey = ({ sources }: Composite, key: readonly Part[]) =>
  Object.fromEntries(sources.map(({ name, print }, i) => [name, print(key[i])]));

/** The next page begins behind the last key as it is printed (InternalComposite.formatObject). */
function checkAfterKey({ sources }: Composite, last: CompositeBucket | undefined): void {
  try {
    for (const [i, source] of sources.entries()) if (last) source.check?.(last.key[i]);
  } catch (error) {
    throw error instanceof EngineError ? reducing(error) : error;
  }
}

const keyOf = (bucket: Bucket) => (bucket as CompositeBucket).key;

export const COMPOSITE: InternalKind<Composite> = {
  typedName: "composite",
  reduce(all, context) {
    const [first] = all;
    const sorted = all.flatMap(({ buckets }) => buckets).sort((a, b) => compareKeys(first.sources, a.key, b.key));
    const merged: CompositeBucket[] = [];
    for (let from = 0; from < sorted.length && merged.length < first.size; ) {
      let to = from + 1;
      while (to < sorted.length && compareKeys(first.sources, sorted[from].key, sorted[to].key) === 0) to++;
      const same = sorted.slice(from, to);
      const docCount = same.reduce((sum, bucket) => sum + bucket.docCount, 0);
      merged.push({ key: same[0].key, docCount, subs: reduceSubs(same, context) });
      from = to;
    }
    context.consumeBuckets(merged.length);
    checkAfterKey(first, merged.at(-1));
    return { ...first, buckets: merged };
  },
  print(data, context) {
    const last = data.buckets.at(-1);
    return {
      ...(last ? { after_key: printKey(data, last.key) } : {}),
      buckets: data.buckets.map(({ key, docCount, subs }) => ({
        key: printKey(data, key),
        doc_count: docCount,
        ...printAll(subs, context),
      })),
    };
  },
  buckets: {
    list: ({ buckets }) => buckets,
    with: (data, buckets) => ({ ...data, buckets: buckets as readonly CompositeBucket[] }),
    keyText: (data, bucket) => {
      const printed = Object.entries(printKey(data, keyOf(bucket)));
      return `{${printed.map(([name, part]) => `${name}=${String(part)}`).join(", ")}}`;
    },
    key: (bucket) => String(keyOf(bucket)[0]),
  },
};
