import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { type Metadata, textNode } from "../../src/schema/index.ts";
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
});
