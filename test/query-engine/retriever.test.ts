import { describe, expect, it } from "vitest";
import { vectorStoreIndex } from "../../src/indices/index.ts";
import { similarityCutoff } from "../../src/postprocess/index.ts";
import { retrieverQueryEngine } from "../../src/query-engine/index.ts";
import { defineRetriever } from "../../src/retrieval/index.ts";
import { document, eventStream, indexNode, response, textNode } from "../../src/schema/index.ts";
import { mockEmbeddingModel, mockLanguageModel } from "../../src/testing.ts";

const retriever = defineRetriever(() => [
  { node: textNode({ id: "a", text: "Annual leave is five days." }), score: 0.9 },
  { node: textNode({ id: "b", text: "Parking is free." }), score: 0.1 },
]);

describe("a query engine over a retriever", () => {
  it("retrieves, post-processes in order, and has the model write with what is left", async () => {
    const model = mockLanguageModel({ answers: [["Five ", "days [1]."]] });
    const trace = eventStream();
    const engine = retrieverQueryEngine({ retriever, postprocessors: [similarityCutoff(0.5)], model });
    const answer = await engine.query("How many days?", { trace });
    expect(await answer.text).toBe("Five days [1].");
    expect(answer.sources.map((source) => source.node.id)).toEqual(["a"]);
    expect(model.calls[0]!.messages![1]!.content).toContain("Annual leave");
    expect(model.calls[0]!.messages![1]!.content).not.toContain("Parking");
    expect(trace.events.filter((event) => event.type === "start").map((event) => event.kind)).toEqual([
      "query",
      "retrieve",
      "postprocess",
      "synthesize",
      "respond",
      "generate",
    ]);
  });

  it("extracts where there is no model, and says when nothing was found", async () => {
    const extract = await retrieverQueryEngine({ retriever }).query("annual leave days");
    expect([extract.kind, await extract.text]).toEqual(["extract", expect.stringContaining("five days")]);
    const nothing = await retrieverQueryEngine({ retriever, postprocessors: [similarityCutoff(2)] }).query("q");
    expect(nothing.kind).toBe("empty");
  });

  it("takes another synthesizer, and stands behind an index node", async () => {
    const engine = retrieverQueryEngine({
      retriever,
      synthesizer: { synthesize: async ({ nodes }) => response({ text: `${nodes.length} nodes` }) },
    });
    const outer = defineRetriever(() => [
      { node: indexNode({ text: "summary", indexId: "i", obj: engine }), score: 0.4 },
    ]);
    const [found] = await outer.retrieve("q");
    expect([found!.node.text, found!.score]).toEqual(["2 nodes", 0.4]);
  });

  it("refuses options that a synthesizer of one's own would not hear of", () => {
    const synthesizer = { synthesize: async () => response({ text: "" }) };
    expect(() => retrieverQueryEngine({ retriever, synthesizer, mode: "refine" })).toThrow(/"mode" has no effect/);
  });

  it("retrieves and answers separately", async () => {
    const model = mockLanguageModel({ answers: ["Five."] });
    const engine = retrieverQueryEngine({ retriever, model, mode: "tree_summarize" });
    const nodes = await engine.retrieve("How many days?");
    const answer = await engine.synthesize({ query: "How many days?", nodes: nodes.slice(0, 1) });
    expect([nodes.length, answer.sources.length, await answer.text]).toEqual([2, 1, "Five."]);
  });

  it("is made of an index", async () => {
    const documents = [document({ text: "Annual leave is five days." })];
    const index = await vectorStoreIndex({ documents, embedding: mockEmbeddingModel({ dimensions: 64 }) });
    const model = mockLanguageModel({ answers: ["Five [1]."] });
    const engine = index.asQueryEngine({ topK: 1, queryMode: "mmr", mode: "refine", streaming: true, model });
    expect(await (await engine.query("annual leave")).text).toBe("Five [1].");
    expect(() => index.asQueryEngine({ mode: "magic" as never })).toThrow(/no response mode "magic"/);
  });
});
