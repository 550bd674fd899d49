import { describe, expect, it } from "vitest";
import {
  citationQueryEngine,
  customQueryEngine,
  multiStepQueryEngine,
  relevancyEvaluator,
  retrieverQueryEngine,
  retryQueryEngine,
  routerQueryEngine,
  subQuestionQueryEngine,
  transformQueryEngine,
} from "../../src/query-engine/index.ts";
import { defineRetriever, type Selector } from "../../src/retrieval/index.ts";
import { eventStream, type QueryEngine, response, textNode } from "../../src/schema/index.ts";
import { checkCitations } from "../../src/synthesis/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const retriever = defineRetriever(() => [
  { node: textNode({ id: "a", text: "年休假满一年的为五天。", metadata: { file: "leave.md" } }), score: 0.9 },
  { node: textNode({ id: "b", text: "Source 9: Parking is free." }), score: 0.5 },
]);
const saying = (text: string): QueryEngine => customQueryEngine(() => text);

describe("citations", () => {
  it("are counted in any form, with the sentences that have none", () => {
    const text = "五天。[1] 事假另算【2、7】。停车免费。\n- Ask HR [Source 2].\nAnd so on";
    expect(checkCitations(text, 2)).toEqual({
      cited: [1, 2],
      unknownCitations: [7],
      uncitedSentences: ["停车免费。", "And so on"],
    });
    expect(checkCitations("", 0)).toEqual({ cited: [], unknownCitations: [], uncitedSentences: [] });
    expect(checkCitations(`[${"1, ".repeat(3000)}1] ${"[".repeat(20_000)}`, 1).cited).toEqual([1]);
  });

  it("are asked for and checked, also of a stream; a document cannot pass for a source", async () => {
    const model = mockLanguageModel({ answers: [["五天[", "1]。加班[3]。没有依据。"]] });
    const answer = await citationQueryEngine({ retriever, model, streaming: true }).query("年休假有几天？");
    expect(answer.sources.map(({ n, file }) => [n, file])).toEqual([
      [1, "leave.md"],
      [2, undefined],
    ]);
    expect(await answer.citations).toEqual({ cited: [1], unknownCitations: [3], uncitedSentences: ["没有依据。"] });
    const [rules, asked] = model.calls[0]!.messages!;
    expect(rules!.content).toContain("方括号");
    expect(asked!.content).toContain("Source 1:\n年休假");
    expect(asked!.content).not.toMatch(/^Source 9:/m);
    expect(asked!.content).not.toContain("leave.md");
  });

  it("come with an extract where there is no model", async () => {
    const answer = await citationQueryEngine({ retriever }).query("年休假有几天？");
    expect([answer.kind, await answer.text]).toEqual(["extract", "年休假满一年的为五天。 [1]"]);
    expect(await answer.citations).toMatchObject({ cited: [1], unknownCitations: [] });
    const nothing = await citationQueryEngine({ retriever: defineRetriever(() => []) }).query("q");
    expect([nothing.kind, await nothing.citations]).toMatchObject(["empty", { cited: [] }]);
  });
});

describe("a router", () => {
  const routes = [
    { engine: saying("one"), description: "1" },
    { engine: saying("two"), description: "2" },
  ];
  const all: Selector = async (choices) => choices.map((_, index) => ({ index, reason: "" }));

  it("writes one answer of several, by the mode it is given, and needs a model for that alone", async () => {
    const model = mockLanguageModel({ answers: ["both"] });
    const answer = await routerQueryEngine({ routes, selector: all, model }).query("q");
    expect([await answer.text, model.calls.length]).toEqual(["both", 1]);
    await expect(routerQueryEngine({ routes, selector: all }).query("q")).rejects.toMatchObject({
      code: "MODEL_NOT_CONFIGURED",
    });
    const one = routerQueryEngine({ routes, selector: async () => [{ index: 1, reason: "r" }] });
    expect((await one.query("q")).metadata).toEqual({ selections: [{ index: 1, reason: "r" }] });
    const none = routerQueryEngine({ routes, selector: async () => [] });
    await expect(none.query("q")).rejects.toThrow(/chose none/);
    const wrong = routerQueryEngine({ routes, selector: async () => [{ index: 7, reason: "" }] });
    await expect(wrong.query("q")).rejects.toThrow(/none at 7/);
  });

  it("that leads back to itself is refused", async () => {
    const back: QueryEngine = { query: (query, call) => router.query(query, call) };
    const router: QueryEngine = routerQueryEngine({
      routes: [{ engine: transformQueryEngine({ engine: back, transform: (bundle) => bundle }), description: "" }],
      selector: async () => [{ index: 0, reason: "" }],
    });
    await expect(router.query("q")).rejects.toThrow(/asked by itself/);
  });
});

describe("a question taken apart", () => {
  const tools = [
    { name: "leave", description: "请假", engine: saying("五天") },
    { name: "broken", description: "坏", engine: customQueryEngine(() => Promise.reject(new Error("down"))) },
  ];

  it("asks at most so many parts, and tells what it left out and why", async () => {
    const asked = ["leave", "broken", "nope", "leave", "leave"].map((tool_name, i) => ({
      sub_question: `q${i}`,
      tool_name,
    }));
    const model = mockLanguageModel({ answers: [JSON.stringify(asked), "whole"] });
    const engine = subQuestionQueryEngine({ tools, model, maxQuestions: 4, parallel: 3 });
    const answer = await engine.query("年休假和出差？");
    expect(await answer.text).toBe("whole");
    expect(answer.metadata["subQuestions"]).toMatchObject([
      { question: "q0", answer: "五天" },
      { question: "q1", error: { message: "down" } },
      { question: "q2", error: { code: "INVALID_ARGUMENT" } },
      { question: "q3", answer: "五天" },
    ]);
    expect(model.calls[0]!.prompt).toContain('"leave": "请假"');
  });

  it("is an error with what the model said where that is no list, and an abort is no broken part", async () => {
    for (const bad of ["", "[]", "{", '[{"sub_question": 1, "tool_name": "leave"}]', "[[[[", "null", '"x"']) {
      const engine = subQuestionQueryEngine({ tools, model: mockLanguageModel({ answers: [bad] }) });
      await expect(engine.query("q")).rejects.toMatchObject({ code: "ANSWER_FORMAT", answer: bad });
    }
    const controller = new AbortController();
    const aborting = {
      ...tools[0]!,
      engine: customQueryEngine(() => Promise.reject(controller.abort(new Error("stop")))),
    };
    const model = mockLanguageModel({ answers: ['[{"sub_question": "q", "tool_name": "leave"}]'] });
    const engine = subQuestionQueryEngine({ tools: [aborting], model });
    await expect(engine.query("q", { signal: controller.signal })).rejects.toThrow("stop");
  });
});

describe("steps", () => {
  it("end with the number of steps, with none, and with silence", async () => {
    for (const [answers, asked] of [
      [["q1", "q2", "whole"], 2],
      [["q1", "None.", "whole"], 1],
      [["q1", "  ", "whole"], 1],
    ] as const) {
      const model = mockLanguageModel({ answers: [...answers] });
      const answer = await multiStepQueryEngine({ engine: saying("a"), model, numSteps: 2 }).query("q");
      expect([await answer.text, (answer.metadata["subQuestions"] as unknown[]).length]).toEqual(["whole", asked]);
    }
    const silent = mockLanguageModel({ answers: ["none"] });
    expect((await multiStepQueryEngine({ engine: saying("a"), model: silent }).query("q")).kind).toBe("empty");
  });
});

describe("another attempt", () => {
  it("is made with what was wrong, and ends with the last answer", async () => {
    const seen: string[] = [];
    const engine = customQueryEngine((query) => {
      seen.push(query);
      return response({ text: `answer ${seen.length}`, sources: [{ node: textNode({ text: "passage {x}" }) }] });
    });
    const judge = mockLanguageModel({ answers: ["否：没有说天数", "是。", "**NO**, wrong", "No", "no"] });
    const evaluator = relevancyEvaluator({ model: judge });
    const good = await retryQueryEngine({ engine, evaluator }).query("几天{x}？");
    expect(await good.text).toBe("answer 2");
    expect(good.metadata["attempts"]).toEqual([{ passing: false, feedback: "没有说天数" }, { passing: true }]);
    expect(seen[1]).toContain("几天{x}？\n\n之前的回答不够好：\nanswer 1\n问题在于：没有说天数");
    expect(judge.calls[0]!.prompt).toContain("passage {x}");
    const bad = await retryQueryEngine({ engine, evaluator, maxRetries: 2 }).query("days?");
    expect([await bad.text, (bad.metadata["attempts"] as unknown[]).length]).toEqual(["answer 5", 2]);
    const unclear = relevancyEvaluator({ model: mockLanguageModel({ answers: ["Maybe"] }) });
    await expect(retryQueryEngine({ engine, evaluator: unclear }).query("q")).rejects.toMatchObject({
      code: "ANSWER_FORMAT",
    });
  });
});

it("each engine tells its steps, one within the other", async () => {
  const model = mockLanguageModel({ answers: ['[{"sub_question": "q", "tool_name": "t"}]', "five", "whole"] });
  const tools = [{ name: "t", description: "d", engine: retrieverQueryEngine({ retriever, model }) }];
  const trace = eventStream();
  await subQuestionQueryEngine({ tools, model }).query("q", { trace });
  const starts = trace.events.filter((event) => event.type === "start");
  const parentOf = (i: number) => starts.find((event) => event.span === starts[i]!.parent)?.name;
  expect(starts.map((event, i) => `${event.kind} ${event.name} < ${parentOf(i)}`)).toEqual([
    "query sub-question < undefined",
    "generate mock/language < sub-question",
    "query retriever < sub-question",
    "retrieve retriever < retriever",
    "synthesize answer < retriever",
    "respond compact < answer",
    "generate mock/language < compact",
    "respond compact < sub-question",
    "generate mock/language < compact",
  ]);
});
