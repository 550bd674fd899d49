import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";

// Expected answers: Elasticsearch 8.17.4, but for what is refused.
let engine: Engine;
const suggest = async (body: unknown) => {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", path: "/_search", query: {}, headers, body: JSON.stringify({ suggest: body }) };
  return JSON.parse((await engine.request(request)).body);
};
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

it.each([
  [{ x: { text: "a" } }, "parse_exception", "missing suggestion object"],
  [{ x: {} }, "parse_exception", "missing suggestion object"],
  [{ text: 3, y: { prefix: "a" } }, "parse_exception", "missing suggestion object"],
  [{ x: 3 }, "illegal_argument_exception", "[suggest] does not support [x]"],
  [{ text: "a", x: { foo: {} } }, "named_object_not_found_exception", "[1:35] unknown field [foo]"],
  [{ x: { text: "a", bar: 1 } }, "parsing_exception", "suggestion does not support [bar]"],
  [{ x: { text: "a", term: 3 } }, "parsing_exception", "suggestion does not support [term]"],
  [{ x: null }, "parsing_exception", "unexpected token [VALUE_NULL] after [x]"],
  [{ x: [] }, "parsing_exception", "unexpected token [START_ARRAY] after [x]"],
  [
    { x: { text: "a", phrase: { field: "t", collate: { query: { source: {} } } } } },
    "unsupported_feature_exception",
    "[suggest phrase collate] is not supported by the embedded engine; search for the suggestions one by one",
  ],
])("%j", async (body, type, reason) => {
  expect((await suggest(body)).error).toMatchObject({ type, reason });
});

it.each([[{}], [{ text: "a" }]])("%j asks for nothing", async (body) => {
  const answer = await suggest(body);
  expect(answer.error).toBeUndefined();
  expect(answer.suggest).toBeUndefined();
});
