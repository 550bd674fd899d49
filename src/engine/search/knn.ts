/**
 * Exact nearest neighbours: every vector that the filter lets through is compared. A nested vector counts for its root document, which
 * scores by its best one. Scores are those of Elasticsearch's similarities, in float32.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import { buildQuery, type QueryBuilder, type QueryContext, queryShardError, shardError } from "../query/dsl/index.ts";
import { booleanQuery } from "../query/lucene/boolean.ts";
import type { IndexSearcher } from "../query/types.ts";
import { type BitSet, type LeafReader, NO_MORE_DOCS, type VectorColumn } from "../segment/types.ts";
import type { Slices } from "../slices.ts";
import { thresholdScore } from "../vectors/similarity.ts";
import type { StoredVector } from "../vectors/types.ts";
import { queryVector } from "./query-vector.ts";
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

/** Vectors between two looks at the clock. */
const STEP = 1024;

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
  const vector = inQuery(context, () => queryVector(knn.queryVector, field.vector!));
  const least = knn.similarity === undefined ? Number.NEGATIVE_INFINITY : thresholdScore(field.vector, knn.similarity);
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
  vector: StoredVector;
  accepted: BitSet | undefined;
  least: number;
  nested: boolean;
}

async function searchLeaf(search: LeafSearch, queue: TopQueue, slices: Slices): Promise<void> {
  const { leaf, vectors, vector, accepted, least, nested } = search;
  const { size } = vectors;
  const scorer = vectors.scorer(vector);
  const live = hitCandidates(leaf);
  const roots = nested ? leaf.segment.roots() : undefined;
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
    const score = scorer.score(ord);
    if (score > best && score >= least) best = score;
  }
  flush();
}
