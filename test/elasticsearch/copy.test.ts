/** Copies of indices: exact, and whole after whatever cuts them short. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCluster } from "../../src/elasticsearch/cluster.ts";
import { type CopyOptions, type CopyResult, copyIndex } from "../../src/elasticsearch/copy.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { seededRandom } from "../random.ts";
import { type FakeCluster, fakeCluster } from "./fake-cluster.ts";

let here: Engine;
let there: Engine;
const running: FakeCluster[] = [];
beforeEach(async () => {
  [here, there] = [await openEngine(), await openEngine()];
});
afterEach(async () => {
  for (const cluster of running.splice(0)) await cluster.close();
  await here.close();
  await there.close();
});

async function cluster(...args: Parameters<typeof fakeCluster>) {
  const fake = await fakeCluster(...args);
  running.push(fake);
  return (await openCluster({ node: fake.url, maxRetries: 0 })).client;
}

async function send(engine: Engine, method: string, path: string, body = ""): Promise<string> {
  const type = path.startsWith("/_bulk") ? "application/x-ndjson" : "application/json";
  const [at, query = ""] = path.split("?");
  const answer = await engine.request({
    method,
    path: at!,
    query,
    headers: { "content-type": type },
    ...(body ? { body } : {}),
  });
  expect(answer.status, answer.body).toBeLessThan(300);
  return answer.body;
}

/** Every document as it is stored, by id. */
async function contents(engine: Engine, index: string): Promise<string[]> {
  await send(engine, "POST", `/${index}/_refresh`);
  const body = await send(engine, "GET", `/${index}/_search?size=10000`);
  return [...body.matchAll(/"_id":"([^"]*)".*?"_source":(.*?)\}(?=,\{"_index"|\]\})/g)]
    .map(([, id, source]) => `${id} ${source}`)
    .sort();
}

async function fill(engine: Engine, index: string, ids: Iterable<number>, version = 0): Promise<void> {
  const lines = [...ids].flatMap((i) => [
    JSON.stringify({ index: { _index: index, _id: `d${i}` } }),
    JSON.stringify({ text: `document ${i}`, version }),
  ]);
  await send(engine, "POST", "/_bulk?refresh=true", `${lines.join("\n")}\n`);
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const quick = { firstWaitMs: 1, pageSize: 10 };

describe("an index and its copy", () => {
  it("have the same mapping, analysis and documents, to the digit, in every direction", async () => {
    const settings = {
      number_of_replicas: 0,
      analysis: { analyzer: { own: { type: "custom", tokenizer: "standard", filter: ["lowercase", "asciifolding"] } } },
      similarity: { custom: { type: "BM25", k1: 1.1 } },
    };
    const mappings = {
      _meta: { owner: "me" },
      _routing: { required: true },
      properties: {
        text: { type: "text", analyzer: "own", similarity: "custom" },
        parts: { type: "nested" },
        n: { type: "long" },
      },
    };
    await send(here, "PUT", "/original", JSON.stringify({ settings, mappings }));
    const documents = [
      '{ "text": "Müller",\n "n": 9007199254740993 }',
      '{"text":"a","x":[1.0,1e20,0.1],"parts":[{"a":1},{"a":2}]}',
      '{"text":"汇流 😀","__proto__":{"y":1},"long":"line\\nbreak"}',
      "{}",
    ];
    for (const [i, body] of documents.entries()) await send(here, "PUT", `/original/_doc/${i}?routing=r${i}`, body);
    await send(here, "DELETE", "/original/_doc/3?routing=r3");
    await send(here, "PUT", "/original/_doc/3?routing=other", '{"text":"again"}');
    const remote = await cluster(there);
    const there1 = await copyIndex({
      from: { client: here.client(), index: "original" },
      to: { client: remote, index: "one" },
    });
    expect(there1).toMatchObject({ documents: 4, copied: 4, resumed: false, aborted: false });
    await copyIndex({ from: { client: remote, index: "one" }, to: { client: remote, index: "two" } });
    await copyIndex({ from: { client: remote, index: "two" }, to: { client: here.client(), index: "three" } });
    const source = (await here.client().indices.get({ index: "original" }))["original"]!;
    const copy = (await here.client().indices.get({ index: "three" }))["three"]!;
    expect(copy.mappings).toEqual({ ...source.mappings, _meta: { owner: "me", huiliu_copy: expect.anything() } });
    const kept = ({ settings }: typeof copy) => [settings?.index?.analysis, settings?.index?.similarity];
    expect(kept(copy)).toEqual(kept(source));
    const texts = await contents(here, "three");
    expect(texts).toHaveLength(4);
    expect(texts.join("\n")).toContain('"n":9007199254740993');
    expect(texts.join("\n")).toContain('"x":[1.0,1e20,0.1]');
    expect(texts.join("\n")).toContain('"__proto__":{"y":1}');
    const routed = await here.client().get({ index: "three", id: "3", routing: "other" });
    expect(routed).toMatchObject({ _routing: "other", _source: { text: "again" } });
  });

  it("are counted, with progress", async () => {
    await fill(here, "a", range(0, 35));
    const seen: [number, number][] = [];
    const options = {
      from: { client: here.client(), index: "a" },
      to: { client: there.client(), index: "b" },
      ...quick,
    };
    await copyIndex({ ...options, onProgress: ({ done, total }) => seen.push([done, total]) });
    expect(seen[0]).toEqual([0, 35]);
    expect(seen.at(-1)).toEqual([35, 35]);
    expect(await copyIndex(options)).toMatchObject({ copied: 0, documents: 35, resumed: true });
    expect(await contents(there, "b")).toEqual(await contents(here, "a"));
  });
});

/** Runs a copy again and again until it says that it is whole. */
async function untilWhole(options: CopyOptions, between: () => Promise<void> = async () => {}): Promise<number> {
  for (let runs = 1; runs < 60; runs++) {
    const result = await copyIndex(options).catch((error: { code?: string }) => {
      expect(error.code).toMatch(/^CLUSTER_/);
      return undefined;
    });
    if (result && !result.aborted) return runs;
    await between();
  }
  throw new Error("it does not come to an end");
}

describe("a copy that is cut short", () => {
  it.each([1, 2, 3, 4])("by a cluster that fails at random goes on and ends whole (%i)", async (seed) => {
    const random = seededRandom(seed);
    let failing = true;
    let failed = 0;
    const unreliable = (engine: Engine) =>
      cluster(engine, async ({ method, path, query, headers, body }, response) => {
        if (!failing || path === "/" || random() > 0.25) return undefined;
        failed++;
        const dice = random();
        if (dice < 0.3)
          return { status: 503, body: { error: { type: "no_shard_available_action_exception", reason: "x" } } };
        // Sometimes the work is done and nobody hears of it.
        const type = String(headers["content-type"] ?? "application/json");
        if (dice < 0.65)
          await engine.request({ method, path, query, headers: { "content-type": type }, ...(body ? { body } : {}) });
        response.destroy();
        return "done";
      });
    const [from, to] = [await unreliable(here), await unreliable(there)];
    await fill(here, "a", range(0, 120));
    await fill(here, "a", range(30, 60), 1);
    const options = { from: { client: from, index: "a" }, to: { client: to, index: "b" }, ...quick };
    await untilWhole(options);
    failing = false;
    expect(failed).toBeGreaterThan(2);
    expect(await contents(there, "b")).toEqual(await contents(here, "a"));
    expect(await contents(there, "b")).toHaveLength(120);
  });

  it.each([1, 2, 3])("while the original changes has what the original has at the end (%i)", async (seed) => {
    const random = seededRandom(seed);
    await fill(here, "a", range(0, 100));
    let next = 100;
    let controller = new AbortController();
    const options = (): CopyOptions => ({
      from: { client: here.client(), index: "a" },
      to: { client: there.client(), index: "b" },
      ...quick,
      signal: controller.signal,
      onProgress: () => {
        if (random() < 0.3) controller.abort();
      },
    });
    let result: CopyResult | undefined;
    for (let run = 0; run < 40 && (!result || result.aborted); run++) {
      if (run > 30) controller = new AbortController();
      result = await copyIndex(run > 30 ? { ...options(), onProgress: () => {} } : options());
      if (!result.aborted) break;
      expect(result.documents).toBeLessThanOrEqual(next);
      controller = new AbortController();
      if (run > 5) continue;
      await fill(here, "a", range(next, next + 7));
      next += 7;
      await fill(here, "a", [Math.floor(random() * 50)], run + 1);
      await send(here, "DELETE", `/a/_doc/d${60 + run}?refresh=true`);
    }
    expect(result).toMatchObject({ aborted: false });
    expect(await contents(there, "b")).toEqual(await contents(here, "a"));
  });
});

describe("what is not copied", () => {
  const copy = (index: string, to = "copy") =>
    copyIndex({ from: { client: here.client(), index }, to: { client: there.client(), index: to }, ...quick });

  it("is what is not there, or not one, or does not keep its documents", async () => {
    await fill(here, "a", range(0, 3));
    await fill(here, "b", range(0, 3));
    await expect(copy("none")).rejects.toMatchObject({ code: "COPY_FAILED" });
    await expect(copy("a,b")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    // The engine keeps every document; a cluster need not.
    const client = await cluster(here, ({ method, path }) =>
      method === "GET" && path === "/a"
        ? { body: { a: { mappings: { _source: { enabled: false } }, settings: { index: { uuid: "x" } } } } }
        : undefined,
    );
    await expect(
      copyIndex({ from: { client, index: "a" }, to: { client: there.client(), index: "copy" } }),
    ).rejects.toMatchObject({ code: "COPY_FAILED", message: expect.stringContaining("_source") });
    expect(await there.client().indices.exists({ index: "copy" })).toBe(false);
  });

  it("is what would end up over something else", async () => {
    await fill(here, "a", range(0, 3));
    await fill(here, "b", range(0, 3));
    await fill(there, "copy", range(0, 1));
    await expect(copy("a")).rejects.toMatchObject({ code: "COPY_FAILED", message: expect.stringContaining("already") });
    await copy("a", "whole");
    await expect(copy("b", "whole")).rejects.toMatchObject({
      code: "COPY_FAILED",
      message: expect.stringContaining("another index"),
    });
    await fill(here, "a", range(3, 4));
    await expect(copy("a", "whole")).rejects.toMatchObject({
      code: "COPY_FAILED",
      message: expect.stringContaining("changed"),
    });
    expect(await contents(there, "whole")).toHaveLength(3);
  });

  it("is a document that the other place refuses, which is named", async () => {
    await fill(here, "a", range(0, 5));
    const options = { from: { client: here.client(), index: "a" }, ...quick };
    const refusing = await cluster(there, ({ path }) =>
      path === "/_bulk"
        ? {
            body: {
              took: 1,
              errors: true,
              items: range(0, 5).map((i) => ({
                index: {
                  _id: `d${i}`,
                  status: i === 2 ? 400 : 201,
                  ...(i === 2 ? { error: { type: "document_parsing_exception", reason: "no" } } : {}),
                },
              })),
            },
          }
        : undefined,
    );
    await expect(copyIndex({ ...options, to: { client: refusing, index: "b" } })).rejects.toMatchObject({
      code: "COPY_FAILED",
      message: expect.stringContaining("d2 was refused"),
    });
  });
});
