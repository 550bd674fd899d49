import { describe, expect, it } from "vitest";
import {
  linearFusion,
  normalizeScores,
  reciprocalRankFusion,
  rerankedHits,
  rerankedScore,
} from "../../../src/engine/search/rank-fusion.ts";

const list = (...hits: readonly (readonly [doc: number, score: number])[]) =>
  hits.map(([doc, score]) => ({ shard: 0, doc, score }));
const scores = (hits: readonly { doc: number; score: number }[]) => hits.map(({ doc, score }) => [doc, score]);
const f32 = Math.fround;

describe("reciprocal rank fusion", () => {
  it("is the documentation's example", () => {
    const lists = [list([4, 9], [3, 8], [2, 7], [1, 6]), list([3, 9], [2, 8], [4, 7]), list([5, 1])];
    const fused = reciprocalRankFusion(lists, { constant: 1, window: 5 });
    expect(scores(fused)).toEqual([
      [3, f32(f32(1 / 3) + f32(1 / 2))],
      [4, 0.75],
      [2, f32(f32(1 / 4) + f32(1 / 3))],
      [5, 0.5],
      [1, f32(1 / 5)],
    ]);
  });

  it("orders equal scores by shard and place, and keeps the window", () => {
    const lists = [
      [{ shard: 1, doc: 0, score: 1 }],
      [{ shard: 0, doc: 7, score: 1 }],
      [{ shard: 0, doc: 3, score: 1 }],
    ];
    const fused = reciprocalRankFusion(lists, { constant: 60, window: 2 });
    expect(fused.map(({ shard, doc }) => [shard, doc])).toEqual([
      [0, 3],
      [0, 7],
    ]);
  });
});

describe("normalizers", () => {
  it.each([
    ["none", [3, 2, 1], [3, 2, 1]],
    ["minmax", [3, 2, 1], [1, 0.5, 0]],
    ["minmax", [2], [1]],
    ["minmax", [2, 2], [1, 1]],
    ["minmax", [], []],
    ["l2_norm", [3, 4], [f32(0.6), f32(0.8)]],
    ["l2_norm", [0, 0], [0, 0]],
    ["l2_norm", [], []],
  ] as const)("%s of %j", (normalizer, given, wanted) => {
    expect(normalizeScores(given, normalizer)).toEqual(wanted);
  });

  it("leave lists without scores alone", () => {
    for (const normalizer of ["minmax", "l2_norm"] as const) {
      expect(normalizeScores([Number.NaN], normalizer)).toEqual([Number.NaN]);
    }
  });
});

it("adds weighed scores; a missing one counts nothing", () => {
  const lists = [list([1, 4], [2, 2]), list([2, 10], [3, Number.NaN])];
  const weighed = [
    { weight: 2, normalizer: "none" },
    { weight: 0.5, normalizer: "none" },
  ] as const;
  expect(scores(linearFusion(lists, weighed, 10))).toEqual([
    [2, 9],
    [1, 8],
    [3, 0],
  ]);
});

describe("relevance", () => {
  it("is no negative score", () => {
    expect([2, 0, -1].map(rerankedScore)).toEqual([3, 1, f32(Math.exp(-1))]);
  });

  it("is compared with the least one before", () => {
    expect(scores(rerankedHits(list([1, 0], [2, 0], [3, 0]), [0.5, -3, 2], { window: 2, minScore: 0 }))).toEqual([
      [3, 3],
      [1, 1.5],
    ]);
  });
});
