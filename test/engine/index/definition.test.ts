/** Names, settings, similarities and versions: Elasticsearch's answers, recorded from 8.17. */
import { describe, expect, it } from "vitest";
import { openIndexRegistry, type WriteOperation } from "../../../src/engine/index/index.ts";
import { checkIndexName } from "../../../src/engine/index/names.ts";
import { memoryStorage } from "../../../src/engine/storage/memory.ts";
import { bytes, deleting, RESOURCES, writeOne } from "./support/indices.ts";

const registry = () => openIndexRegistry(memoryStorage(), RESOURCES);
const FORBIDDEN = "must not contain the following characters ['\\',' ','\"','<','*','?','>','|',',','/']";

describe("the name of an index", () => {
  it.each([
    ["Upper", "must be lowercase"],
    ["_x", "must not start with '_', '-', or '+'"],
    ["-x", "must not start with '_', '-', or '+'"],
    ["+x", "must not start with '_', '-', or '+'"],
    ["a b", FORBIDDEN],
    ["a/b", FORBIDDEN],
    ["a*b", FORBIDDEN],
    ['a"b', FORBIDDEN],
    ["a#b", "must not contain '#'"],
    ["a:b", "must not contain ':'"],
    ["汇".repeat(86), "index name is too long, (258 > 255)"],
  ])("cannot be %s", (name, why) => {
    expect(() => checkIndexName(name)).toThrow(`Invalid index name [${name}], ${why}`);
  });

  it("can be of any script, with dots and dashes", () => {
    for (const name of ["a", "汇", ".hidden", "a-b_c+d", "x".repeat(255)]) checkIndexName(name);
  });

  it("stands for one index", async () => {
    const indices = await registry();
    const { uuid } = await indices.create("a", {});
    await expect(indices.create("a", {})).rejects.toMatchObject({
      type: "resource_already_exists_exception",
      reason: `index [a/${uuid}] already exists`,
      metadata: { index_uuid: uuid, index: "a" },
    });
    const both = await Promise.allSettled([indices.create("b", {}), indices.create("b", {})]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("the settings of an index", () => {
  it("are printed as strings, nested, with those that every index has", async () => {
    const index = await (await registry()).create("a", {
      settings: {
        refresh_interval: -1 as never,
        "index.max_result_window": 20000,
        query: { default_field: ["a", "b"] },
        index: { number_of_replicas: 0, mapping: { "total_fields.limit": 50 } },
        analysis: { analyzer: { x: { type: "custom", tokenizer: "standard", filter: ["lowercase"] } } },
        similarity: { default: { type: "BM25", k1: 1.3 } },
      },
    });
    expect(index.settings).toEqual({
      routing: { allocation: { include: { _tier_preference: "data_content" } } },
      mapping: { total_fields: { limit: "50" } },
      refresh_interval: "-1",
      number_of_shards: "1",
      provided_name: "a",
      query: { default_field: ["a", "b"] },
      max_result_window: "20000",
      creation_date: String(index.createdAt),
      analysis: { analyzer: { x: { type: "custom", tokenizer: "standard", filter: ["lowercase"] } } },
      similarity: { default: { type: "BM25", k1: "1.3" } },
      number_of_replicas: "0",
      uuid: index.uuid,
      version: { created: "8521000" },
    });
    expect(index.similarity(undefined)).toEqual({ type: "BM25", k1: Math.fround(1.3), b: 0.75 });
    expect(index.similarity("BM25")).toEqual({ type: "BM25", k1: Math.fround(1.2), b: 0.75 });
    expect(index.similarity("boolean")).toEqual({ type: "boolean" });
  });

  const unknown =
    "please check that any required plugins are installed, or check the breaking changes documentation for removed settings";
  it.each<[object, string, string]>([
    [{ foo: 1 }, "illegal_argument_exception", `unknown setting [index.foo] ${unknown}`],
    [
      { number_of_shard: 1 },
      "illegal_argument_exception",
      "unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?",
    ],
    [{ uuid: "x" }, "illegal_argument_exception", `unknown setting [index.uuid] ${unknown}`],
    [
      { number_of_shards: "abc" },
      "illegal_argument_exception",
      "Failed to parse value [abc] for setting [index.number_of_shards]",
    ],
    [
      { number_of_replicas: -1 },
      "illegal_argument_exception",
      "Failed to parse value [-1] for setting [index.number_of_replicas] must be >= 0",
    ],
    [
      { max_result_window: 0 },
      "illegal_argument_exception",
      "Failed to parse value [0] for setting [index.max_result_window] must be >= 1",
    ],
    [
      { refresh_interval: "xx" },
      "illegal_argument_exception",
      "failed to parse setting [index.refresh_interval] with value [xx] as a time value: unit is missing or unrecognized",
    ],
    [
      { refresh_interval: "-2s" },
      "illegal_argument_exception",
      "failed to parse setting [index.refresh_interval] with value [-2s] as a time value: negative durations are not supported",
    ],
    [
      { hidden: "maybe" },
      "illegal_argument_exception",
      "Failed to parse value [maybe] as only [true] or [false] are allowed.",
    ],
    [
      { codec: "zip" },
      "illegal_argument_exception",
      "unknown value for [index.codec] must be one of [default, best_compression] but was: zip",
    ],
    [{ "sort.field": "a" }, "illegal_argument_exception", "unknown index sort field:[a]"],
    [{ similarity: { s: { type: "foo" } } }, "illegal_argument_exception", "Unknown Similarity type [foo] for [s]"],
    [{ similarity: { s: { k1: 1 } } }, "illegal_argument_exception", "Similarity [s] must have an associated type"],
    [
      { similarity: { s: { type: "BM25", k1: -1 } } },
      "illegal_argument_exception",
      "illegal k1 value: -1.0, must be a non-negative finite value",
    ],
    [
      { similarity: { s: { type: "BM25", zz: 1 } } },
      "illegal_argument_exception",
      "Unknown settings for similarity of type [BM25]: [zz]",
    ],
    [
      { similarity: { BM25: { type: "boolean" } } },
      "illegal_argument_exception",
      "illegal value for [index.similarity.BM25] cannot redefine built-in similarity",
    ],
    [
      { similarity: { s: { type: "DFR" } } },
      "unsupported_feature_exception",
      "[similarity [DFR]] is not supported by the embedded engine",
    ],
  ])("refuses %j", async (settings, type, reason) => {
    const indices = await registry();
    await expect(indices.create("a", { settings: settings as never })).rejects.toMatchObject({
      type,
      reason,
      status: 400,
    });
    expect(indices.list()).toEqual([]);
  });
});

describe("versions", () => {
  it("conflict as Elasticsearch's do, in this sequence", async () => {
    const index = await (await registry()).create("a", {});
    const source = bytes({ a: 1 });
    const put = (rest: object): WriteOperation => ({ kind: "index", id: "1", source, ...rest }) as WriteOperation;
    const del = (rest: object): WriteOperation => ({ ...deleting("1"), ...rest }) as WriteOperation;
    const external = (version: number) => ({ version, versionType: "external" });
    const conflict = (why: string, id = "1") => `[${id}]: version conflict, ${why}`;
    const steps: [WriteOperation, string | [string, number, number]][] = [
      [put({}), ["created", 1, 0]],
      [put({ kind: "create" }), conflict("document already exists (current version [1])")],
      [
        put({ ifSeqNo: 5, ifPrimaryTerm: 1 }),
        conflict("required seqNo [5], primary term [1]. current document has seqNo [0] and primary term [1]"),
      ],
      [
        put({ ifSeqNo: 0, ifPrimaryTerm: 2 }),
        conflict("required seqNo [0], primary term [2]. current document has seqNo [0] and primary term [1]"),
      ],
      [
        put({ id: "none", ifSeqNo: 0, ifPrimaryTerm: 1 }),
        conflict("required seqNo [0], primary term [1]. but no document was found", "none"),
      ],
      [put(external(1)), conflict("current version [1] is higher or equal to the one provided [1]")],
      [put({ version: 1, versionType: "external_gte" }), ["updated", 1, 1]],
      [
        put({ version: 0, versionType: "external_gte" }),
        conflict("current version [1] is higher than the one provided [0]"),
      ],
      [put(external(7)), ["updated", 7, 2]],
      [
        put({ version: 7 }),
        "Validation Failed: 1: internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead;",
      ],
      [put({ ifSeqNo: 0 }), "Validation Failed: 1: ifSeqNo is set, but primary term is [0];"],
      [del(external(3)), conflict("current version [7] is higher or equal to the one provided [3]")],
      [
        del({ ifSeqNo: 99, ifPrimaryTerm: 1 }),
        conflict("required seqNo [99], primary term [1]. current document has seqNo [2] and primary term [1]"),
      ],
      [del({}), ["deleted", 8, 3]],
      [del({}), ["not_found", 9, 4]],
      [deleting("never"), ["not_found", 1, 5]],
      [
        put({ ifSeqNo: 3, ifPrimaryTerm: 1 }),
        conflict("required seqNo [3], primary term [1]. but no document was found"),
      ],
      [del(external(20)), ["not_found", 20, 6]],
      [put(external(20)), conflict("current version [20] is higher or equal to the one provided [20]")],
      [put({}), ["created", 21, 7]],
      [
        put({ kind: "create", ...external(20) }),
        "Validation Failed: 1: create operations only support internal versioning. use index instead;",
      ],
      [put(external(-3)), "Validation Failed: 1: illegal version value [-3] for version type [EXTERNAL];"],
      [
        put({ kind: "create", ifSeqNo: 3, ifPrimaryTerm: 1 }),
        "Validation Failed: 1: create operations do not support compare and set. use index instead;",
      ],
      [
        put({ id: "x".repeat(513) }),
        `Validation Failed: 1: id [${"x".repeat(513)}] is too long, must be no longer than 512 bytes but was: 513;`,
      ],
    ];
    for (const [operation, expected] of steps) {
      const [result] = await index.write([operation]);
      if (typeof expected === "string") {
        expect((result as Error).message).toBe(expected);
        if (expected.includes("conflict")) {
          expect(result).toMatchObject({
            type: "version_conflict_engine_exception",
            status: 409,
            metadata: { index_uuid: index.uuid, shard: "0", index: "a" },
          });
        }
      } else
        expect(result).toMatchObject({ result: expected[0], version: expected[1], seqNo: expected[2], primaryTerm: 1 });
    }
  });

  it("of deletions are forgotten after index.gc_deletes", async () => {
    const index = await (await registry()).create("a", { settings: { gc_deletes: "1ms" } });
    await writeOne(index, { kind: "index", id: "1", source: bytes({}), version: 9, versionType: "external" });
    await writeOne(index, deleting("1"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await writeOne(index, { kind: "index", id: "1", source: bytes({}) })).toMatchObject({
      result: "created",
      version: 1,
    });
  });

  it("compare ids as UTF-8: a lone surrogate is U+FFFD", async () => {
    const index = await (await registry()).create("a", {});
    expect(await writeOne(index, { kind: "index", id: "\ud800", source: bytes({}) })).toMatchObject({
      id: "\ufffd",
      result: "created",
    });
    expect(await writeOne(index, { kind: "index", id: "\ufffd", source: bytes({}) })).toMatchObject({
      result: "updated",
    });
    expect(index.get("\udfff")?.version).toBe(2);
    await index.refresh();
    await writeOne(index, deleting("\ud800"));
    await index.refresh();
    expect(index.stats().docs).toBe(0);
  });
});
