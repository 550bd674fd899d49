import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeStrategy, STRATEGY_NAMES, strategyNamed } from "../../src/catalogue/index.ts";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import type { LanguageModel } from "../../src/schema/index.ts";
import type { Product } from "../../src/server/product/index.ts";
import { jobRegistry } from "../../src/server/product/jobs.ts";
import { failureOf } from "../../src/server/product/route.ts";
import { type ServeOptions, type Serving, serve as serveEngine } from "../../src/server/serve.ts";
import { mockLanguageModel } from "../../src/testing.ts";

interface Served {
  engine: Engine;
  server: Serving;
  product: Product;
  close(): Promise<void>;
}

type Models = Pick<ServeOptions, "model" | "reranker" | "search" | "limits">;

async function serve(models: Models = {}): Promise<Served> {
  const engine = await openEngine();
  const server = await serveEngine({
    engine,
    port: 0,
    collection: "notes",
    openCollection: (name, client, { write = false, create = false, analysis }) =>
      openCollection(name, { elasticsearch: client, readOnly: !write, create, ...(analysis ? { analysis } : {}) }),
    ...models,
  });
  const close = async () => {
    await server.close();
    await engine.close();
  };
  return { engine, server, product: server.product, close };
}

async function call(
  { server }: Served,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${server.url}/_huiliu${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined
      ? {}
      : { body: typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, never> };
}

async function finishedJob(served: Served, id: string) {
  let job = await call(served, "GET", `/jobs/${id}`);
  while (["waiting", "running"].includes(job.json["state"]!)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    job = await call(served, "GET", `/jobs/${id}`);
  }
  return job.json as Record<string, unknown>;
}

const documents = [
  {
    id: "leave.md",
    text: "Annual leave is ten days. It is approved by the manager.",
    metadata: { level: "staff", year: 2024 },
  },
  { id: "婚假.md", text: "婚假为三天，须提前申请。", metadata: { level: "staff", year: 2020 } },
  { id: "board/pay.md", text: "The pay of the board is a secret.", metadata: { level: "board", year: 2024 } },
];

async function filled(models?: Models): Promise<Served> {
  const served = await serve(models);
  await call(served, "PUT", "/collections/notes", {});
  const { json } = await call(served, "POST", "/collections/notes/documents", { documents });
  expect(await finishedJob(served, json["id"]!)).toMatchObject({ state: "done", result: { added: 3, failed: [] } });
  return served;
}

/** Events of an answer as they came. */
async function events(served: Served, body: object, signal?: AbortSignal): Promise<{ event: string; data: never }[]> {
  const response = await fetch(`${served.server.url}/_huiliu/collections/notes/ask`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [event, data] = block.split("\ndata: ");
      return { event: event!.slice(7), data: JSON.parse(data!) as never };
    });
}

describe("the product's routes", () => {
  let served: Served;
  beforeAll(async () => {
    served = await filled();
  });
  afterAll(() => served.close());

  it("make collections and say what they hold", async () => {
    expect((await call(served, "GET", "/collections")).json).toEqual({ collections: [{ name: "notes" }] });
    expect((await call(served, "GET", "/collections/notes")).json).toMatchObject({
      documents: 3,
      passages: 3,
      analysis: "default",
    });
    expect(await call(served, "GET", "/collections/other")).toMatchObject({
      status: 404,
      json: { error: { code: "COLLECTION_NOT_FOUND" } },
    });
    expect((await call(served, "PUT", "/collections/A%20B", {})).status).toBe(400);
  });

  it("list and read documents", async () => {
    const first = await call(served, "GET", "/collections/notes/documents?limit=2");
    expect(first.json).toMatchObject({
      documents: [{ file: "board/pay.md" }, { file: "leave.md" }],
      nextAfter: "leave.md",
    });
    const rest = await call(served, "GET", "/collections/notes/documents?limit=2&after=leave.md");
    expect(rest.json).toMatchObject({ documents: [{ file: "婚假.md" }] });
    expect(rest.json).not.toHaveProperty("nextAfter");
    const read = await call(served, "GET", `/collections/notes/documents/${encodeURIComponent("board/pay.md")}`);
    expect(read.json).toMatchObject({
      text: "The pay of the board is a secret.",
      nodes: [{ start: 0, metadata: { level: "board" } }],
    });
    expect((await call(served, "GET", "/collections/notes/documents/none")).status).toBe(404);
  });

  it("search by a strategy with its options, filters and fragments", async () => {
    const search = (body: object) => call(served, "POST", "/collections/notes/search", body);
    const phrase = await search({ query: "leave annual", strategy: "phrase", options: { slop: 3 }, highlight: true });
    expect(phrase.json).toMatchObject({ hits: [{ rank: 1, metadata: { level: "staff" } }] });
    expect(JSON.stringify(phrase.json)).toContain("highlights");
    const filtered = await search({ query: "pay of the board", filters: { year: { lt: 2022 } } });
    expect(filtered.json["hits"]).toMatchObject([{ text: "婚假为三天，须提前申请。" }]);
  });

  it.each([
    [{}],
    [{ query: "" }],
    [{ query: "x", size: 3 }],
    [{ query: "x", strategy: "nope" }],
    [{ query: "x", strategy: "phrase", options: { slopp: 1 } }],
    [{ query: "x", options: { model: { name: "mine" } } }],
    [{ query: "x", options: { onWarning: 1 } }],
    [{ query: "x", filters: { a: { like: 1 } } }],
    [{ query: "x", topK: 1e9 }],
    [{ query: "x", rerank: true }],
    [[]],
    ["{"],
    [new Uint8Array([0xff, 0xfe])],
  ])("refuse a search that is none: %j", async (body) => {
    const { status, json } = await call(served, "POST", "/collections/notes/search", body);
    expect(status).toBe(400);
    expect((json["error"] as { message: string }).message.length).toBeGreaterThan(5);
  });

  it("answer with an extract, the sources before the text", async () => {
    const all = await events(served, { question: "Who approves annual leave?" });
    expect(all.map(({ event }) => event)).toEqual(["sources", ...all.slice(1, -1).map(() => "text"), "done"]);
    expect(all[0]!.data).toMatchObject([{ n: 1, text: documents[0]!.text }, {}, {}]);
    expect(all.at(-1)!.data).toMatchObject({ kind: "extract" });
  });

  it("say what a job failed at", async () => {
    const put = (file: string, body: string) =>
      call(served, "PUT", `/collections/notes/files/${encodeURIComponent(file)}`, body);
    const { json } = await put("bad.pdf", "no pdf");
    const job = await finishedJob(served, json["id"]!);
    expect(job).toMatchObject({ state: "done", result: { added: 0, failed: [{ file: "bad.pdf" }] } });
    const bad = await put("../up.md", "x");
    expect(await finishedJob(served, bad.json["id"]!)).toMatchObject({
      state: "failed",
      error: { code: "INVALID_ARGUMENT" },
    });
    const good = await put("a/new.md", "# New\n\nA parrot talks.");
    expect(await finishedJob(served, good.json["id"]!)).toMatchObject({ state: "done", result: { added: 1 } });
    const path = `/collections/notes/documents/${encodeURIComponent("a/new.md")}`;
    expect((await call(served, "DELETE", path)).json).toEqual({ removed: ["a/new.md"] });
    expect((await call(served, "DELETE", path)).status).toBe(404);
    expect((await call(served, "POST", "/collections/none/documents", { documents })).status).toBe(404);
    expect((await call(served, "GET", "/jobs/none")).status).toBe(404);
  });

  it("refuse other origins and unknown routes, and leave Elasticsearch its own", async () => {
    expect((await call(served, "GET", "/collections", undefined, { origin: "https://evil.example" })).status).toBe(403);
    expect((await call(served, "GET", "/nothing")).status).toBe(404);
    expect((await fetch(`${served.server.url}/notes/_count`)).status).toBe(200);
  });

  it("count what was asked, under labels that no caller makes", async () => {
    await call(served, "GET", "/nothing/at/all");
    await fetch(`${served.server.url}/any/thing/_you_like`);
    const text = await (await fetch(`${served.server.url}/_huiliu/metrics`)).text();
    expect(text).toMatch(/huiliu_http_request_duration_seconds_count\{route="search",method="POST",status="200"\} \d+/);
    expect(text).toMatch(/huiliu_jobs\{state="done"\} \d+/);
    expect(text).toMatch(/huiliu_requests\{state="waiting"\} 0/);
    const routes = new Set([...text.matchAll(/route="([^"]*)"/g)].map(([, name]) => name));
    const known = new Set([...served.product.routes.map(({ id }) => id), "elasticsearch", "unknown"]);
    expect([...routes].filter((name) => !known.has(name!))).toEqual([]);
    for (const line of text.trim().split("\n"))
      expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{[^}]*\})? [\d.e+-]+)$/);
  });

  it("are all described, each with what it takes and gives", async () => {
    const { json } = await call(served, "GET", "/openapi.json");
    const paths = json["paths"] as Record<string, Record<string, { operationId: string; responses: object }>>;
    const described = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(described.sort()).toEqual(served.product.routes.map(({ id }) => id).sort());
    const strategies = (await call(served, "GET", "/strategies")).json["strategies"] as {
      name: string;
      options: object;
    }[];
    expect(strategies.find(({ name }) => name === "phrase")!.options).toHaveProperty("properties.slop");
    expect(strategies).toEqual(
      JSON.parse(JSON.stringify(STRATEGY_NAMES.map((n) => describeStrategy(strategyNamed(n))))),
    );
  });

  it("search as is configured where a question says nothing else", async () => {
    const configured = await serve({ search: { strategy: "phrase", options: { slop: 3 } } });
    try {
      const documents = [{ id: "leave.md", text: "Annual leave is ten days." }];
      await call(configured, "PUT", "/collections/notes", {});
      const { json } = await call(configured, "POST", "/collections/notes/documents", { documents });
      await finishedJob(configured, json["id"]!);
      const found = async (body: object) => {
        const asked = { query: "leave annual", ...body };
        return ((await call(configured, "POST", "/collections/notes/search", asked)).json["hits"] as unknown[]).length;
      };
      expect(await found({})).toBe(1);
      expect(await found({ options: { slop: 0 } })).toBe(0);
      expect(await found({ strategy: "phrase" })).toBe(1);
      expect(await found({ strategy: "bm25" })).toBe(1);
    } finally {
      await configured.close();
    }
  });

  it("never fail for what anybody sends", async () => {
    const names = fc.oneof(
      fc.constantFrom("notes", "none", "A B", "..", "_all", "*", "%00"),
      fc.string({ maxLength: 12 }),
    );
    const some = fc.oneof(
      fc.constantFrom("leave", "婚假", "", "\ud800", "\u0000", "*", "x".repeat(5000)),
      fc.string({ maxLength: 30 }),
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          query: some,
          question: some,
          topK: fc.oneof(fc.integer(), fc.constant(3)),
          strategy: fc.oneof(fc.constantFrom("bm25", "dense", "phrase", "weighted", "rrf", "constructor"), some),
          options: fc.oneof(
            fc.constant({}),
            fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 2 }),
          ),
          filters: fc.oneof(
            fc.constant({}),
            fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 2 }),
          ),
          highlight: fc.oneof(fc.boolean(), fc.jsonValue()),
        },
        { requiredKeys: ["query"] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...served.product.routes),
        names,
        body,
        some,
        async (route, name, sent, other) => {
          const path = route.path
            .replace("{name}", encodeURIComponent(clean(name)))
            .replace(/\{\w+\}/g, encodeURIComponent(clean(other)) || "x");
          const response = await fetch(
            `${served.server.url}/_huiliu${path}?limit=${encodeURIComponent(clean(other))}`,
            {
              method: route.method.toUpperCase(),
              ...(route.method === "get"
                ? {}
                : { body: JSON.stringify(sent), headers: { "content-type": "application/json" } }),
            },
          );
          const text = await response.text();
          expect(response.status, `${route.method} ${path} ${JSON.stringify(sent)}: ${text}`).toBeLessThan(500);
          expect(text).not.toMatch(/\n\s+at .*\.[jt]s/);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const clean = (text: string) => text.replace(/[\ud800-\udfff]/g, "");

describe("an answer that is written", () => {
  it("comes in pieces, its wrong numbers told", async () => {
    const served = await filled({ model: mockLanguageModel({ answers: [["Ten ", "days [1] ", "[8]."]] }) });
    const all = await events(served, { question: "How long is annual leave?", topK: 1 });
    expect(
      all
        .filter(({ event }) => event === "text")
        .map(({ data }) => (data as { text: string }).text)
        .join(""),
    ).toBe("Ten days [1] [8].");
    expect(all.at(-1)!.data).toMatchObject({ kind: "generated", cited: [1], unknownCitations: [8] });
    await served.close();
  });

  it("ends with an error when the model breaks off, the text so far kept", async () => {
    const model: LanguageModel = {
      name: "breaks",
      generate: () => Promise.reject(new Error("no")),
      async *stream() {
        yield "Ten ";
        throw new Error("the line is cut");
      },
    };
    const served = await filled({ model });
    const all = await events(served, { question: "How long is annual leave?" });
    expect(all.map(({ event }) => event)).toEqual(["sources", "text", "error"]);
    expect(all.at(-1)!.data).toMatchObject({ message: expect.stringContaining("the line is cut") });
    await served.close();
  });

  it("is stopped when the reader goes away", async () => {
    let stopped = false;
    const model: LanguageModel = {
      name: "slow",
      generate: () => Promise.reject(new Error("no")),
      async *stream({ signal }) {
        yield "Ten ";
        await new Promise((_, reject) => {
          signal!.addEventListener("abort", () => {
            stopped = true;
            reject(signal!.reason as Error);
          });
        });
      },
    };
    const served = await filled({ model });
    const reader = new AbortController();
    const response = await fetch(`${served.server.url}/_huiliu/collections/notes/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question: "How long is annual leave?" }),
      signal: reader.signal,
    });
    await response.body!.getReader().read();
    reader.abort();
    await expect.poll(() => stopped).toBe(true);
    await served.close();
  });
});

describe("an answer that takes too long", () => {
  /** Says a word and then nothing, whether or not it is told to stop. */
  const stuck = (listens: boolean): LanguageModel => ({
    name: "stuck",
    generate: () => Promise.reject(new Error("no")),
    async *stream({ signal }) {
      yield "Ten ";
      await new Promise((_, reject) => {
        if (listens) signal!.addEventListener("abort", () => reject(new Error("stopped")));
      });
    },
  });

  it.each([true, false])(
    "ends with an error that says so, and gives its place to others (model listens: %s)",
    async (listens) => {
      const served = await filled({ model: stuck(listens), limits: { concurrent: 1, waiting: 0, seconds: 3 } });
      const question = { question: "How long is annual leave?" };
      const answered = events(served, question);
      // It takes one of the places while it is written.
      await expect.poll(async () => (await call(served, "GET", "/collections/notes")).status).toBe(429);
      const found = await answered;
      expect(found.map(({ event }) => event)).toEqual(["sources", "text", "error"]);
      expect(found.at(-1)!.data).toMatchObject({ code: "TOOK_TOO_LONG", message: expect.stringContaining("3 s") });
      await expect.poll(async () => (await call(served, "GET", "/collections/notes")).status).toBe(200);
      await served.close();
    },
  );
});

describe("jobs", () => {
  it("run one after the other for a collection, and can be cancelled with what is done kept", async () => {
    const served = await serve();
    await call(served, "PUT", "/collections/big", {});
    const many = (stem: string, count: number) => ({
      documents: Array.from({ length: count }, (_, i) => ({
        id: `${stem}${i}`,
        text: `text ${stem} ${i}`,
        metadata: {},
      })),
    });
    const first = await call(served, "POST", "/collections/big/documents", many("a", 3000));
    const second = await call(served, "POST", "/collections/big/documents", many("b", 5));
    expect(first).toMatchObject({ status: 202, json: { total: 0 } });
    expect((await call(served, "DELETE", `/jobs/${first.json["id"]!}`)).status).toBe(200);
    const cancelled = await finishedJob(served, first.json["id"]!);
    expect(cancelled["state"]).toBe("cancelled");
    expect(await finishedJob(served, second.json["id"]!)).toMatchObject({ state: "done", result: { added: 5 } });
    const { json } = await call(served, "GET", "/jobs");
    expect((json["jobs"] as { id: string }[]).map(({ id }) => id)).toEqual([second.json["id"], first.json["id"]]);
    await served.close();
  });

  it("are refused with 429 when a hundred wait", async () => {
    const jobs = jobRegistry();
    const added = { added: 0, replaced: 0, unchanged: 0, passages: 0, failed: [], aborted: true };
    const work = ({ signal }: { signal: AbortSignal }) =>
      new Promise<never>((resolve) => signal.addEventListener("abort", () => resolve(added as never)));
    for (let i = 0; i < 100; i++) jobs.start("big", work);
    const refusal = (() => {
      try {
        jobs.start("other", work);
        return undefined;
      } catch (error) {
        return failureOf(error);
      }
    })();
    expect(refusal).toMatchObject({ status: 429, code: "TOO_MANY_JOBS" });
    await jobs.close();
  });
});

describe("collections that are kept open", () => {
  it("are opened once for many requests, and anew when they were removed or made again", async () => {
    const engine = await openEngine();
    let opened = 0;
    let closed = 0;
    const server = await serveEngine({
      engine,
      port: 0,
      collection: "notes",
      async openCollection(name, client, { write = false, create = false, analysis }) {
        opened++;
        const how = { elasticsearch: client, readOnly: !write, create, ...(analysis ? { analysis } : {}) };
        const collection = await openCollection(name, how);
        return {
          ...collection,
          async close() {
            closed++;
            await collection.close();
          },
        };
      },
    });
    const served = { engine, server, product: server.product, close: () => server.close() };
    await call(served, "PUT", "/collections/notes", {});
    expect([opened, closed]).toEqual([1, 1]);
    for (let i = 0; i < 3; i++)
      expect((await call(served, "POST", "/collections/notes/search", { query: "leave" })).status).toBe(200);
    expect([opened, closed]).toEqual([2, 1]);
    await fetch(`${server.url}/notes`, { method: "DELETE" });
    expect((await call(served, "POST", "/collections/notes/search", { query: "leave" })).status).toBe(404);
    await call(served, "PUT", "/collections/notes", { analysis: "ik" });
    expect((await call(served, "GET", "/collections/notes")).json).toMatchObject({ analysis: "ik" });
    await server.close();
    expect(closed).toBe(opened - 1);
    await engine.close();
  });
});
