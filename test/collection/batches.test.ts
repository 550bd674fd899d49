import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import type { Collection } from "../../src/collection/types.ts";
import { type Document, document, type EmbeddingModel } from "../../src/schema/index.ts";

let folder: string;
let collection: Collection;
let calls: string[][];
/** What the model does before it answers. */
let before: (texts: readonly string[]) => void;

const model: EmbeddingModel = {
  name: "test/counted",
  dimensions: 2,
  similarity: "cosine",
  maxBatch: 10,
  async embed(texts, options) {
    options?.signal?.throwIfAborted();
    calls.push([...texts]);
    before(texts);
    return texts.map((text) => Float32Array.of(1, text.length / 100));
  },
};

const files = (from: number, to: number): Document[] =>
  Array.from({ length: to - from }, (_, i) =>
    document({ id: `d${from + i}`, text: `The text of number ${from + i}.` }),
  );
const texts = () => calls.flat().filter((text) => text.startsWith("The text"));

beforeEach(async () => {
  calls = [];
  before = () => undefined;
  folder = await mkdtemp(join(tmpdir(), "huiliu-batches-"));
  collection = await openCollection("batches", { data: folder, embedding: model });
});
afterEach(async () => {
  await collection.close();
  await rm(folder, { recursive: true, force: true });
});

async function stored(): Promise<string[]> {
  const names: string[] = [];
  for await (const { file } of collection.list()) names.push(file);
  return names.sort();
}

describe("the passages of many small files", () => {
  it("fill the model's batches, each text asked for once and given its own vector", async () => {
    const all = files(0, 300);
    const { added } = await collection.addDocuments(all);
    expect(added).toBe(300);
    expect(texts()).toEqual(all.map(({ text }) => text));
    expect(calls.every((batch) => batch.length <= 10)).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(35);
    const answer = await collection.raw({ size: 300, _source: ["content", "embedding"] });
    for (const { _source } of answer.hits.hits) {
      const { content, embedding } = _source as { content: string; embedding: number[] };
      expect(embedding).toEqual([1, content.length / 100]);
    }
  });

  it("keep the others' where the same document comes twice: the last one stays", async () => {
    await collection.addDocuments([...files(0, 3), document({ id: "d1", text: "The text at last." })]);
    expect(await stored()).toEqual(["d0", "d1", "d2"]);
    const answer = await collection.raw({ query: { term: { "metadata.document_id": "d1" } } });
    expect(answer.hits.hits.map(({ _source }) => (_source as { content: string }).content)).toEqual([
      "The text at last.",
    ]);
  });

  it("are not asked for again after the model failed; what was embedded before stays, and the next run does the rest", async () => {
    before = (batch) => {
      if (batch.some((text) => text.includes("number 200"))) throw new Error("the model is down");
    };
    await expect(collection.addDocuments(files(0, 300))).rejects.toThrow("the model is down");
    const failed = calls.length;
    const kept = await stored();
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThan(200);
    expect(calls.length).toBe(failed);
    expect(new Set(texts()).size).toBe(texts().length);
    before = () => undefined;
    calls = [];
    const { added, unchanged } = await collection.addDocuments(files(0, 300));
    expect([added, unchanged]).toEqual([300 - kept.length, kept.length]);
    expect(texts()).toHaveLength(300 - kept.length);
  });

  it("are not asked for after an abort, wherever it comes", async () => {
    for (const at of [1, 3, 14, 29]) {
      const control = new AbortController();
      calls = [];
      before = () => {
        if (calls.length === at) control.abort();
      };
      const result = await collection.addDocuments(files(at * 1000, at * 1000 + 300), { signal: control.signal });
      expect(result.aborted).toBe(true);
      expect(calls.length).toBe(at);
      const whole = result.added;
      before = () => undefined;
      const rest = await collection.addDocuments(files(at * 1000, at * 1000 + 300));
      expect([rest.added, rest.unchanged]).toEqual([300 - whole, whole]);
    }
  });
});
