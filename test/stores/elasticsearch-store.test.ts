import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { vectorStoreIndex } from "../../src/indices/index.ts";
import {
  document,
  imageNode,
  indexNode,
  relatedNode,
  type SparseEmbeddingModel,
  textNode,
} from "../../src/schema/index.ts";
import { elasticsearchStore, StoreError } from "../../src/stores/index.ts";
import { mockEmbeddingModel } from "../../src/testing.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

let made = 0;
const store = (options = {}) => elasticsearchStore({ client: engine.client(), index: `store-${++made}`, ...options });
const doc = document({ id: "d", text: "" });
const node = (id: string, text: string, metadata = {}) =>
  textNode({ id, text, metadata, relationships: { source: relatedNode(doc) }, excludedLlmMetadataKeys: ["n"] });

/** Knows that a holiday is a leave for rest, and weighs each word by how often it says it. */
function concepts(asked: string[]): SparseEmbeddingModel {
  const meaning: Record<string, Record<string, number>> = {
    annual: { rest: 2 },
    leave: { leave: 2 },
    holiday: { leave: 1, rest: 1 },
    sick: { sick: 1, "": 0 },
  };
  return {
    name: "concepts",
    maxBatch: 2,
    async embedSparse(texts, options) {
      asked.push(options!.kind!);
      return texts.map((text) => Object.assign({}, ...text.split(/\s+/).map((word) => meaning[word] ?? {})));
    },
  };
}

describe("a store over an index", () => {
  const items = [
    { node: node("x", "annual leave", { n: 1 }), embedding: [1, 0] },
    { node: node("y", "sick leave", { n: 2 }), embedding: [0.6, 0.8] },
    { node: textNode({ id: "z", text: "parking" }), embedding: [0, 1] },
  ];

  it("finds by vector, by text, and by both", async () => {
    const filled = store();
    expect(await filled.add(items)).toEqual(["x", "y", "z"]);
    const ask = { query: "leave", embedding: [0, 1], topK: 3 };
    expect((await filled.query({ ...ask, mode: "default" })).ids).toEqual(["z", "y", "x"]);
    expect((await filled.query({ ...ask, mode: "text_search" })).ids).toEqual(["x", "y"]);
    expect((await filled.query({ ...ask, mode: "hybrid", alpha: 1 })).ids![0]).toBe("z");
    expect((await filled.query({ ...ask, mode: "hybrid", alpha: 0 })).ids![2]).toBe("z");
    expect((await filled.query({ ...ask, mode: "mmr", topK: 2, mmrThreshold: 0.3 })).ids).toEqual(["z", "x"]);
    expect((await filled.query({ ...ask, mode: "default", nodeIds: ["x"] })).ids).toEqual(["x"]);
    expect((await filled.query({ ...ask, mode: "default", docIds: ["d"] })).ids).toEqual(["y", "x"]);
    expect(await filled.query({ ...ask, mode: "default", topK: 0 })).toEqual({ nodes: [], ids: [], similarities: [] });
    const left = await filled.query({ query: "", topK: 2, mode: "default", filters: { n: { gt: 1 } } });
    expect([left.ids, left.similarities]).toEqual([["y"], undefined]);
  });

  it("gives nodes back as they were put in, of every type", async () => {
    const filled = store();
    const nodes = [
      items[0]!.node,
      indexNode({ id: "i", text: "summary", indexId: "table" }),
      imageNode({ id: "p", text: "picture", imagePath: "a.png" }),
    ];
    await filled.add(nodes.map((one) => ({ node: one, embedding: [1, 0] })));
    const back = await filled.getNodes({ ids: ["x", "i", "p"] });
    expect(back.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([...nodes].sort((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it("deletes by document, by id and by filters, and everything", async () => {
    const filled = store();
    await filled.add(items);
    const left = async () => (await filled.query({ embedding: [1, 1], topK: 9, mode: "default" })).ids!.sort();
    await filled.deleteNodes({ filters: { n: 1 } });
    expect(await left()).toEqual(["y", "z"]);
    await filled.deleteNodes({});
    await filled.deleteNodes({ ids: ["z", "unknown"] });
    expect(await left()).toEqual(["y"]);
    await filled.delete("d");
    expect(await left()).toEqual([]);
    await filled.clear();
    await filled.clear();
    expect(await filled.getNodes({ ids: ["x"] })).toEqual([]);
  });

  it("keeps text alone where there are no vectors, and numbers of both kinds under one key", async () => {
    const filled = store({ vectors: false });
    await filled.add([{ node: node("x", "leave", { n: 1 }) }, { node: node("y", "leave", { n: 1.5 }) }]);
    expect(filled.isEmbeddingQuery).toBe(false);
    expect((await filled.query({ query: "leave", topK: 5, mode: "default", filters: { n: { gt: 1.2 } } })).ids).toEqual(
      ["y"],
    );
  });

  it("refuses what it does not know, and names what an index refuses", async () => {
    const filled = store();
    await expect(filled.add([{ node: node("x", "a") }])).rejects.toThrow(/no vectors/);
    await filled.add(items);
    await expect(filled.query({ query: "a", embedding: [1, 0], topK: 1, mode: "sparse" })).rejects.toThrow(
      /compared here, not a vector/,
    );
    await expect(filled.query({ query: "a", topK: 1, mode: "sparse" })).rejects.toThrow(/needs a model of weighted/);
    await expect(filled.query({ query: "a", embedding: [1, 0], topK: 1, mode: "svm" })).rejects.toThrow(/"svm" is not/);
    await expect(filled.query({ query: "a", topK: 1, mode: "default" })).rejects.toThrow(/needs the question's vector/);
    await expect(filled.add([{ node: node("w", "a"), embedding: [1, 2, 3] }])).rejects.toThrow(StoreError);
  });

  it("finds by weighted terms, by themselves and beside the text", async () => {
    const asked: string[] = [];
    const filled = store({ vectors: false, sparse: concepts(asked) });
    await filled.add(items.map(({ node }) => ({ node })));
    expect(filled.isEmbeddingQuery).toBe(false);
    const ask = { query: "holiday", topK: 3 };
    // The word is in no text: it is the model that knows what it means.
    expect((await filled.query({ ...ask, mode: "text_search" })).ids).toEqual([]);
    expect(await filled.query({ ...ask, mode: "sparse" })).toMatchObject({ ids: ["x", "y"], similarities: [4, 2] });
    expect((await filled.query({ ...ask, mode: "default" })).ids).toEqual(["x", "y"]);
    expect((await filled.query({ ...ask, mode: "sparse", filters: { n: 2 } })).ids).toEqual(["y"]);
    expect((await filled.query({ ...ask, mode: "sparse", query: "nothing known" })).ids).toEqual([]);
    const both = { query: "sick holiday", topK: 3, mode: "hybrid" } as const;
    expect((await filled.query({ ...both, alpha: 1 })).ids).toEqual(["x", "y"]);
    expect((await filled.query({ ...both, alpha: 0 })).ids![0]).toBe("y");
    expect(new Set(asked)).toEqual(new Set(["document", "query"]));
    const { _source } = await filled.client.get<Record<string, unknown>>({ index: filled.index, id: "x" });
    expect(_source!["embedding"]).toEqual({ tokens: { leave: 2, rest: 2 } });
    expect(await filled.getNodes({ ids: ["x"] })).toEqual([items[0]!.node]);
  });

  it("puts weighted terms beside vectors, in the place of the text", async () => {
    const filled = store({ sparse: concepts([]) });
    await filled.add(items);
    const index = await vectorStoreIndex({ nodes: [], store: filled, embedding: mockEmbeddingModel() });
    expect((await index.asRetriever({ mode: "sparse" }).retrieve("holiday")).map((n) => n.node.id)).toEqual(["x", "y"]);
    const ask = { query: "holiday", embedding: [0, 1], topK: 3, mode: "hybrid" } as const;
    expect((await filled.query({ ...ask, alpha: 0 })).ids!.slice(0, 2)).toEqual(["x", "y"]);
    expect((await filled.query({ ...ask, alpha: 1 })).ids![0]).toBe("z");
  });

  it("fuses as it is told: relative scores, ranks, or sums", async () => {
    const ask = { query: "sick leave", embedding: [0, 1], topK: 3, mode: "hybrid" } as const;
    const answers: Record<string, unknown> = {};
    for (const hybrid of ["relative_score", "rrf", "sum"] as const) {
      const filled = store({ hybrid });
      await filled.add(items);
      const { ids, similarities } = await filled.query(ask);
      answers[hybrid] = [ids, similarities!.map((score) => Number(score.toFixed(4)))];
      const texts = (await filled.query({ ...ask, mode: "text_search" })).similarities!;
      if (hybrid === "sum") expect(similarities![0]).toBeCloseTo(texts[0]! + (1 + 0.8) / 2, 5);
    }
    expect(answers["relative_score"]).toEqual([
      ["y", "z", "x"],
      [0.9, 0.5, 0],
    ]);
    const at = (rank: number) => 1 / (60 + rank);
    const ranks = [at(1) + at(2), at(2) + at(3), at(1)].map((score) => Number(score.toFixed(4)));
    expect(answers["rrf"]).toEqual([["y", "x", "z"], ranks]);
    expect((answers["sum"] as [string[]])[0]).toEqual(["y", "z", "x"]);
    const sum = store({ hybrid: "sum" });
    await sum.add(items);
    await expect(sum.query({ ...ask, alpha: 0.3 })).rejects.toThrow(/alpha weighs relative scores/);
    await expect(sum.query({ ...ask, sparseTopK: 3 })).rejects.toThrow(/one list/);
    for (const wrong of [
      { hybrid: "best" },
      { rrf: { rankConstant: 1 } },
      { hybrid: "rrf", rrf: { rankConstant: 0 } },
    ]) {
      expect(() => store(wrong)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
  });

  it("takes a filter and a body of the caller's own, and no option that it does not know", async () => {
    const filled = store();
    await filled.add(items);
    const ask = { query: "leave", embedding: [0, 1], topK: 3, mode: "default" } as const;
    const filter = { range: { "metadata.n": { gte: 2 } } };
    expect((await filled.query({ ...ask, storeOptions: { filter } })).ids).toEqual(["y"]);
    expect((await filled.query({ ...ask, filters: { n: 1 }, storeOptions: { filter: [filter] } })).ids).toEqual([]);
    const customQuery = () => ({ query: { match: { content: "parking" } } });
    expect((await filled.query({ ...ask, storeOptions: { customQuery } })).ids).toEqual(["z"]);
    await expect(filled.query({ ...ask, storeOptions: { es_filter: [] } })).rejects.toThrow(/no option "es_filter"/);
  });

  it("carries a vector store index", async () => {
    const filled = store();
    const embedding = mockEmbeddingModel({ dimensions: 32 });
    const documents = [document({ id: "a", text: "年休假五天" }), document({ id: "b", text: "parking is free" })];
    const index = await vectorStoreIndex({ documents, store: filled, embedding });
    const [best] = await index.asRetriever({ topK: 1 }).retrieve("年休假");
    expect(best!.node).toMatchObject({ id: "a:0", text: "年休假五天" });
    expect(await index.refresh(documents)).toEqual([false, false]);
    await index.delete("a");
    expect((await index.asRetriever({ mode: "text_search" }).retrieve("年休假 parking")).map((n) => n.node.id)).toEqual(
      ["b:0"],
    );
  });
});
