import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/engine/json/parse.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { writeJson } from "../../../src/engine/json/write.ts";
import { filterSource, sourceOf } from "../../../src/engine/mapping/source-filter.ts";

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

describe("reading only what is wanted", () => {
  const name = fc.constantFrom("a", "b", "ab", "a.b", "b.c", 'q"', "back\\", "é", "{", "]");
  const leaf = fc.oneof(
    fc.constantFrom(null, true, false, 0, -1, 1.5, "", "text", 'quote" and \\', "]}", "{[", "/* no comment */", "😀"),
    fc.string(),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ depthSize: "medium" }, leaf, fc.array(tie("tree"), { maxLength: 4 }), tie("object")),
    object: fc.dictionary(name, tie("tree"), { maxKeys: 5 }),
  }));
  const object = fc.dictionary(name, tree, { maxKeys: 6 });
  const pattern = fc
    .array(fc.constantFrom("a", "b", "ab", "*", "a*", "**", "*b", 'q"', "é"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("."));
  const patterns = fc.array(pattern, { maxLength: 3 });
  const print = [
    (value: unknown) => JSON.stringify(value),
    (value: unknown) => JSON.stringify(value, null, 2),
    // Comments are allowed between tokens.
    (value: unknown) => JSON.stringify(value, null, 1).replace(/\n */g, '/* " { [ */\n// ] } "\n'),
  ];

  it("gives what filtering all of it gives", () => {
    fc.assert(
      fc.property(object, patterns, patterns, fc.constantFrom(...print), (value, includes, excludes, printed) => {
        const bytes = new TextEncoder().encode(printed(value));
        const filter = { includes, excludes };
        const got = sourceOf(bytes, filter);
        const whole = includes.length + excludes.length === 0 ? bytes : undefined;
        expect(whole ? got : writeJson(got as JsonObject)).toEqual(
          whole ?? writeJson(filterSource(parseJson(bytes) as JsonObject, filter)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("keeps numbers and texts as they were written", () => {
    const bytes = new TextEncoder().encode('{"a":[1.0,{"x":1e5}], "b" : 12345678901234567890 , "v":[1,2,[3]],"c":1}');
    const left = sourceOf(bytes, { includes: [], excludes: ["v", "a.x"] });
    expect(writeJson(left as JsonObject)).toBe('{"a":[1.0],"b":12345678901234567890,"c":1}');
    const only = sourceOf(bytes, { includes: ["c", "b"], excludes: [] });
    expect(writeJson(only as JsonObject)).toBe('{"b":12345678901234567890,"c":1}');
  });
});
