import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

// What no answer of a node is recorded for: long texts, much to try, callers that go away.
let engine: Engine;
const search = async (suggest: unknown, signal?: AbortSignal) => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ suggest });
  const request = { method: "POST", path: "/long/_search", query: {}, headers, body, ...(signal ? { signal } : {}) };
  const answer = await engine.request(request);
  return JSON.parse(answer.body);
};
const WORDS = Array.from({ length: 200 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i.toString(36)}`);
const LONG = Array.from({ length: 100_000 }, (_, i) => WORDS[(i * 7) % WORDS.length]).join(" ");

beforeAll(async () => {
  engine = await openEngine();
  const send = (method: string, path: string, body: string) =>
    engine.request({ method, path, body, query: { refresh: "true" }, headers: { "content-type": "application/json" } });
  const properties = { t: { type: "text" }, k: { type: "keyword" }, c: { type: "completion" } };
  await engine.request({
    method: "PUT",
    path: "/long",
    query: {},
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ mappings: { properties } }),
  });
  const lines = WORDS.map((word, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify({ t: word, k: word, c: word })}\n`);
  await send("POST", "/long/_bulk", lines.join(""));
});
afterAll(() => engine.close());

it.each([
  ["phrase", { x: { text: LONG, phrase: { field: "t" } } }],
  ["a word as a term", { x: { text: "w".repeat(1_000_000), term: { field: "k", prefix_length: 0 } } }],
  ["a prefix", { x: { prefix: LONG, completion: { field: "c" } } }],
  ["a prefix with mistakes", { x: { prefix: LONG, completion: { field: "c", fuzzy: { fuzziness: 2 } } } }],
])("nothing is suggested for a long text as %s", async (_, suggest) => {
  const { suggest: answer } = await search(suggest);
  expect(answer.x.flatMap(({ options }: { options: unknown[] }) => options)).toEqual([]);
});

const EVERYTHING = { field: "t", suggest_mode: "always", min_word_length: 1, prefix_length: 0 };
const MUCH = {
  field: "t",
  token_limit: 2_147_483_647,
  max_errors: 20,
  confidence: 0,
  shard_size: 1000,
  direct_generator: [{ ...EVERYTHING, size: 50, max_inspections: 50 }],
};

it.each([
  ["words", { x: { text: LONG, term: EVERYTHING } }],
  ["a long phrase", { x: { text: LONG, phrase: MUCH } }],
  ["a phrase with very many corrections", { x: { text: WORDS.slice(0, 20).join(" "), phrase: MUCH } }],
])("corrections of %s stop when the caller goes away", async (_, suggest) => {
  const controller = new AbortController();
  const answer = search(suggest, controller.signal);
  setTimeout(() => controller.abort(), 20);
  expect((await answer).error.type).toBe("task_cancelled_exception");
});

it("gives each document once, however many are asked for", async () => {
  const { suggest } = await search({ x: { prefix: "w", completion: { field: "c", size: 2_147_483_647 } } });
  const ids = suggest.x[0].options.map(({ _id }: { _id: string }) => _id);
  expect(new Set(ids).size).toBe(WORDS.length);
  expect(ids).toHaveLength(WORDS.length);
});
