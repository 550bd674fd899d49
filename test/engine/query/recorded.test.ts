import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { essence, load, pathOf, readTopic, type Send, topics } from "./recorded/answers.ts";

// Expected answers: Elasticsearch 8.17.4, see recorded/record.ts. Scores are compared bit for bit.
describe.each(topics())("%s answer as recorded", (topic) => {
  const recorded = readTopic(topic);
  const index = `recorded-${topic}`;
  let engine: Engine;
  const send: Send = (method, path, body) =>
    engine.request({ method, path, headers: { "content-type": "application/json" }, body });
  beforeAll(async () => {
    engine = await openEngine();
    await load(send, index, recorded);
  });
  afterAll(() => engine.close());

  it.each(
    recorded.requests.map((request, at) => ({
      ...request,
      name: `${at} ${JSON.stringify(request.body ?? null).slice(0, 200)}`,
    })),
  )("$name", async ({ api, body, answer }) => {
    const { status, body: text } = await send("POST", pathOf(api, index), body && JSON.stringify(body));
    expect(essence(status, text, index)).toEqual(answer);
  });
});
