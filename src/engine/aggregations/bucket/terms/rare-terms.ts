/** rare_terms: values that few documents have, exactly counted, the rarest first. */
import { illegalArgument } from "../../../errors.ts";
import type { DocValueFormat } from "../../../mapping/doc-value-format.ts";
import { readInt } from "../../../query/dsl/read.ts";
import { buildSubs, deferredCollector } from "../../collect.ts";
import { formatText } from "../../metrics/numeric.ts";
import { printAll, reduceSubs } from "../../reduce.ts";
import { bucketOrds } from "../../support/bucket-ords.ts";
import { Doubles } from "../../support/memory.ts";
import { type FieldReader, field } from "../../support/object-parser.ts";
import { bindSource, readSource, type SourceKind } from "../../support/values-source.ts";
import { type AggregationParser, type Bucket, type Collect, type InternalKind, internal } from "../../types.ts";
import { exclude, include, type TermList } from "./include-exclude.ts";
import { compareKeys, printKey, type TermKey } from "./internal-terms.ts";
import { numberKeys } from "./number-keys.ts";
import { stringKeys } from "./string-keys.ts";

const LARGEST = 100;
const SUPPORTED: readonly SourceKind[] = ["number", "date", "boolean", "keyword", "ip"];

interface RareBucket extends Bucket {
  readonly key: TermKey;
}

interface RareTerms {
  readonly most: number;
  readonly format: DocValueFormat;
  readonly buckets: readonly RareBucket[];
}

const keyOf = (bucket: Bucket) => (bucket as RareBucket).key;

const kindOf = (typedName: string, unmapped = false): InternalKind<RareTerms> => ({
  typedName,
  unmapped,
  reduce(all, context) {
    const { most } = all[0];
    const byKey = new Map<string, RareBucket[]>();
    for (const { buckets } of all) {
      for (const bucket of buckets) {
        const text = String(bucket.key);
        byKey.set(text, [...(byKey.get(text) ?? []), bucket]);
      }
    }
    const buckets: RareBucket[] = [];
    for (const same of byKey.values()) {
      const docCount = same.reduce((sum, bucket) => sum + bucket.docCount, 0);
      if (docCount <= most) buckets.push({ key: same[0].key, docCount, subs: reduceSubs(same, context) });
    }
    buckets.sort((a, b) => a.docCount - b.docCount || compareKeys(a.key, b.key));
    context.consumeBuckets(buckets.length);
    return { ...all[0], buckets };
  },
  print: ({ buckets, format }, context) => ({
    buckets: buckets.map(({ key, docCount, subs }) => ({
      ...printKey(key, false, format),
      doc_count: docCount,
      ...printAll(subs, context),
    })),
  }),
  buckets: {
    list: ({ buckets }) => buckets,
    with: (data, buckets) => ({ ...data, buckets: buckets as readonly RareBucket[] }),
    keyText: ({ format }, bucket) => formatText(format, keyOf(bucket)),
    key: keyOf,
  },
});

const STRINGS = kindOf("srareterms");
const LONGS = kindOf("lrareterms");
const UNMAPPED = kindOf("sterms", true);

interface Options {
  readonly max_doc_count: number;
  readonly precision: number;
  readonly include: TermList;
  readonly exclude: TermList;
}

const maxDocCount = (name: string): FieldReader<number> =>
  field(["number", "string"], (value, json, key) => {
    const number = readInt(value, json, key);
    if (number <= 0) throw illegalArgument(`[max_doc_count] must be greater than 0. Found [${number}] in [${name}]`);
    // Elasticsearch's words, without its spaces.
    if (number > LARGEST) throw illegalArgument(`[max_doc_count] must be smallerthan ${LARGEST}in [${name}]`);
    return number;
  });

/** Counts here are exact: how exact an estimate may be is checked and not used. */
const precision: FieldReader<number> = field(["number", "string"], (value) => {
  const number = Number(value);
  if (number >= 1e-5) return number;
  throw illegalArgument("[precision] must be greater than 0.00001");
});

export const parseRareTerms: AggregationParser = (name, json) => {
  const options = readSource<Options>("rare_terms", name, json, {
    max_doc_count: maxDocCount(name),
    precision,
    include,
    exclude,
  });
  const most = options.max_doc_count ?? 1;
  const limits = {
    ...(options.include ? { include: options.include } : {}),
    ...(options.exclude ? { exclude: options.exclude } : {}),
  };
  return {
    takesSubs: true,
    bind(context, own) {
      const source = bindSource(context, options, { type: "rare_terms", supports: SUPPORTED, fallback: "keyword" });
      context.atCreation(() => {
        if (source.floating) throw illegalArgument("RareTerms aggregation does not support floating point fields.");
      });
      const text = source.kind === "keyword" || source.kind === "ip";
      const subs = own.subs();
      const ords = bucketOrds(context.memory);
      const counts = new Doubles(context.memory);
      const keys = (text ? stringKeys : numberKeys)(source, limits, ords, context, own.name);
      return {
        name,
        needsScores: subs.some(({ needsScores }) => needsScores),
        subs,
        sortable: { kind: "none" },
        leaf(leaf, scores): Collect | undefined {
          if (!source.hasValues) return undefined;
          const within = deferredCollector(subs, leaf, scores);
          return keys.leaf(leaf, (doc, ord) => {
            counts.add(ord, 1);
            within?.(doc, ord);
          });
        },
        build(bucket) {
          const rare = [...ords.ordsOf(bucket)].filter((ord) => counts.get(ord) <= most);
          const buckets = rare.map((ord) => ({
            key: keys.key(ord),
            docCount: counts.get(ord),
            subs: buildSubs(subs, ord),
          }));
          const kind = !source.hasValues ? UNMAPPED : text ? STRINGS : LONGS;
          return internal(own, kind, { most, format: source.format, buckets });
        },
      };
    },
  };
};
