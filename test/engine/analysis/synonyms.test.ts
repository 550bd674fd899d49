/** The synonym filters: rules, and the positions of what they add. Expected tokens were recorded from Elasticsearch. */
import { expect, test } from "vitest";
import { analyzeRequest, createAnalysisRegistry } from "../../../src/engine/analysis/index.ts";
import { EngineError } from "../../../src/engine/errors.ts";
import type { JsonValue } from "../../../src/engine/json/types.ts";
import { resources } from "./resources.ts";

interface Line {
  token: string;
  position: number;
  positionLength?: number;
  start_offset: number;
  end_offset: number;
}

function analyze(filter: JsonValue[], text: string, tokenizer = "whitespace"): Line[] {
  return (analyzeRequest({ tokenizer, filter, text }, { resources }) as unknown as { tokens: Line[] }).tokens;
}
const terms = (filter: JsonValue[], text: string, tokenizer?: string) =>
  analyze(filter, text, tokenizer)
    .map(({ token, position }) => `${token}@${position}`)
    .join(" ");

test.each<[type: string, synonyms: string[], text: string, tokens: string]>([
  [
    "synonym",
    ["wfh, work from home", "pto => paid time off"],
    "i work from home with pto soon",
    "i@0+1[0-1] work@1+1[2-6] wfh@1+3[2-16] from@2+1[7-11] home@3+1[12-16] with@4+1[17-21] paid@5+1[22-25] soon@6+1[26-30] time@6+1[26-30] off@7+1[26-30]",
  ],
  ["synonym", ["a b c => x y"], "a b c d", "x@0+1[0-1] y@1+1[2-3] d@2+1[6-7]"],
  ["synonym", ["a => x y z"], "a", "x@0+1[0-1] y@1+1[0-1] z@2+1[0-1]"],
  [
    "synonym",
    ["a => x y z"],
    "q a b c d",
    "q@0+1[0-1] x@1+1[2-3] b@2+1[4-5] y@2+1[4-5] c@3+1[6-7] z@3+1[6-7] d@4+1[8-9]",
  ],
  ["synonym", ["a b, c"], "a b c a", "a@0+1[0-1] c@0+2[0-3] b@1+1[2-3] c@2+1[4-5] a@2+1[4-5] a@3+1[6-7] b@3+1[6-7]"],
  [
    "synonym",
    ["a, b c d"],
    "a b c d e",
    "a@0+1[0-1] b@0+1[0-1] b@1+1[2-3] c@1+1[2-3] a@1+3[2-7] c@2+1[4-5] d@2+1[4-5] d@3+1[6-7] e@4+1[8-9]",
  ],
  ["synonym", ["a => b c", "b => d"], "a b", "b@0+1[0-1] c@1+1[2-3] d@1+1[2-3]"],
  [
    "synonym_graph",
    ["wfh, work from home", "pto => paid time off"],
    "i work from home with pto soon",
    "i@0+1[0-1] wfh@1+3[2-16] work@1+1[2-6] from@2+1[7-11] home@3+1[12-16] with@4+1[17-21] paid@5+1[22-25] time@6+1[22-25] off@7+1[22-25] soon@8+1[26-30]",
  ],
  ["synonym_graph", ["a b c => x y"], "a b c d", "x@0+1[0-5] y@1+1[0-5] d@2+1[6-7]"],
  ["synonym_graph", ["a => x y z"], "a", "x@0+1[0-1] y@1+1[0-1] z@2+1[0-1]"],
  [
    "synonym_graph",
    ["a => x y z"],
    "q a b c d",
    "q@0+1[0-1] x@1+1[2-3] y@2+1[2-3] z@3+1[2-3] b@4+1[4-5] c@5+1[6-7] d@6+1[8-9]",
  ],
  [
    "synonym_graph",
    ["a b, c"],
    "a b c a",
    "c@0+2[0-3] a@0+1[0-1] b@1+1[2-3] a@2+1[4-5] c@2+2[4-5] b@3+1[4-5] a@4+1[6-7]",
  ],
  [
    "synonym_graph",
    ["a, b c d"],
    "a b c d e",
    "b@0+1[0-1] a@0+3[0-1] c@1+1[0-1] d@2+1[0-1] a@3+3[2-7] b@3+1[2-3] c@4+1[4-5] d@5+1[6-7] e@6+1[8-9]",
  ],
  ["synonym_graph", ["a => b c", "b => d"], "a b", "b@0+1[0-1] c@1+1[0-1] d@2+1[2-3]"],
])("%s %j on %s", (type, synonyms, text, tokens) => {
  const found = analyze([{ type, synonyms }], text).map(
    (t) => `${t.token}@${t.position}+${t.positionLength ?? 1}[${t.start_offset}-${t.end_offset}]`,
  );
  expect(found.join(" ")).toBe(tokens);
});

test("rules in one string are split at commas, and at line breaks", () => {
  expect(terms([{ type: "synonym", synonyms: "a => b, c => d" }], "a c")).toBe("b@0 d@1");
  expect(terms([{ type: "synonym", synonyms: ["a => b\nc => d"] }], "a c")).toBe("b@0 d@1");
});

test("an arrow without a side is part of a word; escaped separators are characters", () => {
  expect(terms([{ type: "synonym", synonyms: ["a=>", "=>b"] }], "a", "standard")).toBe("a@0");
  expect(terms([{ type: "synonym", synonyms: ["a\\,b => c", "d\\=>e => f"] }], "a,b", "keyword")).toBe("c@0");
});

test("a lenient filter leaves out the terms that the chain drops, and keeps the rest of the rule", () => {
  const stop = { type: "stop", stopwords: ["the"] };
  const synonyms = ["the, x, y"];
  expect(terms([stop, { type: "synonym", synonyms, lenient: true }], "x the")).toBe("x@0 y@0");
  expect(terms([stop, { type: "synonym", synonyms, updateable: true }], "x the")).toBe("x@0 y@0");
  expect(() => terms([stop, { type: "synonym", synonyms }], "x")).toThrow("failed to build synonyms");
});

test("rules go through the folded form only, and through pairs of ideographs", () => {
  const fold = { type: "asciifolding", preserve_original: true };
  expect(terms([fold, { type: "synonym", synonyms: ["é => c"] }], "é e", "standard")).toBe("c@0 é@0 c@1");
  expect(terms(["cjk_bigram", { type: "synonym", synonyms: ["a => c"] }], "a", "standard")).toBe("c@0");
  expect(() => terms(["ngram", { type: "synonym", synonyms: ["a => c"] }], "a")).toThrow(
    "Token filter [ngram] cannot be used to parse synonyms",
  );
});

test("nothing is indexed with rules that may change", () => {
  const filter = { s: { type: "synonym", synonyms: ["a => b"], updateable: true } };
  const analyzer = (name: string) => ({ filter, analyzer: { [name]: { tokenizer: "standard", filter: ["s"] } } });
  const registry = createAnalysisRegistry({ analysis: analyzer("x") }, resources);
  expect(registry.get("x")?.searchTimeFilters).toEqual(["s"]);
  expect(createAnalysisRegistry({ analysis: analyzer("default_search") }, resources).defaultSearch.name).toBe(
    "default_search",
  );
  expect(() => createAnalysisRegistry({ analysis: analyzer("default") }, resources)).toThrow(EngineError);
});

test("rules from a file", () => {
  const readText = (path: string) => {
    if (path !== "rules.txt") throw new Error("no such file");
    return "# of the house\n\na => b\n";
  };
  const analyzed = (synonyms_path: string) =>
    analyzeRequest(
      { tokenizer: "whitespace", filter: [{ type: "synonym", synonyms_path }], text: "a" },
      { resources: { ...resources, readText } },
    ) as unknown as { tokens: Line[] };
  expect(analyzed("rules.txt").tokens.map(({ token }) => token)).toEqual(["b"]);
  expect(() => analyzed("other.txt")).toThrow("IOException while reading synonyms_path: other.txt");
});
