import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { document, type EmbeddingModel } from "../../src/schema/index.ts";
import { mockEmbeddingModel } from "../../src/testing.ts";

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "huiliu-embedding-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));

describe("the embedding of a collection", () => {
  test("is remembered with its dimensions, metric and normalisation, and another's is refused", async () => {
    const embedding = mockEmbeddingModel({ dimensions: 24 });
    const made = await openCollection("c", { data, embedding });
    const mapping = await made.client.indices.getMapping({ index: "c" });
    expect(mapping["c"]!.mappings._meta!["huiliu"]).toMatchObject({
      embedding: {
        name: "mock/embedding",
        dimensions: 24,
        similarity: "dot_product",
        normalized: true,
        windows: false,
      },
      weights: { bm25: 0.5, dense: 0.5 },
    });
    await made.close();
    for (const other of [mockEmbeddingModel({ dimensions: 32 }), mockEmbeddingModel({ dimensions: 24, name: "b/c" })]) {
      await expect(openCollection("c", { data, embedding: other })).rejects.toMatchObject({
        code: "EMBEDDING_DIFFERS",
      });
    }
    await expect(openCollection("c", { data, embedding: mockEmbeddingModel({ dimensions: 32 }) })).rejects.toThrow(
      /made with the embedding mock\/embedding of 24 dimensions; vectors of 32 dimensions cannot/,
    );
  });

  test("of length one keeps its length in an index that compares by the dot product", async () => {
    const dimensions = 1536;
    const embedding: EmbeddingModel = {
      name: "long/vectors",
      dimensions,
      similarity: "dot_product",
      embed: async (texts) =>
        texts.map(() => new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions)).map((v, i) => (i % 2 ? v : -v))),
    };
    const collection = await openCollection("c", { data, embedding });
    const result = await collection.addDocuments([document({ id: "a", text: "Annual leave is five days." })]);
    expect(result).toMatchObject({ added: 1, failed: [] });
    expect(await collection.search("leave", { strategy: "dense" })).toHaveLength(1);
    await collection.close();
  });

  test("without a context of its own gives windows, and words count for more", async () => {
    const embedding: EmbeddingModel = { ...mockEmbeddingModel(), contextFree: true };
    const collection = await openCollection("c", { data, embedding });
    expect(collection.vectorField).toBe("windows.vector");
    expect((await collection.status()).weights).toEqual({ bm25: 0.6, dense: 0.4 });
    await collection.close();
  });
});
