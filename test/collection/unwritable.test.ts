import type { Client } from "@elastic/elasticsearch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import type { FileOutcome } from "../../src/collection/types.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { document } from "../../src/schema/index.ts";

let engine: Engine;
beforeEach(async () => {
  engine = await openEngine();
});
afterEach(() => engine.close());

/** A client whose bulk requests are all refused from the given one on, up to another. */
function refusing(
  client: Client,
  from: number,
  error: { status: number; type: string },
  to = Number.POSITIVE_INFINITY,
): { client: Client; asked(): number } {
  let asked = 0;
  const bulk = async (request: { operations: string[] }) => {
    if (++asked < from || asked > to) return client.bulk(request);
    const items = request.operations.filter((line) => /^\{"(?:index|delete)":/.test(line));
    const refused = { _index: "x", status: error.status, error: { type: error.type, reason: `no: ${error.type}` } };
    return { errors: true, took: 0, items: items.map(() => ({ index: refused })) };
  };
  const proxy = new Proxy(client, { get: (of, key) => (key === "bulk" ? bulk : Reflect.get(of, key)) });
  return { client: proxy, asked: () => asked };
}

const documents = Array.from({ length: 800 }, (_, i) => document({ id: `d${i}`, text: `Text ${i}.` }));

describe.each([
  { status: 500, type: "i_o_exception" },
  { status: 429, type: "cluster_block_exception" },
])("a place that takes nothing more: $type", (error) => {
  it("ends the run with its reason; what was stored before is kept, and the next run goes on", async () => {
    const { client, asked } = refusing(engine.client(), 2, error);
    const outcomes: FileOutcome[] = [];
    const collection = await openCollection("documents", { elasticsearch: client });
    const run = collection.addDocuments(documents, { onFile: (outcome) => outcomes.push(outcome) });
    await expect(run).rejects.toThrow(`no: ${error.type}`);
    expect(asked()).toBeLessThan(5);
    const added = outcomes.filter(({ outcome }) => outcome === "added").length;
    expect(added).toBeGreaterThan(100);
    expect(outcomes.length).toBeLessThan(documents.length);
    const next = await openCollection("documents", { elasticsearch: engine.client() });
    expect(await next.addDocuments(documents)).toMatchObject({ added: documents.length - added, unchanged: added });
    expect((await next.status()).passages).toBe(documents.length);
  });
});

it("a document that is refused for itself does not end the run", async () => {
  const { client } = refusing(engine.client(), 1, { status: 400, type: "document_parsing_exception" });
  const collection = await openCollection("documents", { elasticsearch: client });
  const { failed } = await collection.addDocuments(documents.slice(0, 400));
  expect(failed).toHaveLength(400);
});

it("a place that is only busy is waited for", async () => {
  const { client, asked } = refusing(engine.client(), 2, { status: 429, type: "es_rejected_execution_exception" }, 2);
  const collection = await openCollection("documents", { elasticsearch: client });
  expect(await collection.addDocuments(documents)).toMatchObject({ added: documents.length, failed: [] });
  expect(asked()).toBeGreaterThan(2);
});
