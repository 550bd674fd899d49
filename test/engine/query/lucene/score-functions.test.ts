import { expect, it } from "vitest";
import { mix, murmur3 } from "../../../../src/engine/murmur3.ts";
import { selectValue } from "../../../../src/engine/query/lucene/decay.ts";

// Values of Lucene's StringHelper.murmurhash3_x86_32, as the reference implementation has them.
it.each([
  ["", 0, 0],
  ["", 1, 0x514e28b7],
  ["abc", 0, 0xb3dd93fa],
  ["test", 0x9747b28c, 0x704b81dc],
  ["Hello, world!", 0x9747b28c, 0x24884cba],
])("hashes %j with the seed %i", (text, seed, hash) => {
  expect(murmur3(new TextEncoder().encode(text), seed | 0) >>> 0).toBe(hash);
});

it("spreads the bits of a number as MurmurHash3 does", () => {
  expect([mix(0), mix(1) >>> 0]).toEqual([0, 0x514e28b7]);
});

it("joins several values as MultiValueMode does", () => {
  const values = [1, 2, 4, 9];
  expect((["sum", "avg", "median", "min", "max"] as const).map((mode) => selectValue(values, mode))).toEqual([
    16, 4, 3, 1, 9,
  ]);
  expect(selectValue([1, 5, 7], "median")).toBe(5);
});
