import { describe, expect, it } from "vitest";
import { simpleChatEngine } from "../../src/chat/index.ts";
import {
  customQueryEngine,
  multiStepQueryEngine,
  retrieverQueryEngine,
  retryQueryEngine,
  routerQueryEngine,
  subQuestionQueryEngine,
} from "../../src/query-engine/index.ts";
import {
  autoRetriever,
  defineRetriever,
  fusionRetriever,
  hyde,
  modelSelector,
  transformRetriever,
} from "../../src/retrieval/index.ts";
import { callBudget, indexNode, type QueryEngine, type Retriever, textNode } from "../../src/schema/index.ts";
import { type ResponseMode, responseSynthesizer } from "../../src/synthesis/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const nodes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ node: textNode({ id: `n${i}`, text: `passage ${i} `.repeat(20) }) }));

describe("what a question may cost", () => {
  it("is counted through all parts, whatever they multiply to", async () => {
    const model = mockLanguageModel({ answers: (_, i) => `what about ${i}?` });
    const inner = retrieverQueryEngine({ retriever: defineRetriever(() => nodes(30)), mode: "refine", model });
    const steps = multiStepQueryEngine({ engine: inner, model, numSteps: 10 });
    const tools = Array.from({ length: 10 }, (_, i) => ({ name: `t${i}`, description: "", engine: steps }));
    const parts = JSON.stringify(tools.map(({ name }) => ({ sub_question: "q", tool_name: name })));
    const asking = mockLanguageModel({ answers: () => parts });
    const engine = retryQueryEngine({
      engine: subQuestionQueryEngine({ tools, model: asking }),
      evaluator: { evaluate: async () => ({ passing: false }) },
    });
    // 4 attempts × 10 sub-questions × 10 steps × 31 calls would be more than 12,000.
    await expect(engine.query("q")).rejects.toMatchObject({ code: "BUDGET_EXCEEDED", what: "modelCalls", limit: 500 });
    expect(model.calls.length + asking.calls.length).toBeLessThanOrEqual(500);
    const budget = callBudget({ modelCalls: 40 });
    await expect(engine.query("q", { budget })).rejects.toThrow(/may make 40: .*callBudget\(\{ modelCalls: /);
    expect(budget.used.modelCalls).toBeLessThanOrEqual(40);
  });

  it("is one question's: the next one has a budget of its own", async () => {
    const model = mockLanguageModel({ answers: () => "a" });
    const engine = retrieverQueryEngine({ retriever: defineRetriever(() => nodes(30)), mode: "accumulate", model });
    for (let i = 0; i < 20; i++) await engine.query("q");
    expect(model.calls).toHaveLength(600);
    const together = callBudget({ modelCalls: 45 });
    await engine.query("q", { budget: together });
    await expect(engine.query("q", { budget: together })).rejects.toMatchObject({ used: 30, wanted: 30 });
  });

  it("is refused before the first call where a mode knows that it is too much", async () => {
    for (const mode of ["refine", "accumulate"] as ResponseMode[]) {
      const model = mockLanguageModel({ answers: () => "a" });
      const asked = responseSynthesizer({ mode, model }).synthesize({ query: "q", nodes: nodes(501) });
      await expect(asked).rejects.toMatchObject({ code: "BUDGET_EXCEEDED", wanted: 501 });
      expect(model.calls).toHaveLength(0);
    }
  });

  it("also ends retrievers that all point to each other", async () => {
    const all: Retriever[] = [];
    for (let i = 0; i < 12; i++) {
      const own = () => all.map((obj, j) => ({ node: indexNode({ id: `${i}-${j}`, text: "", indexId: `${j}`, obj }) }));
      all.push(defineRetriever(own));
    }
    await expect(all[0]!.retrieve("q")).rejects.toMatchObject({ code: "BUDGET_EXCEEDED", what: "retrievals" });
  });

  it("is checked: a limit is a whole number, or none", () => {
    for (const limits of [{ modelCalls: -1 }, { modelCalls: 1.5 }, { modelCalls: Number.NaN }, { calls: 3 } as never]) {
      expect(() => callBudget(limits)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
    const none = callBudget({ modelCalls: Number.POSITIVE_INFINITY });
    for (let i = 0; i < 1000; i++) none.spend("modelCalls");
    expect([none.used.modelCalls, none.limits.retrievals]).toEqual([1000, 5000]);
  });

  it("ends summaries that hardly get shorter", async () => {
    let written = 0;
    const model = mockLanguageModel({ answers: () => "word ".repeat(Math.max(1, 400 - written++)) });
    const synthesizer = responseSynthesizer({ mode: "tree_summarize", model, contextWindow: 800 });
    const asked = synthesizer.synthesize({ query: "q", nodes: nodes(60) });
    await expect(asked).rejects.toMatchObject({ code: "SUMMARIES_DO_NOT_SHRINK" });
    expect(model.calls.length).toBeLessThan(100);
  });
});

describe("verbose", () => {
  it("shows the calls of every part that asks a model", async () => {
    const lines: string[] = [];
    const verbose = (line: string) => lines.push(line);
    const model = mockLanguageModel({ answers: () => '[{"choice": 1, "reason": ""}]' });
    const none = defineRetriever(() => nodes(1));
    const index = { asRetriever: () => none };
    const engine: QueryEngine = customQueryEngine(() => "a");
    const routes = [{ engine, description: "one" }];
    await routerQueryEngine({ routes, selector: modelSelector({ model, verbose }) }).query("q");
    await fusionRetriever({ retrievers: [none], numQueries: 2, model, verbose }).retrieve("q");
    await transformRetriever({ retriever: none, transform: hyde({ model, verbose }) }).retrieve("q");
    await autoRetriever({ index, model, contentInfo: "", metadataInfo: [], verbose }).retrieve("q");
    await simpleChatEngine({ model, verbose }).chat("q");
    expect(lines.filter((line) => line.includes("→")).map((line) => line.split(" ")[0])).toEqual([
      "routing",
      "queries",
      "hyde",
      "filters",
      "generation",
    ]);
    expect(lines.filter((line) => line.includes("←"))).toHaveLength(5);
  });
});
