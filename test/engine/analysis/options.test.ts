/** Options of parts, and how mistakes in them are answered. */
import { expect, test } from "vitest";
import { analyzeRequest, createAnalysisRegistry } from "../../../src/engine/analysis/index.ts";
import { EngineError } from "../../../src/engine/errors.ts";
import { parseJson } from "../../../src/engine/json/parse.ts";
import type { JsonObject, JsonValue } from "../../../src/engine/json/types.ts";
import { resources } from "./resources.ts";

interface Line {
  token: string;
  position: number;
  start_offset: number;
}
const analyze = (body: JsonValue) => (analyzeRequest(body, { resources }) as unknown as { tokens: Line[] }).tokens;
const terms = (body: JsonObject) => analyze(body).map(({ token }) => token);

function errorOf(run: () => unknown): [type: string, status: number, reason: string] {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return [error.type, error.status, error.reason];
    throw error;
  }
  throw new Error("no error");
}

test.each<[text: string, tokens: string[], next: number]>([
  // Read in one piece, so that all of it is lost.
  ["a b\ud800", [], 1],
  ["\ud800", [], 1],
  // The space ends a full buffer: the read that meets the half of a pair is between two tokens.
  [`${"ab ".repeat(85)}ab\ud800`, Array(85).fill("ab"), 256],
  // The read is within a token, which it ends.
  [`${" ".repeat(254)}bc\ud800`, ["b", "c"], 258],
  // A text as long as the buffer.
  [`${"ab ".repeat(84)}ab\ud800`, Array(85).fill("ab"), 256],
  ["a\udc00b", ["a", "b"], 4],
])("the standard tokenizer on half of a pair: %#", (text, tokens, next) => {
  const found = analyze({ tokenizer: "standard", text: [text, "z"] });
  expect(found.slice(0, -1).map(({ token }) => token)).toEqual(tokens);
  expect(found[found.length - 1].start_offset).toBe(next);
});

test.each<[body: JsonObject, type: string, status: number, reason: string]>([
  [{ filter: [{ type: "truncate" }] }, "illegal_argument_exception", 400, "length parameter must be provided"],
  [
    { filter: [{ type: "pattern_replace" }] },
    "illegal_argument_exception",
    400,
    "pattern is missing for [__anonymous__pattern_replace] token filter of type 'pattern_replace'",
  ],
  [
    { filter: [{ type: "elision" }] },
    "illegal_argument_exception",
    400,
    "elision filter requires [articles] or [articles_path] setting",
  ],
  [{ filter: [{ type: "edge_ngram", side: "x" }] }, "illegal_argument_exception", 400, "invalid side: x"],
  [{ char_filter: [{ type: "mapping", mappings: ["a"] }] }, "runtime_exception", 500, "Invalid Mapping Rule : [a]"],
  [
    { char_filter: [{ type: "mapping", mappings: ["=>a"] }] },
    "illegal_argument_exception",
    400,
    "cannot match the empty string",
  ],
  [
    { filter: ["keyword_marker"] },
    "illegal_argument_exception",
    400,
    "Analysis settings required - can't instantiate analysis factory",
  ],
  [
    { filter: ["nGram"] },
    "illegal_argument_exception",
    400,
    "The [nGram] token filter name was deprecated in 6.4 and cannot be used in new indices. Please change the filter name to [ngram] instead.",
  ],
])("Elasticsearch's error for %j", (parts, type, status, reason) => {
  expect(errorOf(() => analyze({ tokenizer: "keyword", text: "a", ...parts }))).toEqual([type, status, reason]);
});

test.each<[tokenizer: JsonObject, reason: string]>([
  [{ type: "path_hierarchy", skip: -1 }, "skip cannot be negative"],
  [{ type: "ngram", token_chars: ["custom"] }, "Token type: 'custom' requires setting `custom_token_chars`"],
  [{ type: "standard", max_token_length: 2_000_000 }, "maxTokenLength may not exceed 1048576"],
  [{ type: "whitespace", max_token_length: 0 }, "maxTokenLen must be greater than 0 and less than 1048576 passed: 0"],
  [{ type: "pattern", pattern: "(a)", group: 2 }, "invalid group specified: pattern only has: 1 capturing groups"],
])("Elasticsearch's error for the tokenizer %j", (tokenizer, reason) => {
  expect(errorOf(() => analyze({ tokenizer, text: "a" }))[2]).toBe(reason);
});

test("options of single filters and tokenizers", () => {
  const filter = (settings: JsonObject, text: string) => terms({ tokenizer: "whitespace", filter: [settings], text });
  expect(filter({ type: "edge_ngram", side: "back", min_gram: 1, max_gram: 3 }, "abcd")).toEqual(["d", "cd", "bcd"]);
  expect(filter({ type: "elision", articles: ["x"] }, "X'a x'b")).toEqual(["X'a", "b"]);
  expect(filter({ type: "elision", articles: ["x"], articles_case: true }, "X'a x'b")).toEqual(["a", "b"]);
  expect(terms({ tokenizer: "keyword", filter: ["truncate"], text: "abcdefghijklm" })).toEqual(["abcdefghij"]);
  const grams = { type: "ngram", min_gram: 2, max_gram: 2 };
  expect(terms({ tokenizer: { ...grams, token_chars: ["uppercase_letter"] }, text: "aBCd" })).toEqual(["BC"]);
  expect(
    terms({ tokenizer: { ...grams, token_chars: ["letter", "custom"], custom_token_chars: "-" }, text: "a-b c" }),
  ).toEqual(["a-", "-b"]);
});

test("errors in the body name the place", () => {
  const reason = (text: string) => errorOf(() => analyze(parseJson(text, { positions: true })))[2];
  expect(reason('{"text":5}')).toBe("[1:9] [analyze_request] text doesn't support values of type: VALUE_NUMBER");
  expect(reason('{"text":"a","foo":1}')).toBe("[1:13] [analyze_request] unknown field [foo]");
  expect(reason('{"text":["a",null]}')).toBe("[1:14] [analyze_request] failed to parse field [text]");
  expect(reason("[]")).toBe("[1:1] [analyze_request] Expected START_OBJECT but was: START_ARRAY");
});

test("parts of settings that are no groups, and an analyzer named standard", () => {
  const create = (analysis: JsonObject) => createAnalysisRegistry({ index: "i", analysis }, resources);
  expect(errorOf(() => create({ filter: { f: "x" } })).slice(0, 2)).toEqual(["settings_exception", 500]);
  expect(errorOf(() => create({ analyzer: { default_index: { type: "standard" } } }))[2]).toContain("for index [i]");
  const registry = create({ analyzer: { standard: { tokenizer: "keyword" } } });
  expect(registry.default).not.toBe(registry.get("standard"));
  expect(registry.default.name).toBe("default");
});
