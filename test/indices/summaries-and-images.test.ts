import { describe, expect, it } from "vitest";
import { documentSummaryIndex, multiModalIndex, smallToBig, vectorStoreIndex } from "../../src/indices/index.ts";
import { hierarchicalSplitter } from "../../src/ingest/index.ts";
import { document, type ImageEmbeddingModel, imageNode, type NodeWithScore, textNode } from "../../src/schema/index.ts";
import { mockEmbeddingModel, mockLanguageModel } from "../../src/testing.ts";

const ids = (nodes: NodeWithScore[]) => nodes.map(({ node }) => node.id);
const embedding = mockEmbeddingModel({ dimensions: 128 });

describe("summaries of documents", () => {
  it("are found, and give the document's passages", async () => {
    const documents = [document({ id: "a", text: "First part. Second part." }), document({ id: "b", text: "Other." })];
    const model = mockLanguageModel({ answers: ["On annual leave.", "On parking."] });
    const index = await documentSummaryIndex({ documents, model, embedding });
    const found = await index.asRetriever({ topK: 1 }).retrieve("annual leave");
    expect(found.map(({ node }) => node.text)).toEqual(["First part. Second part."]);
    expect(model.calls[0]!.prompt).toContain("First part.");
  });
});

describe("small to big", () => {
  it("finds the parts and gives the passage that they are from, once", async () => {
    const chars = { name: "chars", count: (text: string) => text.length };
    const text = "Leave is paid. Leave is long. Cars are fast. Cars are loud.";
    const splitter = hierarchicalSplitter({ chunkSizes: [30, 15], chunkOverlap: 0, tokenizer: chars });
    const nodes = await splitter.split(document({ id: "d", text }));
    const index = await vectorStoreIndex({ nodes: smallToBig(nodes), embedding });
    const found = await index.asRetriever({ topK: 4 }).retrieve("Cars are loud.");
    expect(found.map(({ node }) => node.text)).toEqual([
      "Cars are fast. Cars are loud.",
      "Leave is paid. Leave is long.",
    ]);
    expect(() => smallToBig(nodes.slice(1))).toThrow(/not among the nodes/);
  });
});

describe("images beside texts", () => {
  /** Knows colours, by their words and by the names of files. */
  const colours = (text: string) => Float32Array.of(/red|红/.test(text) ? 1 : 0.01, /blue|蓝/.test(text) ? 1 : 0.01);
  const imageEmbedding: ImageEmbeddingModel = {
    name: "colours",
    dimensions: 2,
    similarity: "cosine",
    embed: async (texts) => texts.map(colours),
    embedImages: async (images) => images.map((image) => colours(image.path ?? image.url ?? "")),
  };
  const nodes = [
    textNode({ id: "text", text: "a text on bicycles" }),
    imageNode({ id: "red", imagePath: "red.png" }),
    imageNode({ id: "blue", imageUrl: "http://x/blue.png", text: "a blue bicycle", metadata: { year: 2024 } }),
  ];

  it("are found by words, by their captions, and by other images", async () => {
    const index = await multiModalIndex({ nodes, embedding, imageEmbedding });
    expect(ids(await index.imageRetriever({ topK: 1 }).retrieve("红色"))).toEqual(["red"]);
    expect(ids(await index.imageRetriever({ topK: 1 }).retrieve({ query: "", imagePath: "my-blue.png" }))).toEqual([
      "blue",
    ]);
    expect(ids(await index.textRetriever().retrieve("bicycle")).sort()).toEqual(["blue", "text"]);
    const both = await index.asRetriever({ topK: 3 }).retrieve("blue bicycle");
    expect(both[0]!.node).toEqual(nodes[2]);
    expect(both[0]!.ranks!.map((rank) => rank.list)).toEqual(["texts", "images"]);
    expect(ids(await index.asRetriever({ topK: 1 }).retrieve({ query: "", imagePath: "red.jpg" }))).toEqual(["red"]);
    expect(ids(await index.imageRetriever({ filters: { year: 2024 } }).retrieve("red"))).toEqual(["blue"]);
    await expect(index.imageRetriever().retrieve("")).rejects.toThrow(/neither words nor an image/);
  });
});
