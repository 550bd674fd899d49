/** Fingerprints, and the analyzers of old releases. */
import { expect, test } from "vitest";
import { analyzeRequest, createAnalysisRegistry } from "../../../src/engine/analysis/index.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { resources } from "./resources.ts";

interface Line {
  token: string;
  position: number;
  start_offset: number;
  end_offset: number;
}
const shown = (body: JsonObject, analysis: JsonObject = {}) => {
  const index = { analysis: createAnalysisRegistry({ analysis }, resources), field: () => undefined };
  const { tokens } = analyzeRequest(body, { resources, index }) as unknown as { tokens: Line[] };
  return tokens.map((t) => `${t.token}@${t.position}[${t.start_offset}-${t.end_offset}]`).join(", ");
};

test("one token of all terms, in order; its increment stays behind", () => {
  const body = { tokenizer: "whitespace", filter: ["fingerprint"], text: ["b a b", "c d", "", "é e"] };
  expect(shown(body)).toBe("a b@0[0-5], c d@102[6-9], e é@305[11-14]");
});

test("a fingerprint that would be too long is none", () => {
  const filter = [{ type: "fingerprint", max_output_size: 3 }];
  expect(shown({ tokenizer: "whitespace", filter, text: ["b a b", "cc dd", "x"] })).toBe("a b@0[0-5], x@203[12-13]");
  expect(shown({ tokenizer: "whitespace", filter: [{ type: "fingerprint", max_output_size: 0 }], text: "a" })).toBe("");
});

test("the separator is one character", () => {
  const filter = [{ type: "fingerprint", separator: "ab" }];
  expect(() => shown({ tokenizer: "whitespace", filter, text: "a" })).toThrow(
    "Setting [separator] must be a single, non-null character. [ab] was provided.",
  );
});

test("the analyzers fingerprint, chinese and snowball", () => {
  expect(shown({ analyzer: "fingerprint", text: "The Yes yes, Gödel é said." })).toBe("e godel said the yes@0[0-26]");
  const analyzer = {
    f: { type: "fingerprint", stopwords: "_english_", separator: "+", max_output_size: 9 },
    s: { type: "snowball", language: "French", stopwords: ["le"] },
  };
  expect(shown({ analyzer: "f", text: "the B a x" }, { analyzer })).toBe("b+x@0[0-9]");
  expect(shown({ analyzer: "s", text: "le chevaux nationaux" }, { analyzer })).toBe(
    "cheval@1[3-10], national@2[11-20]",
  );
  expect(shown({ analyzer: "snowball", text: "The dog's running" })).toBe("dog@1[4-9], run@2[10-17]");
  expect(shown({ analyzer: "chinese", text: "the B 年假" })).toBe("b@1[4-5], 年@2[6-7], 假@3[7-8]");
});

test("html_strip loses the last read of a text that ends with half of a pair", () => {
  const chain = { tokenizer: "keyword", char_filter: ["html_strip"], filter: ["truncate"] };
  expect(shown({ ...chain, tokenizer: "whitespace", text: ["a b\ud800", "z"] })).toBe("z@100[1-2]");
  expect(shown({ ...chain, text: [`${"x".repeat(20_000)}\ud800`, "z"] })).toBe(
    "xxxxxxxxxx@0[0-16384], z@101[16385-16386]",
  );
});

test("rules see the synonyms of a graph before them, not those of a plain filter", () => {
  const rules = (type: string) => [
    { type, synonyms: ["a => b"] },
    { type: "synonym", synonyms: ["a => c", "b => d"] },
  ];
  const run = (type: string) => shown({ tokenizer: "whitespace", filter: rules(type), text: "a" });
  expect(run("synonym")).toBe("d@0[0-1]");
  expect(run("synonym_graph")).toBe("c@0[0-1], d@0[0-1]");
});
