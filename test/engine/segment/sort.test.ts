import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNumbers, sortPoints } from "../../../src/engine/segment/numbers.ts";
import { sortByBytes } from "../../../src/engine/segment/sort.ts";
import type { Slices } from "../../../src/engine/slices.ts";
import { seededRandom } from "../../random.ts";

async function sorted(strings: readonly string[], slices?: Slices): Promise<string[]> {
  const parts = strings.map((text) => Buffer.from(text));
  const starts = new Uint32Array(parts.length + 1);
  parts.forEach((part, i) => {
    starts[i + 1] = starts[i]! + part.length;
  });
  const order = await sortByBytes(Buffer.concat(parts), starts, parts.length, slices);
  return Array.from(order, (i) => strings[i]!);
}
const expected = (strings: readonly string[]) =>
  [...strings].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

describe("strings by their bytes", () => {
  it("any few", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.string({ unit: "binary", maxLength: 20 })), async (all) => {
        const strings = all.map((text) => Buffer.from(text).toString());
        const distinct = [...new Set(strings)];
        expect(await sorted(distinct)).toEqual(expected(distinct));
      }),
    );
  });

  const random = seededRandom(7);
  const number = () => Math.floor(random() * 1e9);
  it.each<[string, (i: number) => string]>([
    ["numbered", (i) => `passage-${i}`],
    ["of a long common beginning", (i) => `${"https://example.com/a/b/".repeat(3)}${number()}${i}`],
    ["of zeros", (i) => `${"\0".repeat(i % 40)}${i % 40 === 0 ? i : String.fromCharCode(1 + Math.floor(i / 40))}`],
    [
      "of other scripts",
      (i) => String.fromCodePoint(0x4e00 + (i % 5000), 0x1f600 + Math.floor(i / 5000), 97 + (i % 7)),
    ],
    ["hashed", () => `${number().toString(36)}${number().toString(36)}`],
    ["each the beginning of the next", (i) => "ab".repeat(i % 3000) + String(i).padStart(6, "0")],
  ])("many, %s", async (_, make) => {
    const strings = [...new Set(Array.from({ length: 12_000 }, (_, i) => make(i)))];
    let pauses = 0;
    const slices: Slices = {
      due: () => true,
      pause: async () => void pauses++,
      check() {},
      timedOut: () => false,
      signal: undefined,
    };
    expect(await sorted(strings, slices)).toEqual(expected(strings));
    expect(pauses).toBeGreaterThan(2);
  });
});

describe("points by their numbers", () => {
  const random = seededRandom(8);
  const special = [0, -0, 1, -1, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_VALUE, 2 ** 53];
  const doubles = Array.from({ length: 10_000 }, (_, i) =>
    i % 3 === 0 ? special[i % special.length]! : (random() - 0.5) * 10 ** Math.floor(random() * 20),
  );
  const longs = Array.from({ length: 5000 }, (_, i) => {
    const value = BigInt.asIntN(64, BigInt(Math.floor(random() * 2 ** 53)) ** 2n);
    return i % 5 === 0 ? [0n, -1n, 1n, 2n ** 63n - 1n, -(2n ** 63n)][(i % 25) % 5]! : value;
  });
  it.each([
    ["doubles", Float64Array.from(doubles)],
    ["longs", BigInt64Array.from(longs)],
  ])("%s, equal ones by document", async (_, values) => {
    const docs = Uint32Array.from(values.keys());
    const { sortedValues, sortedDocs } = await sortPoints(docs, values, undefined);
    const order = [...docs].sort((a, b) => compareNumbers(values[a]!, values[b]!) || a - b);
    expect(Array.from(sortedDocs)).toEqual(order);
    expect([...sortedValues]).toEqual(order.map((i) => values[i]));
  });
});
