import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";
import { suggestion } from "../../../../src/engine/query/dsl/suggestion.ts";

/** Recorded from Elasticsearch 8.17.4: what it says of names of queries that it does not know. */
const recorded: Record<string, string> = JSON.parse(readFileSync(new URL("suggestions.json", import.meta.url), "utf8"));

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

describe("an unknown name", () => {
  it.each(Object.entries(recorded))("%j brings the names that Elasticsearch suggests", async (name, reason) => {
    const body = JSON.stringify({ query: { [name]: {} } });
    const headers = { "content-type": "application/json" };
    const answer = await engine.request({ method: "POST", path: "/_search", headers, body });
    expect(JSON.parse(answer.body).error.root_cause[0].reason).toBe(reason);
  });

  it("is not compared when it is far too long", () => expect(suggestion("m".repeat(1e6), ["match"])).toBe(""));
});
