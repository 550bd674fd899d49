import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../random.ts";
import { openTestEngine, type TestEngine } from "./support.ts";

const DIMS = 5;
const SIMILARITIES = ["cosine", "dot_product", "l2_norm", "max_inner_product"] as const;
type Similarity = (typeof SIMILARITIES)[number];

const random = seededRandom(7);
const raw = () => Array.from({ length: DIMS }, () => random() * 2 - 1);
const unit = (vector: number[]) => vector.map((value) => value / Math.hypot(...vector));

/** Elasticsearch's documented score of a similarity, in doubles. */
function scoreOf(similarity: Similarity, a: number[], b: number[]): number {
  const dot = a.reduce((sum, value, i) => sum + value * b[i], 0);
  if (similarity === "cosine") return (1 + dot / (Math.hypot(...a) * Math.hypot(...b))) / 2;
  if (similarity === "dot_product") return (1 + dot) / 2;
  if (similarity === "max_inner_product") return dot < 0 ? 1 / (1 - dot) : dot + 1;
  return 1 / (1 + a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0));
}

const documents = Array.from({ length: 150 }, (_, i) => {
  const vectors = Object.fromEntries(SIMILARITIES.map((name) => [name, name === "dot_product" ? unit(raw()) : raw()]));
  const windows = Array.from({ length: i % 4 }, () => ({ v: raw(), part: random() < 0.5 ? "a" : "b" }));
  return {
    id: `${i}`,
    vectors: vectors as Record<Similarity, number[]>,
    windows,
    tag: i % 3,
    text: i % 5 === 0 ? "fox" : "dog",
  };
});
const deleted = new Set(documents.filter((_, i) => i % 11 === 0).map(({ id }) => id));
const alive = documents.filter(({ id }) => !deleted.has(id));

let test: TestEngine;
beforeAll(async () => {
  test = await openTestEngine();
  const vector = (similarity: string) => ({
    type: "dense_vector",
    dims: DIMS,
    similarity,
    index_options: { type: "flat" },
  });
  await test.create("v", {
    ...Object.fromEntries(SIMILARITIES.map((name) => [name, vector(name)])),
    tag: { type: "integer" },
    text: { type: "text" },
    windows: { type: "nested", properties: { v: vector("cosine"), part: { type: "keyword" } } },
  });
  // Three segments, then deletions.
  for (const part of [0, 1, 2]) {
    const own = documents.filter((_, i) => i % 3 === part);
    await test.write(
      "v",
      own.map(({ id, vectors, windows, tag, text }) => [id, { ...vectors, windows, tag, text }]),
    );
  }
  await test.write(
    "v",
    [...deleted].map((id) => [id, undefined]),
  );
});
afterAll(() => test.engine.close());

const best = (scores: Map<string, number>, k: number) => [...scores].sort((a, b) => b[1] - a[1]).slice(0, k);

async function expectHits(body: object, expected: readonly [string, number][]) {
  const found = await test.search("v", { size: 200, ...body });
  expect(found.error).toBeUndefined();
  expect(found.hits.map(({ _id }) => _id)).toEqual(expected.map(([id]) => id));
  for (const [i, { _score }] of found.hits.entries()) expect(_score).toBeCloseTo(expected[i][1], 5);
}

describe.each(SIMILARITIES)("nearest neighbours by %s", (name) => {
  const query = name === "dot_product" ? unit(raw()) : raw();
  const scores = new Map(alive.map(({ id, vectors }) => [id, scoreOf(name, query, vectors[name])]));
  const knn = (more: object = {}) => ({ field: name, query_vector: query, k: 10, num_candidates: 150, ...more });

  it("are those of comparing all", () => expectHits({ knn: knn() }, best(scores, 10)));
  it("are multiplied by the boost", () =>
    expectHits(
      { knn: knn({ boost: 2.5 }) },
      best(scores, 10).map(([id, score]) => [id, score * 2.5]),
    ));
  it("are the k of those that a filter lets through", async () => {
    const some = new Map([...scores].filter(([id]) => Number(id) % 3 === 1));
    await expectHits({ knn: knn({ filter: { term: { tag: 1 } } }) }, best(some, 10));
  });
  it("reach the similarity that is asked for", async () => {
    // The raw value of the fifth, a little lowered: a distance grows where a similarity falls.
    const fifth = documents[Number(best(scores, 5)[4][0])].vectors[name];
    const dot = query.reduce((sum, value, i) => sum + value * fifth[i], 0);
    const distance = Math.hypot(...query.map((value, i) => value - fifth[i]));
    const length = name === "cosine" ? Math.hypot(...query) * Math.hypot(...fifth) : 1;
    const similarity = name === "l2_norm" ? distance + 1e-4 : dot / length - 1e-4;
    await expectHits({ knn: knn({ similarity }) }, best(scores, 5));
  });
});

describe("nearest neighbours", () => {
  const [one, two] = [raw(), raw()];
  const ranked = (name: Similarity, query: number[], k: number) =>
    best(new Map(alive.map(({ id, vectors }) => [id, scoreOf(name, query, vectors[name])])), k);

  it("count a nested vector for its document, by the best", async () => {
    const scores = new Map(
      alive
        .filter(({ windows }) => windows.length > 0)
        .map(({ id, windows }) => [id, Math.max(...windows.map(({ v }) => scoreOf("cosine", one, v)))]),
    );
    const knn = { field: "windows.v", query_vector: one, k: 10, num_candidates: 150 };
    await expectHits({ knn }, best(scores, 10));
    const some = new Map([...scores].filter(([id]) => Number(id) % 3 === 2));
    await expectHits({ knn: { ...knn, filter: { term: { tag: 2 } } } }, best(some, 10));
  });

  it("of several clauses and of a query are added", async () => {
    const sums = new Map<string, number>();
    const add = ([id, score]: readonly [string, number]) => sums.set(id, (sums.get(id) ?? 0) + score);
    const text = await test.search("v", { query: { match: { text: "fox" } }, size: 200 });
    for (const { _id, _score } of text.hits) add([_id, _score]);
    for (const hit of ranked("cosine", one, 8)) add(hit);
    for (const [id, score] of ranked("l2_norm", two, 5)) add([id, score * 0.5]);
    const body = {
      query: { match: { text: "fox" } },
      knn: [
        { field: "cosine", query_vector: one, k: 8, num_candidates: 150 },
        { field: "l2_norm", query_vector: two, k: 5, num_candidates: 150, boost: 0.5 },
      ],
      size: 200,
    };
    const found = await test.search("v", body);
    expect(found.total).toBe(sums.size);
    for (const { _id, _score } of found.hits) expect(_score).toBeCloseTo(sums.get(_id)!, 5);
    expect(found.hits.map(({ _score }) => _score)).toEqual(
      found.hits.map(({ _score }) => _score).sort((a, b) => b - a),
    );
  });

  it("are none where nothing passes the filter or the threshold", async () => {
    const knn = { field: "cosine", query_vector: one, k: 3, num_candidates: 9 };
    await expectHits({ knn: { ...knn, filter: { term: { tag: 9 } } } }, []);
    await expectHits({ knn: { ...knn, similarity: 1 } }, []);
  });
});
