import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** What Elasticsearch 8.17.4 answered, without what differs from call to call. */
  readonly answer?: unknown;
}

const STEPS: readonly Step[] = JSON.parse(readFileSync(new URL("recorded/source.json", import.meta.url), "utf8"));
const CHANGING = new Set(["node", "index_uuid", "took", "_shards"]);

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

const send = async ({ method, path: url, body }: Step, to = engine) => {
  const [path, parameters] = url.split("?");
  const lines = typeof body === "string";
  const headers = { "content-type": lines ? "application/x-ndjson" : "application/json" };
  const text = body === undefined ? {} : { body: lines ? body : JSON.stringify(body) };
  const query = Object.fromEntries(new URLSearchParams(parameters));
  const answer = await to.request({ method, path, query, headers, ...text });
  return { status: answer.status, ...(answer.body === "" ? { text: "" } : JSON.parse(answer.body)) };
};

const lasting = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each) => (CHANGING.has(key) ? undefined : each)));

describe("_source in a mapping", () => {
  // One after the other: a mapping, a document in it, and what is shown of that.
  it.each(STEPS.map((step, at) => ({ ...step, at })))("$at $method $path $body", async (step) => {
    const answer = await send(step);
    if (step.answer !== undefined) expect(lasting(answer)).toEqual(step.answer);
  });

  it("keeps what was indexed, for opening the index again", async () => {
    const path = mkdtempSync(join(tmpdir(), "huiliu-source-"));
    try {
      const first = await openEngine({ data: path });
      await send({ method: "PUT", path: "/whole", body: { mappings: { _source: { excludes: ["a"] } } } }, first);
      await send({ method: "PUT", path: "/whole/_doc/1", body: { a: "x", b: "y" } }, first);
      await first.close();
      const second = await openEngine({ data: path });
      await send({ method: "POST", path: "/whole/_refresh" }, second);
      const body = { query: { term: { "a.keyword": "x" } } };
      const found = await send({ method: "POST", path: "/whole/_search", body }, second);
      expect(found.hits.hits).toMatchObject([{ _source: { b: "y" } }]);
      expect(found.hits.hits[0]._source).not.toHaveProperty("a");
      await second.close();
    } finally {
      rmSync(path, { recursive: true });
    }
  });
});
