// The page on strategies is made from the registry; its examples are run over the handbook, in code and on the command line.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandWords, strategiesPage } from "../../scripts/lib/strategies-page.ts";
import { STRATEGY_EXAMPLES } from "../../scripts/lib/strategy-examples.ts";
import { STRATEGY_NAMES } from "../../src/catalogue/index.ts";
import { main } from "../../src/cli/main.ts";
import type { SearchOptions } from "../../src/collection/types.ts";
import type { RerankModel } from "../../src/schema/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";
import { type OpenHandbook, openHandbook, sectionOf } from "../catalogue/handbook.ts";
import { terminal } from "../cli/fixtures.ts";

let handbook: OpenHandbook;
beforeAll(async () => {
  handbook = await openHandbook();
});
afterAll(() => handbook.close());

it("docs/strategies.md is what npm run docs:strategies writes", async () => {
  expect(await readFile(new URL("../../docs/strategies.md", import.meta.url), "utf8")).toBe(strategiesPage());
});

describe.each(STRATEGY_NAMES)("%s", (strategy) => {
  const example = STRATEGY_EXAMPLES[strategy];
  const { question, options, finds } = example;

  it("finds what its example says", async () => {
    const model = mockLanguageModel({
      answers: ['{"query": "年休假", "filters": [{"key": "level", "value": "经理"}]}'],
    });
    const reranker: RerankModel = {
      name: "same",
      rerank: async (_, texts) => texts.map((_, index) => ({ index, score: -index })),
    };
    const needs = strategy === "rerank" ? { reranker } : {};
    const hits = await handbook.collection.search(question, {
      strategy,
      ...options,
      model,
      ...needs,
      topK: 5,
    } as SearchOptions);
    if (finds) expect(sectionOf(hits[0]!)).toBe(finds);
    else if (question !== "") expect(hits.length).toBeGreaterThan(0);
  });

  it("does the same on the command line", async () => {
    if (strategy === "rerank" || strategy === "auto" || strategy === "hyde") return;
    const { context, out, err } = terminal(undefined, { columns: 200 });
    context.openCollection = async () => ({ ...handbook.collection, close: async () => {} });
    expect(await main([...commandWords(strategy, example), "-k", "5", "--json"], context), err()).toBe(0);
    const hits = await handbook.collection.search(question, { strategy, ...options, topK: 5 } as SearchOptions);
    expect(JSON.parse(out()).hits.map(({ id }: { id: string }) => id)).toEqual(hits.map(({ node }) => node.id));
  });
});
