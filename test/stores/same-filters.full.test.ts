/** The engine and a cluster (HUILIU_ELASTICSEARCH names its address) find the same by random filters over random metadata. */
import { Client } from "@elastic/elasticsearch";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { randomId, textNode } from "../../src/schema/index.ts";
import { elasticsearchStore, simpleVectorStore } from "../../src/stores/index.ts";
import { anyFilters, anyMetadata } from "./filters.ts";

const node = process.env["HUILIU_ELASTICSEARCH"];

describe.skipIf(node === undefined)("the same filters, here and on Elasticsearch", () => {
  it("give the same nodes", async () => {
    const engine = await openEngine();
    const cluster = new Client({ node: node! });
    const index = `huiliu-filters-${randomId()}`;
    const simple = simpleVectorStore();
    const stores = [engine.client(), cluster].map((client) => elasticsearchStore({ client, index }));
    try {
      const nodes = fc.sample(anyMetadata, { numRuns: 80 }).map((metadata, i) => ({
        node: textNode({ id: `n${i}`, text: "a passage", metadata }),
        embedding: [1, i / 100],
      }));
      for (const store of [simple, ...stores]) await store.add(nodes);
      await fc.assert(
        fc.asyncProperty(anyFilters, async (filters) => {
          const query = { query: "passage", embedding: [1, 0], topK: 100, filters };
          const expected = [...(await simple.query({ ...query, mode: "default" })).ids!].sort();
          for (const store of stores) {
            const found = await store.query({ ...query, mode: "text_search" });
            expect([...found.ids!].sort()).toEqual(expected);
          }
        }),
        { numRuns: 500 },
      );
    } finally {
      await stores[1]!.clear();
      await cluster.close();
      await engine.close();
    }
  }, 120_000);
});
