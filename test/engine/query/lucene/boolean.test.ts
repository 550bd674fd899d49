import { describe, expect, it } from "vitest";
import {
  booleanQuery,
  isBoolean,
  type Occur,
  withoutPureNegation,
} from "../../../../src/engine/query/lucene/boolean.ts";
import { matchesNone, matchNoneQuery } from "../../../../src/engine/query/lucene/constant.ts";
import { termQuery } from "../../../../src/engine/query/lucene/term.ts";
import type { IndexSearcher, Query } from "../../../../src/engine/query/types.ts";

/** Rewriting these asks a searcher for nothing. */
const searcher = {} as IndexSearcher;
const a = termQuery("t", "a");
const b = termQuery("t", "b");
const none = matchNoneQuery("nothing");
const bool = (clauses: readonly (readonly [Occur, Query])[], least = 0) =>
  booleanQuery(
    clauses.map(([occur, query]) => ({ occur, query })),
    least,
  ).rewrite(searcher);

describe("a boolean query is rewritten", () => {
  it.each<[string, [Occur, Query][], number]>([
    [
      "a must that matches nothing",
      [
        ["must", none],
        ["should", a],
      ],
      0,
    ],
    [
      "a filter that matches nothing",
      [
        ["filter", none],
        ["must", a],
      ],
      0,
    ],
    ["no clause", [], 0],
    ["negations alone", [["must_not", a]], 0],
    [
      "fewer clauses than must match",
      [
        ["should", a],
        ["should", none],
      ],
      2,
    ],
  ])("to nothing: %s", (_, clauses, least) => expect(matchesNone(bool(clauses, least))).toBe(true));

  it("to its only clause", () => {
    expect(bool([["must", a]])).toBe(a);
    expect(
      bool([
        ["should", a],
        ["should", none],
        ["must_not", none],
      ]),
    ).toBe(a);
  });

  it("to must clauses where all that are optional must match", () => {
    const query = bool(
      [
        ["should", a],
        ["should", b],
      ],
      2,
    );
    expect(isBoolean(query) && query.clauses.map(({ occur }) => occur)).toEqual(["must", "must"]);
  });

  it("to one flat disjunction", () => {
    const query = bool([
      ["should", a],
      [
        "should",
        booleanQuery([
          { occur: "should", query: b },
          { occur: "should", query: a },
        ]),
      ],
    ]);
    expect(isBoolean(query) && query.clauses.map(({ query: inner }) => inner)).toEqual([a, b, a]);
  });

  it("to what is not forbidden, where all clauses forbid", () => {
    const query = withoutPureNegation(booleanQuery([{ occur: "must_not", query: a }]));
    expect(query.clauses.map(({ occur }) => occur)).toEqual(["must_not", "filter"]);
    const mixed = booleanQuery([
      { occur: "must_not", query: a },
      { occur: "must", query: b },
    ]);
    expect(withoutPureNegation(mixed)).toBe(mixed);
  });
});
