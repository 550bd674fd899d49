import { MockRerankingModelV3 } from "ai/test";
import { describe, expect, test } from "vitest";
import { rerank } from "../../src/postprocess/rerank.ts";
import { type NodeWithScore, type RerankModel, textNode } from "../../src/schema/index.ts";

const nodes: NodeWithScore[] = ["a", "bbb", "cc"].map((text, i) => ({
  node: textNode({ id: text, text, metadata: { file: "f.md" } }),
  ...(i === 1 ? {} : { score: 1 - i / 10 }),
  ranks: [{ list: "bm25", rank: i + 1 }],
}));
const query = { query: "q" };

function model(answer: (texts: string[]) => { index: number; score: number }[]): RerankModel {
  return { name: "test/reranker", rerank: async (_query, texts) => answer(texts) };
}

describe("rerank", () => {
  test("orders by the model's scores and keeps those from before on the node", async () => {
    const byLength = model((texts) => texts.map((text, index) => ({ index, score: text.length })));
    const ranked = await rerank({ model: byLength, topN: 2 }).postprocess(nodes, { query });
    expect(ranked.map(({ node, score }) => [node.id, score])).toEqual([
      ["bbb", "file: f.md\n\nbbb".length],
      ["cc", "file: f.md\n\ncc".length],
    ]);
    expect(ranked[0]!.reranked).toEqual({ model: "test/reranker", score: 15, rankBefore: 2 });
    expect(ranked[1]!.reranked).toEqual({ model: "test/reranker", score: 14, scoreBefore: 0.8, rankBefore: 3 });
    expect(ranked[0]!.ranks).toEqual([{ list: "bm25", rank: 2 }]);
    expect(nodes[0]!.score).toBe(1);
  });

  test("keeps the order of equal scores, and drops what the model leaves out", async () => {
    const some = model(() => [
      { index: 2, score: 5 },
      { index: 0, score: 5 },
    ]);
    const ranked = await rerank({ model: some }).postprocess(nodes, { query });
    expect(ranked.map(({ node }) => node.id)).toEqual(["a", "cc"]);
  });

  test("calls nothing for no nodes, and wants a question", async () => {
    const never = model(() => {
      throw new Error("called");
    });
    expect(await rerank({ model: never }).postprocess([], { query })).toEqual([]);
    await expect(rerank({ model: never }).postprocess(nodes, {})).rejects.toMatchObject({ argument: "query" });
  });

  test("refuses rankings that cannot be", async () => {
    for (const index of [-1, 3, 0.5]) {
      const wrong = model(() => [{ index, score: 1 }]);
      await expect(rerank({ model: wrong }).postprocess(nodes, { query })).rejects.toMatchObject({
        code: "MODEL_FAILED",
      });
    }
    const twice = model(() => [0, 0].map((index) => ({ index, score: 1 })));
    await expect(rerank({ model: twice }).postprocess(nodes, { query })).rejects.toThrow(/cannot be/);
  });

  test("takes any reranking model of the AI SDK", async () => {
    const aiSdk = new MockRerankingModelV3({
      doRerank: async () => ({
        ranking: [
          { index: 2, relevanceScore: 0.9 },
          { index: 0, relevanceScore: 0.2 },
        ],
      }),
    });
    const ranked = await rerank({ model: aiSdk }).postprocess(nodes, { query });
    expect(ranked.map(({ node, score }) => [node.id, score])).toEqual([
      ["cc", 0.9],
      ["a", 0.2],
    ]);
  });
});
