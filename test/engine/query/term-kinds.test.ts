import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { lineOf } from "./term-kinds/answers.ts";
import { TOPICS } from "./term-kinds/topics.ts";
import { DEFINITION, DOCUMENTS, INDEX } from "./term-kinds/world.ts";

// Expected answers: Elasticsearch 8.17.4, see term-kinds/record.ts.
let engine: Engine;
const send = (method: string, path: string, body: string) =>
  engine.request({ method, path, headers: { "content-type": "application/json" }, body });

beforeAll(async () => {
  engine = await openEngine();
  expect((await send("PUT", `/${INDEX}`, JSON.stringify(DEFINITION))).status).toBe(200);
  const lines = Object.entries(DOCUMENTS).flatMap(([_id, source]) => [{ index: { _id } }, source]);
  const bulk = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  expect(JSON.parse((await send("POST", `/${INDEX}/_bulk?refresh=true`, bulk)).body).errors).toBe(false);
});
afterAll(() => engine.close());

const short = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

describe.each(Object.entries(TOPICS))("%s", (topic, queries) => {
  const answers: string[] = JSON.parse(readFileSync(new URL(`term-kinds/${topic}.json`, import.meta.url), "utf8"));
  it("has an answer for each", () => expect(answers).toHaveLength(queries.length));
  it.each(queries.map((query, at) => ({ text: short(JSON.stringify(query)), query, at })))(
    "$text",
    async ({ query, at }) => {
      const answer = await send("POST", `/${INDEX}/_search`, JSON.stringify({ size: 60, query }));
      if (answer.body.includes('"unsupported_feature_exception"')) return;
      expect(lineOf(answer.status, JSON.parse(answer.body))).toBe(answers[at]);
    },
  );
});
