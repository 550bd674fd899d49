import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AnySearch,
  parseReferences,
  RESERVED_OPTIONS,
  runStrategy,
  STRATEGIES,
  STRATEGY_NAMES,
  strategyRetriever,
} from "../../src/catalogue/index.ts";
import type { SearchOptions } from "../../src/collection/types.ts";
import type { StrategyWarning } from "../../src/retrieval/index.ts";
import type { RerankModel } from "../../src/schema/index.ts";
import { type OpenHandbook, openHandbook, sectionOf } from "./handbook.ts";

let handbook: OpenHandbook;
beforeAll(async () => {
  handbook = await openHandbook();
});
afterAll(() => handbook.close());

const search = (query: string, options: AnySearch = {}) => runStrategy(handbook.collection, query, options);

describe("the registry", () => {
  it("describes every strategy and every option", () => {
    for (const name of STRATEGY_NAMES) {
      const strategy = STRATEGIES[name];
      expect(strategy.name).toBe(name);
      expect(strategy.title.length).toBeGreaterThan(10);
      expect(strategy.goodFor.length).toBeGreaterThan(10);
      for (const [key, schema] of Object.entries(strategy.options.shape)) {
        expect(schema.description, `${name}.${key}`).toBeTruthy();
        expect(RESERVED_OPTIONS, `${name}.${key}`).not.toContain(key);
      }
    }
  });

  it("completes names and options in TypeScript", () => {
    const options: SearchOptions[] = [
      { strategy: "phrase", slop: 1 },
      { strategy: "weighted", normalize: "z-score", topK: 3 },
      { weights: { bm25: 1, dense: 0 } },
      // @ts-expect-error: bm25 has no slop
      { strategy: "bm25", slop: 1 },
      // @ts-expect-error: there is no such strategy
      { strategy: "phrases" },
    ];
    expect(options).toHaveLength(5);
  });

  it("names the near ones of an unknown strategy or option, and who has an option", async () => {
    await expect(search("x", { strategy: "phrse" })).rejects.toThrow(
      /unknown strategy "phrse" \(did you mean phrase\?\)/,
    );
    await expect(search("x", { strategy: "phrase", slp: 1 })).rejects.toThrow(
      /no option "slp" \(did you mean slop\?\)/,
    );
    await expect(search("x", { strategy: "bm25", slop: 1 })).rejects.toThrow(/fields, phrase have it/);
    await expect(search("x", { strategy: "constructor" })).rejects.toThrow(/unknown strategy/);
    await expect(search("x", { strategy: "phrase", toString: 1 })).rejects.toThrow(/no option "toString"/);
  });

  it("checks values, and names the option", async () => {
    await expect(search("x", { strategy: "phrase", slop: -1 })).rejects.toThrow(/"slop" of the strategy phrase/);
    await expect(search("x", { strategy: "phrase", slop: "1" })).rejects.toThrow(/"slop"/);
    await expect(search("x", { strategy: "rrf", k: 0 })).rejects.toThrow(/"k"/);
    await expect(search("x", { strategy: "weighted", weights: { bm25: 1 } })).rejects.toThrow(/"dense" has none/);
    await expect(search("x", { strategy: "weighted", weights: [1, 2, 3] })).rejects.toThrow(/give 2 weights/);
    await expect(search("x", { topK: -1 })).rejects.toThrow(/topK/);
    await expect(search("x", { highlight: { encoder: "xml" as "html" } })).rejects.toThrow(/highlight\.encoder/);
  });

  it("reads strategies from one line", () => {
    expect(parseReferences("bm25, phrase:slop=1:field=content,weighted:weights=[0.3,0.7]")).toEqual([
      "bm25",
      { strategy: "phrase", slop: 1, field: "content" },
      { strategy: "weighted", weights: [0.3, 0.7] },
    ]);
    expect(() => parseReferences("bm25,,rrf")).toThrow(/without a name/);
    expect(() => parseReferences("phrase:slop")).toThrow(/option=value/);
    expect(() => parseReferences("weighted:weights=[1")).toThrow(/not JSON/);
  });
});

describe("searching by a strategy's name", () => {
  it("phrase finds the words beside each other", async () => {
    const hits = await search("婚假", { strategy: "phrase" });
    expect(hits.length).toBeGreaterThan(0);
    for (const { node } of hits) expect(node.text).toContain("婚假");
    const apart = await search("婚假", { strategy: "bm25", topK: 50 });
    expect(apart.length).toBeGreaterThan(hits.length);
  });

  it("a slop lets words between, at the price of Lucene's 1 / (1 + distance)", async () => {
    const strict = await search("leave request", { strategy: "phrase" });
    const loose = await search("leave request", { strategy: "phrase", slop: 5 });
    expect(loose.length).toBeGreaterThan(strict.length);
  });

  it("phrases keep the words that questions leave out", async () => {
    const hits = await search("what is the", { strategy: "phrase" });
    for (const { node } of hits) expect(node.text.toLowerCase()).toContain("what is the");
    expect(await search("is there had been about", { strategy: "phrase" })).toEqual([]);
  });

  it("dense cuts off by the raw similarity", async () => {
    const all = await search("年休假有几天", { strategy: "dense", topK: 50 });
    const near = await search("年休假有几天", { strategy: "dense", topK: 50, cutoff: 0.5 });
    expect(near.length).toBeGreaterThan(0);
    expect(near.length).toBeLessThan(all.length);
    // The DSL's score of a cosine is (1 + cosine) / 2.
    for (const { score } of near) expect(2 * score! - 1).toBeGreaterThanOrEqual(0.5 - 1e-4);
    expect(all.filter(({ score }) => 2 * score! - 1 >= 0.5 + 1e-4)).toHaveLength(near.length);
  });

  it("rrf sums 1 / (k + rank), rank from 0", async () => {
    for (const k of [60, 1]) {
      for (const { score, ranks } of await search("年休假有几天", { strategy: "rrf", k })) {
        expect(score).toBeCloseTo(
          ranks!.reduce((sum, { rank }) => sum + 1 / (k + rank - 1), 0),
          12,
        );
      }
    }
  });

  it("any strategies can be fused, also fused ones", async () => {
    const hits = await search("婚假", {
      strategy: "rrf",
      strategies: ["bm25", { strategy: "phrase", slop: 1 }, { strategy: "weighted", depth: 20 }],
    });
    const names = new Set(hits.flatMap(({ ranks }) => ranks!.map(({ list }) => list)));
    expect(names).toContain("phrase");
    expect(names).toContain("bm25");
    expect(hits.every(({ node }) => node.text !== "")).toBe(true);
    await expect(search("婚假", { strategy: "rrf", strategies: ["nothing"] })).rejects.toThrow(/unknown strategy/);
  });

  it("weighted makes scores comparable before it adds them, and raw sums only by name", async () => {
    const scaled = await search("年休假有几天", { strategy: "weighted" });
    for (const { score } of scaled) expect(score).toBeLessThanOrEqual(1 + 1e-9);
    const warnings: StrategyWarning[] = [];
    const raw = await search("年休假有几天", {
      strategy: "weighted",
      normalize: "none",
      weights: { bm25: 0.3, dense: 0.7 },
      onWarning: (warning) => warnings.push(warning),
    });
    for (const { score, ranks } of raw) {
      const weights: Record<string, number> = { bm25: 0.3, dense: 0.7 };
      expect(score).toBeCloseTo(
        ranks!.reduce((sum, { list, score: own }) => sum + weights[list]! * own!, 0),
        9,
      );
    }
    expect(warnings.map(({ kind }) => kind)).toEqual(["raw-scores"]);
  });

  it("hybrid is weighted with the collection's weights", async () => {
    const { weights } = handbook.collection;
    const hybrid = await search("年休假有几天");
    expect(await search("年休假有几天", { strategy: "weighted", weights })).toEqual(hybrid);
    expect(sectionOf(hybrid[0]!)).toMatch(/annual-leave/);
  });

  it("filters hold in every strategy and every list", async () => {
    const filters = { level: "经理" };
    for (const strategy of ["hybrid", "bm25", "dense", "rrf", "weighted", "phrase"]) {
      const hits = await search(strategy === "phrase" ? "经理" : "请假", { strategy, filters, topK: 30 });
      expect(hits.length, strategy).toBeGreaterThan(0);
      for (const { node } of hits) expect(node.metadata["level"], strategy).toBe("经理");
    }
  });

  it("fragments come with any strategy, escaped where they go into a page", async () => {
    for (const strategy of ["bm25", "phrase", "dense", "rrf", "hybrid"]) {
      const [hit] = await search("婚假", { strategy, highlight: { preTag: "<b>", postTag: "</b>", encoder: "html" } });
      expect(hit!.highlights!["content"]!.join(), strategy).toContain("<b>婚假</b>");
    }
    const [plain] = await search("婚假", { strategy: "bm25" });
    expect(plain!.highlights).toBeUndefined();
  });

  it("a reranker puts any strategy's passages in its order, and each keeps the rank that it had", async () => {
    const model: RerankModel = {
      name: "backwards",
      rerank: async (_, texts) => texts.map((_, index) => ({ index, score: index })),
    };
    const hits = await search("婚假", { strategy: "phrase", reranker: model, rerankDepth: 3, topK: 2 });
    expect(hits.map(({ reranked }) => reranked!.rankBefore)).toEqual([3, 2]);
  });

  it("is a retriever to compose with", async () => {
    const retriever = strategyRetriever(handbook.collection, { strategy: "phrase", topK: 2 });
    expect(await retriever.retrieve("婚假")).toHaveLength(2);
    expect(await retriever.retrieve({ query: "婚假", filters: { level: "没有" } })).toEqual([]);
  });

  it("finds nothing for nothing", async () => {
    for (const strategy of ["hybrid", "bm25", "dense", "rrf", "weighted", "phrase", "fields", "bool", "fuzzy", "mmr"]) {
      expect(await search("", { strategy }), strategy).toEqual([]);
      expect(await search("年休假", { strategy, topK: 0 }), strategy).toEqual([]);
    }
  });
});
