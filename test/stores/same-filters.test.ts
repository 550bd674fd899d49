import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { document, type Metadata, textNode } from "../../src/schema/index.ts";
import { elasticsearchStore, simpleVectorStore } from "../../src/stores/index.ts";
import { anyFilters, anyMetadata } from "./filters.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

describe("the same filters", () => {
  it("give the same nodes in memory and in the engine, whatever filters and metadata", async () => {
    const metadata = fc.sample(anyMetadata, { numRuns: 60, seed: 7 });
    const nodes = metadata.map((item: Metadata, i) => ({
      node: textNode({ id: `n${i}`, text: "a passage", metadata: item }),
      embedding: [1, i / 100],
    }));
    const simple = simpleVectorStore();
    const store = elasticsearchStore({ client: engine.client(), index: "filters" });
    await Promise.all([simple.add(nodes), store.add(nodes)]);
    await fc.assert(
      fc.asyncProperty(anyFilters, async (filters) => {
        const query = { query: "passage", embedding: [1, 0], topK: 100, filters };
        const expected = [...(await simple.query({ ...query, mode: "default" })).ids!].sort();
        expect([...(await store.query({ ...query, mode: "text_search" })).ids!].sort()).toEqual(expected);
        expect([...(await store.query({ ...query, mode: "default" })).ids!].sort()).toEqual(expected);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it("give the same nodes for long texts, in a store and in a collection, and refuse longer ones than an index matches", async () => {
    const long = `${"长".repeat(4000)}${"a".repeat(4000)}`;
    const texts = { long, longer: `${long}b`, short: "a" };
    const simple = simpleVectorStore();
    const store = elasticsearchStore({ client: engine.client(), index: "long-texts" });
    const nodes = Object.entries(texts).map(([id, note]) => ({
      node: textNode({ id, text: "a passage", metadata: { note, changed_at: note } }),
      embedding: [1, 0],
    }));
    await Promise.all([simple.add(nodes), store.add(nodes)]);
    const collection = await openCollection("long", { elasticsearch: engine.client() });
    await collection.addDocuments(
      Object.entries(texts).map(([id, note]) =>
        document({ id, text: "a passage", metadata: { note, changed_at: note } }),
      ),
    );
    for (const key of ["note", "changed_at"]) {
      for (const operator of ["==", "!=", "text_match", ">="] as const) {
        const filters = { filters: [{ key, operator, value: operator === "text_match" ? "长a" : long }] };
        const query = { query: "passage", embedding: [1, 0], topK: 9, filters };
        const expected = [...(await simple.query({ ...query, mode: "default" })).ids!].sort();
        expect([...(await store.query({ ...query, mode: "text_search" })).ids!].sort(), operator).toEqual(expected);
        const found = await collection.search("passage", { strategy: "bm25", filters });
        expect(found.map(({ node }) => node.relationships.source!.id).sort(), operator).toEqual(expected);
      }
    }
    const filters = { note: "a".repeat(8192) };
    await expect(store.query({ query: "passage", topK: 9, mode: "text_search", filters })).rejects.toThrow(
      /8191 at most/,
    );
  });
});
