import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import type { RestRequest } from "../../src/engine/rest/types.ts";
import { type SearchPool, searchPool } from "../../src/server/workers/pool.ts";
import { buildPackage } from "../built.ts";

let folder: string;
let engine: Engine;
let pool: SearchPool;
/** What the writer's own thread was asked. */
const asked: string[] = [];

beforeAll(async () => {
  await buildPackage();
  folder = mkdtempSync(join(tmpdir(), "huiliu-workers-"));
  engine = await openEngine({ data: folder });
  const watched: Engine = {
    ...engine,
    request(request) {
      asked.push(`${request.method} ${request.path}`);
      return engine.request(request);
    },
  };
  pool = await searchPool(watched, 2);
  for (let i = 0; i < 20; i++) await send("PUT", `/docs/_doc/${i}`, { n: i, tag: `t${i % 3}` });
  await send("POST", "/docs/_refresh");
});
afterAll(async () => {
  await pool.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function send(method: string, target: string, body?: unknown, more: Partial<RestRequest> = {}) {
  const [path, query] = target.split("?");
  const text =
    body === undefined || typeof body === "string"
      ? (body as string | undefined)
      : new TextEncoder().encode(JSON.stringify(body));
  const answer = await pool.request({
    method,
    path: path!,
    query,
    headers: { "content-type": "application/json" },
    body: text,
    ...more,
  });
  return { status: answer.status, json: JSON.parse(answer.body || "{}") };
}

/** Whether the writer's thread answered. */
async function here(method: string, target: string, body?: unknown): Promise<boolean> {
  asked.length = 0;
  await send(method, target, body);
  return asked.length > 0;
}

describe("threads that search", () => {
  it("answer searches, counts and several searches at once, as the writer does", async () => {
    const searches = [
      { query: { match_all: {} }, sort: ["n"], size: 3 },
      { size: 0, aggs: { t: { terms: { field: "tag.keyword" } } } },
      { query: { nothing: {} } },
    ];
    for (const body of searches) {
      asked.length = 0;
      const there = await send("POST", "/docs/_search", body);
      expect(asked).toEqual([]);
      const own = await engine.request({
        method: "POST",
        path: "/docs/_search",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect({ ...there.json, took: 0 }).toEqual({ ...JSON.parse(own.body), took: 0 });
    }
    for (const [target, body] of [
      ["/docs/_count", undefined],
      ["/_search", undefined],
      ["/docs/_search?q=n:3", undefined],
      ["/_msearch", '{"index":"docs"}\n{"size":0}\n'],
      ["/docs/_search", { query: { match: { tag: "中文" } } }],
    ] as const)
      expect(await here("POST", target, body), target).toBe(false);
  });

  it("leave to the writer what is or stays open, and everything else", async () => {
    const pit = (await send("POST", "/docs/_pit?keep_alive=1m")).json.id as string;
    for (const [method, target, body] of [
      ["POST", "/docs/_search?scroll=1m", {}],
      ["POST", "/docs/_search?%73croll=1m", {}],
      ["POST", "/_search", { pit: { id: pit } }],
      ["POST", "/_search", `{"\\u0070it":{"id":"${pit}"}}`],
      ["GET", "/docs/_doc/1", undefined],
      ["GET", "/docs/_mapping", undefined],
      ["POST", "/docs/_search/scroll", undefined],
    ] as const)
      expect(await here(method, target, body), target).toBe(true);
    expect((await send("POST", "/_search", { pit: { id: pit } })).json.hits.total.value).toBe(20);
  });

  it("see a document in the search after its refresh, each time", async () => {
    for (let i = 100; i < 140; i++) {
      await send("PUT", `/docs/_doc/${i}?refresh=true`, { n: i });
      const counts = await Promise.all(
        [1, 2, 3].map(() => send("POST", "/docs/_search", { query: { term: { n: i } } })),
      );
      expect(counts.map(({ json }) => json.hits.total.value)).toEqual([1, 1, 1]);
    }
    await send("DELETE", "/docs/_doc/100?refresh=true");
    expect((await send("GET", "/docs/_count?q=n:100")).json.count).toBe(0);
  });

  it("wait for a refresh that is due, as a search in the writer's thread does", async () => {
    await send("PUT", "/late", { settings: { refresh_interval: "50ms" } });
    await send("PUT", "/late/_doc/1", { n: 1 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    for (const target of ["/late/_search", "/la*/_search", "/late,docs/_search"])
      expect((await send("POST", target, { query: { term: { _index: "late" } } })).json.hits.total.value).toBe(1);
  });

  it("know at once of indices that are made and removed", async () => {
    for (let i = 0; i < 5; i++) {
      expect((await send("GET", "/passing/_search")).status).toBe(404);
      await send("PUT", "/passing/_doc/1?refresh=true", { n: i });
      expect((await send("GET", "/passing/_search")).json.hits.hits[0]._source).toEqual({ n: i });
      await send("DELETE", "/passing");
    }
  });

  it("show a view what it may see", async () => {
    const view = { owner: "k", filter: '{"term":{"tag.keyword":"t1"}}' };
    const { json } = await send("POST", "/docs/_search", { size: 0, track_total_hits: true }, { view });
    expect(json.hits.total.value).toBe(7);
    expect((await send("POST", "/docs/_search", { profile: true }, { view })).status).toBe(403);
  });

  it("stop for a caller who went away, and go on for others", async () => {
    const gone = new AbortController();
    const answer = send(
      "POST",
      "/docs/_search",
      { size: 0, aggs: { t: { terms: { field: "n" } } } },
      { signal: gone.signal },
    );
    gone.abort();
    await answer.catch(() => {});
    await expect(send("GET", "/docs/_count", undefined, { signal: gone.signal })).rejects.toThrow();
    expect((await send("GET", "/docs/_count")).status).toBe(200);
    expect(pool.running).toEqual([0, 0]);
  });

  it("cannot read what is in memory alone", async () => {
    await using memory = await openEngine();
    await expect(searchPool(memory, 1)).rejects.toThrow(/in memory/);
  });
});
