/**
 * Builds a graph, vector by vector (Lucene's HnswGraphBuilder): a new one looks for its nearest among those that are there, links to those of
 * them that lie in different directions, and they link back.
 */
import type { VectorSpace } from "../space.ts";
import type { GraphLevel, HnswGraph } from "./graph.ts";
import { placeOf } from "./graph.ts";
import { ScoreHeap } from "./heap.ts";

export interface GraphOptions {
  readonly m: number;
  readonly efConstruction: number;
}

/** A graph of vectors that are part of the new ones. */
export interface StartGraph {
  readonly graph: HnswGraph;
  /** New ordinal of each of its vectors. */
  readonly ords: (old: number) => number;
  readonly size: number;
}

/** Links of the nodes of one level while they change: sorted, the nearest first. */
interface Links {
  /** Place of a node, -1 where it is not on the level. */
  place(node: number): number;
  readonly nodes: readonly number[] | undefined;
  readonly most: number;
  /** Slots of a node: one more than it keeps. */
  readonly width: number;
  readonly counts: Uint16Array;
  readonly ords: Int32Array;
  readonly scores: Float32Array;
  /** 1: not yet compared with the other links of its node. */
  readonly fresh: Uint8Array;
}

function newLinks(count: number, most: number, nodes: readonly number[] | undefined): Links {
  const width = most + 1;
  const places = nodes && new Map(nodes.map((node, at) => [node, at]));
  return {
    place: places ? (node) => places.get(node) ?? -1 : (node) => node,
    nodes,
    most,
    width,
    counts: new Uint16Array(count),
    ords: new Int32Array(count * width),
    scores: new Float32Array(count * width),
    fresh: new Uint8Array(count * width),
  };
}

/** Levels of all nodes: each further one has an m-th of the nodes. The seed is fixed, so that builds are repeatable. */
function randomLevels(size: number, m: number): Uint8Array {
  const factor = m === 1 ? 1 : 1 / Math.log(m);
  let state = 42;
  return Uint8Array.from({ length: size }, () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const random = ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    return Math.min(255, Math.floor(-Math.log(random || Number.MIN_VALUE) * factor));
  });
}

/** Builds a graph in steps: each `next` adds a vector. @param start a graph to go on from */
export function* buildGraph(space: VectorSpace, options: GraphOptions, start?: StartGraph): Generator<void, HnswGraph> {
  const { size } = space;
  const { m, efConstruction } = options;
  const nodeLevels = randomLevels(size, m);
  const known = start ? startLevels(start, nodeLevels) : undefined;
  let top = 0;
  for (const level of nodeLevels) if (level > top) top = level;
  const levels = Array.from({ length: top + 1 }, (_, at) => {
    if (at === 0) return newLinks(size, m * 2, undefined);
    const nodes: number[] = [];
    for (let node = 0; node < size; node++) if (nodeLevels[node] >= at) nodes.push(node);
    return newLinks(nodes.length, m, nodes);
  });
  const finder = createFinder(space);
  let entry = -1;
  let height = -1;
  if (start && known) {
    yield* copyLinks(start, levels, space);
    entry = start.ords(start.graph.entry);
    height = start.graph.levels.length - 1;
  }
  for (let node = 0; node < size; node++) {
    if (known?.[node] === 1) continue;
    const level = nodeLevels[node];
    if (entry >= 0) {
      let from = entry;
      for (let at = height; at > level; at--) from = finder.nearest(levels[at], node, from);
      finder.begin(from);
      for (let at = Math.min(level, height); at >= 0; at--) {
        finder.search(levels[at], node, efConstruction);
        connect(space, levels[at], node, finder.found);
      }
    }
    if (level > height) {
      entry = node;
      height = level;
    }
    yield;
  }
  return { entry, levels: levels.slice(0, height + 1).map(frozen) };
}

/** Takes over the levels of a start graph's nodes. @returns which nodes it has */
function startLevels({ graph, ords, size }: StartGraph, nodeLevels: Uint8Array): Uint8Array {
  const known = new Uint8Array(nodeLevels.length);
  for (let old = 0; old < size; old++) {
    known[ords(old)] = 1;
    nodeLevels[ords(old)] = 0;
  }
  graph.levels.forEach(({ nodes }, at) => {
    for (const old of nodes ?? []) nodeLevels[ords(old)] = at;
  });
  return known;
}

function* copyLinks({ graph, ords, size }: StartGraph, levels: readonly Links[], space: VectorSpace): Generator<void> {
  for (const [at, level] of graph.levels.entries()) {
    const into = levels[at];
    const copy = (old: number) => {
      const node = ords(old);
      const place = placeOf(level, old);
      const end = Math.min(level.offsets[place + 1], level.offsets[place] + into.most);
      for (let i = level.offsets[place]; i < end; i++) {
        const friend = ords(level.links[i]);
        insert(into, into.place(node), friend, space.near(node, friend), 0);
      }
    };
    const count = level.nodes?.length ?? size;
    for (let i = 0; i < count; i++) {
      copy(level.nodes?.[i] ?? i);
      yield;
    }
  }
}

/** Puts a link where its score belongs. */
function insert(links: Links, place: number, ord: number, score: number, fresh: 0 | 1): void {
  const { ords, scores } = links;
  const from = place * links.width;
  let at = from + links.counts[place]++;
  for (; at > from && scores[at - 1] < score; at--) {
    ords[at] = ords[at - 1];
    scores[at] = scores[at - 1];
    links.fresh[at] = links.fresh[at - 1];
  }
  ords[at] = ord;
  scores[at] = score;
  links.fresh[at] = fresh;
}

interface Found {
  /** Best first. */
  ords: Int32Array;
  scores: Float64Array;
  count: number;
}

/** Links a node to the best of what was found that are nearer to it than to each other, and those back. */
function connect(space: VectorSpace, links: Links, node: number, found: Found): void {
  const place = links.place(node);
  const from = place * links.width;
  const { ords } = links;
  for (let i = 0; i < found.count && links.counts[place] < links.most; i++) {
    const candidate = found.ords[i];
    const score = found.scores[i];
    const end = from + links.counts[place];
    let diverse = true;
    for (let at = from; at < end && diverse; at++) diverse = space.near(candidate, ords[at]) < score;
    if (diverse) insert(links, place, candidate, score, 0);
  }
  const end = from + links.counts[place];
  for (let at = from; at < end; at++) {
    const other = links.place(ords[at]);
    insert(links, other, node, links.scores[at], 1);
    if (links.counts[other] > links.most) dropOne(space, links, other);
  }
}

/** Drops the farthest link that is nearer to another one than to its node; where there is none, the farthest. */
function dropOne(space: VectorSpace, links: Links, place: number): void {
  const { ords, scores, fresh } = links;
  const from = place * links.width;
  const last = from + links.counts[place] - 1;
  let drop = last;
  let above = last;
  while (above >= from && fresh[above] === 0) above--;
  // What is there longer was compared with each other already: only what is new can be too near to it.
  for (let at = last; at >= from && above >= from; at--) {
    const score = scores[at];
    let near = false;
    if (at === above) {
      for (let i = at - 1; i >= from && !near; i--) near = space.near(ords[at], ords[i]) >= score;
      do above--;
      while (above >= from && fresh[above] === 0);
    } else {
      for (let i = above; i >= from && !near; i--) near = fresh[i] === 1 && space.near(ords[at], ords[i]) >= score;
    }
    if (!near) continue;
    drop = at;
    break;
  }
  for (let at = drop; at < last; at++) {
    ords[at] = ords[at + 1];
    scores[at] = scores[at + 1];
  }
  links.counts[place]--;
  fresh.fill(0, from, last + 1);
}

interface Finder {
  readonly found: Found;
  /** The nearest node that a walk from `from` comes to. */
  nearest(links: Links, node: number, from: number): number;
  /** Begins a walk that goes on from level to level. */
  begin(from: number): void;
  search(links: Links, node: number, ef: number): void;
}

/** Looks for the nearest of a node among those that are linked. */
function createFinder(space: VectorSpace): Finder {
  const { batch } = space;
  const visited = new Uint32Array(space.size);
  let round = 0;
  const candidates = new ScoreHeap("best first", 256);
  const results = new ScoreHeap("worst first", 256);
  const found: Found = { ords: new Int32Array(1), scores: new Float64Array(1), count: 0 };
  return {
    found,
    nearest(links, node, from) {
      let best = from;
      let score = space.near(node, from);
      for (let moved = true; moved; ) {
        moved = false;
        const place = links.place(best);
        const start = place * links.width;
        const count = links.counts[place];
        for (let i = 0; i < count; i++) batch.ords[i] = links.ords[start + i];
        space.nearBatch(node, count);
        for (let i = 0; i < count; i++) {
          if (batch.results[i] <= score) continue;
          score = batch.results[i];
          best = batch.ords[i];
          moved = true;
        }
      }
      return best;
    },
    begin(from) {
      found.ords[0] = from;
      found.count = 1;
    },
    search(links, node, ef) {
      round++;
      candidates.clear();
      results.clear();
      const { ords, counts, width } = links;
      for (let i = 0; i < found.count; i++) {
        const start = found.ords[i];
        visited[start] = round;
        const score = space.near(node, start);
        candidates.push(start, score);
        if (results.size < ef) results.push(start, score);
        else if (score > results.topScore()) results.replaceTop(start, score);
      }
      while (candidates.size > 0) {
        const full = results.size >= ef;
        if (full && candidates.topScore() < results.topScore()) break;
        const place = links.place(candidates.topOrd());
        candidates.pop();
        const end = place * width + counts[place];
        let count = 0;
        for (let at = place * width; at < end; at++) {
          const friend = ords[at];
          if (visited[friend] === round) continue;
          visited[friend] = round;
          batch.ords[count++] = friend;
        }
        space.nearBatch(node, count);
        for (let i = 0; i < count; i++) {
          const friend = batch.ords[i];
          const score = batch.results[i];
          if (results.size < ef) results.push(friend, score);
          else if (score > results.topScore()) results.replaceTop(friend, score);
          else continue;
          candidates.push(friend, score);
        }
      }
      take(results, found);
    },
  };
}

function take(results: ScoreHeap, found: Found): void {
  const count = results.size;
  if (found.ords.length < count) {
    found.ords = new Int32Array(count);
    found.scores = new Float64Array(count);
  }
  found.count = count;
  for (let at = count - 1; at >= 0; at--) {
    found.ords[at] = results.topOrd();
    found.scores[at] = results.topScore();
    results.pop();
  }
}

function frozen({ nodes, counts, ords, width }: Links): GraphLevel {
  const offsets = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) offsets[at + 1] = offsets[at] + counts[at];
  const links = new Uint32Array(offsets[counts.length]);
  for (let at = 0; at < counts.length; at++) {
    links.set(ords.subarray(at * width, at * width + counts[at]), offsets[at]);
  }
  return { nodes: nodes && Uint32Array.from(nodes), offsets, links };
}
