import { expect, it } from "vitest";
import { questionTerms } from "../../src/synthesis/terms.ts";

it.each([
  ["HR系统怎么请假", ["hr", "系统", "请假"]],
  ["试用期可以请几天婚假", ["试用", "用期", "天婚", "婚假"]],
  ["什么", []],
  ["几", ["几"]],
  ["COVID19疫情3天", ["covid19", "疫情", "3", "天"]],
  ["用Excel导出CSV文件", ["用", "excel", "导出", "csv", "文件"]],
  ["年休假", ["年休", "休假"]],
  ["ＨＲ　系统", ["hr", "系统"]],
  ["what is the policy", ["polici"]],
  ["日本語のテスト", ["日本", "本語", "のテスト"]],
  ["", []],
  ["？！…😀", []],
])("terms of %j", (text, expected) => expect(questionTerms(text)).toEqual(expected));

it.each([
  ["leave", "leaves"],
  ["policy", "policies"],
  ["apply", "applied"],
  ["approve", "approving"],
  ["taxes", "tax"],
  ["class", "classes"],
  ["ＬＥＡＶＥ", "leaves"],
])("%s and %s are the same word", (a, b) => expect(questionTerms(a)).toEqual(questionTerms(b)));

it("different words stay apart", () => {
  expect(questionTerms("leaving leaf live")).toHaveLength(3);
});
