import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** What Elasticsearch 8.17.4 answered, without what differs from call to call. */
  readonly answer?: unknown;
}

const STEPS: readonly Step[] = JSON.parse(readFileSync(new URL("recorded/contexts.json", import.meta.url), "utf8"));
const CHANGING = new Set(["node", "took", "_version", "_seq_no", "_primary_term", "_shards"]);

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

const send = async ({ method, path, body }: Step) => {
  const headers = { "content-type": "application/json" };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await engine.request({ method, path, query: {}, headers, ...text });
  return { status: answer.status, ...JSON.parse(answer.body) };
};

const lasting = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each) => (CHANGING.has(key) ? undefined : each)));

describe("contexts of completions", () => {
  // One after the other: the mappings, then documents, then suggestions of what they hold.
  it.each(STEPS.map((step, at) => ({ ...step, at })))("$at $method $path $body", async (step) => {
    const answer = await send(step);
    if (step.answer !== undefined) expect(lasting(answer)).toEqual(step.answer);
  });

  it("come from fields that a document brings itself", async () => {
    const contexts = [{ name: "color", type: "category", path: "color" }];
    const properties = { s: { type: "completion", contexts } };
    await send({ method: "PUT", path: "/brought", body: { mappings: { properties } } });
    const body = { s: "foo", color: "red" };
    expect(await send({ method: "PUT", path: "/brought/_doc/1", body })).toMatchObject({ result: "created" });
    await send({ method: "POST", path: "/brought/_refresh" });
    const completion = { field: "s", contexts: { color: "red" } };
    const suggest = { z: { prefix: "f", completion } };
    const found = await send({ method: "POST", path: "/brought/_search", body: { suggest } });
    expect(found.suggest.z[0].options).toMatchObject([{ _id: "1", contexts: { color: ["red"] } }]);
  });
});
