import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentenceWindows } from "../../src/ingest/index.ts";
import { anyText, cutsPair } from "./support/text.ts";

const windows = (text: string) => sentenceWindows(text).map(({ start, end }) => text.slice(start, end));

describe("sentence windows", () => {
  it("hold whole sentences as long as they fit", () => {
    const sentence = `${"年".repeat(24)}。`;
    expect(windows(sentence.repeat(5))).toEqual([sentence.repeat(2), sentence.repeat(2), sentence]);
    expect(windows("One. Two. Three.")).toEqual(["One. Two. Three."]);
  });

  it("hold about 60 Chinese or 200 Latin characters", () => {
    expect(windows("的".repeat(600)).every((window) => window.length === 60)).toBe(true);
    expect(windows("a".repeat(2000)).every((window) => window.length === 200)).toBe(true);
  });

  it("cut a long sentence at a comma, else at a space", () => {
    expect(windows(`${"年".repeat(40)}，${"月".repeat(40)}。`)).toEqual([
      `${"年".repeat(40)}，`,
      `${"月".repeat(40)}。`,
    ]);
    const words = windows("word ".repeat(100).trim());
    expect(words.every((window) => /^word( word)*$/.test(window))).toBe(true);
  });

  it("do not cut numbers at their commas", () => {
    for (const window of windows("1,234,567 ".repeat(60))) expect(window).toMatch(/^1,234,567( 1,234,567)*$/);
  });

  it("keep marks with their letters", () => {
    for (const window of windows("e\u0301".repeat(300))) expect(window).toMatch(/^(e\u0301)+$/);
  });

  it("lose nothing and never grow too long, whatever the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0;
        for (const { start, end } of sentenceWindows(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(last, start).trim()).toBe("");
          expect(text.slice(start, end).trim()).not.toBe("");
          expect(end - start).toBeLessThanOrEqual(201);
          expect(cutsPair(text, start) || cutsPair(text, end)).toBe(false);
          last = end;
        }
        expect(text.slice(last).trim()).toBe("");
      }),
      { numRuns: 300 },
    );
  });
});
