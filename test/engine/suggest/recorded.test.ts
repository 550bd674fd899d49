import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { kept } from "./recorded/answers.ts";
import { RECORDED, RECORDED_URLS } from "./recorded/requests.ts";
import { BATCHES, INDICES } from "./recorded/world.ts";

// Expected answers: Elasticsearch 8.17.4, see recorded/record.ts.
const ANSWERS = JSON.parse(readFileSync(new URL("recorded/answers.json", import.meta.url), "utf8"));

let engine: Engine;
const send = (method: string, path: string, body?: string) =>
  engine.request({ method, path, body, headers: body === undefined ? {} : { "content-type": "application/json" } });

beforeAll(async () => {
  engine = await openEngine();
  for (const [name, definition] of Object.entries(INDICES)) {
    expect((await send("PUT", `/${name}`, JSON.stringify(definition))).status).toBe(200);
  }
  for (const batch of BATCHES) {
    const lines = batch.map((line) => `${JSON.stringify(line)}\n`).join("");
    expect(JSON.parse((await send("POST", "/_bulk?refresh=true", lines)).body).errors).toBe(false);
  }
});
afterAll(() => engine.close());

it.each(RECORDED.map(({ target, body }, i) => [`${i} ${target} ${JSON.stringify(body)}`, target, body, i] as const))(
  "%s",
  async (_name, target, body, i) => {
    const answer = await send("POST", `/${target}/_search`, JSON.stringify(body));
    expect(kept(answer.status, answer.body)).toEqual(ANSWERS[i]);
  },
);

it.each(RECORDED_URLS.map((url, i) => [url, i] as const))("?%s", async (url, i) => {
  const answer = await engine.request({
    method: "GET",
    path: "/words/_search",
    query: Object.fromEntries(new URLSearchParams(url)),
    headers: {},
  });
  expect(kept(answer.status, answer.body)).toEqual(ANSWERS[RECORDED.length + i]);
});
