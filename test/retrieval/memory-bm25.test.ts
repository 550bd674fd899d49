import { describe, expect, it } from "vitest";
import { hierarchicalSplitter, leafNodes } from "../../src/ingest/index.ts";
import { autoMergingRetriever, defineRetriever, memoryBm25Retriever } from "../../src/retrieval/index.ts";
import { document, type NodeWithScore, textNode } from "../../src/schema/index.ts";
import { memoryDocstore } from "../../src/stores/index.ts";

const node = (id: string, text: string, metadata = {}) => textNode({ id, text, metadata });
const ids = (nodes: NodeWithScore[]) => nodes.map((item) => item.node.id);

describe("BM25 over nodes", () => {
  const nodes = [
    node("zh", "年休假共五天，需提前申请。"),
    node("en", "Annual leave is five days; employees applied early."),
    node("other", "Parking is free.", { area: "parking" }),
  ];

  it("finds Chinese by character, English by stem, and nothing without a common word", async () => {
    const retriever = memoryBm25Retriever({ nodes });
    expect(ids(await retriever.retrieve("年假几天"))).toEqual(["zh"]);
    expect(ids(await retriever.retrieve("applying"))).toEqual(["en"]);
    expect(await retriever.retrieve("the")).toEqual([]);
    expect(await retriever.retrieve("")).toEqual([]);
  });

  it("keeps filters of its own and of the question", async () => {
    const retriever = memoryBm25Retriever({ nodes, filters: { area: "parking" } });
    expect(ids(await retriever.retrieve("free leave days"))).toEqual(["other"]);
    expect(await retriever.retrieve({ query: "free", filters: { area: "none" } })).toEqual([]);
  });

  it("needs nodes", () => {
    expect(() => memoryBm25Retriever({ nodes: [] })).toThrow(/at least one/);
  });
});

describe("auto-merging", () => {
  it("puts a parent in the place of its children, and fills a gap between neighbours", async () => {
    const words = { name: "chars", count: (text: string) => text.length };
    const text = "One two three. Four five six. Seven eight nine. Ten eleven twelve. Thirteen fourteen.";
    const splitter = hierarchicalSplitter({ chunkSizes: [200, 20], chunkOverlap: 0, tokenizer: words });
    const nodes = await splitter.split(document({ id: "d", text }));
    const leaves = leafNodes(nodes);
    const docstore = memoryDocstore();
    await docstore.add(nodes);
    const finding = (...places: number[]) =>
      autoMergingRetriever({
        retriever: defineRetriever(() => places.map((place) => ({ node: leaves[place]!, score: 1 - place / 10 }))),
        docstore,
      });
    expect(ids(await finding(0).retrieve("q"))).toEqual(["d:0:0"]);
    // 0 and 2 lead to 1: three of five are more than half.
    const merged = await finding(0, 2).retrieve("q");
    expect(merged.map((item) => [item.node.id, item.score])).toEqual([["d:0", expect.closeTo(0.9, 9)]]);
  });
});
