/** What is counted approximately: the same values give Elasticsearch's estimates. The expected numbers are a node's, of the same values in this order. */
import { describe, expect, test } from "vitest";
import {
  type Hash64,
  hashBytes,
  hashDouble,
  hashLong,
  hashSafeInteger,
} from "../../../src/engine/aggregations/sketch/hash64.ts";
import { HdrHistogram } from "../../../src/engine/aggregations/sketch/hdr-histogram.ts";
import { HyperLogLog, precisionFor } from "../../../src/engine/aggregations/sketch/hyper-log-log.ts";
import { createDigest } from "../../../src/engine/aggregations/sketch/tdigest.ts";
import { seededRandom } from "../../random.ts";

const next = seededRandom(3);
const numbers = Array.from({ length: 5000 }, () => Math.round(next() ** 3 * 1e6) / 100);
const PERCENTS = [0, 1, 25, 50, 99.9, 100];
const VALUES = [0, 1.5, 700, 9000, 20000];

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  expect(found.length).toBe(wanted.length);
  for (const [i, value] of found.entries()) expect(Math.abs(value - wanted[i])).toBeLessThanOrEqual(1e-12 * wanted[i]);
}

describe("t-digest", () => {
  test.each([
    [
      5,
      [0, 0.12159946570162022, 671.4431897958817, 1820.6649141630926, 9967.624282051289, 9992.21],
      [0.16, 1.4962835696099308, 14.274022956290569, 97.83628202320025, 100],
    ],
    [
      100,
      [0, 0.00988838612368024, 165.61289845585924, 1280.1965773555894, 9972.990000000002, 9992.21],
      [0.38, 4.802553524021257, 39.69014550664661, 96.67531248566625, 100],
    ],
    // So many are kept as they are.
    [
      1000,
      [0, 0.01, 161, 1260.6750000000002, 9972.6906, 9992.21],
      [0.4, 5.132000000000001, 41.21403587443946, 96.58069258809235, 100],
    ],
  ])("compression %d", (compression, quantiles, ranks) => {
    const digest = createDigest(compression);
    for (const value of numbers) digest.add(value);
    expect(digest.size).toBe(5000);
    expectClose(
      PERCENTS.map((percent) => digest.quantile(percent / 100)),
      quantiles,
    );
    expectClose(
      VALUES.map((value) => digest.cdf(value) * 100),
      ranks,
    );
  });

  test("merged digests lie near the whole", () => {
    const [one, other] = [createDigest(100), createDigest(100)];
    for (const [i, value] of numbers.entries()) (i % 3 === 0 ? one : other).add(value);
    one.merge(other);
    expect(one.size).toBe(5000);
    expect(one.quantile(0)).toBe(0);
    expect(one.quantile(1)).toBe(9992.21);
    expect(one.cdf(one.quantile(0.5))).toBeCloseTo(0.5, 3);
  });

  test("nothing, one value, and the same value often", () => {
    const empty = createDigest(100);
    expect(empty.quantile(0.5)).toBeNaN();
    expect(empty.cdf(1)).toBeNaN();
    const one = createDigest(100);
    one.add(7);
    expect([one.quantile(0), one.quantile(1), one.cdf(6), one.cdf(7), one.cdf(8)]).toEqual([7, 7, 0, 0.5, 1]);
    const same = createDigest(10);
    for (let i = 0; i < 10_000; i++) same.add(3);
    expect([same.quantile(0.01), same.quantile(0.99), same.cdf(2), same.cdf(3), same.cdf(4)]).toEqual([
      3, 3, 0, 0.5, 1,
    ]);
  });

  test("memory does not grow with the number of values", () => {
    const digest = createDigest(50);
    for (let i = 0; i < 200_000; i++) digest.add((i * 7919) % 200_003);
    expect(digest.centroids().means.length).toBeLessThan(200);
    expect(digest.quantile(0.5)).toBeGreaterThan(99_000);
    expect(digest.quantile(0.5)).toBeLessThan(101_000);
  });
});

describe("HDR histogram", () => {
  test.each([
    [
      1,
      [0, 0.009765625, 167.99951171875, 1279.99951171875, 10239.99951171875, 10239.99951171875],
      [0.8, 5.24, 41.3, 97.28, 100],
    ],
    [
      3,
      [0, 0.0099945068359375, 160.62499237060547, 1259.9999923706055, 9975.999992370605, 9999.999992370605],
      [0.8, 5.14, 41.22, 96.6, 100],
    ],
  ])("%d digits", (digits, quantiles, ranks) => {
    const whole = new HdrHistogram(digits);
    const [one, other] = [new HdrHistogram(digits), new HdrHistogram(digits)];
    for (const [i, value] of numbers.entries()) {
      whole.add(value);
      (i % 3 === 0 ? one : other).add(value);
    }
    one.merge(other);
    for (const histogram of [whole, one]) {
      expectClose(
        PERCENTS.map((percent) => histogram.valueAtPercentile(percent)),
        quantiles,
      );
      expectClose(
        VALUES.map((value) => histogram.percentileOf(value)),
        ranks,
      );
    }
  });

  test("nothing", () => {
    expect(new HdrHistogram(3).valueAtPercentile(50)).toBeNaN();
    expect(new HdrHistogram(3).percentileOf(50)).toBeNaN();
  });
});

describe("HyperLogLog++", () => {
  const hash: Hash64 = { high: 0, low: 0 };
  const hashes: readonly ((value: number) => void)[] = [
    (value) => hashDouble(hash, value),
    (value) => hashBytes(hash, new TextEncoder().encode(`值${value}`)),
    (value) => hashSafeInteger(hash, Math.round(value * 1e9)),
    (value) => hashLong(hash, BigInt(Math.round(value * 1e9))),
  ];

  test.each([
    [0, [7124, 4768, 6103]],
    [10, [5300, 5399, 4633]],
    [1000, [4776, 4701, 4814]],
    [3000, [4769, 4743, 4792]],
    [40_000, [4781, 4780, 4781]],
  ])("threshold %d: doubles, texts, longs", (threshold, [doubles, texts, longs]) => {
    const precision = precisionFor(threshold);
    for (const [i, wanted] of [doubles, texts, longs, longs].entries()) {
      const whole = new HyperLogLog(precision);
      const [one, other] = [new HyperLogLog(precision), new HyperLogLog(precision)];
      for (const [n, value] of numbers.entries()) {
        hashes[i](value);
        whole.add(hash);
        (n % 50 === 0 ? one : other).add(hash);
      }
      one.merge(other);
      other.merge(one);
      expect([whole.cardinality(), one.cardinality(), other.cardinality()]).toEqual([wanted, wanted, wanted]);
    }
  });

  test("nothing, and few", () => {
    const counter = new HyperLogLog(14);
    expect(counter.cardinality()).toBe(0);
    for (const text of ["", "a", "a", "0123456789abcdef", "0123456789abcdef0", "0123456789abcdef01234567"]) {
      hashBytes(hash, new TextEncoder().encode(text));
      counter.add(hash);
    }
    expect(counter.cardinality()).toBe(5);
  });
});
