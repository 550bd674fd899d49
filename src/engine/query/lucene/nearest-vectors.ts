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
import { floatScore } from "../../vectors/similarity.ts";
import type { VectorScorer } from "../../vectors/space.ts";
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

/** Vectors compared between two looks at the clock. */
const STEP = 1024;
/** A walk over a graph compares about so many vectors for each that is looked for. */
const VISITS = 20;
/** Least that a walk looks for, and how many for each that is wanted: what is not among the best is left out afterwards. */
const LEAST_WIDTH = 100;
const WIDTH = 1.5;
/** Of what was found so many are looked at more closely, for each that is wanted and beside. */
const LOOK = 3;
const LOOK_LEAST = 10;
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
  for (const leaf of searcher.leaves) {
    const column = leaf.segment.vectors(search.field);
    if (column === undefined || storedLength(column.shape) !== search.vector.length) continue;
    const { ords, scores } = yield* searchLeaf(search, leaf, column, weight, stopped, searcher.profiler);
    if (ords.length > 0 && column.graph()) graphs = true;
    for (let i = 0; i < ords.length; i++)
      found.push({ doc: leaf.docBase + column.doc(ords[i]), ord: ords[i], score: scores[i], column });
    if (stopped()) break;
  }
  found.sort(byScore);
  // What walks miss, looking more closely makes up for. Among few vectors, which have no graph, scores decide, as in Lucene.
  const { k } = search;
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

/**
 * The k nearest, of more that were found with quantised vectors, by the vectors as they were given: rounding, and merges that keep what was
 * rounded, put some in each other's place. Their scores stay those of the quantised.
 */
function closest(found: readonly Found[], k: number, { vector }: NearestSearch): readonly Found[] {
  if (vector instanceof Int8Array) return found;
  return found
    .slice(0, k * LOOK + LOOK_LEAST)
    .map((one) => {
      const exact = one.column.unquantized(one.ord);
      return {
        one,
        score: exact ? floatScore(one.column.shape.similarity, compared(one.column, exact, vector)) : one.score,
      };
    })
    .sort((a, b) => b.score - a.score || a.one.doc - b.one.doc)
    .slice(0, k)
    .map(({ one }) => one)
    .sort(byScore);
}

/** The product, or the squared distance. */
function compared({ shape }: VectorColumn, a: Float32Array, b: Float32Array): number {
  let sum = 0;
  if (shape.similarity === "l2_norm") for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  else for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
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
  let accepted: BitSet | undefined;
  if (weight) {
    accepted = documents(weight, leaf, parentDocs);
    if (!accepted) return NOTHING;
  }
  const accepts = acceptance(leaf, column, accepted, parentDocs);
  const scorer = counting(column.space().scorer(vector), profiler);
  const newCollector = (most: number): Collector =>
    parentDocs ? groupCollector(most, (ord) => parentDocs.nextSetBit(column.doc(ord))) : topCollector(most);
  const graph = column.graph();
  const { size } = column;
  if (graph) {
    const limit = accepted && accepts ? yield* count(size, accepts) : size;
    const width = Math.max(LEAST_WIDTH, Math.ceil(candidates * WIDTH));
    const visits = width * VISITS * (size / Math.max(1, limit));
    if (limit > width && visits * WALK_COST < limit) {
      const collector = newCollector(width);
      const walk = { graph, size, scorer, collector, ...(accepts ? { accepts } : {}), visitLimit: limit };
      if (yield* searchGraph(walk)) return collector.finish();
    }
  }
  const collector = newCollector(candidates);
  for (let ord = 0; ord < size; ord++) {
    if (accepts === undefined || accepts(ord)) collector.collect(ord, scorer.score(ord));
    if (ord % STEP !== STEP - 1) continue;
    yield;
    if (stopped()) break;
  }
  return collector.finish();
}

function counting(scorer: VectorScorer, profiler: QueryProfiler | undefined): VectorScorer {
  if (profiler === undefined) return scorer;
  return {
    score(ord) {
      profiler.compared(1);
      return scorer.score(ord);
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

function* count(size: number, accepts: (ord: number) => boolean): Generator<void, number> {
  let sum = 0;
  for (let ord = 0; ord < size; ord++) {
    if (accepts(ord)) sum++;
    if (ord % (STEP * 16) === STEP * 16 - 1) yield;
  }
  return sum;
}

/** Which vectors are alive and let through; undefined: all. */
function acceptance(
  { live }: LeafReader,
  column: VectorColumn,
  accepted: BitSet | undefined,
  parents: BitSet | undefined,
): ((ord: number) => boolean) | undefined {
  if (accepted === undefined) return live && ((ord) => live.get(column.doc(ord)));
  return (ord) => {
    const doc = column.doc(ord);
    if (live && !live.get(doc)) return false;
    if (parents === undefined) return accepted.get(doc);
    const parent = parents.nextSetBit(doc);
    return parent !== NO_MORE_DOCS && accepted.get(parent);
  };
}

/** @param parents those that a filter of nested vectors may match */
function documents(weight: Weight, leaf: LeafReader, parents: BitSet | undefined): BitSet | undefined {
  const scorer = weight.scorer(leaf);
  if (!scorer) return undefined;
  const bits = new FixedBitSet(leaf.segment.maxDoc);
  const walk = confirmed(scorer);
  for (let doc = walk.nextDoc(); doc !== NO_MORE_DOCS; doc = walk.nextDoc()) {
    if (parents && !parents.get(doc)) throw notParent(doc);
    bits.set(doc);
  }
  return bits;
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
