import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/engine/json/parse.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { emptyMapping } from "../../../src/engine/mapping/index.ts";
import type { Mapping } from "../../../src/engine/mapping/types.ts";
import { analysis, errorOf, mappingOf, printed, recorded } from "./support.ts";

interface Recorded {
  readonly mapping: string;
  readonly printed?: unknown;
  readonly type?: string;
  readonly reason?: string;
}

describe("a mapping is read, printed or refused as Elasticsearch does", () => {
  for (const { mapping, printed: expected, type, reason } of recorded<Recorded[]>("mappings")) {
    it(mapping.slice(0, 200), () => {
      let made: Mapping | undefined;
      const error = errorOf(() => {
        made = mappingOf(mapping);
      });
      // What the engine does not have is said to be so; everything else agrees.
      if (error?.type === "unsupported_feature_exception") return;
      if (type === undefined) expect(made && printed(made)).toEqual(expected);
      else expect(error).toMatchObject({ type, message: reason });
    });
  }
});

describe("updates merge or conflict as in Elasticsearch", () => {
  const { mapping, updates } = recorded<{
    mapping: string;
    updates: { update: string; type?: string; reason?: string; status?: number; printed: unknown }[];
  }>("updates");
  let current: Mapping = mappingOf(mapping);
  for (const { update, type, reason, status, printed: expected } of updates) {
    it(update, () => {
      const error = errorOf(() => {
        current = current.merge(parseJson(update) as JsonObject);
      });
      if (type === undefined) expect(error).toBeUndefined();
      else expect(error).toMatchObject({ type, message: reason, status });
      expect(printed(current)).toEqual(expected);
    });
  }
});

describe("what is not supported is refused by name", () => {
  for (const [feature, json] of [
    [
      "confidence_interval [0]",
      {
        properties: {
          v: { type: "dense_vector", dims: 3, index_options: { type: "int8_flat", confidence_interval: 0 } },
        },
      },
    ],
    [
      "index_options.type [bbq_hnsw]",
      { properties: { v: { type: "dense_vector", dims: 64, index_options: { type: "bbq_hnsw" } } } },
    ],
    ["field type [geo_shape]", { properties: { g: { type: "geo_shape" } } }],
    ["include_in_parent", { properties: { n: { type: "nested", include_in_parent: true } } }],
    ["script of a runtime field", { runtime: { a: { type: "long", script: "emit(1)" } } }],
    ["runtime field of type [geo_point]", { runtime: { a: { type: "geo_point" } } }],
    ["_source.mode [synthetic]", { _source: { mode: "synthetic" } }],
    ["locale [de]", { properties: { d: { type: "date", format: "dd MMM yyyy", locale: "de" } } }],
  ] as const) {
    it(feature, () => {
      const error = errorOf(() => mappingOf(json));
      expect(error?.type).toBe("unsupported_feature_exception");
      expect(error?.message).toContain(feature);
    });
  }
});

describe("limits", () => {
  const limited = { "index.mapping.total_fields.limit": "3", "index.mapping.depth.limit": "2" };
  it("count fields, multi-fields and objects", () => {
    const four = {
      properties: {
        a: { type: "text", fields: { k: { type: "keyword" } } },
        o: { properties: { x: { type: "long" } } },
      },
    };
    expect(errorOf(() => mappingOf(four, limited))?.message).toBe("Limit of total fields [3] has been exceeded");
    const base = mappingOf({ properties: { a: { type: "text", fields: { k: { type: "keyword" } } } } }, limited);
    expect(errorOf(() => base.merge({ properties: { b: { type: "long" }, c: { type: "long" } } }))?.message).toBe(
      "Limit of total fields [3] has been exceeded while adding new fields [2]",
    );
  });
  it("count levels", () => {
    const [limit, b] = [{ "index.mapping.depth.limit": "2" }, { type: "object" }];
    const told = (json: object) => errorOf(() => mappingOf(json, limit))?.message;
    expect(told({ properties: { a: { type: "object" } } })).toBeUndefined();
    expect(told({ properties: { a: { properties: { b } } } })).toBe(
      "Limit of mapping depth [2] has been exceeded due to object field [a.b]",
    );
    expect(told({ properties: { a: { properties: { b: { properties: { b } } } } } })).toBe(
      "Failed to parse mapping: Limit of mapping depth [2] has been exceeded",
    );
  });
});

describe("look-ups", () => {
  const mapping = mappingOf({
    properties: {
      title: { type: "text", fields: { raw: { type: "keyword" } } },
      n: { type: "nested", properties: { o: { properties: { x: { type: "long" } } } } },
    },
  });
  it("find fields by path and by pattern, metadata fields by name only", () => {
    expect(mapping.field("title.raw")?.family).toBe("keyword");
    expect(mapping.field("_id")?.family).toBe("metadata");
    expect(mapping.matchingFields("title*").map(({ name }) => name)).toEqual(["title", "title.raw"]);
    expect(mapping.matchingFields("*").map(({ name }) => name)).toEqual(["title", "title.raw", "n.o.x"]);
    expect(mapping.matchingFields("nope")).toEqual([]);
  });
  it("know the nested object around a path", () => {
    expect(mapping.nestedPathOf("n.o.x")).toBe("n");
    expect(mapping.nestedPathOf("n")).toBe("n");
    expect(mapping.nestedPathOf("title")).toBeUndefined();
    expect(mapping.object("n")).toMatchObject({ path: "n", nested: true });
    expect(mapping.field("n.o.x")?.nestedPath).toBe("n");
  });
  it("know nothing of an empty mapping", () => {
    expect(printed(emptyMapping({ analysis }))).toEqual({});
  });
});
