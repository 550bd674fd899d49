/**
 * The nearest vectors of an index, segment by segment (AbstractKnnVectorQuery): through the graph where there is one and it pays, otherwise
 * one by one. Filters and deletions are looked at on the way, so that as many are found as there are.
 */

import { EngineError } from "../../errors.ts";
import { arrayIterator, FixedBitSet } from "../../segment/index.ts";
import type { BitSet, LeafReader, VectorColumn } from "../../segment/types.ts";
import { NO_MORE_DOCS } from "../../segment/types.ts";
import { type Collector, groupCollector, topCollector } from "../../vectors/collector.ts";
import { searchGraph } from "../../vectors/hnsw/graph.ts";
import { ScoreHeap } from "../../vectors/hnsw/heap.ts";
import { floatScore } from "../../vectors/similarity.ts";
import { BATCH, type VectorScorer } from "../../vectors/space.ts";
import { type StoredVector, storedLength } from "../../vectors/types.ts";
import { type QueryProfiler, weightOf } from "../profiler.ts";
import { confirmed } from "../scorers/index.ts";
import type { IndexSearcher, Query, Weight } from "../types.ts";
import { booleanQuery } from "./boolean.ts";
import { iteratorQuery } from "./iterator.ts";
import type { ParentsOf } from "./nested.ts";

export interface NearestSearch {
  /** Name of the vectors in the segments. */
  readonly field: string;
  readonly vector: StoredVector;
  /** As many are looked for in each segment, and kept of all together. */
  readonly candidates: number;
  /** As many of the candidates are wanted; undefined: all. */
  readonly k?: number;
  /** Documents that may be hits; of nested vectors, their parents. */
  readonly filter?: Query;
  /** Vectors of nested documents: of those of one parent the nearest counts. */
  readonly parents?: ParentsOf;
}

/** In the order of the snapshot's documents. */
export interface NearestDocs {
  readonly docs: Int32Array;
  readonly scores: Float32Array;
}

/** Documents or vectors looked at between two looks at the clock. */
const FILTER_STEP = 16_384;
/** A walk over a graph compares about so many vectors for each that is looked for. */
const VISITS = 20;
/** Least that a walk looks for, and how many for each that is wanted: what is not among the best is left out afterwards. */
const LEAST_WIDTH = 100;
const WIDTH = 1.5;
/** Of what was found so many are looked at more closely at most, for each that is wanted and beside; and so many at least. */
const LOOK = 3;
const LOOK_LEAST = 10;
/** By how many times the greatest difference between a score and a quantised one that was seen another may differ. */
const SURE = 2;
/** What comparing one on the way costs, in comparisons of vectors that lie one after the other. */
const WALK_COST = 2;

/** Searches in steps. @param stopped asked between them: true leaves it at what was found */
export function* searchNearest(
  search: NearestSearch,
  searcher: IndexSearcher,
  stopped: () => boolean = () => false,
): Generator<void, NearestDocs> {
  const weight = search.filter && filterWeight(search, search.filter, searcher);
  const found: Found[] = [];
  let graphs = false;
  let columns = 0;
  const { k } = search;
  for (const leaf of searcher.leaves) {
    const column = leaf.segment.vectors(search.field);
    if (column === undefined || storedLength(column.shape) !== search.vector.length) continue;
    const { ords, scores } = yield* searchLeaf(search, leaf, column, weight, stopped, searcher.profiler);
    const graph = column.graph() !== undefined;
    if (ords.length > 0 && graph) graphs = true;
    if (ords.length > 0) columns++;
    // Of what a walk finds as many count as are looked at more closely.
    const count = graph && k !== undefined ? Math.min(ords.length, looked(k)) : ords.length;
    for (let i = 0; i < count; i++)
      found.push({ doc: leaf.docBase + column.doc(ords[i]), ord: ords[i], score: scores[i], column });
    if (stopped()) break;
  }
  // A segment's are in order, the best first.
  if (columns > 1) found.sort(byScore);
  // What walks miss, looking more closely makes up for. Among few vectors, which have no graph, scores decide, as in Lucene.
  const wanted = graphs && k !== undefined && k < found.length ? closest(found, k, search) : found;
  const kept = wanted.slice(0, search.candidates).sort((a, b) => a.doc - b.doc);
  return { docs: Int32Array.from(kept, ({ doc }) => doc), scores: Float32Array.from(kept, ({ score }) => score) };
}

interface Found {
  readonly doc: number;
  readonly ord: number;
  readonly score: number;
  readonly column: VectorColumn;
}

const byScore = (a: Found, b: Found): number => b.score - a.score || a.doc - b.doc;

const looked = (k: number) => k * LOOK + LOOK_LEAST;

/**
 * The k nearest, of more that were found with quantised vectors, by the vectors as they were given: rounding, and merges that keep what was
 * rounded, put some in each other's place. Their scores stay those of the quantised. The rest is not looked at from where one would have
 * to be off by much more than any that was.
 */
function closest(found: readonly Found[], k: number, { vector }: NearestSearch): readonly Found[] {
  if (vector instanceof Int8Array) return found;
  const exact: { readonly one: Found; readonly score: number }[] = [];
  const best = new ScoreHeap("worst first", k + 1);
  let most = 0;
  for (const one of found.slice(0, looked(k))) {
    if (exact.length >= Math.max(k, LOOK_LEAST) && one.score + SURE * most < best.topScore()) break;
    const raw = one.column.unquantized(one.ord);
    const score = raw ? floatScore(one.column.shape.similarity, compared(one.column, raw, vector)) : one.score;
    most = Math.max(most, Math.abs(score - one.score));
    exact.push({ one, score });
    best.push(one.doc, score);
    if (best.size > k) best.pop();
  }
  return exact
    .sort((a, b) => b.score - a.score || a.one.doc - b.one.doc)
    .slice(0, k)
    .map(({ one }) => one)
    .sort(byScore);
}

/** The product, or the squared distance. */
function compared({ shape }: VectorColumn, a: Float32Array, b: Float32Array): number {
  let sum = 0;
  if (shape.similarity === "l2_norm") {
    for (let i = 0; i < a.length; i++) {
      const difference = a[i] - b[i];
      sum += difference * difference;
    }
    return sum;
  }
  // Two sums that do not wait for each other.
  let odd = 0;
  const whole = a.length & -2;
  for (let i = 0; i < whole; i += 2) {
    sum += a[i] * b[i];
    odd += a[i + 1] * b[i + 1];
  }
  return whole < a.length ? sum + odd + a[whole] * b[whole] : sum + odd;
}

const NOTHING = { ords: new Int32Array(0), scores: new Float32Array(0) };

function* searchLeaf(
  { vector, candidates, parents }: NearestSearch,
  leaf: LeafReader,
  column: VectorColumn,
  weight: Weight | undefined,
  stopped: () => boolean,
  profiler: QueryProfiler | undefined,
) {
  const parentDocs = parents?.(leaf);
  if (parents && !parentDocs) return NOTHING;
  let accepted: Accepted | undefined;
  if (weight) {
    accepted = yield* acceptedVectors(weight, leaf, column, parentDocs);
    if (accepted.count === 0) return NOTHING;
  }
  const accepts = acceptance(leaf, column, accepted);
  const scorer = counting(column.space().scorer(vector), profiler);
  const newCollector = (most: number): Collector =>
    parentDocs ? groupCollector(most, (ord) => parentDocs.nextSetBit(column.doc(ord))) : topCollector(most);
  const graph = column.graph();
  const { size } = column;
  if (graph) {
    const limit = accepted?.count ?? size;
    const width = Math.max(LEAST_WIDTH, Math.ceil(candidates * WIDTH));
    const visits = width * VISITS * (size / Math.max(1, limit));
    if (limit > width && visits * WALK_COST < limit) {
      const collector = newCollector(width);
      const walk = { graph, size, scorer, collector, ...(accepts ? { accepts } : {}), visitLimit: limit };
      if (yield* searchGraph(walk)) return collector.finish();
    }
  }
  const collector = newCollector(candidates);
  const { ords, results } = scorer.batch;
  let least = collector.least();
  for (let next = 0; next < size; ) {
    let count = 0;
    if (accepted !== undefined) {
      const { bits } = accepted;
      for (next = bits.nextSetBit(next); next < size && count < ords.length; next = bits.nextSetBit(next + 1))
        ords[count++] = next;
    } else {
      const end = Math.min(size, next + BATCH);
      for (; next < end; next++) if (accepts === undefined || accepts(next)) ords[count++] = next;
    }
    scorer.scoreBatch(count);
    for (let i = 0; i < count; i++)
      if (!(results[i] < least) && collector.collect(ords[i], results[i])) least = collector.least();
    yield;
    if (stopped()) break;
  }
  return collector.finish();
}

function counting(scorer: VectorScorer, profiler: QueryProfiler | undefined): VectorScorer {
  if (profiler === undefined) return scorer;
  return {
    batch: scorer.batch,
    score(ord) {
      profiler.compared(1);
      return scorer.score(ord);
    },
    scoreBatch(count) {
      profiler.compared(count);
      scorer.scoreBatch(count);
    },
  };
}

/** Lucene looks for documents that match the filter and have a vector: a profile shows both. */
function filterWeight({ field }: NearestSearch, filter: Query, searcher: IndexSearcher): Weight {
  if (searcher.profiler === undefined) return searcher.filterWeight(filter);
  const everywhere = searcher.leaves.every(({ segment }) => segment.vectors(field)?.size === segment.maxDoc);
  const vectors = iteratorQuery(
    `FieldExistsQuery [field=${field}]`,
    ({ segment }) => {
      const column = segment.vectors(field);
      return column && arrayIterator(Int32Array.from({ length: column.size }, (_, ord) => column.doc(ord)));
    },
    { className: "FieldExistsQuery" },
  );
  const both = [filter, ...(everywhere ? [] : [vectors])].map((query) => ({ occur: "filter" as const, query }));
  return weightOf(searcher.profiler.rewrite(booleanQuery(both), searcher, true), searcher, "none", 1);
}

/** Which vectors are alive and let through; undefined: all. */
function acceptance(
  { live }: LeafReader,
  column: VectorColumn,
  accepted: Accepted | undefined,
): ((ord: number) => boolean) | undefined {
  if (accepted === undefined) return live && ((ord) => live.get(column.doc(ord)));
  const { bits } = accepted;
  return (ord) => bits.get(ord);
}

/** Vectors of documents that are alive and that a filter lets through, by ordinal. */
interface Accepted {
  readonly bits: FixedBitSet;
  readonly count: number;
}

/** Looks for them in steps. @param parents those that a filter of nested vectors may match */
function* acceptedVectors(
  weight: Weight,
  leaf: LeafReader,
  column: VectorColumn,
  parents: BitSet | undefined,
): Generator<void, Accepted> {
  const { live } = leaf;
  const { size } = column;
  const bits = new FixedBitSet(size);
  let count = 0;
  const accept = (ord: number) => {
    bits.set(ord);
    count++;
  };
  if (parents === undefined) {
    yield* documents(weight, leaf, (doc) => {
      const ord = live === undefined || live.get(doc) ? column.ord(doc) : -1;
      if (ord >= 0) accept(ord);
    });
    return { bits, count };
  }
  const accepted = new FixedBitSet(leaf.segment.maxDoc);
  yield* documents(weight, leaf, (doc) => {
    if (!parents.get(doc)) throw notParent(doc);
    accepted.set(doc);
  });
  for (let ord = 0; ord < size; ord++) {
    const doc = column.doc(ord);
    const parent = live === undefined || live.get(doc) ? parents.nextSetBit(doc) : NO_MORE_DOCS;
    if (parent !== NO_MORE_DOCS && accepted.get(parent)) accept(ord);
    if (ord % FILTER_STEP === FILTER_STEP - 1) yield;
  }
  return { bits, count };
}

function* documents(weight: Weight, leaf: LeafReader, take: (doc: number) => void): Generator<void> {
  const scorer = weight.scorer(leaf);
  if (!scorer) return;
  const walk = confirmed(scorer);
  let step = 0;
  for (let doc = walk.nextDoc(); doc !== NO_MORE_DOCS; doc = walk.nextDoc()) {
    take(doc);
    if (++step % FILTER_STEP === 0) yield;
  }
}

/** ToChildBlockJoinQuery */
function notParent(doc: number): EngineError {
  return new EngineError(
    "illegal_state_exception",
    "Parent query must not match any docs besides parent filter. " +
      `Combine them as must (+) and must-not (-) clauses to find a problem doc. docID=${doc}`,
    { status: 500, metadata: { phase: "shard" } },
  );
}
