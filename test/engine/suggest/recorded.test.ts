import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { kept, keptError } from "./recorded/answers.ts";
import { RECORDED, RECORDED_MAPPINGS, RECORDED_URLS, RECORDED_WRITES } from "./recorded/requests.ts";
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
    const written = JSON.parse((await send("POST", "/_bulk?refresh=true", lines)).body);
    expect(written.items.filter((item: { index?: { error?: unknown } }) => item.index?.error)).toEqual([]);
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

const written = RECORDED.length + RECORDED_URLS.length;

it.each(RECORDED_WRITES.map((value, i) => [JSON.stringify(value), value, i] as const))(
  "writes %s",
  async (_, value, i) => {
    const answer = await send("PUT", "/typed/_doc/w", JSON.stringify({ c: value }));
    expect(keptError(answer.status === 201 ? 200 : answer.status, answer.body)).toEqual({
      ...ANSWERS[written + i],
      status: ANSWERS[written + i].status === 201 ? 200 : ANSWERS[written + i].status,
    });
  },
);

it.each(RECORDED_MAPPINGS.map((mapping, i) => [JSON.stringify(mapping), mapping, i] as const))(
  "maps %s",
  async (_, mapping, i) => {
    const definition = { mappings: { properties: { c: { type: "completion", ...mapping } } } };
    const answer = await send("PUT", "/mapped", JSON.stringify(definition));
    const shown = answer.status === 200 ? JSON.parse((await send("GET", "/mapped/_mapping")).body).mapped : undefined;
    await send("DELETE", "/mapped");
    expect({ ...keptError(answer.status, answer.body), ...shown }).toEqual(
      ANSWERS[written + RECORDED_WRITES.length + i],
    );
  },
);
