import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { essence, FOLDER, loadWorlds, pathOf, type Recorded, type Send } from "./recorded/worlds.ts";

// Expected answers: Elasticsearch 8.17.4, see recorded/record.ts; of auto_date_histogram OpenSearch 2.19, which counts as Elasticsearch does.
let engine: Engine;
const send: Send = (method, path, body) => {
  const [plain, query] = path.split("?");
  return engine.request({
    method,
    path: plain,
    query: Object.fromEntries(new URLSearchParams(query ?? "")),
    headers: { "content-type": body?.endsWith("\n") ? "application/x-ndjson" : "application/json" },
    body,
  });
};
beforeAll(async () => {
  // Days that are counted from now are those of the recording.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-30T12:00:00Z") });
  engine = await openEngine();
  await loadWorlds(send);
});
afterAll(async () => {
  vi.useRealTimers();
  await engine.close();
});

const topics = readdirSync(FOLDER).filter((name) => name.endsWith(".json") && name !== "worlds.json");

describe.each(topics)("%s", (file) => {
  const recorded: Recorded[] = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
  it.each(recorded.map((each, at) => ({ ...each, name: `${at} ${each.body.slice(0, 150)}` })))(
    "$name",
    async ({ target, body, answer }) => {
      const { status, body: text } = await send("POST", pathOf(target), body);
      expect(essence(status, text)).toBe(answer);
    },
  );
});
