/**
 * A graph over the vectors of a segment (hierarchical navigable small world, Malkov and Yashunin 2016, as Lucene has it): each vector is linked
 * to near ones in all directions, and few of them stand on further levels, where links reach far. A search walks down the levels, and on the
 * lowest from neighbour to neighbour.
 */

import type { Collector } from "../collector.ts";
import type { VectorScorer } from "../space.ts";
import { ScoreHeap } from "./heap.ts";

export interface GraphLevel {
  /** Nodes of the level, ascending; undefined on the lowest, which has all. */
  readonly nodes: Uint32Array | undefined;
  /** Where the links of each node begin, and behind the last. */
  readonly offsets: Uint32Array;
  readonly links: Uint32Array;
}

export interface HnswGraph {
  /** A node of the highest level. */
  readonly entry: number;
  /** From the lowest on. */
  readonly levels: readonly GraphLevel[];
}

/** Place of a node among those of a level. */
export function placeOf(level: GraphLevel, node: number): number {
  const { nodes } = level;
  if (nodes === undefined) return node;
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nodes[middle] < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface GraphSearch {
  readonly graph: HnswGraph;
  readonly size: number;
  readonly scorer: VectorScorer;
  readonly collector: Collector;
  /** Which vectors count; others are walked over. */
  readonly accepts?: (ord: number) => boolean;
  /** Vectors that may be compared. */
  readonly visitLimit: number;
}

/** Vectors compared between two looks at the clock. */
const STEP = 512;

/** What a walk notes on its way. */
interface Notes {
  /** A bit for each vector. */
  visited: Uint32Array;
  readonly candidates: ScoreHeap;
}

/** Of the walk before, so that not every one needs memory of its own. */
let spare: Notes | undefined;

function takeNotes(size: number): Notes {
  const notes = spare ?? { visited: new Uint32Array(0), candidates: new ScoreHeap("best first", 1024) };
  spare = undefined;
  const words = (size + 31) >> 5;
  if (notes.visited.length < words) notes.visited = new Uint32Array(words);
  else notes.visited.fill(0, 0, words);
  notes.candidates.clear();
  return notes;
}

/** Walks over a graph (HnswGraphSearcher). @returns false when there were too many vectors to compare */
export function* searchGraph(search: GraphSearch): Generator<void, boolean> {
  const notes = takeNotes(search.size);
  try {
    return yield* walk(search, notes);
  } finally {
    spare = notes;
  }
}

function* walk(search: GraphSearch, { visited, candidates }: Notes): Generator<void, boolean> {
  const { graph, scorer, collector, accepts, visitLimit } = search;
  const { ords, results } = scorer.batch;
  let left = visitLimit;
  let entry = graph.entry;
  let best = scorer.score(entry);
  left--;
  for (let at = graph.levels.length - 1; at > 0; at--) {
    const level = graph.levels[at];
    for (let moved = true; moved; ) {
      moved = false;
      const place = placeOf(level, entry);
      const first = level.offsets[place];
      const count = level.offsets[place + 1] - first;
      left -= count;
      if (left < 0) return false;
      for (let i = 0; i < count; i++) ords[i] = level.links[first + i];
      scorer.scoreBatch(count);
      for (let i = 0; i < count; i++) {
        if (results[i] <= best) continue;
        best = results[i];
        entry = ords[i];
        moved = true;
      }
    }
  }
  const { offsets, links } = graph.levels[0];
  visited[entry >> 5] |= 1 << (entry & 31);
  candidates.push(entry, best);
  if (accepts === undefined || accepts(entry)) collector.collect(entry, best);
  let least = collector.least();
  let pause = STEP;
  while (candidates.size > 0) {
    if (candidates.topScore() < least) return true;
    const node = candidates.topOrd();
    candidates.pop();
    const end = offsets[node + 1];
    let count = 0;
    for (let i = offsets[node]; i < end; i++) {
      const friend = links[i];
      const word = friend >> 5;
      const bit = 1 << (friend & 31);
      if ((visited[word] & bit) !== 0) continue;
      visited[word] |= bit;
      ords[count++] = friend;
    }
    left -= count;
    if (left < 0) return false;
    pause -= count;
    scorer.scoreBatch(count);
    for (let i = 0; i < count; i++) {
      const score = results[i];
      if (score < least) continue;
      const friend = ords[i];
      candidates.push(friend, score);
      if ((accepts === undefined || accepts(friend)) && collector.collect(friend, score)) least = collector.least();
    }
    if (pause <= 0) {
      pause = STEP;
      yield;
    }
  }
  return true;
}
