/** Graphs over vectors: what they find beside an exact search, in merges, under filters and among deletions. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groupCollector, topCollector } from "../../../src/engine/vectors/collector.ts";
import { buildGraph } from "../../../src/engine/vectors/hnsw/builder.ts";
import { type HnswGraph, searchGraph } from "../../../src/engine/vectors/hnsw/graph.ts";
import { createSpace, type VectorSpace } from "../../../src/engine/vectors/space.ts";
import { openTestEngine, type TestEngine } from "../search/support.ts";
import { numbers, unit } from "./recorded/support.ts";

const DIMS = 12;
const next = numbers(11);
const vectors = Array.from({ length: 6000 }, () => unit(Array.from({ length: DIMS }, next)));
const queries = Array.from({ length: 20 }, () => unit(Array.from({ length: DIMS }, next)));

function built<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const spaceOf = (some: readonly number[][]): VectorSpace =>
  createSpace({ dims: DIMS, similarity: "dot_product" }, Float32Array.from(some.flat()));

function walk(graph: HnswGraph, space: VectorSpace, query: readonly number[], k: number): number[] {
  const collector = topCollector(k);
  const scorer = space.scorer(Float32Array.from(query));
  built(searchGraph({ graph, size: space.size, scorer, collector, visitLimit: Number.POSITIVE_INFINITY }));
  return [...collector.finish().ords];
}

function exact(space: VectorSpace, query: readonly number[], k: number): number[] {
  const collector = topCollector(k);
  const scorer = space.scorer(Float32Array.from(query));
  for (let ord = 0; ord < space.size; ord++) collector.collect(ord, scorer.score(ord));
  return [...collector.finish().ords];
}

function recall(graph: HnswGraph, space: VectorSpace, candidates: number): number {
  let found = 0;
  for (const query of queries) {
    const best = new Set(exact(space, query, 10));
    found += walk(graph, space, query, candidates).filter((ord, i) => i < 10 && best.has(ord)).length;
  }
  return found / (queries.length * 10);
}

describe("a graph", () => {
  const some = vectors.slice(0, 3000);
  const space = spaceOf(some);
  const options = { m: 16, efConstruction: 60 };
  const graph = built(buildGraph(space, options));

  it("finds the nearest", () => {
    expect(recall(graph, space, 100)).toBeGreaterThan(0.98);
  });
  it("keeps to its number of links, in both directions", () => {
    const [lowest, ...higher] = graph.levels;
    const counts = (level: typeof lowest) => Array.from(level.offsets.subarray(1), (end, i) => end - level.offsets[i]);
    expect(Math.max(...counts(lowest))).toBeLessThanOrEqual(32);
    expect(Math.min(...counts(lowest))).toBeGreaterThan(0);
    for (const level of higher) expect(Math.max(...counts(level))).toBeLessThanOrEqual(16);
  });
  it("is built further from a smaller one", () => {
    const all = spaceOf([...vectors.slice(3000, 4000), ...some]);
    const grown = built(buildGraph(all, options, { graph, size: 3000, ords: (old) => old + 1000 }));
    expect(recall(grown, all, 100)).toBeGreaterThan(0.98);
  });
  it("is left when too many vectors would be compared", () => {
    const collector = topCollector(10);
    const scorer = space.scorer(Float32Array.from(queries[0]));
    expect(built(searchGraph({ graph, size: 3000, scorer, collector, visitLimit: 50 }))).toBe(false);
  });
});

it("the best of each group is kept, the groups by their best", () => {
  const some = numbers(3);
  const collector = groupCollector(5, (ord) => Math.floor(ord / 4));
  const best = new Map<number, number>();
  for (let i = 0; i < 400; i++) {
    const ord = Math.floor((some() + 1) * 100);
    const score = Math.fround(((ord * 7919) % 1009) / 1009);
    collector.collect(ord, score);
    best.set(Math.floor(ord / 4), Math.max(best.get(Math.floor(ord / 4)) ?? 0, score));
  }
  const expected = [...best].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 5);
  const { ords, scores } = collector.finish();
  expect(Array.from(ords, (ord) => Math.floor(ord / 4))).toEqual(expected.map(([group]) => group));
  expect(Array.from(scores)).toEqual(expected.map(([, score]) => score));
});

describe("an index with graphs", () => {
  let engine: TestEngine;
  const alive = new Map<string, number>();

  beforeAll(async () => {
    engine = await openTestEngine();
    const vector = (type: string) => ({
      type: "dense_vector",
      dims: DIMS,
      similarity: "dot_product",
      index_options: { type, m: 8, ef_construction: 40 },
    });
    await engine.create("v", { h: vector("hnsw"), q: vector("int8_hnsw"), tag: { type: "keyword" } });
    for (const [from, to] of [
      [0, 4500],
      [4500, 6000],
    ]) {
      const documents = vectors.slice(from, to).map((v, i): [string, object] => {
        alive.set(String(from + i), from + i);
        return [String(from + i), { h: v, q: v, tag: String((from + i) % 100) }];
      });
      await engine.write("v", documents);
    }
    const deleted = vectors.flatMap((_, i) => (i % 7 === 3 ? [String(i)] : []));
    for (const id of deleted) alive.delete(id);
    await engine.write(
      "v",
      deleted.map((id) => [id, undefined]),
    );
  });
  afterAll(() => engine.engine.close());

  const nearest = (query: readonly number[], k: number, keep: (i: number) => boolean = () => true) =>
    [...alive.values()]
      .filter(keep)
      .map((i) => ({ id: String(i), score: vectors[i].reduce((sum, x, d) => sum + x * query[d], 0) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, k)
      .map(({ id }) => id);

  async function found(field: string, query: readonly number[], more: object): Promise<string[]> {
    const knn = { field, query_vector: query, k: 10, num_candidates: 100, ...more };
    return (await engine.search("v", { knn, size: 10, _source: false })).hits.map(({ _id }) => _id);
  }

  const checks = () => {
    // Seven bits for each of so few components do not tell all of them apart: the vectors themselves decide between the best.
    it.each([
      ["h", 10, 0.95],
      ["h", 100, 0.97],
      ["q", 10, 0.95],
      ["q", 20, 0.95],
      ["q", 100, 0.97],
      ["q", 3000, 0.97],
    ] as const)("finds nearly all of the nearest (%s, %i candidates)", async (field, num_candidates, least) => {
      let hits = 0;
      for (const query of queries) {
        const best = new Set(nearest(query, 10));
        const ids = await found(field, query, { num_candidates });
        expect(ids.filter((id) => !alive.has(id))).toEqual([]);
        hits += ids.filter((id) => best.has(id)).length;
      }
      expect(hits / (queries.length * 10)).toBeGreaterThan(least);
    });
    it.each(["h", "q"])("finds the nearest where only one is wanted (%s)", async (field) => {
      const right = await Promise.all(
        queries.map(async (query) => {
          const [id] = await found(field, query, { k: 1, num_candidates: 10 });
          return id === nearest(query, 1)[0];
        }),
      );
      expect(right.filter((one) => one).length).toBeGreaterThanOrEqual(19);
    });
    it("orders hits by the scores that it shows", async () => {
      for (const query of queries.slice(0, 5)) {
        const knn = { field: "q", query_vector: query, k: 20, num_candidates: 100 };
        const scores = (await engine.search("v", { knn, size: 20 })).hits.map(({ _score }) => _score as number);
        expect(scores).toHaveLength(20);
        expect(scores).toEqual([...scores].sort((x, y) => y - x));
      }
    });
    it("finds as many as are wanted under a filter that keeps one in a hundred", async () => {
      for (const query of queries) {
        const ids = await found("h", query, { filter: { term: { tag: "5" } } });
        expect(ids).toEqual(nearest(query, 10, (i) => i % 100 === 5));
      }
    });
    it("finds as many as are wanted under a filter that keeps most", async () => {
      for (const query of queries.slice(0, 5)) {
        const ids = await found("h", query, { filter: { bool: { must_not: { term: { tag: "5" } } } } });
        expect(ids).toHaveLength(10);
        expect(ids.filter((id) => Number(id) % 100 === 5)).toEqual([]);
      }
    });
  };

  describe("in several segments", checks);
  describe("merged", () => {
    beforeAll(async () => {
      const query = { max_num_segments: "1" };
      await engine.engine.request({ method: "POST", path: "/v/_forcemerge", query, headers: {}, body: "" });
    });
    checks();
  });
});

it("filters vectors that not every document has, among deleted ones", async () => {
  const engine = await openTestEngine();
  try {
    const vector = { type: "dense_vector", dims: DIMS, similarity: "dot_product", index_options: { type: "flat" } };
    await engine.create("s", { v: vector, tag: { type: "keyword" } });
    const all = vectors.slice(0, 90);
    await engine.write(
      "s",
      all.map((v, i) => [String(i), { ...(i % 3 === 1 ? {} : { v }), tag: String(i % 4) }]),
    );
    await engine.write(
      "s",
      [0, 8, 36].map((i) => [String(i), undefined]),
    );
    const [query] = queries;
    const product = (v: readonly number[]) => v.reduce((sum, x, d) => sum + x * query[d], 0);
    const expected = all
      .flatMap((v, i) =>
        i % 3 === 1 || i % 4 !== 0 || [0, 8, 36].includes(i) ? [] : [{ id: String(i), score: product(v) }],
      )
      .sort((a, b) => b.score - a.score)
      .map(({ id }) => id);
    const knn = { field: "v", query_vector: query, k: 50, num_candidates: 50, filter: { term: { tag: "0" } } };
    expect((await engine.search("s", { knn, size: 50 })).hits.map(({ _id }) => _id)).toEqual(expected);
  } finally {
    await engine.engine.close();
  }
});
