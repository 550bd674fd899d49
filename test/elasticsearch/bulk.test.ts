import { Client } from "@elastic/elasticsearch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BulkOperation, bulk, sendBulk } from "../../src/elasticsearch/bulk.ts";
import { openCluster } from "../../src/elasticsearch/cluster.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { type Answer, type FakeCluster, fakeCluster, type Seen } from "./fake-cluster.ts";

let engine: Engine;
const running: FakeCluster[] = [];
beforeEach(async () => {
  engine = await openEngine();
});
afterEach(async () => {
  for (const cluster of running.splice(0)) await cluster.close();
  await engine.close();
});

const quick = { firstWaitMs: 1 };
const documents = (n: number, text = "t"): BulkOperation[] =>
  Array.from({ length: n }, (_, i) => ({ index: "a", id: `${i}`, source: JSON.stringify({ text, i }) }));

async function cluster(answer: (bulk: Seen, n: number) => Answer | undefined | Promise<Answer | undefined>) {
  let n = 0;
  const fake = await fakeCluster(engine, (seen) => (seen.path === "/_bulk" ? answer(seen, n++) : undefined));
  running.push(fake);
  const { client } = await openCluster({ node: fake.url, maxRetries: 0 });
  const bulks = () => fake.seen.filter(({ path }) => path === "/_bulk").map(({ body }) => body);
  return { client, bulks };
}

async function stored(): Promise<number> {
  const client = engine.client();
  await client.indices.refresh({ index: "a" });
  return (await client.count({ index: "a" })).count;
}

/** The engine's answer with some items refused. */
async function refusing(seen: Seen, refused: (id: string) => number | undefined): Promise<Answer> {
  const lines = seen.body.trim().split("\n");
  const items: unknown[] = [];
  const taken: string[] = [];
  for (let i = 0; i < lines.length; i += 2) {
    const { _id } = (JSON.parse(lines[i]!) as { index: { _id: string } }).index;
    const status = refused(_id);
    if (status === undefined) taken.push(lines[i]!, lines[i + 1]!);
    const error = { type: "es_rejected_execution_exception", reason: "queue is full" };
    items.push({ index: { _index: "a", _id, ...(status === undefined ? { status: 201 } : { status, error }) } });
  }
  if (taken.length > 0) await engine.client().bulk({ operations: taken });
  return { body: { took: 1, errors: true, items } };
}

describe("what a busy cluster does not take", () => {
  it("is sent again, and nothing else is", async () => {
    const refusals = new Map<string, number>();
    const { client, bulks } = await cluster((seen) =>
      refusing(seen, (id) => {
        const times = refusals.get(id) ?? 0;
        if (Number(id) % 3 !== 0 || times === 2) return undefined;
        refusals.set(id, times + 1);
        return times === 0 ? 429 : 503;
      }),
    );
    const waits: number[] = [];
    const fates = await sendBulk(client, documents(10), {
      ...quick,
      onRetry: ({ operations }) => waits.push(operations),
    });
    expect(fates).toEqual(Array(10).fill(undefined));
    expect(waits).toEqual([4, 4]);
    expect(bulks().map((body) => body.trim().split("\n").length)).toEqual([20, 8, 8]);
    expect(await stored()).toBe(10);
  });

  it("is given up after some times, by item and as a whole", async () => {
    const items = await cluster((seen) => refusing(seen, (id) => (id === "1" ? 429 : undefined)));
    const fates = await sendBulk(items.client, documents(3), { ...quick, retries: 2 });
    expect(fates).toEqual([undefined, expect.objectContaining({ status: 429 }), undefined]);
    expect(items.bulks()).toHaveLength(3);
    const whole = await cluster(() => ({ status: 503, body: { error: { type: "process_cluster_event_timeout" } } }));
    await expect(sendBulk(whole.client, documents(3), { ...quick, retries: 2 })).rejects.toMatchObject({
      code: "CLUSTER_OVERLOADED",
    });
    expect(whole.bulks()).toHaveLength(3);
  });

  it("is not waited for after an abort", async () => {
    const abort = new AbortController();
    const { client, bulks } = await cluster((seen) => refusing(seen, () => 429));
    const sent = sendBulk(client, documents(2), {
      signal: abort.signal,
      firstWaitMs: 1_000_000,
      onRetry: () => abort.abort(),
    });
    expect((await sent).map((fate) => fate?.status)).toEqual([429, 429]);
    expect(bulks()).toHaveLength(1);
  });

  it("is sent again when the connection broke, without doubles", async () => {
    const fake = await fakeCluster(engine, async (seen, response) => {
      if (seen.path !== "/_bulk" || fake.seen.filter(({ path }) => path === "/_bulk").length > 2) return undefined;
      // Once before it was done, once after it.
      if (fake.seen.filter(({ path }) => path === "/_bulk").length === 2)
        await engine.request({
          method: "POST",
          path: "/_bulk",
          query: "",
          headers: { "content-type": "application/x-ndjson" },
          body: seen.body,
        });
      response.destroy();
      return "done";
    });
    running.push(fake);
    const { client } = await openCluster({ node: fake.url, maxRetries: 0 });
    expect(await sendBulk(client, documents(5), quick)).toEqual(Array(5).fill(undefined));
    expect(await stored()).toBe(5);
  });
});

it("what is refused for good is told by document, and the rest is written", async () => {
  const client = engine.client();
  await client.indices.create({ index: "a", mappings: { properties: { n: { type: "integer" } } } });
  const operations = documents(5);
  operations[3] = { index: "a", id: "3", source: '{"n":"three"}' };
  const { done, failed } = await bulk(client, operations);
  expect(done).toBe(4);
  expect(failed).toMatchObject([
    { operation: { id: "3" }, failure: { type: "document_parsing_exception", status: 400 } },
  ]);
  expect(
    await bulk(client, [
      { index: "a", id: "0" },
      { index: "a", id: "none" },
    ]),
  ).toMatchObject({ done: 2, failed: [] });
  expect(await stored()).toBe(3);
});

it("bodies keep within their size, in bytes, and smaller nodes get smaller ones", async () => {
  const whole = await cluster(() => undefined);
  await sendBulk(whole.client, documents(50, "汇流".repeat(50)), { maxBytes: 5000 });
  const sizes = whole.bulks().map((body) => Buffer.byteLength(body));
  expect(sizes.length).toBeGreaterThan(3);
  for (const size of sizes) expect(size).toBeLessThanOrEqual(5000);
  expect(await stored()).toBe(50);
  const small = await cluster(({ body }) => (body.length > 1000 ? { status: 413, body: {} } : undefined));
  const operations = [
    ...documents(50),
    { index: "a", id: "large", source: JSON.stringify({ text: "x".repeat(1000) }) },
  ];
  const fates = await sendBulk(small.client, operations, quick);
  expect(fates.slice(0, 50)).toEqual(Array(50).fill(undefined));
  expect(fates[50]).toMatchObject({ status: 413 });
});

it("documents are asked for as they are sent, and no more after an abort", async () => {
  const abort = new AbortController();
  let asked = 0;
  async function* rows(): AsyncGenerator<BulkOperation> {
    for (const operation of documents(100)) {
      asked++;
      yield operation;
    }
  }
  const seen: number[] = [];
  const summary = await bulk(engine.client(), rows(), {
    maxBytes: 1100,
    signal: abort.signal,
    onProgress({ done }) {
      seen.push(done);
      if (done >= 20) abort.abort();
    },
  });
  expect(summary).toMatchObject({ aborted: true, failed: [] });
  expect(summary.done).toBe(seen.at(-1));
  expect(asked - summary.done).toBeLessThanOrEqual(20);
  expect(await stored()).toBe(summary.done);
});

it("a client of one's own keeps its errors", async () => {
  const client = new Client({ node: "http://127.0.0.1:1", maxRetries: 0 });
  await expect(sendBulk(client, documents(1), quick)).rejects.toMatchObject({ name: "ConnectionError" });
  await client.close();
});
