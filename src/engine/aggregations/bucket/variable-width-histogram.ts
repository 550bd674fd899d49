/**
 * variable_width_histogram: a number of buckets whose values lie close together (VariableWidthHistogramAggregator). Aggregations within take
 * the documents of their bucket; Elasticsearch 8.17 gives them documents of other buckets.
 */
import { illegalArgument } from "../../errors.ts";
import { type DocValueFormat, printDouble } from "../../mapping/doc-value-format.ts";
import { readInt } from "../../query/dsl/read.ts";
import type { LeafReader } from "../../segment/types.ts";
import { buildSubs, subCollector } from "../collect.ts";
import { formatText } from "../metrics/numeric.ts";
import { printAll, reduceSubs } from "../reduce.ts";
import { field, intFrom } from "../support/object-parser.ts";
import { bindSource, readSource } from "../support/values-source.ts";
import { type AggregationParser, type Bucket, type InternalKind, internal, type PrintedObject } from "../types.ts";
import { type Clusters, createClusters } from "./clusters.ts";

const DEFAULT_BUCKETS = 10;
const LARGEST = 65_536;
const LARGEST_BUFFER = 50_000;

interface WidthBucket extends Bucket {
  readonly min: number;
  readonly max: number;
  readonly centroid: number;
}

interface Histogram {
  readonly wanted: number;
  readonly format: DocValueFormat;
  readonly buckets: readonly WidthBucket[];
}

type Join = (same: readonly WidthBucket[]) => WidthBucket;

/** Neighbours are joined, the closest first, until there are as many as are wanted. */
function joinClosest(buckets: readonly WidthBucket[], wanted: number, join: Join): WidthBucket[] {
  const ranges = buckets.map((bucket, at) => ({
    from: at,
    to: at + 1,
    centroid: bucket.centroid,
    size: bucket.docCount,
  }));
  while (ranges.length > wanted) {
    let closest = 0;
    let smallest = Number.POSITIVE_INFINITY;
    for (let i = 0; i + 1 < ranges.length; i++) {
      const distance = ranges[i + 1].centroid - ranges[i].centroid;
      if (distance < smallest) {
        closest = i;
        smallest = distance;
      }
    }
    const [left, right] = [ranges[closest], ranges[closest + 1]];
    const size = left.size + right.size;
    left.centroid = (left.centroid * left.size + right.centroid * right.size) / size;
    left.size = size;
    left.to = right.to;
    ranges.splice(closest + 1, 1);
  }
  return ranges.map(({ from, to }) => join(buckets.slice(from, to)));
}

/** Where two overlap, each goes to the middle. */
function withoutOverlaps(buckets: readonly WidthBucket[]): WidthBucket[] {
  const apart = buckets.map((bucket) => ({ ...bucket }));
  for (let i = 1; i < apart.length; i++) {
    const [before, here] = [apart[i - 1], apart[i]];
    if (before.max <= here.min) continue;
    const middle = (before.max + here.min) / 2;
    before.max = middle;
    here.min = middle;
  }
  return apart;
}

/** Neighbours for which `same` holds, as one. */
function joinRuns(buckets: readonly WidthBucket[], same: (a: WidthBucket, b: WidthBucket) => boolean, join: Join) {
  const runs: WidthBucket[][] = [];
  for (const bucket of buckets) {
    const run = runs.at(-1);
    if (run && same(run[0], bucket)) run.push(bucket);
    else runs.push([bucket]);
  }
  return runs.map((run) => (run.length === 1 ? run[0] : join(run)));
}

const kind: InternalKind<Histogram> = {
  typedName: "variable_width_histogram",
  reduce(all, context) {
    const join: Join = (same) => {
      const docCount = same.reduce((sum, bucket) => sum + bucket.docCount, 0);
      return {
        docCount,
        // From the last to the first: the sum is rounded as Elasticsearch's.
        centroid: same.reduceRight((sum, bucket) => sum + bucket.docCount * bucket.centroid, 0) / docCount,
        min: same.reduce((least, { min }) => Math.min(least, min), Number.POSITIVE_INFINITY),
        max: same.reduce((most, { max }) => Math.max(most, max), Number.NEGATIVE_INFINITY),
        subs: reduceSubs(same, context),
      };
    };
    const { wanted } = all[0];
    const sorted = all.flatMap(({ buckets }) => buckets).sort((a, b) => a.centroid - b.centroid);
    const distinct = joinRuns(sorted, (a, b) => a.centroid === b.centroid, join);
    const joined = joinRuns(joinClosest(distinct, wanted, join), (a, b) => a.min === b.min, join);
    const buckets = withoutOverlaps(joined);
    context.consumeBuckets(buckets.length);
    return { ...all[0], buckets };
  },
  print: ({ buckets, format }, context) => ({
    buckets: buckets.map(({ min, centroid, max, docCount, subs }) => {
      const shown = (name: string, value: number): PrintedObject => ({
        [name]: printDouble(value),
        ...(format.raw ? {} : { [`${name}_as_string`]: formatText(format, value) }),
      });
      return {
        ...shown("min", min),
        ...shown("key", centroid),
        ...shown("max", max),
        doc_count: docCount,
        ...printAll(subs, context),
      };
    }),
  }),
  buckets: {
    list: ({ buckets }) => buckets,
    with: (data, buckets) => ({ ...data, buckets: buckets as readonly WidthBucket[] }),
    keyText: ({ format }, bucket) => formatText(format, (bucket as WidthBucket).centroid),
    key: (bucket) => (bucket as WidthBucket).centroid,
  },
};

interface Options {
  readonly buckets: number;
  readonly shard_size: number;
  readonly initial_buffer: number;
}

export const parseVariableWidthHistogram: AggregationParser = (name, json) => {
  const options = readSource<Options>("variable_width_histogram", name, json, {
    buckets: field(["number", "string"], (value, object, key) => {
      const number = readInt(value, object, key);
      if (number > 0) return number;
      throw illegalArgument(`buckets must be greater than [0] for [${name}]`);
    }),
    shard_size: intFrom(2, () => `shard_size must be greater than [1] for [${name}]`),
    initial_buffer: intFrom(1, () => `initial_buffer must be greater than [0] for [${name}]`),
  });
  const wanted = options.buckets ?? DEFAULT_BUCKETS;
  const most = options.shard_size ?? wanted * 50;
  const buffer = options.initial_buffer ?? Math.min(10 * most, LARGEST_BUFFER);
  const begun = Math.trunc((most * 3) / 4);
  return {
    takesSubs: true,
    bind(context, own) {
      if (wanted > LARGEST) throw illegalArgument(`buckets must be less than ${LARGEST}`);
      const tooFew = (what: string, number: number) =>
        illegalArgument(`${what} must be at least buckets but was [${number}<${wanted}] for [${name}]`);
      if (buffer < wanted) throw tooFew("initial_buffer", buffer);
      if (begun < wanted) throw tooFew("3/4 of shard_size", begun);
      const source = bindSource(context, options, {
        type: "variable_width_histogram",
        supports: ["number"],
        fallback: "number",
      });
      const tooMany = () =>
        illegalArgument(
          "[variable_width_histogram] cannot be nested inside an aggregation that collects more than a single bucket.",
        );
      context.atCreation(() => {
        if (source.hasValues && context.notOneBucket) throw tooMany();
      });
      const subs = own.subs(source.hasValues ? context : { ...context, notOneBucket: true });
      const clusters = createClusters({ buffer, most });
      const later = deferred(clusters);
      return {
        name,
        needsScores: subs.some(({ needsScores }) => needsScores),
        subs,
        sortable: { kind: "none" },
        leaf(leaf, scores) {
          if (!source.hasValues) return undefined;
          const { start, end, value } = source.numbers(leaf);
          const remember = subs.length > 0 ? later.of(leaf) : undefined;
          return (doc, bucket) => {
            if (bucket !== 0) throw tooMany();
            for (let i = start(doc), to = end(doc); i < to; i++) {
              context.memory.take(24);
              const ticket = clusters.add(value(i));
              remember?.(doc, ticket, subs.some(({ needsScores }) => needsScores) ? scores.score() : 0);
            }
          };
        },
        finish: () => later.replay(subs, context.slices),
        build(bucket) {
          const list = bucket === 0 ? clusters.list() : [];
          const buckets = list.map(({ id, centroid, size, min, max }) => ({
            docCount: size,
            centroid,
            min,
            max,
            subs: buildSubs(subs, id),
          }));
          return internal(own, kind, { wanted, format: source.format, buckets });
        },
      };
    },
  };
};

/** Documents whose clusters are known when all values are there: the aggregations within take them then. */
function deferred(clusters: Clusters) {
  const parts: { leaf: LeafReader; docs: number[]; tickets: number[]; scores: number[] }[] = [];
  return {
    of(leaf: LeafReader) {
      const part = { leaf, docs: [] as number[], tickets: [] as number[], scores: [] as number[] };
      parts.push(part);
      return (doc: number, ticket: number, score: number) => {
        part.docs.push(doc);
        part.tickets.push(ticket);
        part.scores.push(score);
      };
    },
    async replay(
      subs: Parameters<typeof subCollector>[0],
      slices: { due(): boolean; pause(): Promise<void> },
    ): Promise<void> {
      for (const { leaf, docs, tickets, scores } of parts) {
        if (docs.length === 0) continue;
        let at = 0;
        const collect = subCollector(subs, leaf, { score: () => scores[at] });
        for (at = 0; at < docs.length; at++) {
          if (at % 256 === 0 && slices.due()) await slices.pause();
          collect?.(docs[at], clusters.idOf(tickets[at]));
        }
      }
    },
  };
}
