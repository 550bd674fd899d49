import { describe, expect, it } from "vitest";
import { condensePlusContextChatEngine } from "../../src/chat/index.ts";
import { languageRerank } from "../../src/models/index.ts";
import { rerank } from "../../src/postprocess/index.ts";
import {
  citationQueryEngine,
  multiStepQueryEngine,
  relevancyEvaluator,
  retrieverQueryEngine,
  retryQueryEngine,
  routerQueryEngine,
} from "../../src/query-engine/index.ts";
import { defineRetriever, modelSelector } from "../../src/retrieval/index.ts";
import { getPrompts, textNode, updatePrompts } from "../../src/schema/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const retriever = defineRetriever(() => [{ node: textNode({ id: "n", text: "年休假五天" }), score: 1 }]);

describe("prompts of parts", () => {
  it("are seen through all parts, by their place", () => {
    const model = mockLanguageModel({ answers: [] });
    const inner = retrieverQueryEngine({ retriever, model });
    const engine = retryQueryEngine({
      engine: multiStepQueryEngine({ engine: inner, model }),
      evaluator: relevancyEvaluator({ model }),
    });
    expect(Object.keys(getPrompts(engine))).toEqual([
      "retry",
      "engine:step",
      "engine:engine:synthesizer:textQa",
      "engine:engine:synthesizer:refine",
      "engine:synthesizer:textQa",
      "engine:synthesizer:refine",
      "evaluator:prompt",
    ]);
    expect(Object.keys(getPrompts(condensePlusContextChatEngine({ retriever, model })))).toEqual([
      "condense",
      "context",
      "contextRefine",
    ]);
    expect(Object.keys(getPrompts(rerank({ model: languageRerank(model) })))).toEqual(["prompt"]);
    expect(getPrompts(retriever)).toEqual({});
  });

  it("are replaced from the next call on, for one language or both", async () => {
    const model = mockLanguageModel({ answers: () => '{"choice": 1}' });
    const inner = citationQueryEngine({ retriever, model });
    const selector = modelSelector({ model });
    const engine = routerQueryEngine({ routes: [{ engine: inner, description: "d" }], selector, model });
    await engine.query("年休假有几天");
    updatePrompts(engine, { "selector:prompt": { en: "EN {query_str}", zh: "ZH {query_str}" } });
    updatePrompts(inner, { "synthesizer:textQa": "T {query_str} {context_str}" });
    await engine.query("年休假{query_str}");
    expect(model.calls.slice(2).map((call) => call.prompt)).toEqual([
      "ZH 年休假{query_str}",
      "T 年休假{query_str} Source 1:\n年休假五天",
    ]);
    const chat = condensePlusContextChatEngine({ retriever, model });
    updatePrompts(chat, { context: "C {context_str}" });
    await chat.chat("q");
    expect(model.calls.at(-1)!.messages![0]!.content).toBe("C 年休假五天");
    updatePrompts(chat, { context: [{ role: "user", content: "{context_str}" }] });
    await expect(chat.chat("q")).rejects.toThrow(/the system's message: a text/);
  });

  it("that are not there are refused, and nothing is replaced", () => {
    const engine = retrieverQueryEngine({ retriever, model: mockLanguageModel({ answers: [] }) });
    const before = getPrompts(engine);
    const wrong = { "synthesizer:refine": "x", textQa: "y" };
    expect(() => updatePrompts(engine, wrong)).toThrow(/no prompt "textQa" here: known are synthesizer:textQa/);
    expect(getPrompts(engine)).toEqual(before);
    for (const name of ["nope:x", "a:b:c", "__proto__", "synthesizer:constructor", ""]) {
      expect(() => updatePrompts(engine, JSON.parse(`{"${name}": "x"}`))).toThrow(/no prompt/);
    }
  });
});
