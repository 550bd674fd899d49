import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { collectionIndex, vectorStoreIndex } from "../../src/indices/index.ts";
import { document } from "../../src/schema/index.ts";

describe("an index over a collection", () => {
  it("inserts, refreshes, finds in three ways, answers and deletes", async () => {
    const data = mkdtempSync(join(tmpdir(), "collection-index-"));
    const handbook = await openCollection("handbook", { data });
    try {
      const documents = [
        document({ id: "leave", text: "年休假共五天，需提前申请。", metadata: { level: "员工" } }),
        document({ id: "car", text: "Parking is free for visitors.", metadata: { level: "guest" } }),
      ];
      const index = await vectorStoreIndex({ store: handbook, documents });
      expect(await index.refresh([documents[0]!, { ...documents[1]!, text: "Parking costs five yuan." }])).toEqual([
        false,
        true,
      ]);
      for (const mode of ["default", "text_search", "hybrid"] as const) {
        const [best] = await index.asRetriever({ mode, topK: 1 }).retrieve("年休假有几天");
        expect(best!.node.text, mode).toContain("年休假共五天");
      }
      const filtered = await index.asRetriever({ filters: { level: "guest" } }).retrieve("年休假");
      expect(filtered.map(({ node }) => node.text)).toEqual(["Parking costs five yuan."]);
      expect(await (await index.asQueryEngine({ topK: 1 }).query("年休假有几天")).text).toContain("五天");
      await index.delete("leave");
      expect(await index.asRetriever({ mode: "text_search" }).retrieve("年休假")).toEqual([]);
      expect(() => collectionIndex(handbook).asRetriever({ mode: "mmr" as never })).toThrow(/not "mmr"/);
    } finally {
      await handbook.close();
      rmSync(data, { recursive: true });
    }
  });
});
