import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRest, type TestRest } from "./rest-helper.ts";

let rest: TestRest;
beforeEach(async () => {
  rest = await openRest();
});
afterEach(() => rest.close());

describe("documents", () => {
  it("are created, updated, read and deleted with versions and sequence numbers", async () => {
    const made = await rest("PUT", "/books/_doc/1", { n: 1 });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe("/books/_doc/1");
    expect(made.body).toEqual({
      _index: "books",
      _id: "1",
      _version: 1,
      result: "created",
      _shards: { total: 2, successful: 1, failed: 0 },
      _seq_no: 0,
      _primary_term: 1,
    });
    expect((await rest("PUT", "/books/_doc/1", { n: 2 })).body).toMatchObject({
      _version: 2,
      result: "updated",
      _seq_no: 1,
    });
    expect((await rest("GET", "/books/_doc/1")).body).toEqual({
      _index: "books",
      _id: "1",
      _version: 2,
      _seq_no: 1,
      _primary_term: 1,
      found: true,
      _source: { n: 2 },
    });
    expect(await rest("DELETE", "/books/_doc/1")).toMatchObject({
      status: 200,
      body: { _version: 3, result: "deleted" },
    });
    expect(await rest("GET", "/books/_doc/1")).toMatchObject({
      status: 404,
      body: { _index: "books", _id: "1", found: false },
    });
    expect(await rest("DELETE", "/books/_doc/1")).toMatchObject({ status: 404, body: { result: "not_found" } });
  });

  it("come back byte for byte", async () => {
    const text = '{ "a" : 1.0,\t"b":1e2, "c":12345678901234567890 ,"d":"\\u00e9 \\ud83d\\ude00" }';
    await rest("PUT", "/books/_doc/1", text.replace("12345678901234567890", "123456789012345678"));
    const { text: answer } = await rest("GET", "/books/_source/1");
    expect(answer).toBe(text.replace("12345678901234567890", "123456789012345678"));
  });

  it("have any id that a path can carry", async () => {
    const id = fc.string({ unit: "binary", minLength: 1, maxLength: 40 }).filter((text) => /\S/.test(text));
    await fc.assert(
      fc.asyncProperty(id, async (text) => {
        const path = `/books/_doc/${encodeURIComponent(text)}`;
        expect((await rest("PUT", path, {})).body._id).toBe(text);
        expect((await rest("GET", path)).body).toMatchObject({ found: true, _id: text });
      }),
      { numRuns: 40 },
    );
  });

  it("without an id get one", async () => {
    const { status, body } = await rest("POST", "/books/_doc", {});
    expect(status).toBe(201);
    expect(body._id).toMatch(/^[\w-]{20}$/);
  });

  it("answer HEAD without a body", async () => {
    await rest("PUT", "/books/_doc/1", {});
    expect(await rest("HEAD", "/books/_doc/1")).toMatchObject({ status: 200, text: "" });
    expect(await rest("HEAD", "/books/_doc/2")).toMatchObject({ status: 404, text: "" });
    expect(await rest("HEAD", "/nothing/_doc/2")).toMatchObject({ status: 404, text: "" });
  });

  it("are not created twice", async () => {
    await rest("PUT", "/books/_create/1", {});
    for (const target of ["/books/_create/1", "/books/_doc/1?op_type=create"]) {
      const { status, body } = await rest("PUT", target, {});
      expect([status, body.error.type, body.error.reason]).toEqual([
        409,
        "version_conflict_engine_exception",
        "[1]: version conflict, document already exists (current version [1])",
      ]);
    }
  });

  it.each([
    [
      "PUT",
      "/b/_doc/1?version=1",
      {},
      "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead",
    ],
    ["PUT", "/b/_doc/1?if_seq_no=1", {}, "ifSeqNo is set, but primary term is [0]"],
    ["PUT", "/b/_doc/1?if_primary_term=1", {}, "ifSeqNo is unassigned, but primary term is [1]"],
    ["PUT", "/b/_doc/1?version_type=external", {}, "illegal version value [-3] for version type [EXTERNAL]"],
    [
      "PUT",
      "/b/_create/1?version=3&version_type=external",
      {},
      "create operations only support internal versioning. use index instead",
    ],
    [
      "POST",
      "/b/_doc?if_seq_no=1&if_primary_term=1",
      {},
      "create operations do not support compare and set. use index instead",
    ],
    [
      "PUT",
      `/b/_doc/${"x".repeat(513)}`,
      {},
      `id [${"x".repeat(513)}] is too long, must be no longer than 512 bytes but was: 513`,
    ],
    ["POST", "/b/_update/1", {}, "script or doc is missing"],
    [
      "POST",
      "/b/_update/1?retry_on_conflict=3&if_seq_no=3&if_primary_term=1",
      { doc: {} },
      "compare and write operations can not be retried",
    ],
  ])("%s %s is not valid", async (method, target, body, problem) => {
    const answer = await rest(method, target, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      type: "action_request_validation_exception",
      reason: `Validation Failed: 1: ${problem};`,
    });
  });

  it.each([
    ["PUT", "/b/_doc/1", undefined, 400, "parse_exception", "request body is required"],
    ["PUT", "/b/_doc/1", "[1]", 500, "not_x_content_exception", undefined],
    ["PUT", "/b/_doc/1?refresh=later", {}, 400, "illegal_argument_exception", "Unknown value for refresh: [later]."],
    [
      "PUT",
      "/b/_doc/1?op_type=merge",
      {},
      400,
      "illegal_argument_exception",
      "opType must be 'create' or 'index', found: [merge]",
    ],
    [
      "PUT",
      "/b/_doc/1?colour=1",
      {},
      400,
      "illegal_argument_exception",
      "request [/b/_doc/1] contains unrecognized parameter: [colour]",
    ],
    [
      "PUT",
      "/b/_doc/1?refres=true&version_typ=internal",
      {},
      400,
      "illegal_argument_exception",
      "request [/b/_doc/1] contains unrecognized parameters: [refres] -> did you mean [refresh]?, [version_typ] -> did you mean [version_type]?",
    ],
    [
      "PUT",
      "/b/_doc/1?x=1&a=2",
      {},
      400,
      "illegal_argument_exception",
      "request [/b/_doc/1] contains unrecognized parameters: [a], [x]",
    ],
    ["PUT", "/b/_doc/1?pipeline=p", {}, 400, "unsupported_feature_exception", undefined],
    ["PUT", "/b,c/_doc/1", {}, 400, "invalid_index_name_exception", undefined],
    ["PUT", "/b/_doc/1?require_alias=true", {}, 404, "index_not_found_exception", undefined],
    ["DELETE", "/nothing/_doc/1", undefined, 404, "index_not_found_exception", "no such index [nothing]"],
    ["GET", "/nothing/_doc/1", undefined, 404, "index_not_found_exception", "no such index [nothing]"],
  ])("%s %s %j fails", async (method, target, body, status, type, reason) => {
    const answer = await rest(method, target, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error.type).toBe(type);
    if (reason !== undefined) expect(answer.body.error.reason).toBe(reason);
  });
});

describe("updates", () => {
  beforeEach(() => rest("PUT", "/books/_doc/1", { n: 2, o: { a: 1 } }));
  const source = async () => (await rest("GET", "/books/_source/1")).body;

  it("merge objects and replace everything else", async () => {
    await rest("POST", "/books/_update/1", { doc: { t: "two", o: { b: [1, 2] } } });
    expect(await source()).toEqual({ n: 2, t: "two", o: { a: 1, b: [1, 2] } });
  });

  it("write nothing when nothing changes, unless told to", async () => {
    expect((await rest("POST", "/books/_update/1", { doc: { o: { a: 1 } } })).body).toMatchObject({
      result: "noop",
      _version: 1,
      _shards: { total: 0, successful: 0, failed: 0 },
    });
    expect((await rest("POST", "/books/_update/1", { doc: { n: 2 }, detect_noop: false })).body).toMatchObject({
      result: "updated",
      _version: 2,
    });
  });

  it("tell 1 from 1.0", async () => {
    expect((await rest("POST", "/books/_update/1", '{"doc":{"n":2.0}}')).body.result).toBe("updated");
    expect((await rest("GET", "/books/_source/1")).text).toContain('"n":2.0');
  });

  it("create the document from upsert, or from doc", async () => {
    expect(await rest("POST", "/books/_update/2", { doc: { n: 1 }, upsert: { n: 100 } })).toMatchObject({
      status: 201,
      body: { result: "created" },
    });
    await rest("POST", "/books/_update/3", { doc: { n: 3 }, doc_as_upsert: true });
    expect(
      (await rest("POST", "/books/_mget", { ids: ["2", "3"] })).body.docs.map(
        (doc: { _source: unknown }) => doc._source,
      ),
    ).toEqual([{ n: 100 }, { n: 3 }]);
  });

  it("return the new source on request, filtered", async () => {
    const { body } = await rest("POST", "/books/_update/1", { doc: { n: 5 }, _source: { excludes: ["o"] } });
    expect(body.get).toEqual({ _seq_no: 1, _primary_term: 1, found: true, _source: { n: 5 } });
  });

  it("of a missing document fail", async () => {
    const { status, body } = await rest("POST", "/books/_update/9", { doc: {} });
    expect([status, body.error.type, body.error.reason]).toEqual([
      404,
      "document_missing_exception",
      "[9]: document missing",
    ]);
  });

  it.each([
    [{ docs: {} }, "[1:2] [UpdateRequest] unknown field [docs] did you mean [doc]?"],
    [{ doc: 1 }, "[1:8] [UpdateRequest] doc doesn't support values of type: VALUE_NUMBER"],
    [{ doc: {}, detect_noop: "maybe" }, "[1:25] [UpdateRequest] failed to parse field [detect_noop]"],
    [[], "[1:1] [UpdateRequest] Expected START_OBJECT but was: START_ARRAY"],
  ])("%j are refused with their place", async (body, reason) => {
    const answer = await rest("POST", "/books/_update/1", JSON.stringify(body));
    expect(answer.body.error).toMatchObject({ type: "x_content_parse_exception", reason });
  });

  it("at once lose nothing when they may be repeated", async () => {
    const one = (at: number) => rest("POST", "/books/_update/1?retry_on_conflict=50", { doc: { [`f${at}`]: at } });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => one(at)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(Object.keys(await source())).toHaveLength(22);
  });
});

describe("bulk", () => {
  it("gives each item its own result", async () => {
    await rest("PUT", "/many", { mappings: { properties: { n: { type: "integer" } } } });
    const { status, body } = await rest("POST", "/_bulk?refresh=true", [
      { index: { _index: "many", _id: "1" } },
      { n: 1 },
      { create: { _index: "many", _id: "1" } },
      { n: 0 },
      { update: { _index: "many", _id: "1" } },
      { doc: { n: 22 } },
      { update: { _index: "many", _id: "77" } },
      { doc: { n: 1 } },
      { delete: { _index: "many", _id: "88" } },
      { index: { _index: "many", _id: "4" } },
      { n: "bad" },
      { delete: { _index: "many", _id: "1" } },
      { create: { _index: "new", _id: "1" } },
      { x: "y" },
      { delete: { _index: "none", _id: "1" } },
      { index: { _index: "Bad", _id: "1" } },
      {},
      { index: { _index: "many", _id: "" } },
      {},
    ]);
    expect([status, body.errors]).toEqual([200, true]);
    const items = body.items.map(
      (item: Record<string, { status: number; result?: string; error?: { type: string } }>) => {
        const [[action, value]] = Object.entries(item);
        return [action, value.status, value.result ?? value.error?.type];
      },
    );
    expect(items).toEqual([
      ["index", 201, "created"],
      ["create", 409, "version_conflict_engine_exception"],
      ["update", 200, "updated"],
      ["update", 404, "document_missing_exception"],
      ["delete", 404, "not_found"],
      ["index", 400, "document_parsing_exception"],
      ["delete", 200, "deleted"],
      ["create", 201, "created"],
      ["delete", 404, "index_not_found_exception"],
      ["index", 400, "invalid_index_name_exception"],
      ["index", 400, "illegal_argument_exception"],
    ]);
  });

  it("become visible by an update that asks for it where it writes, and by any bulk request that asks", async () => {
    await rest("PUT", "/later", { settings: { refresh_interval: "-1" } });
    await rest("PUT", "/later/_doc/1", { a: 1 });
    const count = async () => (await rest("POST", "/later/_count", {})).body.count;
    await rest("POST", "/later/_update/1?refresh=true", { doc: { a: 1 } });
    await rest("POST", "/later/_update/9?refresh=true", { doc: { a: 1 } });
    expect(await count()).toBe(0);
    await rest("POST", "/later/_bulk?refresh=true", [{ update: { _id: "1" } }, { doc: { a: 1 } }]);
    expect(await count()).toBe(1);
  });

  it("that fail without an id of their own are told by the one that was drawn", async () => {
    await rest("PUT", "/routed", {
      mappings: { _routing: { required: true }, properties: { n: { type: "integer" } } },
    });
    const lines = [
      { index: {} },
      { n: 1 },
      { create: { routing: "a" } },
      { n: "x" },
      { index: { routing: "a" } },
      { n: 1 },
    ];
    const { body } = await rest("POST", "/routed/_bulk", lines);
    const [unrouted, unread, made] = body.items.map((item: object) => Object.values(item)[0]);
    expect(unrouted.error.reason).toBe(`routing is required for [routed]/[${unrouted._id}]`);
    expect(unread.error.reason).toContain(`in document with id '${unread._id}'`);
    expect(made).toMatchObject({ status: 201, _seq_no: 0 });
    const ids = [unrouted, unread, made].map(({ _id }) => _id);
    expect(new Set(ids.filter((id) => id.length === 20)).size).toBe(3);
  });

  it("sees its own earlier writes in updates", async () => {
    const { body } = await rest("POST", "/many/_bulk", [
      { update: { _id: "1" } },
      { doc: { n: 1 }, doc_as_upsert: true },
      { update: { _id: "1" } },
      { doc: { n: 2 } },
      { update: { _id: "1" } },
      { doc: { n: 2 } },
      { delete: { _id: "1" } },
      { update: { _id: "1" } },
      { doc: { n: 1 }, upsert: { n: 9 } },
    ]);
    expect(body.items.map((item: Record<string, { result: string }>) => Object.values(item)[0].result)).toEqual([
      "created",
      "updated",
      "noop",
      "deleted",
      "created",
    ]);
    expect((await rest("GET", "/many/_source/1")).body).toEqual({ n: 9 });
  });

  it("needs a body that ends with a line break", async () => {
    expect((await rest("POST", "/_bulk", '{"index":{}}\n{}')).body.error.reason).toBe(
      "The bulk request must be terminated by a newline [\\n]",
    );
    expect((await rest("POST", "/_bulk", "\n")).body.error.reason).toBe("Validation Failed: 1: no requests added;");
    expect((await rest("POST", "/_bulk")).body.error).toMatchObject({
      type: "parse_exception",
      reason: "could not parse bulk request body",
      root_cause: [{ type: "parse_exception", reason: "request body is required" }],
    });
  });

  it("takes the bodies of 2,000 documents in their order", async () => {
    const lines = Array.from({ length: 2000 }, (_, at) => [
      { index: { _id: String(at) } },
      { at, text: "文字 text 😀" },
    ]).flat();
    const { body } = await rest("POST", "/many/_bulk", lines);
    expect(body.errors).toBe(false);
    expect(body.items.map((item: { index: { _seq_no: number } }) => item.index._seq_no)).toEqual(
      Array.from({ length: 2000 }, (_, at) => at),
    );
  });
});

describe("mget", () => {
  beforeEach(async () => {
    await rest("PUT", "/a/_doc/1", { n: 1, t: "a" });
    await rest("PUT", "/b/_doc/1", { n: 10 });
  });

  it("reads documents of several indices, each with its own error", async () => {
    const { body } = await rest("POST", "/_mget", {
      docs: [
        { _index: "a", _id: "1", _source: ["t"] },
        { _index: "b", _id: "1" },
        { _index: "none", _id: "1" },
        { _index: "a", _id: "9" },
        { _index: "a", _id: "1", _source: false },
      ],
    });
    expect(body.docs).toMatchObject([
      { found: true, _source: { t: "a" } },
      { found: true, _source: { n: 10 } },
      {
        _index: "none",
        _id: "1",
        error: { type: "index_not_found_exception", root_cause: [{ type: "index_not_found_exception" }] },
      },
      { _index: "a", _id: "9", found: false },
      { found: true },
    ]);
    expect(body.docs[4]).not.toHaveProperty("_source");
  });

  it.each([
    ["/a/_mget", { ids: [] }, "action_request_validation_exception", "Validation Failed: 1: no documents to get;"],
    [
      "/_mget",
      { ids: ["1"] },
      "action_request_validation_exception",
      "Validation Failed: 1: index is missing for doc 0;",
    ],
    [
      "/_mget",
      { docs: [{ _index: "a" }] },
      "action_request_validation_exception",
      "Validation Failed: 1: id is missing for doc 0;",
    ],
    [
      "/a/_mget",
      { keys: ["1"] },
      "parsing_exception",
      "unknown key [keys] for a START_ARRAY, expected [docs] or [ids]",
    ],
    ["/a/_mget", { docs: [1] }, "illegal_argument_exception", "docs array element should include an object"],
    ["/_mget", undefined, "parse_exception", "request body or source parameter is required"],
  ])("POST %s %j fails", async (target, body, type, reason) => {
    expect((await rest("POST", target, body)).body.error).toMatchObject({ type, reason });
  });
});
