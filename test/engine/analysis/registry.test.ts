/** Settings: what they make, and how mistakes in them are answered. */
import { expect, test } from "vitest";
import {
  analyzeRequest,
  analyzeToTokens,
  createAnalysisRegistry,
  withPositionGap,
} from "../../../src/engine/analysis/index.ts";
import type { Analyzer } from "../../../src/engine/analysis/types.ts";
import { EngineError } from "../../../src/engine/errors.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { resources } from "./resources.ts";

const create = (analysis: JsonObject) => createAnalysisRegistry({ analysis }, resources);

function errorOf(run: () => unknown): { type: string; reason: string; status: number } {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return { type: error.type, reason: error.reason, status: error.status };
    throw error;
  }
  throw new Error("no error");
}

test.each<[string, JsonObject, string]>([
  [
    "a custom analyzer without tokenizer",
    { analyzer: { a: { type: "custom" } } },
    "Custom Analyzer [a] must be configured with a tokenizer",
  ],
  [
    "an unknown tokenizer",
    { analyzer: { a: { tokenizer: "nope" } } },
    "Custom Analyzer [a] failed to find tokenizer under name [nope]",
  ],
  [
    "an unknown filter",
    { analyzer: { a: { tokenizer: "standard", filter: ["nope"] } } },
    "Custom Analyzer [a] failed to find filter under name [nope]",
  ],
  ["an unknown analyzer type", { analyzer: { a: { type: "nope" } } }, "Unknown analyzer type [nope] for [a]"],
  ["an unknown filter type", { filter: { a: { type: "nope" } } }, "Unknown filter type [nope] for [a]"],
  [
    "a filter without type",
    { filter: { a: { min: 1 } } },
    "filter [a] must specify either an analyzer type, or a tokenizer",
  ],
  [
    "a name with underscore",
    { analyzer: { _a: { type: "standard" } } },
    `analyzer name must not start with '_'. got "_a"`,
  ],
  [
    "a normalizer that drops terms",
    { normalizer: { a: { filter: ["stop"] } } },
    "Custom normalizer [a] may not use filter [stop]",
  ],
  [
    "a normalizer with a tokenizer",
    { normalizer: { a: { tokenizer: "keyword" } } },
    "Custom normalizer [a] cannot configure a tokenizer",
  ],
  [
    "a length of zero",
    { analyzer: { a: { type: "standard", max_token_length: 0 } } },
    "maxTokenLength must be greater than zero",
  ],
])("Elasticsearch's error for %s", (_, analysis, reason) => {
  expect(errorOf(() => create(analysis))).toEqual({ type: "illegal_argument_exception", reason, status: 400 });
});

test("a number that is none", () => {
  const { type, reason, status } = errorOf(() => create({ filter: { a: { type: "length", min: "x" } } }));
  expect([type, reason, status]).toEqual([
    "settings_exception",
    "Failed to parse int setting [min] with value [x]",
    500,
  ]);
});

test("what only Elasticsearch has is refused where it is used, and does not keep an index from being made", () => {
  const registry = create({
    filter: { light: { type: "stemmer", language: "light_norwegian" } },
    analyzer: {
      light: { tokenizer: "standard", filter: ["light"] },
      other: { tokenizer: "standard", filter: ["lowercase"] },
    },
  });
  expect(registry.get("other")).toBeDefined();
  expect(errorOf(() => registry.get("light")).type).toBe("unsupported_feature_exception");
  expect(errorOf(() => registry.get("thai")).type).toBe("unsupported_feature_exception");
  expect(registry.get("nonsense")).toBeUndefined();
  expect(errorOf(() => create({ analyzer: { default: { type: "thai" } } })).type).toBe("unsupported_feature_exception");
});

test("values may be strings, as get-settings prints them, and lists strings with commas", () => {
  const registry = create({
    filter: { sized: { type: "length", min: "2", max: "3" } },
    analyzer: {
      a: { type: "custom", tokenizer: "whitespace", filter: "sized, lowercase", position_increment_gap: "7" },
    },
  });
  const a = registry.get("a") as Analyzer;
  expect(analyzeToTokens(a, "A BC DEF GHIJ").map(({ term, position }) => [term, position])).toEqual([
    ["bc", 1],
    ["def", 2],
  ]);
  expect(a.positionIncrementGap).toBe(7);
  expect(withPositionGap(a, 3).positionIncrementGap).toBe(3);
});

test("the default analyzers follow the settings", () => {
  const plain = create({});
  expect([plain.default.name, plain.defaultSearch.name, plain.defaultQuoted.name]).toEqual([
    "default",
    "default",
    "default",
  ]);
  const own = create({ analyzer: { default: { type: "simple" }, default_search: { type: "whitespace" } } });
  expect([own.default.name, own.defaultSearch.name, own.defaultQuoted.name]).toEqual([
    "default",
    "default_search",
    "default_search",
  ]);
  expect(own.names()).toContain("ik_smart");
});

test("normalizers apply their filters to the whole value", () => {
  const registry = create({
    normalizer: { n: { type: "custom", char_filter: [], filter: ["lowercase", "asciifolding", "trim"] } },
  });
  expect(registry.normalizer("n")?.normalize(" Ärger IM Café ")).toBe("arger im cafe");
  expect(registry.normalizer("lowercase")?.normalize("ÄB")).toBe("äb");
  expect(registry.normalizer("nope")).toBeUndefined();
});

test("files of settings are refused where nothing can read them", () => {
  expect(errorOf(() => create({ analyzer: { default: { type: "stop", stopwords_path: "x.txt" } } })).reason).toContain(
    "stopwords_path",
  );
});

test("a request for more tokens than allowed", () => {
  const index = { analysis: create({}), field: () => undefined, maxTokenCount: 3 };
  expect(errorOf(() => analyzeRequest({ text: "a b c d" }, { index, resources })).reason).toContain(
    "allowed maximum of [3]",
  );
});

test.each<[JsonObject, string, string]>([
  [{ text: 5 }, "x_content_parse_exception", "[analyze_request] text doesn't support values of type: VALUE_NUMBER"],
  [{ text: [] }, "action_request_validation_exception", "Validation Failed: 1: text is missing;"],
  [
    { text: "a", normalizer: "n" },
    "action_request_validation_exception",
    "Validation Failed: 1: index is required if normalizer is specified;",
  ],
  [{ text: "a", field: "f" }, "illegal_argument_exception", "analysis based on a specific field requires an index"],
  [{ text: "a", filter: ["stop"] }, "illegal_argument_exception", "Custom normalizer may not use filter [stop]"],
  [
    { text: "a", tokenizer: { a: 1 } },
    "illegal_argument_exception",
    'Missing [type] setting for anonymous tokenizer: {"a":"1"}',
  ],
  [{ text: "a", tokenizer: "nope" }, "illegal_argument_exception", "failed to find global tokenizer under [nope]"],
])("Elasticsearch's error for the request %j", (body, type, reason) => {
  expect(errorOf(() => analyzeRequest(body, { resources }))).toMatchObject({ type, reason });
});
