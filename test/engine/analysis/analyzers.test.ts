/** The analyzers' tokens, against recorded answers of Elasticsearch and for texts of any kind. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzeToTokens, createAnalysisRegistry, normalizeTerm } from "../../../src/engine/analysis/index.ts";
import type { Analyzer } from "../../../src/engine/analysis/types.ts";
import { resources } from "./resources.ts";

const registry = createAnalysisRegistry({}, resources);
const analyzer = (name: string) => registry.get(name) as Analyzer;
const terms = (name: string, text: string) => analyzeToTokens(analyzer(name), text).map((token) => token.term);

interface Recorded {
  text: string;
  /** By analyzer; texts of several thousand characters by the digest of their tokens. */
  tokens: Record<string, string>;
}
const recorded = JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")) as Recorded[];

describe.each(Object.keys(recorded[0].tokens))("%s gives Elasticsearch's tokens", (name) => {
  test.each(recorded.map((entry) => [entry.text.slice(0, 40), entry] as const))("%s", (_, { text, tokens }) => {
    const ours = analyzeToTokens(analyzer(name), text)
      .map(({ term, start, end, type, position }) => `${term}|${start}|${end}|${type}|${position}`)
      .join(" ");
    if (tokens[name].startsWith("sha1:"))
      expect(`sha1:${createHash("sha1").update(ours).digest("hex")}`).toBe(tokens[name]);
    else expect(ours).toBe(tokens[name]);
  });
});

test.each(["standard", "simple", "whitespace", "english", "cjk", "ik_max_word", "ik_smart"])(
  "%s takes any string",
  (name) => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
          maxLength: 300,
        }),
        (text) => {
          let position = -1;
          const end = analyzer(name).analyze(text, (term, start, stop, increment) => {
            position += increment;
            expect(term.length).toBeGreaterThan(0);
            expect(start).toBeGreaterThanOrEqual(0);
            expect(stop).toBeGreaterThan(start);
            expect(stop).toBeLessThanOrEqual(text.length);
            expect(position).toBeGreaterThanOrEqual(0);
          });
          expect(end.offset).toBeLessThanOrEqual(text.length);
        },
      ),
      { numRuns: 60 },
    );
  },
);

test("the empty text has no tokens, and the keyword analyzer one", () => {
  for (const name of ["standard", "english", "cjk", "ik_max_word", "ik_smart"]) expect(terms(name, "")).toEqual([]);
  expect(terms("keyword", "")).toEqual([""]);
});

test("NUL and lone surrogates separate words", () => {
  expect(terms("standard", "a\0b\ud83d c\udc00d")).toEqual(["a", "b", "c", "d"]);
  expect(terms("ik_smart", "a\0b中\0国\ud83d人")).toEqual(["b", "中", "国", "人"]);
});

test("a word of the standard tokenizer is cut at its longest length, and never inside of a character", () => {
  expect(terms("standard", "x".repeat(600)).map((term) => term.length)).toEqual([255, 255, 90]);
  const short = createAnalysisRegistry(
    { analysis: { analyzer: { short: { type: "standard", max_token_length: 2 } } } },
    resources,
  ).get("short") as Analyzer;
  expect(analyzeToTokens(short, "abc𝒳yz").map((token) => token.term)).toEqual(["ab", "c", "𝒳", "yz"]);
});

test("the end state counts dropped tokens, and for IK where the last word ends", () => {
  const ignore = () => {};
  expect(analyzer("english").analyze("dogs of the ", ignore)).toEqual({ increment: 2, offset: 12 });
  expect(analyzer("ik_smart").analyze("中国。 ", ignore)).toEqual({ increment: 0, offset: 2 });
});

test("parts of terms are looked up in lower case without being cut", () => {
  expect(normalizeTerm(analyzer("standard"), "Foo-BAR*")).toBe("foo-bar*");
  expect(normalizeTerm(analyzer("english"), "Running")).toBe("running");
  expect(normalizeTerm(analyzer("keyword"), "Foo")).toBe("Foo");
});

test("an analyzer can be used while it is being used", () => {
  const seen: string[] = [];
  analyzer("ik_smart").analyze("中国人民", (term) => {
    seen.push(term);
    analyzer("ik_smart").analyze("北京大学", (inner) => seen.push(inner));
  });
  expect(seen).toEqual([...terms("ik_smart", "中国人民").flatMap((term) => [term, ...terms("ik_smart", "北京大学")])]);
});

describe("IK's settings", () => {
  const own = createAnalysisRegistry(
    {
      analysis: {
        analyzer: {
          words: { type: "ik_smart", user_dictionary: ["年假管家", "Hui流"], stopwords: ["系统"] },
          files: { type: "ik_max_word", user_dictionary_path: "words.txt" },
          chain: { tokenizer: "ik_own", filter: ["lowercase"] },
        },
        tokenizer: { ik_own: { type: "ik_smart", user_dictionary: "云上大厅" } },
      },
    },
    { ...resources, readText: (path) => `# words of ${path}\n智慧园区\n\n` },
  );
  const cut = (name: string, text: string) =>
    analyzeToTokens(own.get(name) as Analyzer, text).map((token) => token.term);

  test("words of the user are found beside those of the dictionary", () => {
    expect(terms("ik_smart", "年假管家系统")).not.toContain("年假管家");
    expect(cut("words", "年假管家系统")).toEqual(["年假管家"]);
    expect(cut("words", "用HUI流")).toContain("hui流");
    expect(cut("files", "智慧园区")).toContain("智慧园区");
    expect(cut("chain", "云上大厅")).toEqual(["云上大厅"]);
  });

  test("a dictionary that is not one is named", () => {
    const broken = createAnalysisRegistry({}, { ikDictionary: () => new Uint8Array(100) });
    expect(() => broken.get("ik_smart")?.analyze("中", () => {})).toThrow(/ik\.dic\.bin/);
  });
});
