/**
 * What an aggregation is made of, in the order in which it happens:
 *
 *     body ── parse.ts ──▶ Definition ── bind (a shard) ──▶ Aggregator ── collect.ts ──▶ Internal ── reduce.ts (all shards) ──▶ printed
 *
 * Buckets are numbered: an aggregator keeps what it counts in arrays by the ordinal of the bucket around it, so that no object is made for
 * a document. Each aggregation is a file and a row in the table of `index.ts`.
 */
import type { JsonObject, JsonValue } from "../json/types.ts";
import type { QueryBuilder, QueryContext } from "../query/dsl/index.ts";
import type { IndexSearcher, Query } from "../query/types.ts";
import type { LeafReader } from "../segment/types.ts";
import type { Slices } from "../slices.ts";
import type { Memory } from "./support/memory.ts";

/** A value that an answer holds; bytes are JSON already. */
export type Printed = JsonValue | Uint8Array | readonly Printed[] | { readonly [key: string]: Printed | undefined };
export type PrintedObject = { readonly [key: string]: Printed | undefined };

/** What an aggregation knows of the shard that it runs on. */
export interface AggregationContext {
  readonly query: QueryContext;
  readonly searcher: IndexSearcher;
  /** The query of the search, without what comes after it (`post_filter`); known when documents are collected. */
  readonly mainQuery: () => Query;
  /** All documents that the search may see: the filter of an alias is in it. */
  readonly everything: () => Query;
  /** Puts off what Elasticsearch does when it makes aggregators: mistakes anywhere else in the search are told before. */
  atCreation<T>(make: () => T): () => T;
  readonly memory: Memory;
  readonly slices: Slices;
  /** Nested object whose documents are collected; undefined: root documents. */
  readonly nestedPath?: string;
  /** Some aggregation around is `nested`. */
  readonly insideNested?: boolean;
  /** Around is not one bucket but several, or none that is ever collected (CardinalityUpperBound). */
  readonly notOneBucket?: boolean;
  /** The scalars that stand under a path in a document's source; the search hands it in. */
  readonly sourceValues?: (leaf: LeafReader, doc: number, path: string) => readonly JsonValue[];
  /** Measures aggregators, where the search is profiled. */
  readonly profile?: { aggregator(definition: Definition, bind: () => Aggregator): Aggregator };
  /** The shard as the search has it, for what prints hits of it. */
  readonly shard?: object;
}

/** The score of the document that is being collected. */
export interface Scorable {
  score(): number;
}

/** A bucket that nothing is collected in: what is built of it is empty. */
export const NO_BUCKET = 0x7fffffff;

/** Takes a document of a segment into a bucket. */
export interface Collect {
  (doc: number, bucket: number): void;
  /** Takes the first `count` of `docs` into bucket 0, ascending: what many documents at a time make faster. */
  readonly all?: (docs: Int32Array, count: number) => void;
}

export interface Aggregator {
  readonly name: string;
  /** Elasticsearch's class, where it does not follow from the aggregation and its result: a profile shows it. */
  readonly className?: string;
  /** True when documents are to be scored. */
  readonly needsScores: boolean;
  readonly subs: readonly Aggregator[];
  /** How the documents of a segment are taken; undefined: none of them counts. */
  leaf(leaf: LeafReader, scores: Scorable): Collect | undefined;
  /** After the last document, before anything is built; what was put off is collected now. */
  finish?(): void | Promise<void>;
  /** What was collected in a bucket; also of a bucket that nothing was collected in. */
  build(bucket: number): Internal;
  /** How buckets around it are ordered by it: see order.ts. */
  readonly sortable: Sortable;
}

/** The value of a bucket by which the buckets around it are ordered. */
export type SortValue = (bucket: number) => number;

export type Sortable =
  | { readonly kind: "value"; readonly value: SortValue }
  | { readonly kind: "values"; readonly value: (metric: string) => SortValue | undefined }
  /** `explains`: an error over another value than the count names the count. */
  | { readonly kind: "bucket"; readonly docCount: SortValue; readonly explains?: boolean }
  | { readonly kind: "none" };

/** One aggregation of a request. */
export interface Definition {
  readonly name: string;
  /** Name in the DSL. */
  readonly type: string;
  readonly meta: JsonObject | undefined;
  readonly builder: AggregationBuilder;
  readonly subs: readonly Definition[];
  /** In the order in which they are computed. */
  readonly pipelines: readonly PipelineDefinition[];
}

export interface AggregationBuilder {
  /** False for metrics: they take no sub-aggregations. */
  readonly takesSubs: boolean;
  /** It has one bucket for one around it, or tells while it collects that it has more. */
  readonly single?: boolean;
  /** Of histograms, whose buckets lie side by side: some pipelines stand in these only. */
  readonly sequential?: { readonly minDocCount: number };
  /** Makes the aggregator of a shard. What fails is the shard's error. */
  bind(context: AggregationContext, own: Own): Aggregator;
  /** Queries whose documents must be looked up before they are built. */
  readonly queries?: readonly QueryBuilder[];
}

/** What an aggregator is handed beside the shard. */
export interface Own {
  readonly name: string;
  readonly meta: JsonObject | undefined;
  /** The aggregations around it, the innermost first. */
  readonly parents: readonly { readonly name: string; readonly type: string }[];
  /** Makes the aggregators within; a context of its own where the documents are others (`nested`). */
  subs(context?: AggregationContext): readonly Aggregator[];
}

/** @param name of the aggregation in the request @param json its body */
export type AggregationParser = (name: string, json: JsonObject) => AggregationBuilder;

/** The result of one aggregation, of one shard or of all. */
export interface Internal {
  readonly name: string;
  readonly meta: JsonObject | undefined;
  readonly kind: InternalKind<unknown>;
  readonly data: unknown;
}

/** A bucket as pipelines and orders see it. */
export interface Bucket {
  readonly docCount: number;
  readonly subs: readonly Internal[];
}

export interface ReduceContext {
  /** Counts buckets that go into the answer. @throws too_many_buckets_exception */
  readonly consumeBuckets: (count: number) => void;
  /** Names with the kind before them: `sterms#x`. */
  readonly typedKeys: boolean;
  /** `rest_total_hits_as_int` */
  readonly totalAsInt: boolean;
}

/** What can be done with the results of a kind. `data` is plain. */
export interface InternalKind<D> {
  /** What stands before the name under `typed_keys`. */
  readonly typedName: string;
  /** Several shards' results as one; also called for a single one. @param of how many there are, those of unmapped fields included */
  reduce(all: readonly D[], context: ReduceContext, of: number): D;
  print(data: D, context: ReduceContext): PrintedObject;
  /** False: of a shard without the field; the others' kind is taken. */
  readonly unmapped?: boolean;
  /** Kinds of one family can be reduced together. */
  readonly family?: string;
  /** Of kinds of a family the highest leads. */
  readonly precedence?: number;
  /** Metrics: a value under a name (undefined: its only one), for `buckets_path`; undefined when there is no such. */
  value?(data: D, name: string | undefined): number | undefined;
  /** Single buckets. */
  bucket?(data: D): Bucket;
  /** The same with other aggregations within. */
  withSubs?(data: D, subs: readonly Internal[]): D;
  /** Several buckets. */
  readonly buckets?: BucketsKind<D>;
}

export interface BucketsKind<D> {
  list(data: D): readonly Bucket[];
  with(data: D, buckets: readonly Bucket[]): D;
  /** A bucket's key as text. */
  keyText(data: D, bucket: Bucket): string;
  /** As it is compared. */
  key(bucket: Bucket): number | bigint | string;
}

/** An aggregation over the results of others, computed when all shards are reduced. */
export interface PipelineDefinition {
  readonly name: string;
  readonly type: string;
  readonly meta: JsonObject | undefined;
  readonly builder: PipelineBuilder;
}

export interface PipelineBuilder {
  /** What it reads, as the request has it (`buckets_path`). */
  readonly paths: readonly string[];
  /** Looks at the place where it stands; adds what is wrong. */
  validate(own: PipelineDefinition, at: PipelinePlace, errors: string[]): void;
  /** What becomes of the aggregation that it stands in. */
  readonly parent?: (around: Internal, own: PipelineDefinition, context: ReduceContext) => Internal;
  /** What it adds beside the aggregations that it reads. */
  readonly sibling?: (beside: readonly Internal[], own: PipelineDefinition, context: ReduceContext) => Internal;
}

export interface PipelinePlace {
  /** The aggregation in which the pipeline stands; undefined at the top. */
  readonly parent: Definition | undefined;
  readonly siblings: readonly Definition[];
  readonly pipelines: readonly PipelineDefinition[];
}

export function internal<D>(
  own: { readonly name: string; readonly meta: JsonObject | undefined },
  kind: InternalKind<D>,
  data: D,
): Internal {
  return { name: own.name, meta: own.meta, kind: kind as InternalKind<unknown>, data };
}
