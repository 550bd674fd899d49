import { describe, expect, it } from "vitest";
import { FilterError, type Filters, filterPredicate, type Metadata } from "../../src/schema/index.ts";

const matches = (filters: Filters, metadata: Metadata) => filterPredicate(filters)(metadata);
const one = (operator: string, value: unknown) => ({ filters: [{ key: "k", operator, value }] }) as Filters;

describe("filters on metadata", () => {
  it.each<[string, unknown, Metadata[], Metadata[]]>([
    ["==", "a", [{ k: "a" }, { k: ["b", "a"] }], [{ k: "A" }, { k: null }, {}, { k: [] }]],
    ["==", 1, [{ k: 1.0 }], [{ k: "1" }, { k: true }]],
    ["==", ["a", "b"], [{ k: ["a", "b"] }, { k: ["b", "a", "b"] }], [{ k: ["a", "b", "c"] }, { k: "a" }, {}]],
    ["==", [], [{ k: [] }, {}, { k: null }], [{ k: "a" }, { k: "" }]],
    ["!=", ["a"], [{ k: ["a", "b"] }, {}], [{ k: "a" }, { k: ["a"] }]],
    ["==", null, [], [{ k: null }, {}, { k: "" }]],
    ["!=", "a", [{ k: "b" }, {}, { k: null }], [{ k: "a" }, { k: ["a", "b"] }]],
    [">", 3, [{ k: 4 }, { k: [1, 5] }], [{ k: 3 }, { k: "9" }, {}]],
    ["<=", "2024-05-01", [{ k: "2024-05-01" }, { k: "2023" }], [{ k: "2024-05-02" }, { k: 2020 }]],
    [">", "\uffff", [{ k: "\u{1f600}" }], [{ k: "a" }]],
    ["in", ["a", "b"], [{ k: "b" }, { k: ["c", "a"] }], [{ k: "c" }, {}]],
    ["nin", ["a"], [{ k: "b" }, {}], [{ k: "a" }, { k: ["a", "b"] }]],
    ["any", [], [], [{ k: "a" }, {}]],
    ["all", ["a", "b"], [{ k: ["b", "c", "a"] }], [{ k: ["a"] }, { k: "a" }]],
    ["all", [], [{ k: "a" }, { k: [] }], [{}, { k: null }]],
    ["contains", "a", [{ k: ["a"] }, { k: "a" }], [{ k: "abc" }]],
    ["text_match", "B", [{ k: "aBc" }, { k: ["x", "B"] }], [{ k: "abc" }, { k: 5 }, {}]],
    ["text_match_insensitive", "ÄB", [{ k: "xäby" }], [{ k: "ab" }]],
    ["is_empty", null, [{}, { k: null }, { k: "" }, { k: [] }, { k: [null] }], [{ k: 0 }, { k: false }, { k: "a" }]],
  ])("%s %j", (operator, value, yes, no) => {
    for (const metadata of yes) expect([metadata, matches(one(operator, value), metadata)]).toEqual([metadata, true]);
    for (const metadata of no) expect([metadata, matches(one(operator, value), metadata)]).toEqual([metadata, false]);
  });

  it("joins conditions, nested ones as well, and passes everything where there are none", () => {
    const nested: Filters = {
      condition: "or",
      filters: [
        { key: "a", value: 1 },
        {
          condition: "not",
          filters: [
            { key: "b", value: 2 },
            { key: "c", value: 3 },
          ],
        },
      ],
    };
    expect(matches(nested, { a: 1, b: 2 })).toBe(true);
    expect(matches(nested, { a: 0 })).toBe(true);
    expect(matches(nested, { a: 0, c: 3 })).toBe(false);
    expect(matches({ filters: [], condition: "not" }, {})).toBe(true);
    expect(filterPredicate(undefined)({})).toBe(true);
  });

  it("reads keys with dots as they are, else as paths", () => {
    expect(matches({ "a.b": 1 }, { "a.b": 1 })).toBe(true);
    expect(matches({ "a.b": 1 }, { a: { b: 1 } })).toBe(true);
    expect(matches({ constructor: "x" }, {})).toBe(false);
  });

  it("refuses values of several kinds, and substrings that are none", () => {
    expect(() => filterPredicate(one("in", ["a", 1]))).toThrow(FilterError);
    expect(() => filterPredicate(one("text_match", 1))).toThrow(FilterError);
  });
});
