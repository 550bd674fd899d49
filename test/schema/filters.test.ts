import { describe, expect, test } from "vitest";
import { type Filters, type MetadataFilters, normalizeFilters } from "../../src/schema/index.ts";

describe("the short form of filters", () => {
  test("means that all conditions hold", () => {
    expect(
      normalizeFilters({ level: "员工", effective: { gte: "2024-01-01", lt: "2025-01-01" }, year: [2023, 2024] }),
    ).toEqual({
      condition: "and",
      filters: [
        { key: "level", operator: "==", value: "员工" },
        { key: "effective", operator: ">=", value: "2024-01-01" },
        { key: "effective", operator: "<", value: "2025-01-01" },
        { key: "year", operator: "in", value: [2023, 2024] },
      ],
    });
  });

  test("knows empty and not empty", () => {
    const empty = { key: "a", operator: "is_empty", value: null };
    expect(normalizeFilters({ a: null })?.filters).toEqual([empty]);
    expect(normalizeFilters({ a: { isEmpty: true } })?.filters).toEqual([empty]);
    expect(normalizeFilters({ a: { isEmpty: false } })?.filters).toEqual([{ condition: "not", filters: [empty] }]);
  });

  test("may have a metadata key called filters", () => {
    expect(normalizeFilters({ filters: ["a", "b"] })?.filters).toEqual([
      { key: "filters", operator: "in", value: ["a", "b"] },
    ]);
  });
});

describe("the list form of filters", () => {
  test("gets its defaults, at every depth", () => {
    const nested: Filters = {
      condition: "or",
      filters: [
        { key: "a", value: 1 },
        { filters: [{ key: "b", operator: "nin", value: ["x"] }], condition: "not" },
      ],
    };
    expect(normalizeFilters(nested)).toEqual({
      condition: "or",
      filters: [
        { key: "a", operator: "==", value: 1 },
        { condition: "not", filters: [{ key: "b", operator: "nin", value: ["x"] }] },
      ],
    });
    expect(normalizeFilters({ filters: [] })).toEqual({ condition: "and", filters: [] });
  });

  test("normalised once more stays as it is", () => {
    const once = normalizeFilters({ a: { gt: 1, isEmpty: false } })!;
    expect(normalizeFilters(once)).toEqual(once);
  });
});

test("filters that cannot be meant are refused with the key", () => {
  const refused: [unknown, RegExp][] = [
    [{ a: { above: 1 } }, /unknown condition "above" on \[a\]: known are eq, /],
    [{ a: { toString: 1 } }, /unknown condition "toString"/],
    [{ filters: [{ key: "a", operator: "like", value: "x" }] }, /unknown filter operator "like" on \[a\]/],
    [{ filters: [{ key: "a", operator: "in", value: "x" }] }, /needs a list/],
    [{ filters: [{ key: "a" }] }, /\[a\] has no value/],
    [{ filters: [{ key: "", value: 1 }] }, /not empty/],
    [{ filters: [{ key: "a", value: { b: 1 } }] }, /must be a string, a number/],
    [{ filters: [{}] }, /needs a key and a value/],
    [{ filters: [], condition: "xor" }, /unknown filter condition "xor"/],
    ["level:staff", /filters must be an object/],
    [["a"], /filters must be an object/],
  ];
  for (const [filters, message] of refused) {
    expect(() => normalizeFilters(filters as Filters), JSON.stringify(filters)).toThrow(message);
  }
  let deep: MetadataFilters = { filters: [] };
  for (let i = 0; i < 10_000; i++) deep = { filters: [deep] };
  expect(() => normalizeFilters(deep)).toThrow(expect.objectContaining({ code: "INVALID_FILTER" }));
});

test("no filters stay none", () => {
  expect(normalizeFilters(undefined)).toBeUndefined();
});
