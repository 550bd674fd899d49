import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterPath } from "../../../src/engine/rest/filter-path.ts";
import type { ResponseValue } from "../../../src/engine/rest/types.ts";
import { matchesSimple } from "../../../src/engine/simple-match.ts";

const source = new TextEncoder().encode('{"a":"x","o":{"p":[{"q":1,"r":2},{"q":3}],"e":{}}}');
const answer: ResponseValue = {
  took: 0,
  hits: { total: { value: 1, relation: "eq" }, hits: [{ _id: "1", _score: 1, _source: source }] },
};
const plain = (value: ResponseValue) =>
  JSON.parse(
    JSON.stringify(value, (_, inner) =>
      inner instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(inner)) : inner,
    ),
  );
const shown = (...filters: string[]) => plain(filterPath(answer, filters));
const o = { p: [{ q: 1, r: 2 }, { q: 3 }], e: {} };

describe("filter_path", () => {
  it("keeps named paths, into the source as well", () => {
    expect(shown("hits.hits._source.o.p.q")).toEqual({
      hits: { hits: [{ _source: { o: { p: [{ q: 1 }, { q: 3 }] } } }] },
    });
    expect(shown("took")).toEqual({ took: 0 });
  });

  it("takes * for part of a name and ** for any levels", () => {
    expect(shown("h*.t*")).toEqual({ hits: { total: { value: 1, relation: "eq" } } });
    expect(shown("**.q")).toEqual({ hits: { hits: [{ _source: { o: { p: [{ q: 1 }, { q: 3 }] } } }] } });
    expect(shown("hits.**.r")).toEqual({ hits: { hits: [{ _source: { o: { p: [{ r: 2 }] } } }] } });
    expect(shown("**")).toEqual(shown("*"));
  });

  it("drops what begins with -, and containers that become empty by it", () => {
    expect(shown("-took", "-hits.total", "-hits.hits._source.o.p.q").hits).toEqual({
      hits: [{ _id: "1", _score: 1, _source: { a: "x", o: { p: [{ r: 2 }], e: {} } } }],
    });
    expect(shown("-hits.*")).toEqual({ took: 0 });
    expect(shown("-**")).toEqual({});
  });

  it("keeps before it drops", () => {
    expect(shown("hits.hits", "-hits.hits._id", "-hits.hits._score")).toEqual({
      hits: { hits: [{ _source: { a: "x", o } }] },
    });
  });

  it("gives an empty object when nothing is left", () => {
    expect(shown("nothing.here")).toEqual({});
    expect(filterPath([{ a: 1 }], ["b"])).toEqual([]);
  });

  it("reads an escaped dot as part of a name", () => {
    expect(filterPath({ "a.b": 1, a: { b: 2 } }, ["a\\.b"])).toEqual({ "a.b": 1 });
  });

  it("splits a response into what a path keeps and what its negative leaves", () => {
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant(null));
    const { value } = fc.letrec<{ value: ResponseValue; node: ResponseValue }>((tie) => ({
      value: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("node"), {
        minKeys: 1,
        maxKeys: 3,
      }) as fc.Arbitrary<ResponseValue>,
      node: fc.oneof({ depthSize: "small" }, leaf, tie("value")) as fc.Arbitrary<ResponseValue>,
    }));
    const leaves = (tree: unknown): number =>
      tree !== null && typeof tree === "object"
        ? Object.values(tree).reduce((sum: number, inner) => sum + leaves(inner), 0)
        : 1;
    fc.assert(
      fc.property(
        value,
        fc.array(fc.constantFrom("a", "b", "*", "**"), { minLength: 1, maxLength: 3 }),
        (tree, path) => {
          const text = path.join(".");
          expect(leaves(filterPath(tree, [text])) + leaves(filterPath(tree, [`-${text}`]))).toBe(leaves(tree));
        },
      ),
    );
  });
});

describe("patterns of one name", () => {
  it.each([
    ["a*", "abc", true],
    ["*c", "abc", true],
    ["a*c*e", "abcde", true],
    ["a*b", "ab", true],
    ["a*a", "a", false],
    ["*", "", true],
    ["abc", "ab", false],
  ])("%s and %s: %s", (pattern, name, matches) => expect(matchesSimple(pattern, name)).toBe(matches));
});
