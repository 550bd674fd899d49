/** Highlights of all kinds, as Elasticsearch 8.17.4 answered them (recorded/record.ts). */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { essence, load, type Send } from "./recorded/answers.ts";
import { DOCUMENTS, MAPPINGS, requests } from "./recorded/requests.ts";

const answers: unknown[] = JSON.parse(readFileSync(new URL("recorded/answers.json", import.meta.url), "utf8"));
const INDEX = "recorded-highlight";

let engine: Engine;
const send: Send = (method, path, body) => {
  const type = path.includes("_bulk") ? "application/x-ndjson" : "application/json";
  return engine.request({ method, path, body, headers: { "content-type": type } });
};
beforeAll(async () => {
  engine = await openEngine();
  await load(send, INDEX, MAPPINGS, DOCUMENTS);
});
afterAll(() => engine.close());

it.each(requests().map((body, i) => [i, JSON.stringify(body).slice(0, 160), body] as const))(
  "%i: %s",
  async (i, _, body) => {
    const { body: text } = await send("POST", `/${INDEX}/_search`, JSON.stringify(body));
    expect(essence(text, INDEX)).toEqual(answers[i]);
  },
);
