import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom, shuffled } from "../../src/evaluation/random.ts";
import {
  bootstrapInterval,
  holm,
  pairedDifference,
  quantile,
  randomisationTest,
} from "../../src/evaluation/statistics.ts";

describe("the randomisation test", () => {
  // Of the 2^n assignments of signs, those whose sum is as far from 0 as the seen one.
  test.each([
    [[1, 1, 1], [0, 0, 0], 2 / 8],
    [[1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0], 2 / 64],
    // Sums of ±1 ±2 ±3 of at least 4 (1 has the sign against it): 4, 6 and their negatives.
    [[0, 2, 3], [1, 0, 0], 4 / 8],
    [[1, 0], [0, 1], 1],
    [[0.5, 0.5], [0.5, 0.5], 1],
    [[], [], 1],
  ])("of few pairs is exact: %j against %j", async (a, b, p) => {
    expect(await randomisationTest(a, b)).toBeCloseTo(p, 12);
  });
  test("of many pairs comes near the exact value", async () => {
    // 15 pairs of ±1, 12 for one side: P(|sum| ≥ 9) = 2 · Σ_{i ≤ 3} C(15, i) / 2^15.
    const a = Array.from({ length: 15 }, (_, i) => (i < 12 ? 1 : 0));
    const b = a.map((value) => 1 - value);
    const exact = (2 * (1 + 15 + 105 + 455)) / 2 ** 15;
    expect(Math.abs((await randomisationTest(a, b, { samples: 20_000 })) - exact)).toBeLessThan(0.005);
  });
  test("is the same for the same seed, and in both directions", async () => {
    const random = seededRandom(5);
    const a = Array.from({ length: 40 }, random);
    const b = Array.from({ length: 40 }, random);
    const p = await randomisationTest(a, b, { seed: 3, samples: 500 });
    expect(await randomisationTest(a, b, { seed: 3, samples: 500 })).toBe(p);
    expect(await randomisationTest(b, a, { seed: 3, samples: 500 })).toBe(p);
  });
  test("of two systems that are alike is rarely small", async () => {
    let small = 0;
    for (let seed = 0; seed < 200; seed++) {
      const random = seededRandom(seed);
      const values = Array.from({ length: 60 }, random);
      if ((await randomisationTest(values.slice(0, 30), values.slice(30), { seed, samples: 200 })) <= 0.05) small++;
    }
    expect(small).toBeLessThan(25);
  });
});

describe("the bootstrap", () => {
  test("covers the mean about as often as it says", async () => {
    let covered = 0;
    for (let seed = 0; seed < 200; seed++) {
      const random = seededRandom(1000 + seed);
      const { low, high } = await bootstrapInterval(Array.from({ length: 50 }, random), { seed, samples: 300 });
      if (low <= 0.5 && high >= 0.5) covered++;
    }
    expect(covered).toBeGreaterThan(175);
    expect(covered).toBeLessThan(200);
  });
  test("of equal values has no width", async () => {
    const { low, high } = await bootstrapInterval([0.25, 0.25, 0.25]);
    expect([low, high]).toEqual([0.25, 0.25]);
    expect(await bootstrapInterval([])).toEqual({ low: 0, high: 0 });
  });
  test("is stopped by a signal", async () => {
    const values = Array.from({ length: 20_000 }, (_, i) => i);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(bootstrapInterval(values, { signal })).rejects.toThrow("enough");
  });
});

test("Holm's correction, by hand", () => {
  // Sorted: 0.01·4, 0.02·3 = 0.06, 0.03·2 = 0.06, 0.6.
  expect(holm([0.02, 0.6, 0.01, 0.03])).toEqual([0.06, 0.6, 0.04, 0.06]);
  expect(holm([0.5, 0.9])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

test("corrected values keep the order and never shrink", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (p) => {
      const corrected = holm(p);
      p.forEach((value, i) => {
        expect(corrected[i]).toBeGreaterThanOrEqual(value);
        expect(corrected[i]).toBeLessThanOrEqual(1);
        p.forEach((other, j) => {
          if (value < other) expect(corrected[i]).toBeLessThanOrEqual(corrected[j]!);
        });
      });
    }),
  );
});

test("quantiles lie between their neighbours", () => {
  expect([0, 0.25, 0.5, 1].map((share) => quantile([1, 2, 4], share))).toEqual([1, 1.5, 2, 4]);
});

test("a difference counts what is better, equal and worse", async () => {
  expect(await pairedDifference([0, 1, 0.5, 0.5], [1, 0, 0.5, 1])).toMatchObject({
    mean: 0.125,
    better: 2,
    equal: 1,
    worse: 1,
    p: 1,
  });
});

test("shuffling keeps every item", () => {
  const items = Array.from({ length: 100 }, (_, i) => i);
  const mixed = shuffled(items, seededRandom(1));
  expect(mixed).not.toEqual(items);
  expect([...mixed].sort((a, b) => a - b)).toEqual(items);
});
