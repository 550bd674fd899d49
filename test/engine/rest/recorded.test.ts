import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { answerOf, contentType, noteId, read, requestsOf, withIds } from "./recorded/conversation.ts";

// Expected answers: Elasticsearch 8.17.4, see recorded/record.ts.
const names = readdirSync(new URL("recorded", import.meta.url))
  .filter((file) => file.endsWith(".txt"))
  .map((file) => file.slice(0, -4));

describe("conversations go as with Elasticsearch", () => {
  const engines: Engine[] = [];
  afterAll(() => Promise.all(engines.map((engine) => engine.close())));
  for (const name of names) {
    it(name, async () => {
      const engine = await openEngine();
      engines.push(engine);
      const expected = JSON.parse(read(`${name}.json`)) as unknown[];
      const requests = requestsOf(read(`${name}.txt`));
      expect(requests.length).toBe(expected.length);
      const ids: string[] = [];
      for (const [at, request] of requests.entries()) {
        const [path, query = ""] = (withIds(request.path, ids) as string).split("?");
        const answer = await engine.request({
          method: request.method === "GET" && request.body !== undefined ? "POST" : request.method,
          path,
          query: Object.fromEntries(new URLSearchParams(query)),
          headers: request.body === undefined ? {} : { "content-type": contentType(request) },
          body: withIds(request.body, ids),
        });
        noteId(answer.body, ids);
        expect({ request: request.line, ...answerOf(answer.status, answer.body) }).toEqual({
          request: request.line,
          ...(expected[at] as object),
        });
      }
    });
  }
});
