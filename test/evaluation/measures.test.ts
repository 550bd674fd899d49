import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { averagePrecision, hitRate, ndcg, precision, recall, reciprocalRank } from "../../src/evaluation/measures.ts";

const judged = (values: Record<string, number>) => new Map(Object.entries(values));

describe("nDCG", () => {
  // DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) + 1/log2(5) = 3 + 1 + 0.430677; ideal = 3 + 2/1.584963 + 1/2 = 4.761860.
  test("has linear gains, discounted by log2 of rank + 1", () => {
    expect(ndcg(["a", "x", "b", "c"], judged({ a: 3, b: 2, c: 1, x: 0 }))).toBeCloseTo(4.430677 / 4.76186, 5);
  });
  test("cuts both the ranking and the ideal at k", () => {
    // DCG@2 = 0/1 + 1/1.584963 = 0.630930; ideal@2 = 2 + 1/1.584963 = 2.630930.
    expect(ndcg(["x", "b", "a"], judged({ a: 2, b: 1, c: 1 }), 2)).toBeCloseTo(0.63093 / 2.63093, 5);
  });
  test("takes relevant documents that were not found into the ideal", () => {
    expect(ndcg(["a"], judged({ a: 1, b: 1 }), 10)).toBeCloseTo(1 / 1.63093, 5);
  });
  test("gives negative judgements no gain", () => {
    expect(ndcg(["junk", "a"], judged({ junk: -2, a: 1 }))).toBeCloseTo(1 / Math.log2(3), 10);
  });
});

describe("the other measures", () => {
  const qrels = judged({ a: 1, b: 2, c: 1, z: 0 });
  const ranking = ["z", "a", "x", "b"];
  test("reciprocal rank is that of the first relevant document", () => {
    expect(reciprocalRank(ranking, qrels)).toBe(1 / 2);
    expect(reciprocalRank(ranking, qrels, 1)).toBe(0);
  });
  test("recall divides by all relevant documents", () => {
    expect(recall(ranking, qrels, 2)).toBeCloseTo(1 / 3, 10);
    expect(recall(ranking, qrels)).toBeCloseTo(2 / 3, 10);
  });
  test("precision divides by k, also when fewer were found", () => {
    expect(precision(ranking, qrels, 2)).toBe(1 / 2);
    expect(precision(ranking, qrels, 10)).toBe(2 / 10);
  });
  test("the hit rate asks for one", () => {
    expect(hitRate(ranking, qrels, 1)).toBe(0);
    expect(hitRate(ranking, qrels, 2)).toBe(1);
  });
  test("average precision adds the precisions at the relevant ranks", () => {
    // (1/2 + 2/4) / 3
    expect(averagePrecision(ranking, qrels)).toBeCloseTo(1 / 3, 10);
    expect(averagePrecision(ranking, qrels, 2)).toBeCloseTo(1 / 6, 10);
  });
  test("a document that comes twice is found once", () => {
    expect(recall(["a", "a"], qrels)).toBeCloseTo(1 / 3, 10);
    expect(averagePrecision(["a", "a", "b"], qrels)).toBeCloseTo(2 / 3, 10);
  });
});

test("every measure is 0 without a relevant document or without results", () => {
  for (const measure of [ndcg, reciprocalRank, recall, precision, hitRate, averagePrecision]) {
    expect(measure(["a", "b"], judged({ a: 0 }), 2)).toBe(0);
    expect(measure([], judged({ a: 1 }), 2)).toBe(0);
    expect(measure(["a"], judged({ a: 1 }), 0)).toBe(0);
  }
});

test("every measure lies between 0 and 1, and is 1 (precision aside) for the ideal ranking", () => {
  const ids = fc.constantFrom(..."abcdefgh");
  fc.assert(
    fc.property(
      fc.array(ids),
      fc.dictionary(ids, fc.integer({ min: -1, max: 3 })),
      fc.integer({ min: 1, max: 10 }),
      (ranking, values, k) => {
        const qrels = judged(values);
        for (const measure of [ndcg, reciprocalRank, recall, precision, hitRate, averagePrecision]) {
          const value = measure(ranking, qrels, k);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
        const ideal = [...qrels].sort((a, b) => b[1] - a[1]).map(([id]) => id);
        if ([...qrels.values()].some((value) => value > 0)) {
          expect(ndcg(ideal, qrels, k)).toBeCloseTo(1, 12);
          expect(reciprocalRank(ideal, qrels, k)).toBe(1);
          expect(recall(ideal, qrels)).toBe(1);
          expect(averagePrecision(ideal, qrels)).toBeCloseTo(1, 12);
        }
      },
    ),
  );
});
