/** sampler: the best-scoring documents of each bucket. diversified_sampler: not more than some with the same value of a field. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { JsonNumber } from "../../json/types.ts";
import { errorAt, readInt } from "../../query/dsl/read.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import type { LeafReader } from "../../segment/types.ts";
import { buildSubs, subCollector } from "../collect.ts";
import { type FieldReader, field } from "../support/object-parser.ts";
import { bindSource, readSource, type SourceKind, type ValuesSource } from "../support/values-source.ts";
import {
  type AggregationContext,
  type AggregationParser,
  type Aggregator,
  type Bucket,
  type InternalKind,
  internal,
  type Own,
} from "../types.ts";
import { singleKind } from "./single.ts";

const DEFAULT_SHARD_SIZE = 100;
const DEFAULT_PER_VALUE = 1;
const SUPPORTED: readonly SourceKind[] = ["number", "date", "boolean", "keyword"];
const HINTS = ["map", "bytes_hash", "global_ordinals"];

const samplerKind = singleKind("sampler");
/** Without the field there is no sample, and nothing within. */
const unmappedKind: InternalKind<Bucket> = {
  ...samplerKind,
  print: ({ docCount }) => ({ doc_count: docCount }),
  unmapped: true,
};

export const parseSampler: AggregationParser = (name, json) => {
  const size = readShardSize(name, json);
  return { takesSubs: true, bind: (context, own) => sampler(context, own, size, undefined) };
};

/** SamplerAggregationBuilder.parse */
function readShardSize(name: string, json: JsonObject): number {
  let size = DEFAULT_SHARD_SIZE;
  for (const key of Object.keys(json)) {
    const value = json[key];
    const isNumber = typeof value === "number" || value instanceof JsonNumber;
    if (key !== "shard_size" || !isNumber) {
      throw errorAt(json, { value: key }, `Unsupported property "${key}" for aggregation "${name}`);
    }
    size = readInt(value, json, key);
  }
  return size;
}

interface Options {
  readonly shard_size: number;
  readonly max_docs_per_value: number;
  readonly execution_hint: string;
}

export const parseDiversifiedSampler: AggregationParser = (name, json) => {
  const notNegative = (label: string): FieldReader<number> =>
    field(["number", "string"], (value, object, key) => {
      const number = readInt(value, object, key);
      if (number >= 0) return number;
      throw illegalArgument(`[${label}] must be greater than or equal to 0. Found [${number}] in [${name}]`);
    });
  const options = readSource<Options>("diversified_sampler", name, json, {
    shard_size: notNegative("shardSize"),
    max_docs_per_value: notNegative("maxDocsPerValue"),
    execution_hint: field(["string"], (value) => value as string),
  });
  return {
    takesSubs: true,
    bind(context, own) {
      const source = bindSource(context, options, {
        type: "diversified_sampler",
        supports: SUPPORTED,
        fallback: "keyword",
      });
      const { execution_hint: hint } = options;
      if (source.kind === "keyword" && source.hasValues) context.atCreation(() => checkHint(hint));
      return sampler(context, own, options.shard_size ?? DEFAULT_SHARD_SIZE, {
        source,
        hint,
        most: options.max_docs_per_value ?? DEFAULT_PER_VALUE,
      });
    },
  };
};

function checkHint(hint: string | undefined): void {
  if (hint === undefined || HINTS.includes(hint)) return;
  throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [${HINTS.join(", ")}]`);
}

interface Diversity {
  readonly source: ValuesSource;
  readonly hint: string | undefined;
  /** Documents with the same value. */
  readonly most: number;
}

/** A document that may be of the sample. */
interface Candidate {
  readonly leaf: number;
  readonly doc: number;
  readonly score: number;
  readonly key: Key | undefined;
}

/** The documents are kept until all were seen; then the aggregations within take the best. */
function sampler(context: AggregationContext, own: Own, size: number, diversity: Diversity | undefined): Aggregator {
  const unmapped = diversity !== undefined && !diversity.source.hasValues;
  const subs = unmapped ? [] : own.subs();
  const perKey = diversity?.most ?? Number.POSITIVE_INFINITY;
  const samples: Sample[] = [];
  const leaves: LeafReader[] = [];
  let keys: Keys | undefined;
  return {
    name: own.name,
    needsScores: true,
    subs,
    sortable: { kind: "bucket", docCount: (bucket) => samples[bucket]?.kept.length ?? 0 },
    leaf(leaf, scores) {
      if (unmapped) return undefined;
      if (subs.length === 0) throw illegalArgument("Sampler aggregation must be used with child aggregations.");
      const ordinal = leaves.push(leaf) - 1;
      if (diversity) keys ??= keysOf(diversity, context);
      const keyOf = diversity && keys && keyReader(diversity, leaf, keys);
      return (doc, bucket) => {
        if (size === 0) {
          throw illegalArgument(
            "numHits must be > 0; please use TotalHitCountCollectorManager if you just need the total hit count",
          );
        }
        const key = keyOf?.(doc);
        samples[bucket] ??= createSample(Math.min(size, context.searcher.maxDoc), perKey, context);
        samples[bucket].offer({ leaf: ordinal, doc, score: scores.score(), key });
      };
    },
    finish: () => replay(samples, leaves, subs, context),
    build: (bucket) =>
      internal(own, unmapped ? unmappedKind : samplerKind, {
        docCount: samples[bucket]?.kept.length ?? 0,
        subs: buildSubs(subs, bucket),
      }),
  };
}

async function replay(
  samples: readonly (Sample | undefined)[],
  leaves: readonly LeafReader[],
  subs: readonly Aggregator[],
  context: AggregationContext,
): Promise<void> {
  const all: (Candidate & { readonly bucket: number })[] = [];
  samples.forEach((sample, bucket) => {
    for (const candidate of sample?.take() ?? []) all.push({ ...candidate, bucket });
  });
  all.sort((a, b) => a.leaf - b.leaf || a.doc - b.doc || a.bucket - b.bucket);
  let current: (typeof all)[number] | undefined;
  let collect: ReturnType<typeof subCollector>;
  for (const candidate of all) {
    if (context.slices.due()) await context.slices.pause();
    if (candidate.leaf !== current?.leaf) {
      collect = subCollector(subs, leaves[candidate.leaf], { score: () => current!.score });
    }
    current = candidate;
    collect?.(candidate.doc, candidate.bucket);
  }
}

type Key = string | number;

/** Keys as Lucene has them: that of documents without a value is 0, which to texts is one of their numbers. */
interface Keys {
  readonly missing: Key | undefined;
  readonly of: (term: string) => Key;
}

function keysOf({ source, hint }: Diversity, { searcher }: AggregationContext): Keys {
  const of = (term: string) => term;
  if (source.kind !== "keyword" || !source.hasValues) return { missing: 0, of };
  if (hint === "bytes_hash") return { missing: undefined, of };
  if (hint === "map") {
    // Values have numbers in the order in which they are met.
    let first: string | undefined;
    return {
      missing: 0,
      of(term) {
        first ??= term;
        return term === first ? 0 : term;
      },
    };
  }
  const least = searcher.leaves
    .map((leaf) => source.ordinals(leaf))
    .filter(({ valueCount }) => valueCount > 0)
    .map((values) => values.term(0))
    .sort(compareUtf8)[0];
  return { missing: least, of };
}

/** What tells documents apart: the value of the field, of which there may be one. Fractions are cut, as Lucene's keys are longs. */
function keyReader({ source }: Diversity, leaf: LeafReader, keys: Keys): (doc: number) => Key | undefined {
  const values = source.kind === "keyword" ? source.ordinals(leaf) : source.numbers(leaf);
  return (doc) => {
    const at = values.start(doc);
    const count = values.end(doc) - at;
    if (count <= 0) return keys.missing;
    if (count > 1) throw illegalArgument("Sample diversifying key must be a single valued-field");
    return "term" in values ? keys.of(values.term(values.ord(at))) : Math.trunc(values.value(at));
  };
}

interface Sample {
  /** Those of the sample, once it was taken. */
  readonly kept: readonly Candidate[];
  offer(candidate: Candidate): void;
  take(): readonly Candidate[];
}

/** By score, equal ones in the order in which they came. */
const better = (a: Candidate, b: Candidate) => b.score - a.score || a.leaf - b.leaf || a.doc - b.doc;

function createSample(size: number, perKey: number, context: AggregationContext): Sample {
  let kept: Candidate[] = [];
  const most = size * 2 + 64;
  const best = (): Candidate[] => {
    const counts = new Map<Candidate["key"], number>();
    const sorted = kept.sort(better).filter(({ key }) => {
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return count < perKey;
    });
    return sorted.slice(0, size);
  };
  context.memory.take(most * 40);
  return {
    get kept() {
      return kept;
    },
    offer(candidate) {
      kept.push(candidate);
      if (kept.length >= most) kept = best();
    },
    take() {
      kept = best();
      return kept;
    },
  };
}
