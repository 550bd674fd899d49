/**
 * Exact nearest neighbours: every vector that the filter lets through is compared. A nested vector counts for its root document, which
 * scores by its best one. Scores are those of Elasticsearch's similarities, in float32.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import { javaFloat } from "../mapping/java-text.ts";
import type { MappedField } from "../mapping/types.ts";
import { buildQuery, type QueryBuilder, type QueryContext, queryShardError, shardError } from "../query/dsl/index.ts";
import { booleanQuery } from "../query/lucene/boolean.ts";
import type { IndexSearcher } from "../query/types.ts";
import {
  type BitSet,
  type LeafReader,
  NO_MORE_DOCS,
  type VectorColumn,
  type VectorSimilarity,
} from "../segment/types.ts";
import type { Slices } from "../slices.ts";
import { hitCandidates, materialise } from "./searcher.ts";
import { TopQueue } from "./top-queue.ts";

export interface KnnSearch {
  readonly field: string;
  readonly queryVector: readonly number[];
  readonly k: number;
  readonly boost: number;
  /** Raw similarity (of l2_norm: distance) that a hit must reach. */
  readonly similarity?: number;
  readonly filters: readonly QueryBuilder[];
  readonly queryName?: string;
}

export interface KnnHits {
  /** Documents in the order of the snapshot, best first, with their scores before the boost. */
  readonly docs: Int32Array;
  readonly scores: Float32Array;
}

const f = Math.fround;
/** Vectors between two looks at the clock. */
const STEP = 1024;
const UNIT_TOLERANCE = 1e-4;

/** Score of a raw similarity: cosine and dot product to 0 … 1, a squared distance to its inverse (VectorSimilarityFunction). */
export function vectorScore(similarity: VectorSimilarity, raw: number): number {
  const value = f(raw);
  switch (similarity) {
    case "cosine":
    case "dot_product":
      return Math.max(f(f(1 + value) / 2), 0);
    case "l2_norm":
      return f(1 / f(1 + value));
    case "max_inner_product":
      return value < 0 ? f(1 / f(1 - value)) : f(value + 1);
  }
}

/** The score that a `similarity` threshold means (VectorSimilarity.score in DenseVectorFieldMapper). */
function thresholdScore(similarity: VectorSimilarity, threshold: number): number {
  return vectorScore(similarity, similarity === "l2_norm" ? f(threshold * threshold) : threshold);
}

function preview(vector: Float32Array): string {
  const shown = Array.from(vector.subarray(0, 5), javaFloat);
  return ` Preview of invalid vector: [${shown.join(", ")}${vector.length > 5 ? ", ..." : ""}]`;
}

/** Checks a query vector against its field, and brings it into the form of the stored ones. */
function queryVector(field: MappedField, values: readonly number[]): Float32Array {
  const { dims, similarity } = field.vector!;
  if (values.length !== dims) {
    throw illegalArgument(
      `The query vector has a different number of dimensions [${values.length}] than the document vectors [${dims}].`,
    );
  }
  const vector = Float32Array.from(values);
  const endless = vector.findIndex((value) => !Number.isFinite(value));
  if (endless >= 0) {
    const kind = Number.isNaN(vector[endless]) ? "NaN" : "infinite";
    const found = kind === "NaN" ? "NaN" : javaFloat(vector[endless]);
    throw illegalArgument(
      `element_type [float] vectors do not support ${kind} values but found [${found}] at dim [${endless}];${preview(vector)}`,
    );
  }
  if (similarity !== "cosine" && similarity !== "dot_product") return vector;
  let squared = 0;
  for (const value of vector) squared += value * value;
  squared = f(squared);
  if (similarity === "dot_product") {
    if (Math.abs(squared - 1) > UNIT_TOLERANCE) {
      throw illegalArgument(
        `The [dot_product] similarity can only be used with unit-length vectors.${preview(vector)}`,
      );
    }
    return vector;
  }
  if (squared === 0)
    throw illegalArgument(`The [cosine] similarity does not support vectors with zero magnitude.${preview(vector)}`);
  const length = Math.sqrt(squared);
  return vector.map((value) => value / length);
}

/** The k nearest of one index. @throws shard errors for what does not fit the field */
export async function knnSearch(
  knn: KnnSearch,
  context: QueryContext,
  searcher: IndexSearcher,
  slices: Slices,
): Promise<KnnHits> {
  const queue = new TopQueue({ k: knn.k, totalHitsThreshold: Number.POSITIVE_INFINITY });
  const field = context.mapping.field(knn.field);
  const none = { docs: new Int32Array(0), scores: new Float32Array(0) };
  // As in Elasticsearch, what a filter makes impossible is rewritten away before anything is checked.
  if (!field || knn.filters.some((builder) => builder.rewritesToNone?.(context))) return none;
  if (field.family !== "vector") {
    throw queryShardError(
      context,
      "failed to create query: [knn] queries are only supported on [dense_vector] fields",
      illegalArgument("[knn] queries are only supported on [dense_vector] fields"),
    );
  }
  if (!field.vector) return none;
  if (!field.vector.indexed) {
    throw inQuery(context, () => {
      throw illegalArgument(
        `to perform knn search on field [${field.name}], its mapping must have [index] set to [true]`,
      );
    });
  }
  const filter =
    knn.filters.length === 0
      ? undefined
      : searcher.filterWeight(
          booleanQuery(knn.filters.map((builder) => ({ occur: "filter", query: buildQuery(builder, context) }))),
        );
  if (knn.boost < 0) {
    throw shardError(
      illegalArgument("negative [boost] are not allowed in [knn], use a value between 0 and 1 to deboost"),
    );
  }
  const vector = inQuery(context, () => queryVector(field, knn.queryVector));
  const least =
    knn.similarity === undefined ? Number.NEGATIVE_INFINITY : thresholdScore(field.vector.similarity, knn.similarity);
  for (const leaf of searcher.leaves) {
    const vectors = leaf.segment.vectors(field.info.name);
    if (!vectors) continue;
    const scorer = filter?.scorer(leaf);
    if (filter && !scorer) continue;
    const accepted = scorer && materialise(scorer, leaf.segment.maxDoc);
    await searchLeaf({ leaf, vectors, vector, accepted, least, nested: field.nestedPath !== undefined }, queue, slices);
  }
  const top = queue.finish(false);
  return { docs: top.docs, scores: top.scores };
}

function inQuery<T>(context: QueryContext, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw queryShardError(context, `failed to create query: ${error.reason}`, error);
  }
}

interface LeafSearch {
  leaf: LeafReader;
  vectors: VectorColumn;
  vector: Float32Array;
  accepted: BitSet | undefined;
  least: number;
  nested: boolean;
}

async function searchLeaf(search: LeafSearch, queue: TopQueue, slices: Slices): Promise<void> {
  const { leaf, vectors, vector, accepted, least, nested } = search;
  const { data, dims, size, similarity } = vectors;
  const live = hitCandidates(leaf);
  const roots = nested ? leaf.segment.roots() : undefined;
  const compare = similarity === "l2_norm" ? squaredDistance : dotProduct;
  let root = -1;
  let allowed = false;
  let best = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (best > Number.NEGATIVE_INFINITY) queue.offer(root + leaf.docBase, best);
    best = Number.NEGATIVE_INFINITY;
  };
  for (let ord = 0; ord < size; ord++) {
    if (ord % STEP === STEP - 1 && (slices.due() || slices.timedOut())) {
      if (slices.timedOut()) break;
      await slices.pause();
    }
    const doc = vectors.doc(ord);
    if (doc > root || root < 0) {
      flush();
      root = roots ? roots.nextSetBit(doc) : doc;
      if (root === NO_MORE_DOCS) break;
      allowed = (live === undefined || live.get(root)) && (accepted === undefined || accepted.get(root));
    }
    if (!allowed) continue;
    const score = vectorScore(similarity, compare(data, ord * dims, vector, dims));
    if (score > best && score >= least) best = score;
  }
  flush();
}

/** Four sums side by side, which the processor adds at once. */
function dotProduct(data: Float32Array, at: number, vector: Float32Array, dims: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (const end = dims - 3; i < end; i += 4) {
    a += data[at + i] * vector[i];
    b += data[at + i + 1] * vector[i + 1];
    c += data[at + i + 2] * vector[i + 2];
    d += data[at + i + 3] * vector[i + 3];
  }
  for (; i < dims; i++) a += data[at + i] * vector[i];
  return a + b + (c + d);
}

function squaredDistance(data: Float32Array, at: number, vector: Float32Array, dims: number): number {
  let a = 0;
  let b = 0;
  let i = 0;
  for (const end = dims - 1; i < end; i += 2) {
    const x = data[at + i] - vector[i];
    const y = data[at + i + 1] - vector[i + 1];
    a += x * x;
    b += y * y;
  }
  for (; i < dims; i++) a += (data[at + i] - vector[i]) ** 2;
  return a + b;
}
