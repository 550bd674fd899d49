/** What a request or a document names is shown under that name, whatever it means to JavaScript. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";

const NAMES = ["__proto__", "constructor", "hasOwnProperty", "toString"];
let engine: Engine;
const send = async (method: string, path: string, body: string) => {
  const headers = { "content-type": "application/json" };
  const { body: text } = await engine.request({ method, path, query: {}, headers, body });
  return JSON.parse(text);
};
const search = (body: string) => send("POST", "/names/_search", body);
/** An object with one value under each name, as JSON: an object literal would set prototypes. */
const named = (value: string) => `{${NAMES.map((name) => `"${name}":${value}`).join(",")}}`;

beforeAll(async () => {
  engine = await openEngine();
  const nested = '{"type":"nested","properties":{"x":{"type":"long"}}}';
  await send("PUT", "/names", `{"mappings":{"properties":{"n":{"type":"long"},"o":${nested}}}}`);
  await send("PUT", "/names/_doc/1", '{"n":1,"o":{"x":2},"k":"a"}');
  await engine.request({ method: "POST", path: "/names/_refresh", query: {}, headers: {} });
});
afterAll(() => engine.close());

it("aggregations, and those within", async () => {
  const inner = named('{"max":{"field":"n"}}');
  const { aggregations } = await search(`{"aggs":${named(`{"global":{},"aggs":${inner}}`)}}`);
  expect(Object.keys(aggregations)).toEqual(NAMES);
  for (const name of NAMES) expect(Object.keys(aggregations[name]).sort()).toEqual(["doc_count", ...NAMES].sort());
});

it("filters, and ranges with keys", async () => {
  const filters = await search(`{"aggs":{"a":{"filters":{"filters":${named('{"match_all":{}}')}}}}}`);
  expect(Object.keys(filters.aggregations.a.buckets).sort()).toEqual([...NAMES].sort());
  const ranges = NAMES.map((name) => `{"key":"${name}","from":0}`).join(",");
  const keyed = await search(`{"aggs":{"a":{"range":{"field":"n","keyed":true,"ranges":[${ranges}]}}}}`);
  expect(Object.keys(keyed.aggregations.a.buckets).sort()).toEqual([...NAMES].sort());
});

it("inner hits", async () => {
  const clauses = NAMES.map(
    (name) => `{"nested":{"path":"o","query":{"match_all":{}},"inner_hits":{"name":"${name}"}}}`,
  );
  const { hits } = await search(`{"query":{"bool":{"must":[${clauses.join(",")}]}}}`);
  expect(Object.keys(hits.hits[0].inner_hits).sort()).toEqual([...NAMES].sort());
});

it("fields of documents", async () => {
  await send("PUT", "/own-names/_doc/1", named('"a"'));
  await engine.request({ method: "POST", path: "/own-names/_refresh", query: {}, headers: {} });
  const { hits } = await send("POST", "/own-names/_search", '{"fields":["*"]}');
  const shown = Object.keys(hits.hits[0].fields);
  for (const name of NAMES) expect(shown).toContain(name);
});
