import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

// Recorded from Elasticsearch 8.17.4 over one segment, with `request_cache=false`: its cache takes requests with another `shard_size` for the same.
const { lines, cases } = JSON.parse(readFileSync(new URL("variable-width.json", import.meta.url), "utf8")) as {
  readonly lines: string;
  readonly cases: readonly { readonly body: object; readonly answer: object }[];
};

let engine: Engine;
const send = async (method: string, path: string, body: string, type = "application/json") => {
  const answer = await engine.request({ method, path, query: {}, headers: { "content-type": type }, body });
  return { status: answer.status, ...JSON.parse(answer.body) };
};
beforeAll(async () => {
  engine = await openEngine();
  const mappings = { properties: { f: { type: "double" }, n: { type: "integer" } } };
  await send("PUT", "/prof_v", JSON.stringify({ mappings }));
  await send("POST", "/prof_v/_bulk", lines, "application/x-ndjson");
  await send("POST", "/prof_v/_refresh", "");
});
afterAll(() => engine.close());

const CHANGING = new Set(["took", "node", "index_uuid", "_shards"]);

describe("variable_width_histogram with shard_size and initial_buffer", () => {
  it.each(cases)("$body", async ({ body, answer }) => {
    const found = await send("POST", "/prof_v/_search", JSON.stringify(body));
    expect(JSON.parse(JSON.stringify(found, (key, value) => (CHANGING.has(key) ? undefined : value)))).toEqual(answer);
  });
});
