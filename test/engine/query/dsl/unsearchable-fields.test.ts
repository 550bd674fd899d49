import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";

// What query_string asks of fields without terms; recorded from Elasticsearch 8.17.4.
let engine: Engine;
const send = async (method: string, path: string, body: unknown) => {
  const headers = { "content-type": "application/json" };
  return JSON.parse((await engine.request({ method, path, headers, body: JSON.stringify(body) })).body);
};
beforeAll(async () => {
  engine = await openEngine();
  const properties = {
    t: { type: "text" },
    p: { type: "geo_point" },
    v: { type: "dense_vector", dims: 2 },
    c: { type: "completion" },
    n: { type: "long" },
  };
  await send("PUT", "/i", { mappings: { properties } });
  await send("PUT", "/i/_doc/1?refresh=true", { t: "quick fox", p: "1,2", n: 1, c: "quick" });
});
afterAll(() => engine.close());

it.each(["p", "v"])("a fuzzy term is not found in %s, nor refused", async (field) => {
  const found = async (query: string) => {
    const { hits } = await send("POST", "/i/_search", { query: { query_string: { query, fields: ["t", field] } } });
    return hits.total.value;
  };
  expect(await found("quikc~")).toBe(1);
  expect(await found("leaving~2")).toBe(0);
  expect(await found("NOT leaving~2")).toBe(1);
});

it.each([
  [
    "quikc~",
    "c",
    "failed to create query: Can only use fuzzy queries on keyword and text fields - not on [c] which is of type [completion]",
  ],
  [
    "quic*",
    "c",
    "Can only use prefix queries on keyword, text and wildcard fields - not on [c] which is of type [completion]",
  ],
  ["[a TO b]", "c", "failed to create query: Field [c] of type [completion] does not support range queries"],
  [
    "quikc~",
    "n",
    "failed to create query: Can only use fuzzy queries on keyword and text fields - not on [n] which is of type [long]",
  ],
])("%s is refused in %s", async (query, field, reason) => {
  const { error } = await send("POST", "/i/_search", { query: { query_string: { query, fields: ["t", field] } } });
  expect(error.root_cause[0]).toMatchObject({ type: "query_shard_exception", reason });
});
