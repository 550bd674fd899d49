import { describe, expect, it } from "vitest";
import { type NodeWithScore, textNode } from "../../src/schema/index.ts";
import { extractiveAnswer } from "../../src/synthesis/index.ts";

const hits = (...texts: string[]): NodeWithScore[] =>
  texts.map((text, i) => ({ node: textNode({ id: `n${i}`, text, metadata: { file: `${i}.md` } }), score: 1 }));
const answer = async (question: string, ...texts: string[]) =>
  (await extractiveAnswer({ question, nodes: hits(...texts), maxSentences: 1 })).text;

describe("extracts", () => {
  it.each([
    ["年休假有几天？", "年休假由主管批准。年休假每年七天。年休假可以结转。", "年休假每年七天。 [1]"],
    [
      "How many days of annual leave?",
      "Annual leave is approved by the manager. Annual leave is 12 days. Annual leave may be carried over.",
      "Annual leave is 12 days. [1]",
    ],
    [
      "Who approves annual leave?",
      "Annual leave is 12 days. The manager approves annual leave.",
      "The manager approves annual leave. [1]",
    ],
    ["HR系统怎么请假", "食堂在二楼。在HR系统里提交请假申请。", "在HR系统里提交请假申请。 [1]"],
    ["Are leaves paid?", "The office opens at nine. Sick leave is paid in full.", "Sick leave is paid in full. [1]"],
  ])("%s", async (question, text, expected) => expect(await answer(question, text)).toBe(expected));

  it("do not let a number stand for the subject", async () => {
    expect(await answer("年休假有几天？", "食堂有3天休息。年休假按工龄计算，见附表。")).toBe(
      "年休假按工龄计算，见附表。 [1]",
    );
  });
});
