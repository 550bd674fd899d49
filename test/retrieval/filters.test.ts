import { describe, expect, it } from "vitest";
import { filtersToQuery } from "../../src/retrieval/index.ts";

describe("filtersToQuery", () => {
  it("matches strings through the keyword subfield and numbers through the field", () => {
    expect(filtersToQuery({ level: "员工" })).toEqual({ term: { "metadata.level.keyword": { value: "员工" } } });
    expect(filtersToQuery({ days: 5 })).toEqual({ term: { "metadata.days": { value: 5 } } });
    expect(filtersToQuery({ effective: { gte: "2024-01-01", lt: "2025-01-01" } })).toEqual({
      bool: {
        filter: [
          { range: { "metadata.effective.keyword": { gte: "2024-01-01" } } },
          { range: { "metadata.effective.keyword": { lt: "2025-01-01" } } },
        ],
      },
    });
  });

  it("takes long lists", () => {
    const values = Array.from({ length: 60_000 }, (_, i) => `v${i}`);
    expect(filtersToQuery({ level: values })).toEqual({ terms: { "metadata.level.keyword": values } });
  });

  it("nests and, or and not", () => {
    expect(
      filtersToQuery({
        condition: "or",
        filters: [
          { key: "a", value: 1 },
          { condition: "not", filters: [{ key: "b", value: "x" }] },
        ],
      }),
    ).toEqual({
      bool: {
        should: [
          { term: { "metadata.a": { value: 1 } } },
          { bool: { must_not: [{ term: { "metadata.b.keyword": { value: "x" } } }] } },
        ],
        minimum_should_match: 1,
      },
    });
  });

  it("matches everything with an empty list, under every condition, and nothing with an empty `in`", () => {
    expect(filtersToQuery({ filters: [] })).toBeUndefined();
    expect(filtersToQuery({ filters: [{ filters: [], condition: "or" }] })).toEqual({ match_all: {} });
    expect(filtersToQuery({ a: { in: [] } })).toEqual({ match_none: {} });
  });

  it("escapes what a wildcard would read in a substring", () => {
    expect(filtersToQuery({ file: { textMatch: "a*b?\\" } })).toEqual({
      wildcard: { "metadata.file.keyword": { value: "*a\\*b\\?\\\\*" } },
    });
  });

  it("asks for one value where an operator takes one", () => {
    expect(() => filtersToQuery({ filters: [{ key: "a", operator: ">", value: [1, 2] }] })).toThrow(/single value/);
    expect(() => filtersToQuery({ a: { gt: true as unknown as number } })).toThrow(/number or a string/);
  });
});
