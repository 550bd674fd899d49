import { describe, expect, it } from "vitest";
import type { EngineError } from "../../../src/engine/errors.ts";
import { parseJson } from "../../../src/engine/json/parse.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { existsBy } from "../../../src/engine/mapping/index.ts";
import type { MappedField, Mapping } from "../../../src/engine/mapping/types.ts";
import { errorOf, fieldOf, mappingOf, parseDoc, printed, recorded } from "./support.ts";

interface Recorded {
  readonly source: string;
  readonly type?: string;
  readonly reason?: string;
  readonly cause?: string;
  /** Properties that the document changed. */
  readonly changed?: { readonly [name: string]: unknown };
}

describe("documents are accepted, mapped or refused as in Elasticsearch", () => {
  const { mapping, documents } = recorded<{ mapping: string; documents: Recorded[] }>("documents");
  let current: Mapping = mappingOf(mapping);
  let properties = (printed(current) as { properties: { [name: string]: unknown } }).properties;
  for (const { source, type, reason, cause, changed } of documents) {
    it(source.slice(0, 200), () => {
      const error = errorOf(() => {
        current = current.parse({ id: "1", source: parseJson(source) as JsonObject, seqNo: 0, version: 1 }).mapping;
      });
      if (type === undefined) expect(error).toBeUndefined();
      else {
        expect(error).toMatchObject({ type, message: reason });
        if (cause !== undefined) expect((error?.cause as EngineError | undefined)?.type).toBe(cause);
      }
      properties = { ...properties, ...changed };
      expect((printed(current) as { properties: unknown }).properties).toEqual(properties);
    });
  }
});

describe("what is indexed", () => {
  it("counts positions over all values, with the analyzer's gap between them", () => {
    const { root } = parseDoc(mappingOf({ properties: { t: { type: "text" } } }), { t: ["quick fox", "", "brown"] });
    const field = fieldOf(root, "t", "terms");
    expect(field?.terms).toEqual(["quick", "fox", "brown"]);
    expect(field?.positions).toEqual([0, 1, 202]);
    expect(field?.length).toBe(3);
  });
  it("takes position_increment_gap from the field", () => {
    const mapping = mappingOf({ properties: { t: { type: "text", position_increment_gap: 0 } } });
    expect(fieldOf(parseDoc(mapping, { t: ["a", "b"] }).root, "t", "terms")?.positions).toEqual([0, 1]);
    expect(mapping.field("t")?.indexAnalyzer?.positionIncrementGap).toBe(0);
  });
  it("leaves positions out where they are not indexed", () => {
    const mapping = mappingOf({ properties: { t: { type: "text", index_options: "freqs" } } });
    expect(fieldOf(parseDoc(mapping, { t: "a b" }).root, "t", "terms")?.positions).toBeUndefined();
  });
  it("gives keywords terms and ordinals, and the names of those too long to _ignored", () => {
    const mapping = mappingOf({ properties: { k: { type: "keyword", ignore_above: 2 } } });
    const { root } = parseDoc(mapping, { k: ["ab", "abc", 1.5, true] });
    expect(fieldOf(root, "k", "ordinals")?.values).toEqual(["ab"]);
    expect(fieldOf(root, "_ignored", "ordinals")?.values).toEqual(["k"]);
  });
  it("rounds numbers to their types", () => {
    const mapping = mappingOf({
      properties: { f: { type: "float" }, h: { type: "half_float" }, i: { type: "integer" }, l: { type: "long" } },
    });
    const { root } = parseDoc(mapping, '{"f":0.1,"h":0.1,"i":"7.9","l":9223372036854775807}');
    expect(fieldOf(root, "f", "numbers")?.values).toEqual([Math.fround(0.1)]);
    expect(fieldOf(root, "h", "numbers")?.values).toEqual([0.0999755859375]);
    expect(fieldOf(root, "i", "numbers")?.values).toEqual([7]);
    expect(fieldOf(root, "l", "numbers")?.values).toEqual([9223372036854775807n]);
    expect(mapping.field("l")?.docValueFormat().format(9223372036854775807n)?.toString()).toBe("9223372036854775807");
  });
  it("puts nested objects before their parents", () => {
    const mapping = mappingOf({
      properties: { n: { type: "nested", properties: { m: { type: "nested", properties: { x: { type: "long" } } } } } },
    });
    const { nested } = parseDoc(mapping, { n: [{ m: [{ x: 1 }, { x: 2 }] }, { m: { x: 3 } }] });
    expect(nested.map(({ nestedPath }) => nestedPath)).toEqual(["n.m", "n.m", "n", "n.m", "n"]);
  });
  it("copies values to other fields, out of nested objects too", () => {
    const mapping = mappingOf({
      properties: {
        a: { type: "keyword", copy_to: ["all"] },
        all: { type: "keyword" },
        n: {
          type: "nested",
          properties: { q: { type: "keyword", copy_to: ["all", "n.own"] }, own: { type: "keyword" } },
        },
      },
    });
    const { root, nested } = parseDoc(mapping, { a: "1", n: [{ q: "2" }] });
    expect(fieldOf(root, "all", "ordinals")?.values).toEqual(["1", "2"]);
    expect(fieldOf(nested[0], "n.own", "ordinals")?.values).toEqual(["2"]);
  });
  it("lists fields without doc values and norms in _field_names", () => {
    const mapping = mappingOf({
      properties: {
        a: { type: "keyword", doc_values: false },
        b: { type: "text", norms: false },
        c: { type: "text" },
        d: { type: "long" },
      },
    });
    const { root } = parseDoc(mapping, { a: "x", b: "y", c: "z", d: 1 });
    expect(fieldOf(root, "_field_names", "terms")?.terms).toEqual(["a", "b"]);
    expect(["a", "b", "c", "d"].map((name) => existsBy(mapping.field(name) as MappedField))).toEqual([
      "_field_names",
      "_field_names",
      "norms",
      "docValues",
    ]);
  });
  it("stands in null_value for null", () => {
    const mapping = mappingOf({
      properties: { n: { type: "integer", null_value: 5 }, k: { type: "keyword", null_value: "none" } },
    });
    const { root } = parseDoc(mapping, { n: [null, 1], k: null });
    expect(fieldOf(root, "n", "numbers")?.values).toEqual([5, 1]);
    expect(fieldOf(root, "k", "ordinals")?.values).toEqual(["none"]);
  });
  it("learns the dimensions of a vector from the first document", () => {
    const base = mappingOf({ properties: { v: { type: "dense_vector", index: false } } });
    const { mapping, root } = parseDoc(base, { v: [1, 2, 3] });
    expect(mapping.field("v")?.vector?.dims).toBe(3);
    expect(fieldOf(root, "v", "vector")?.vector).toEqual(Float32Array.of(1, 2, 3));
    expect(errorOf(() => parseDoc(mapping, { v: [1, 2] }))?.message).toContain("different number of dimensions [2]");
  });
  it("makes a vector of many floats in a new field", () => {
    const floats = (count: number) => Array.from({ length: count }, (_, i) => i + 0.5);
    const types = (source: object) =>
      Object.fromEntries(
        parseDoc(mappingOf({}), source)
          .mapping.fields()
          .map(({ name, type }) => [name, type]),
      );
    expect(types({ v: floats(127), o: { w: floats(4097) } })).toEqual({ v: "float", "o.w": "float" });
    expect(types({ v: floats(128), o: { w: floats(4096) } })).toEqual({ v: "dense_vector", "o.w": "dense_vector" });
    const { mapping, root } = parseDoc(mappingOf({}), { v: floats(128), n: 1 });
    expect(mapping.field("v")?.vector).toMatchObject({ dims: 128, index: { type: "int8_hnsw" } });
    expect(fieldOf(root, "v", "vector")?.vector).toEqual(Float32Array.from(floats(128)));
    expect(fieldOf(root, "v", "numbers")).toBeUndefined();
    const twice = { o: [{ v: floats(128) }, { v: floats(128) }] };
    expect(errorOf(() => parseDoc(mappingOf({}), twice))?.message).toBe(
      "mapper [o.v] cannot be changed from type [dense_vector] to [float]",
    );
  });
  it("refuses a keyword that is too long for a term", () => {
    const mapping = mappingOf({ properties: { k: { type: "keyword" } } });
    const error = errorOf(() => parseDoc(mapping, { k: "中".repeat(11_000) }));
    expect(error?.type).toBe("document_parsing_exception");
    expect((error?.cause as EngineError | undefined)?.message).toContain('immense term in field="k"');
    expect(errorOf(() => parseDoc(mapping, { k: "中".repeat(10_922) }))).toBeUndefined();
  });
  it("keeps lone surrogates, NUL and emoji in keywords", () => {
    const mapping = mappingOf({ properties: { k: { type: "keyword" } } });
    const { root } = parseDoc(mapping, '{"k":["\\u0000","\\ud83d\\ude00","\\ud800"]}');
    expect(fieldOf(root, "k", "terms")?.terms).toEqual(["\0", "😀", "\ud800"]);
  });
});

describe("dynamic templates", () => {
  const mapping = mappingOf({
    dynamic_templates: [
      { ids: { match: "*_id", mapping: { type: "keyword" } } },
      { longs: { match_mapping_type: "long", unmatch: "n_*", mapping: { type: "integer" } } },
      { text: { path_match: "text.*", match_mapping_type: "string", mapping: { type: "text", analyzer: "english" } } },
      { named: { match: "an_*", mapping: { type: "{dynamic_type}", meta: { of: "{name}" } } } },
      { regex: { match_pattern: "regex", match: "^r\\d$", mapping: { type: "keyword" } } },
      { lists: { match_mapping_type: "object", match: "list", mapping: { type: "nested" } } },
    ],
  });
  it("give new fields their types, the first that matches", () => {
    const made = parseDoc(mapping, {
      user_id: 5,
      count: 1,
      n_count: 1,
      text: { body: "x" },
      an_x: true,
      r1: "a",
      list: [{ a: "x" }],
    }).mapping;
    expect((printed(made) as { properties: unknown }).properties).toEqual({
      user_id: { type: "keyword" },
      count: { type: "integer" },
      n_count: { type: "long" },
      text: { properties: { body: { type: "text", analyzer: "english" } } },
      an_x: { type: "boolean", meta: { of: "an_x" } },
      r1: { type: "keyword" },
      list: {
        type: "nested",
        properties: { a: { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } } },
      },
    });
  });
});

describe("limits of documents", () => {
  it("stop too many new fields at the one too many", () => {
    const mapping = mappingOf({ properties: { a: { type: "long" } } }, { "index.mapping.total_fields.limit": "2" });
    expect(errorOf(() => parseDoc(mapping, '{"b":1,"c":2}'))?.message).toBe(
      "[1:12] failed to parse: Limit of total fields [2] has been exceeded while adding new fields [2]",
    );
  });
  it("stop too many nested objects", () => {
    const mapping = mappingOf({ properties: { n: { type: "nested" } } }, { "index.mapping.nested_objects.limit": "1" });
    expect(errorOf(() => parseDoc(mapping, '{"n":[{},{}]}'))?.message).toContain(
      "[1:10] The number of nested documents has exceeded",
    );
  });
});
