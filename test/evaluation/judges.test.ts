import { describe, expect, test } from "vitest";
import {
  answerRelevancyJudge,
  contextRelevancyJudge,
  correctnessJudge,
  evaluationReport,
  faithfulnessJudge,
  judgeAnswers,
  reportHtml,
} from "../../src/evaluation/index.ts";
import { retryQueryEngine } from "../../src/query-engine/index.ts";
import { numberSources, response, textNode } from "../../src/schema/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const request = {
  query: "How many days?",
  answer: "Seven days, and a bonus.",
  contexts: ["Seven days of leave.", "Sick leave."],
};
const claims = (...supported: unknown[]) =>
  JSON.stringify({ claims: supported.map((value, i) => ({ claim: `claim ${i + 1}`, supported: value })) });

describe("faithfulness", () => {
  test("is the share of statements that the passages support; the others are the feedback", async () => {
    const model = mockLanguageModel({ answers: [claims(true, false, true, false)] });
    expect(await faithfulnessJudge({ model }).evaluate(request)).toEqual({
      score: 0.5,
      passing: false,
      feedback: "claim 2; claim 4",
    });
    expect(model.calls[0]!.prompt).toContain("[1] Seven days of leave.\n\n[2] Sick leave.");
  });
  test("of an answer that states nothing is not judged", async () => {
    const judge = faithfulnessJudge({ model: mockLanguageModel({ answers: ['{"claims": []}'] }) });
    expect(await judge.evaluate(request)).toEqual({ score: undefined, passing: true });
  });
  test.each([
    ['Sure!\n```json\n{"claims":[{"claim":"a","supported":"yes"},{"claim":"b","supported":"No."}]}\n```', 0.5],
    ["{claims: [{claim: 'a', supported: 支持}, {claim: 'b', supported: 不支持},]}", 0.5],
    ['{"claims":[{"claim":"a","supported":1}]} I hope this helps', 1],
  ])("reads what models write: %s", async (said, score) => {
    const judge = faithfulnessJudge({ model: mockLanguageModel({ answers: [said] }) });
    expect((await judge.evaluate(request)).score).toBe(score);
  });
  test("an answer that is no judgement is asked for once more, then refused", async () => {
    const judge = faithfulnessJudge({ model: mockLanguageModel({ answers: ["well …", claims(true)] }) });
    expect((await judge.evaluate(request)).score).toBe(1);
    const never = faithfulnessJudge({ model: mockLanguageModel({ answers: ["well …", "hm"] }) });
    await expect(never.evaluate(request)).rejects.toMatchObject({ code: "ANSWER_FORMAT" });
  });
});

describe("relevancy and correctness", () => {
  test.each([
    ['{"score": 5, "reason": "to the point"}', 1],
    ['{"score": "4/5", "reason": "short"}', 0.75],
    ['{"reason": "no", "score": 1}', 0],
    ['{"score": 3}', 0.5],
  ])("a grade of five becomes a score: %s", async (said, score) => {
    const judge = answerRelevancyJudge({ model: mockLanguageModel({ answers: [said] }) });
    expect((await judge.evaluate(request)).score).toBe(score);
  });
  test.each(['{"score": 9}', '{"score": 0}', '{"score": "good"}'])("%s is no grade", async (said) => {
    const judge = answerRelevancyJudge({ model: mockLanguageModel({ answers: [said, said] }) });
    await expect(judge.evaluate(request)).rejects.toMatchObject({ code: "ANSWER_FORMAT" });
  });
  test("of passages is their share that helps, by number", async () => {
    const said = '{"passages":[{"number":"1","relevant":true},{"number":7,"relevant":true}]}';
    const judge = contextRelevancyJudge({ model: mockLanguageModel({ answers: [said] }) });
    expect(await judge.evaluate(request)).toEqual({ score: 0.5, passing: false, feedback: "[2]" });
  });
  test("correctness compares with the answer that is known", async () => {
    const model = mockLanguageModel({ answers: ['{"score":2,"reason":"the number is wrong"}'] });
    const judge = correctnessJudge({ model });
    expect(await judge.evaluate({ ...request, reference: "Ten days." })).toMatchObject({
      score: 0.25,
      feedback: "the number is wrong",
    });
    expect(model.calls[0]!.prompt).toContain("Ten days.");
    await expect(judge.evaluate(request)).rejects.toThrow("correctness needs the answer that is known to be right");
  });
  test("questions in Chinese are judged in Chinese", async () => {
    const model = mockLanguageModel({ answers: ['{"score":5}'] });
    await answerRelevancyJudge({ model }).evaluate({ ...request, query: "有几天？" });
    expect(model.calls[0]!.prompt).toContain("这个回答在多大程度上回答了问题");
  });
});

test("braces in questions and answers are not read as templates", async () => {
  const model = mockLanguageModel({ answers: ['{"score":5}'] });
  await answerRelevancyJudge({ model }).evaluate({ ...request, query: "what is {answer}?" });
  expect(model.calls[0]!.prompt).toContain("what is {answer}?");
});

test("a judge can be the evaluator of a query engine that asks again", async () => {
  const answers = ["bad", "good"];
  const engine = retryQueryEngine({
    engine: { query: async () => response({ kind: "generated", text: answers.shift()!, sources: [] }) },
    evaluator: answerRelevancyJudge({
      model: mockLanguageModel({ answers: ['{"score":1,"reason":"off"}', '{"score":5}'] }),
    }),
  });
  expect(await (await engine.query("q")).text).toBe("good");
});

test("answers are judged question by question; correctness where the answer is known; what they hold is text in the report", async () => {
  const hostile = "<script>alert(1)</script>";
  const model = mockLanguageModel({ answers: [claims(true), '{"score":1,"reason":"</td><script>"}', claims(false)] });
  const asked: string[] = [];
  const result = await judgeAnswers({
    name: "set",
    questions: [
      { id: "1", text: "one", answer: "eins" },
      { id: "2", text: hostile },
    ],
    ask: async (question) => {
      asked.push(question);
      const sources = numberSources([{ node: textNode({ id: "p", text: "passage" }), score: 1 }]);
      return response({ kind: "generated", text: hostile, sources });
    },
    judges: [faithfulnessJudge({ model }), correctnessJudge({ model })],
  });
  expect(asked).toEqual(["one", hostile]);
  expect(result.judges).toMatchObject({
    faithfulness: { mean: 0.5, questions: 2 },
    correctness: { mean: 0, questions: 1 },
  });
  expect(result.rows[1]).toMatchObject({ scores: { faithfulness: 0 }, feedback: { faithfulness: "claim 1" } });
  const html = reportHtml(evaluationReport({ answers: [result] }));
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;script&gt;");
});
