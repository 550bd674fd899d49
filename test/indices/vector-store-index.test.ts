import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vectorStoreIndex } from "../../src/indices/index.ts";
import { document, eventStream, imageNode, type NodeWithScore, textNode } from "../../src/schema/index.ts";
import { loadStorageContext } from "../../src/stores/index.ts";
import { mockEmbeddingModel } from "../../src/testing.ts";

const docs = ["apples and pears", "roads and bridges", "年休假共五天"].map((text, i) =>
  document({ id: `d${i}`, text, metadata: { n: i } }),
);
const texts = (nodes: NodeWithScore[]) => nodes.map(({ node }) => node.text);

describe("a vector store index", () => {
  it("cuts, embeds and finds documents, with the metadata in the embedded text", async () => {
    const embedding = mockEmbeddingModel({ dimensions: 64 });
    const index = await vectorStoreIndex({ documents: docs, embedding });
    expect(embedding.calls.flat()).toContain("n: 2\n\n年休假共五天");
    expect(texts(await index.asRetriever({ topK: 1 }).retrieve("年休假"))).toEqual(["年休假共五天"]);
    expect(texts(await index.asRetriever({ filters: { n: { lt: 2 } } }).retrieve("年休假"))).toHaveLength(2);
  });

  it("inserts what is new, updates what changed, and leaves the rest alone", async () => {
    const embedding = mockEmbeddingModel({ dimensions: 64 });
    const index = await vectorStoreIndex({ documents: docs, embedding });
    const before = embedding.calls.length;
    const changed = [docs[0]!, { ...docs[1]!, text: "tunnels" }, document({ id: "d3", text: "new" })];
    expect(await index.refresh(changed)).toEqual([false, true, true]);
    expect(embedding.calls.length).toBe(before + 2);
    expect(texts(await index.asRetriever().retrieve("roads")).sort()).toEqual(
      ["apples and pears", "new", "tunnels", "年休假共五天"].sort(),
    );
    await index.delete("d3");
    await index.deleteNodes(["d0:0"]);
    expect(texts(await index.asRetriever().retrieve("roads")).sort()).toEqual(["tunnels", "年休假共五天"]);
    expect([...index.nodesDict.values()].sort()).toEqual(["d1:0", "d2:0"]);
    expect(await index.storage.docstore.hash("d3")).toBeUndefined();
  });

  it("goes on after it was persisted and loaded", async () => {
    const folder = mkdtempSync(join(tmpdir(), "index-"));
    try {
      const embedding = mockEmbeddingModel({ dimensions: 64 });
      const first = await vectorStoreIndex({ documents: docs, embedding });
      await first.storage.persist(folder);
      const again = await vectorStoreIndex({ storage: await loadStorageContext(folder), embedding });
      expect(again.indexId).toBe(first.indexId);
      const asked = await again.asRetriever({ topK: 2 }).retrieve("apples");
      expect(asked).toEqual(await first.asRetriever({ topK: 2 }).retrieve("apples"));
      expect(await again.refresh(docs)).toEqual([false, false, false]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("keeps two indices of one store apart", async () => {
    const embedding = mockEmbeddingModel({ dimensions: 64 });
    const one = await vectorStoreIndex({ documents: docs.slice(0, 1), embedding, indexId: "one" });
    const two = await vectorStoreIndex({ documents: docs.slice(1), embedding, storage: one.storage, indexId: "two" });
    expect(texts(await one.asRetriever().retrieve("a"))).toEqual(["apples and pears"]);
    expect(await two.asRetriever().retrieve("a")).toHaveLength(2);
    await expect(vectorStoreIndex({ embedding, storage: one.storage })).rejects.toThrow(/several indices/);
  });

  it("finds images beside text", async () => {
    const embedding = mockEmbeddingModel({ dimensions: 64 });
    const picture = imageNode({ id: "p", text: "a red bicycle", imagePath: "bike.png" });
    const index = await vectorStoreIndex({ nodes: [picture, textNode({ id: "t", text: "annual leave" })], embedding });
    const [best] = await index.asRetriever({ topK: 1 }).retrieve("red bicycle");
    expect(best!.node).toEqual(picture);
  });

  it("tells a trace what it embeds and stores", async () => {
    const trace = eventStream();
    await vectorStoreIndex({ documents: docs.slice(0, 1), embedding: mockEmbeddingModel(), trace });
    expect(trace.events.filter((event) => event.type === "end").map((event) => event.kind)).toEqual([
      "split",
      "embed",
      "store",
    ]);
  });
});
