/** The sparse_vector query: as a bool of its tokens, which a node was asked for (`recorded/sparse-scenes.ts`). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEngine, type TestEngine } from "../search/support.ts";
import { SPARSE_QUERY, SPARSE_SOURCES } from "./recorded/sparse-scenes.ts";

let engine: TestEngine;

beforeAll(async () => {
  engine = await openTestEngine();
  await engine.create("s", { s: { type: "sparse_vector" }, k: { type: "keyword" } });
  // Several segments, and one that is merged.
  for (const [from, to] of [
    [0, 10],
    [10, 20],
    [20, 30],
  ]) {
    await engine.write(
      "s",
      SPARSE_SOURCES.slice(from, to).map((source, i) => [String(from + i), source]),
    );
  }
});
afterAll(() => engine.engine.close());

const ask = (sparse: object, more: object = {}) =>
  engine.search("s", { query: { sparse_vector: sparse }, size: 40, ...more });
const tokens = (weights: Record<string, number>) => ({
  bool: { should: Object.entries(weights).map(([value, boost]) => ({ term: { s: { value, boost } } })) },
});

const checks = () => {
  it("sums the products of the weights", async () => {
    const expected = await engine.search("s", { query: tokens(SPARSE_QUERY), size: 40 });
    expect(expected.total).toBeGreaterThan(20);
    expect((await ask({ field: "s", query_vector: SPARSE_QUERY })).hits).toEqual(expected.hits);
  });
  it("leaves tokens out that are frequent and weigh little", async () => {
    const kept = async (pruning_config?: object) => {
      const body = {
        field: "s",
        query_vector: SPARSE_QUERY,
        prune: true,
        ...(pruning_config ? { pruning_config } : {}),
      };
      return (await ask(body)).hits;
    };
    const only = async (...names: (keyof typeof SPARSE_QUERY)[]) => {
      const weights = Object.fromEntries(names.map((name) => [name, SPARSE_QUERY[name]]));
      return (await engine.search("s", { query: tokens(weights), size: 40 })).hits;
    };
    // A token must be as rare as the average, or have more than two thirds of the largest weight.
    const strict = { tokens_freq_ratio_threshold: 1, tokens_weight_threshold: 0.66 };
    const share = (name: string) => SPARSE_SOURCES.filter(({ s }) => name in s).length;
    const names = ["t0", "t1", "t2", "t3", "t4"];
    const average = names.reduce((sum, name) => sum + share(name), 0) / names.length;
    const wanted = (["t0", "t1", "t2", "t4"] as const).filter(
      (name) => share(name) < average || SPARSE_QUERY[name] > 0.66 * 3,
    );
    const others = (["t0", "t1", "t2", "t4"] as const).filter((name) => !wanted.includes(name));
    expect(wanted.length).toBeGreaterThan(0);
    expect(others.length).toBeGreaterThan(0);
    expect(await kept(strict)).toEqual(await only(...wanted));
    expect(await kept({ ...strict, only_score_pruned_tokens: true })).toEqual(await only(...others));
    expect(await kept()).toEqual(await only("t0", "t1", "t2", "t4"));
  });
};

describe("in several segments", checks);
describe("merged", () => {
  beforeAll(async () => {
    const query = { max_num_segments: "1" };
    await engine.engine.request({ method: "POST", path: "/s/_forcemerge", query, headers: {}, body: "" });
  });
  checks();
});

it("is boosted and named, and stands in other queries", async () => {
  const plain = (await ask({ field: "s", query_vector: { t0: 1 } })).hits;
  const named = await engine.search("s", {
    query: { bool: { must: { sparse_vector: { field: "s", query_vector: { t0: 1 }, boost: 2, _name: "sparse" } } } },
    size: 40,
  });
  expect(named.hits.map(({ _id }) => _id)).toEqual(plain.map(({ _id }) => _id));
  for (const [i, { _score }] of named.hits.entries()) expect(_score).toBeCloseTo(plain[i]._score * 2, 5);
  expect(named.hits[0].matched_queries).toEqual(["sparse"]);
});

it("finds nothing in a field that is not there, and says what is wrong", async () => {
  expect((await ask({ field: "nope", query_vector: { a: 1 } })).total).toBe(0);
  expect((await ask({ field: "s", query_vector: {} })).total).toBe(0);
  const reason = async (sparse: object) => (await ask(sparse)).text;
  expect(await reason({ field: "k", query_vector: { a: 1 } })).toContain(
    "field [k] must be type [sparse_vector] but is type [keyword]",
  );
  expect(await reason({ query_vector: { a: 1 } })).toContain("Required [field]");
  expect(await reason({ field: "s" })).toContain("requires one of [query_vector] or [query]");
  expect(await reason({ field: "s", query_vector: { a: true } })).toContain("weight must be a number, was [true]");
  expect(await reason({ field: "s", inference_id: "m", query: "x" })).toContain(
    "[sparse_vector.inference_id] is not supported",
  );
});
