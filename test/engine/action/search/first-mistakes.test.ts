import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../../src/elasticsearch/engine.ts";

// Expected answers: Elasticsearch 8.17.4.
type Recorded = readonly [path: string, body: string, status: number, answer: unknown];
const recorded = new URL("recorded/first-mistakes.json", import.meta.url);
const CASES = JSON.parse(readFileSync(recorded, "utf8")) as readonly Recorded[];

const MAPPINGS = {
  properties: {
    typed: { type: "completion" },
    k: { type: "keyword" },
    k2: { type: "keyword", fields: { raw: { type: "keyword" } } },
    n: { type: "integer" },
    r: { type: "integer_range" },
    t: { type: "text" },
    v: { type: "dense_vector", dims: 2 },
    place: { type: "geo_point" },
    d: { type: "date" },
    ip: { type: "ip" },
    sf: { type: "double" },
    b: { type: "boolean" },
    ne: { type: "nested", properties: { t: { type: "text" }, k: { type: "keyword" } } },
  },
};

const DOCUMENTS = [
  { typed: "fox", k: "a", n: 1, v: [1, 2], t: "x", sf: 1.5, b: true, ne: [{ t: "quick ne" }] },
  { typed: "fog", k: "b", n: 2, v: [3, 2], t: "y", k2: "z", sf: 2, ne: [{ t: "quick fox" }, { k: "a" }] },
];

let engine: Engine;
const send = (method: string, path: string, body: string) =>
  engine.request({ method, path, headers: { "content-type": "application/json" }, body });

beforeAll(async () => {
  engine = await openEngine();
  for (const index of ["notes", "other"]) {
    expect((await send("PUT", `/${index}`, JSON.stringify({ mappings: MAPPINGS }))).status).toBe(200);
    const lines = DOCUMENTS.flatMap((document, i) => [{ index: { _id: String(i + 1) } }, document]);
    await send("POST", `/${index}/_bulk?refresh=true`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
});
afterAll(() => engine.close());

interface Hit {
  readonly _id: string;
  readonly fields?: unknown;
}

/** What is recorded of an answer: an error as it is, the ids and fields of hits, the ids of what is suggested. */
function shown(body: string): unknown {
  // Elasticsearch names objects by their place in memory.
  const { error, hits, suggest } = JSON.parse(body.replace(/HitContext@[0-9a-f]+/g, "HitContext@"));
  if (error) return { error };
  return {
    hits: hits.hits.map(({ _id, fields }: Hit) => ({ _id, ...(fields ? { fields } : {}) })),
    ...(suggest ? { suggest: suggest.a[0].options.map(({ _id }: Partial<Hit>) => _id ?? null) } : {}),
  };
}

it.each(CASES)("%s %s", async (path, body, status, answer) => {
  const given = await send("POST", path, body);
  expect(given.status).toBe(status);
  expect(shown(given.body)).toMatchObject(answer as object);
});
