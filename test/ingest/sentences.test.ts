import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentences } from "../../src/ingest/index.ts";
import { anyText, cutsPair } from "./support/text.ts";

const cut = (text: string) => sentences(text).map(({ start, end }) => text.slice(start, end));

describe("sentences", () => {
  it.each([
    [
      "年休假共五天。病假另算！可以吗？可以；但要申请……好",
      ["年休假共五天。", "病假另算！", "可以吗？", "可以；", "但要申请……", "好"],
    ],
    ["他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]],
    ["（见附件。）下一句。", ["（见附件。）", "下一句。"]],
    ["Take 3.5 days. Not more! Why? Ask.", ["Take 3.5 days.", "Not more!", "Why?", "Ask."]],
    ['She said "Go." Then left.', ['She said "Go."', "Then left."]],
    ['"What?" he asked. Nobody knew.', ['"What?" he asked.', "Nobody knew."]],
    ["Mr. Smith and Dr. Wu met J. R. Jones. They left.", ["Mr. Smith and Dr. Wu met J. R. Jones.", "They left."]],
    ["See e.g. No. 5 and Fig. 3. The end.", ["See e.g. No. 5 and Fig. 3.", "The end."]],
    ["Ask for no. They agree.", ["Ask for no.", "They agree."]],
    ["Use Node.js v20.1 at https://x.org/a?b=c now. Done", ["Use Node.js v20.1 at https://x.org/a?b=c now.", "Done"]],
    ["Wait... what? It goes on... Really.", ["Wait... what?", "It goes on...", "Really."]],
    ["共3.5天。第1.2节", ["共3.5天。", "第1.2节"]],
    ["使用OK!然后继续.再来", ["使用OK!", "然后继续.", "再来"]],
  ])("ends at marks: %s", (text, expected) => {
    expect(cut(text)).toEqual(expected);
  });

  it("ends before and after headings, items, rows and paragraphs", () => {
    expect(cut("# 制度\n第一段\n\n第二段\n1. First item\n2. Second item\n- a\n- b\n| x | y |\n| 1 | 2 |")).toEqual([
      "# 制度",
      "第一段",
      "第二段",
      "1. First item",
      "2. Second item",
      "- a",
      "- b",
      "| x | y |",
      "| 1 | 2 |",
    ]);
  });

  it("goes on over the break of a wrapped line", () => {
    const text = "This sentence was wrapped by an editor at the usual\nwidth of a page. Next.";
    expect(cut(text)).toEqual(["This sentence was wrapped by an editor at the usual\nwidth of a page.", "Next."]);
  });

  it("ends each line of a record", () => {
    expect(cut("姓名：张三\n部门：研发\nage: 30")).toEqual(["姓名：张三", "部门：研发", "age: 30"]);
  });

  it.each(["", " \n\t\u3000", "\n".repeat(10)])("finds none in blank text", (text) => {
    expect(sentences(text)).toEqual([]);
  });

  it("loses nothing, cuts no character and keeps the order, whatever the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0;
        for (const { start, end } of sentences(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(last, start).trim()).toBe("");
          expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
          expect(end).toBeGreaterThan(start);
          expect(cutsPair(text, start) || cutsPair(text, end)).toBe(false);
          last = end;
        }
        expect(text.slice(last).trim()).toBe("");
      }),
      { numRuns: 300 },
    );
  });

  it.each(["a", ".", "a. ", "\n", " ", "\n ", "。", "的", '"', "a:\n", "1.", "#", "(", "Mr. "])(
    "comes to an end with a million times %j",
    (piece) => {
      const text = piece.repeat(Math.ceil(1e6 / piece.length));
      expect(sentences(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});
