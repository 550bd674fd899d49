import { describe, expect, it } from "vitest";
import { quantityAsked, statesQuantity } from "../../src/synthesis/quantity.ts";

const states = (question: string, sentence: string) => statesQuantity(sentence, quantityAsked(question)!);

describe("questions for a quantity", () => {
  it.each([
    "年休假有几天",
    "要提前多少个工作日？",
    "最长多久",
    "工资按百分之几发",
    "多少钱一个月",
    "How many days off?",
    "how long may I stay away",
    "What percentage is paid?",
    "How much does it cost?",
    "the number of days",
  ])("%s", (question) => expect(quantityAsked(question)).toBeDefined());
  it.each(["怎么请假", "几乎不可能吗", "几何课", "how do I apply", "Who is the manager?", "the manynumbers", ""])(
    "not %s",
    (question) => expect(quantityAsked(question)).toBeUndefined(),
  );
});

describe("sentences that state it", () => {
  it.each([
    ["年休假有几天", "每年７天。", 1],
    ["年休假有几天", "给予三天假。", 1],
    ["年休假有几天", "自2024年起施行。", 0.5],
    ["年休假有几天", "须经主管批准。", 0],
    ["几个月", "满6个月后", 1],
    ["提前多久", "提前60天提出", 1],
    ["提前多久", "报销300元", 0.5],
    ["百分之几", "按70%发放", 1],
    ["多少钱", "每月300元", 1],
    ["How many days?", "Seven days a year.", 1],
    ["How many days?", "Five working days are given.", 1],
    ["How many days?", "It starts in 2024.", 0.5],
    ["How many days?", "No one knows.", 0],
    ["How many days?", "Nobody knows.", 0],
    ["How many yuan is it?", "It is 300 yuan a month.", 1],
    ["how long", "Up to 12 months.", 1],
    ["What percentage is paid?", "85 % of the wage", 1],
  ])("%s: %s (%d)", (question, sentence, expected) => expect(states(question, sentence)).toBe(expected));
});
