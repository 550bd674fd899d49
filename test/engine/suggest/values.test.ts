import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

// What Elasticsearch 8.17.4 makes of values that are none, in a completion with fields of its own, within another field, and copied to.
let engine: Engine;
const send = async (method: string, path: string, body?: unknown) => {
  const headers = { "content-type": "application/json" };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await engine.request({ method, path, query: {}, headers, ...text });
  return { status: answer.status, ...JSON.parse(answer.body) };
};
const found = async (field: string) => {
  const { hits } = await send("POST", "/i/_search", { query: { exists: { field } }, sort: "_doc" });
  return hits.hits.map(({ _id }: { _id: string }) => _id);
};

beforeAll(async () => {
  engine = await openEngine();
  const fields = { k: { type: "keyword", null_value: "N" }, t: { type: "text" }, d: { type: "completion" } };
  const completion = { type: "completion", fields };
  const contexts = [{ name: "g", type: "category" }];
  const properties = {
    c: completion,
    g: { type: "completion", contexts, fields },
    o: { properties: { c: completion } },
    k: { type: "keyword", fields: { d: { type: "completion" } } },
    copied: { type: "keyword", copy_to: "o.c" },
  };
  await send("PUT", "/i", { mappings: { properties } });
});
afterAll(() => engine.close());

describe("values of completions that are none", () => {
  it.each([
    { c: null },
    { g: null },
    { "o.c": null },
    { o: { c: null } },
    { o: [{ c: null }, { c: "a" }] },
    { copied: null },
    { copied: [null, "z"] },
    { k: [null, "a"] },
    { c: [] },
    { c: {} },
    { c: [{}] },
    { c: { weight: 2 } },
    { c: { input: [] } },
  ])("%j is indexed", async (document) => {
    expect(await send("POST", "/i/_doc", document)).toMatchObject({ status: 201 });
  });

  it("leave out what null stands for in the fields under it", async () => {
    for (const [id, document] of [{ c: null }, { o: [{ c: null }, { c: "a" }] }, { copied: [null, "z"] }].entries())
      await send("PUT", `/i/_doc/${id}`, document);
    await send("POST", "/i/_refresh");
    expect(await found("c.k")).toEqual([]);
    expect(await found("o.c.k")).toEqual(expect.arrayContaining(["1", "2"]));
  });

  it.each([
    [{ c: [null] }, "null", "VALUE_NULL"],
    [{ c: ["a", null] }, "null", "VALUE_NULL"],
    [{ c: [[null]] }, "null", "START_ARRAY"],
    [{ c: 1 }, "c", "VALUE_NUMBER"],
    [{ "o.c": true }, "c", "VALUE_BOOLEAN"],
    [{ o: [{ c: 1 }] }, "c", "VALUE_NUMBER"],
    [{ k: 1 }, "k", "VALUE_NUMBER"],
    [{ k: ["a", true] }, "null", "VALUE_BOOLEAN"],
    [{ copied: 1 }, "c", "VALUE_NUMBER"],
    [{ copied: ["a", 1] }, "c", "VALUE_NUMBER"],
  ])("%j is refused", async (document, name, token) => {
    const answer = await send("POST", "/i/_doc", document);
    const reason = `failed to parse [${name}]: expected text or object, but got ${token}`;
    expect(answer).toMatchObject({ status: 400, error: { caused_by: { type: "parsing_exception", reason } } });
  });
});
