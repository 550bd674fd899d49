import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { marked, matchSpans, matchTerms, snippetSpan } from "../../src/cli/terminal/matches.ts";

const show = (question: string, text: string) => {
  const spans = matchSpans(text, matchTerms(question));
  return marked(text, { start: 0, end: text.length }, spans, (part) => `<${part}>`);
};

describe("matches", () => {
  test("are pairs of Han characters, merged where they adjoin", () => {
    expect(show("年休假有几天", "带薪年休假每年七天")).toBe("带薪<年休假>每年七天");
  });
  test("are whole words of the same stem, in any case and width", () => {
    expect(show("booking leaves", "Leave is booked; leaving is not. ＬＥＡＶＥ")).toBe(
      "<Leave> is <booked>; <leaving> is not. <ＬＥＡＶＥ>",
    );
  });
  test("are found where Chinese and Latin text stand side by side", () => {
    expect(show("HR系统怎么请假", "在HR系统里请假")).toBe("在<HR系统>里<请假>");
  });
  test("leave words out that only ask", () => {
    expect(show("what is the policy", "this is the policy")).toBe("this is the <policy>");
  });
  test("of an empty question there are none", () => {
    expect(show("", "text 文字")).toBe("text 文字");
    expect(show("？！", "text 文字？！")).toBe("text 文字？！");
  });
});

describe("snippets", () => {
  const filler = "这里写的是别的事情。".repeat(40);
  test("are the whole of a short text", () => {
    expect(snippetSpan("短文", [], 100)).toEqual({ start: 0, end: 2 });
  });
  test("begin with the sentence that holds most of the question", () => {
    const text = `${filler}婚假另有规定。试用期员工可以请婚假三天。${filler}`;
    const { start, end } = snippetSpan(text, matchSpans(text, matchTerms("试用期能请婚假吗")), 100);
    expect(text.slice(start, end)).toMatch(/^(婚假另有规定。)?试用期员工可以请婚假三天。/);
  });
  test("lie within the text and cut no character, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.string({ unit: "grapheme", maxLength: 20 }),
        (text, question) => {
          const { start, end } = snippetSpan(text, matchSpans(text, matchTerms(question)), 80);
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(text.slice(start, end)).not.toMatch(/\p{Surrogate}/u);
        },
      ),
    );
  });
});

test("marking changes nothing but adds marks", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, question) => {
      const spans = matchSpans(text, matchTerms(question + text.slice(0, 5)));
      expect(marked(text, { start: 0, end: text.length }, spans, (part) => part)).toBe(text);
    }),
  );
});
