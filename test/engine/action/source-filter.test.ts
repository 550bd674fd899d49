import { describe, expect, it } from "vitest";
import { filterSource } from "../../../src/engine/action/source-filter.ts";
import { parseJson } from "../../../src/engine/json/parse.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { writeJson } from "../../../src/engine/json/write.ts";

const text =
  '{"a":1.0,"o":{"a":1,"b":{"c":2,"d":[]},"e":{},"f":[]},"l":[{"x":1,"y":2},{"y":3},5,[{"x":9}],[],{}],"d.e":{"f":7,"g":8},"d.h":9,"n":null,"oo":{"x":1}}';
const source = parseJson(text) as JsonObject;
const all = JSON.parse(text) as Record<string, unknown>;
const without = (...keys: string[]) => Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));
const show = (includes: string[], excludes: string[] = []) =>
  JSON.parse(writeJson(filterSource(source, { includes, excludes }))) as unknown;

// Expected values: Elasticsearch 8.17.4.
describe("source filtering", () => {
  it.each([
    [["o"], { o: all.o }],
    [["o.b.d"], { o: { b: { d: [] } } }],
    [["l.x"], { l: [{ x: 1 }, [{ x: 9 }]] }],
    [["l"], { l: all.l }],
    [["d"], { "d.e": { f: 7, g: 8 }, "d.h": 9 }],
    [["d.e.f"], { "d.e": { f: 7 } }],
    [["n"], { n: null }],
    [["*.x"], { l: [{ x: 1 }, [{ x: 9 }]], oo: { x: 1 } }],
    [["**.x"], { l: [{ x: 1 }, [{ x: 9 }]], oo: { x: 1 } }],
    [["o*"], { o: all.o, oo: all.oo }],
    [["*"], all],
    [["a.x", "zz", "o.", ".o"], {}],
  ])("includes %j", (includes, expected) => expect(show(includes)).toEqual(expected));

  it.each([
    [["o.a"], { ...all, o: { b: { c: 2, d: [] }, e: {}, f: [] } }],
    [["oo.x"], without("oo")],
    [["oo.*"], { ...all, oo: {} }],
    [["l.x"], { ...all, l: [{ y: 2 }, { y: 3 }, 5, [], {}] }],
    [["l.x", "l.y"], { ...all, l: [5, [], {}] }],
    [["l.*"], { ...all, l: [5] }],
    [["*.x"], { ...all, oo: {}, l: [{ y: 2 }, { y: 3 }, 5] }],
    [["*.y"], { ...all, l: [{ x: 1 }, 5, [{ x: 9 }]] }],
    [["d.e.f", "d.e.g"], without("d.e")],
    [["d"], without("d.e", "d.h")],
    [["o.b.*"], { ...all, o: { a: 1, b: {}, e: {}, f: [] } }],
    [["*"], {}],
  ])("excludes %j", (excludes, expected) => expect(show([], excludes)).toEqual(expected));

  it.each([
    [["o"], ["o.b"], { o: { a: 1, e: {}, f: [] } }],
    [["oo"], ["oo.x"], {}],
    [["oo"], ["oo.*"], { oo: {} }],
    [["oo.x"], ["oo.*"], {}],
    [["o.*"], ["*.c"], { o: { a: 1, b: { d: [] }, e: {}, f: [] } }],
  ])("includes %j but excludes %j", (includes, excludes, expected) =>
    expect(show(includes, excludes)).toEqual(expected),
  );
});

describe("a pattern under which names with dots fall", () => {
  const dotted = parseJson('{"ob.t":1,"ob":{"x":2},"obx":3}') as JsonObject;
  const left = (excludes: string[]) => writeJson(filterSource(dotted, { includes: [], excludes }));

  it("takes them away in both ways of filtering", () => {
    expect(left(["ob"])).toBe('{"obx":3}');
    expect(left(["ob", "*.zz"])).toBe('{"obx":3}');
  });
});
