import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { document } from "../../src/schema/index.ts";
import { type RunningServer, startServer } from "../../src/server/index.ts";
import { playgroundRoutes } from "../../src/server/playground.ts";
import { addProduct, type Product } from "../../src/server/product/index.ts";
import { buildPackage } from "../built.ts";

describe("the playground's files", () => {
  let engine: Engine;
  let server: RunningServer;
  beforeAll(async () => {
    await buildPackage();
    engine = await openEngine();
    server = await startServer({ engine, port: 0, routes: playgroundRoutes });
  });
  afterAll(async () => {
    await server.close();
    await engine.close();
  });

  it("are where browsers that open the server are sent; clients get Elasticsearch's answer", async () => {
    const get = (accept: string) => fetch(server.url, { headers: { accept }, redirect: "manual" });
    const browser = await get("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    expect([browser.status, browser.headers.get("location")]).toEqual([302, "/_ui/"]);
    for (const accept of ["*/*", "application/json", "application/vnd.elasticsearch+json; compatible-with=8"]) {
      const answer = await get(accept);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toHaveProperty("tagline");
    }
  });

  it("come with a policy that lets nothing else run or load", async () => {
    const page = await fetch(`${server.url}/_ui/`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|http|data:|\*/);
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|https?:|\son\w+=/);
    for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const file = await fetch(new URL(path!, `${server.url}/_ui/`));
      expect(file.status).toBe(200);
      expect(file.headers.get("cache-control")).toContain("immutable");
      const again = await fetch(file.url, { headers: { "if-none-match": file.headers.get("etag")! } });
      expect(again.status).toBe(304);
    }
  });

  it("are the only ones that are given", async () => {
    // As it is written: fetch would tidy the path.
    const raw = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        request({ host: server.host, port: server.port, path }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end();
      });
    for (const path of [
      "/_ui/../package.json",
      "/_ui/%2e%2e/cli.js",
      "/_ui/..%2fcli.js",
      "/_ui/assets/../../cli.js",
      "/_ui//etc/passwd",
      "/_ui/%00",
      "/_ui/__proto__",
      "/_ui/constructor",
    ])
      expect(await raw(path), path).toBeGreaterThanOrEqual(400);
  });
});

describe("routes that show why and what there is", () => {
  let engine: Engine;
  let server: RunningServer;
  let product: Product;
  const folder = mkdtempSync(join(tmpdir(), "huiliu-reports-"));
  const reports = join(folder, "reports");
  beforeAll(async () => {
    mkdirSync(join(reports, "inner"), { recursive: true });
    writeFileSync(join(folder, "secret.json"), "{}");
    writeFileSync(join(reports, "notes.txt"), "{}");
    writeFileSync(
      join(reports, "good.json"),
      '{"version":1,"made":"2026-01-01","experiments":[],"answers":[],"tunings":[]}',
    );
    writeFileSync(join(reports, "bad.json"), "null");
    utimesSync(join(reports, "bad.json"), 1e9, 1e9);
    engine = await openEngine();
    const client = engine.client();
    server = await startServer({
      engine,
      port: 0,
      routes: (app) => {
        product = addProduct(app, {
          client,
          reports,
          open: (name, { write = false } = {}) =>
            openCollection(name, { elasticsearch: client, readOnly: !write, create: false }),
        });
      },
    });
    const collection = await openCollection("notes", { elasticsearch: client });
    await collection.addDocuments(
      Array.from({ length: 40 }, (_, i) =>
        document({
          id: `${i}.md`,
          text: i % 2 === 0 ? `annual leave, rule ${i}` : `the canteen, table ${i}`,
          metadata: {
            file: `${i}.md`,
            level: i % 4 === 0 ? "board" : "staff",
            days: i * 5,
            date: `2024-0${1 + (i % 6)}-10`,
            open: i < 10,
          },
        }),
      ),
    );
    await collection.close();
  });
  afterAll(async () => {
    await product.close();
    await server.close();
    await engine.close();
    rmSync(folder, { recursive: true });
  });
  const post = async (path: string, body: object) => {
    const response = await fetch(`${server.url}/_huiliu/collections/notes${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as Record<string, never> };
  };

  it("count metadata by values, dates and ranges of numbers", async () => {
    const { json } = await post("/facets", {});
    expect(json["total"]).toBe(40);
    expect(json["facets"]).toMatchObject([
      {
        field: "level",
        kind: "values",
        buckets: [
          { key: "staff", count: 30 },
          { key: "board", count: 10 },
        ],
      },
      {
        field: "open",
        kind: "values",
        buckets: [
          { key: false, label: "false", count: 30 },
          { key: true, label: "true", count: 10 },
        ],
      },
      { field: "date", kind: "dates", interval: "1M", buckets: { length: 6 } },
      { field: "days", kind: "numbers", interval: "20", buckets: { length: 10 } },
    ]);
  });

  it("count what a question matches, within filters", async () => {
    const { json } = await post("/facets", { query: "annual", filters: { level: "board" }, fields: ["level"] });
    expect(json).toEqual({
      total: 10,
      facets: [{ field: "level", kind: "values", buckets: [{ key: "board", label: "board", count: 10 }], other: 0 }],
    });
    expect(await post("/facets", { fields: ["nothing"] })).toMatchObject({
      status: 400,
      json: { error: { code: "INVALID_ARGUMENT" } },
    });
  });

  it("explain a rank, list by list and word by word", async () => {
    const { json } = await post("/explain", { query: "annual leave", passage: "4.md#1", strategy: "bm25", topK: 30 });
    expect(json).toMatchObject({ strategy: "bm25", found: true, passage: { text: "annual leave, rule 4" } });
    const [list] = json["lists"] as unknown as { list: string; terms: { term: string; score: number }[] }[];
    expect(list!.list).toBe("bm25");
    expect(list!.terms.map(({ term }) => term)).toEqual(expect.arrayContaining(["annual", "leave"]));
    expect(await post("/explain", { query: "annual leave", passage: "none.md" })).toMatchObject({
      status: 404,
      json: { error: { code: "PASSAGE_NOT_FOUND" } },
    });
  });

  it("place what lies near a question or a passage", async () => {
    const { json } = await post("/neighbours", { passage: "4.md#1", topK: 5 });
    expect(json["origin"]).toMatchObject({ text: "annual leave, rule 4" });
    const neighbours = json["neighbours"] as unknown as { text: string; similarity: number; x: number }[];
    expect(neighbours).toHaveLength(5);
    expect(neighbours.map(({ text }) => text)).not.toContain("annual leave, rule 4");
    for (const { text, x } of neighbours) {
      expect(text).toContain("annual leave");
      expect(Number.isFinite(x)).toBe(true);
    }
    const filtered = await post("/neighbours", { query: "annual leave", filters: { level: "board" }, topK: 3 });
    expect(filtered.json["neighbours"]).toMatchObject(Array(3).fill({ metadata: { level: "board" } }));
    for (const body of [{}, { query: "a", passage: "4.md" }, { query: "a", topK: 201 }])
      expect(await post("/neighbours", body)).toMatchObject({
        status: 400,
        json: { error: { code: "INVALID_ARGUMENT" } },
      });
  });

  it("list reports and give those alone", async () => {
    const get = async (path: string) => {
      const response = await fetch(`${server.url}/_huiliu${path}`);
      return { status: response.status, json: (await response.json()) as unknown };
    };
    expect((await get("/reports")).json).toEqual({
      folder: reports,
      reports: [
        { name: "good.json", modified: expect.any(String), bytes: expect.any(Number) },
        { name: "bad.json", modified: expect.any(String), bytes: 4 },
      ],
    });
    expect((await get("/reports/good.json")).json).toMatchObject({ version: 1 });
    expect(await get("/reports/bad.json")).toMatchObject({ status: 400 });
    for (const name of ["..%2Fsecret.json", "%2e%2e%2fsecret.json", "inner", "notes.txt", "none.json"])
      expect(await get(`/reports/${name}`), name).toMatchObject({ status: 404 });
  });

  it("say where each passage stands in its document's text", async () => {
    const response = await fetch(`${server.url}/_huiliu/collections/notes/documents/4.md`);
    const { text, nodes } = (await response.json()) as {
      text: string;
      nodes: { text: string; at: { from: number; to: number } }[];
    };
    for (const node of nodes) expect(text.slice(node.at.from, node.at.to)).toBe(node.text);
  });
});
