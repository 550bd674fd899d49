import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareStrategies, explainHit, findPassage, runStrategy, within } from "../../src/catalogue/index.ts";
import type { RerankModel } from "../../src/schema/index.ts";
import { type OpenHandbook, openHandbook } from "./handbook.ts";

let handbook: OpenHandbook;
beforeAll(async () => {
  handbook = await openHandbook();
});
afterAll(() => handbook.close());

const explain = (question: string, passage: string, options = {}) =>
  explainHit(handbook.collection, question, passage, options);

describe("explaining a passage", () => {
  it("adds up to the passage's score, list by list, in every fusion", async () => {
    for (const options of [
      { strategy: "hybrid" },
      { strategy: "hybrid", weights: { bm25: 1, dense: 3 } },
      { strategy: "rrf" },
      { strategy: "rrf", k: 5, strategies: ["bm25", "phrase", "dense"] },
      { strategy: "weighted", normalize: "z-score" },
      { strategy: "weighted", normalize: "none" },
      { strategy: "weighted", strategies: ["bm25", "fuzzy"], weights: [1, 4] },
    ]) {
      const { lists, score, found, rank } = await explain("婚假有几天", "zh/marriage-leave.md", options);
      expect(found, JSON.stringify(options)).toBe(true);
      expect(rank).toBeGreaterThan(0);
      expect(
        lists.reduce((sum, { adds }) => sum + (adds ?? 0), 0),
        JSON.stringify(options),
      ).toBeCloseTo(score!, 6);
    }
  });

  it("adds up to the list's score, term by term", async () => {
    for (const strategy of ["bm25", "phrase", "fields", "bool", "fuzzy"]) {
      const { lists, score } = await explain("婚假", "zh/marriage-leave.md", {
        strategy,
        ...(strategy === "fields" ? { type: "most_fields" } : {}),
      });
      const [list] = lists;
      expect(
        list!.terms.reduce((sum, term) => sum + term.score, 0),
        strategy,
      ).toBeCloseTo(score!, 3);
      expect(list!.terms.length, strategy).toBeGreaterThan(0);
      for (const term of list!.terms) expect(term.documents, strategy).toBeGreaterThan(0);
    }
  });

  it("names the words that the passage has not", async () => {
    const { lists } = await explain("婚假 zebra approval", "zh/marriage-leave.md", { strategy: "bm25" });
    expect(lists[0]!.missing).toContain("zebra");
    expect(lists[0]!.missing).not.toContain("婚");
  });

  it("ranks as the search does", async () => {
    const hits = await runStrategy(handbook.collection, "请假需要谁批准", { topK: 10 });
    for (const [i, { node }] of hits.entries()) {
      const { rank, found } = await explain("请假需要谁批准", node.id);
      expect([rank, found]).toEqual([i + 1, true]);
    }
  });

  it("says why a passage is not found", async () => {
    const far = await explain("婚假有几天", "zh/sick-leave-pay.md", { strategy: "bm25", topK: 3 });
    expect(far.found).toBe(false);
    expect(far.why).toMatch(/It is number \d+, and 3 were asked for/);
    const filtered = await explain("婚假", "zh/marriage-leave.md", { filters: { level: "高管" } });
    expect(filtered.why).toMatch(/the filters leave it out/);
    const words = await explain("zebra", "zh/marriage-leave.md", { strategy: "bm25" });
    expect(words.why).toMatch(/nothing in the passage matches/);
    const cutoff = await explain("zebra crossing", "zh/marriage-leave.md", { strategy: "dense", cutoff: 0.99 });
    expect(cutoff.why).toMatch(/below what the cutoff 0.99 allows/);
    const blank = await explain("  ", "zh/marriage-leave.md", { strategy: "bm25" });
    expect(blank.why).toMatch(/nothing in it that this list can look for/);
    const deep = await explain("员工", "zh/sick-leave-pay.md", { strategy: "rrf", depth: 1, topK: 1 });
    expect(JSON.stringify(deep.lists)).toMatch(/beyond the first 1 of this list/);
  });

  it("shows what a reranker changed", async () => {
    const reranker: RerankModel = {
      name: "backwards",
      rerank: async (_, texts) => texts.map((_, index) => ({ index, score: index })),
    };
    const last = (await runStrategy(handbook.collection, "婚假", { topK: 30 })).at(-1)!;
    const { why, reranked } = await explain("婚假", last.node.id, { strategy: "rerank", reranker });
    expect(reranked!.rankBefore).toBe(30);
    expect(why).toMatch(/was number 30 before/);
  });

  it("finds a passage by its id, by file and number, and names what is not there", async () => {
    const { node } = await findPassage(handbook.collection, "zh/marriage-leave.md#2", {});
    expect((await findPassage(handbook.collection, node.id, {})).node.id).toBe(node.id);
    expect((await findPassage(handbook.collection, "zh/marriage-leave.md", {})).node.id).not.toBe(node.id);
    await expect(findPassage(handbook.collection, "marriage-leave.md", {})).rejects.toThrow(/several files end with/);
    for (const none of ["nothing.md", "zh/marriage-leave.md#99", "", "#1", "*", "\ud800"])
      await expect(findPassage(handbook.collection, none, {}), none).rejects.toThrow(/there is no passage/);
    const own = within(handbook.collection, { level: "高管" });
    await expect(findPassage(own, node.id, {})).rejects.toThrow(/there is no passage/);
  });
});

describe("comparing strategies", () => {
  it("puts them side by side, with the ranks of the first", async () => {
    const { strategies } = await compareStrategies(handbook.collection, "请假需要谁批准", {
      strategies: ["bm25", "dense", "weighted", "rrf", { strategy: "phrase", slop: 2 }, "bm25"],
      topK: 4,
    });
    expect(strategies.map(({ name }) => name)).toEqual(["bm25", "dense", "weighted", "rrf", "phrase", "bm25 2"]);
    expect(strategies[5]!.hits.map(({ rank, before }) => [rank, before])).toEqual([1, 2, 3, 4].map((n) => [n, n]));
    const [first, , weighted] = strategies;
    for (const hit of weighted!.hits) {
      const before = first!.hits.findIndex(({ node }) => node.id === hit.node.id);
      expect(hit.before).toBe(before < 0 ? undefined : before + 1);
    }
  });
  it("one that needs a model says so in its place; unknown ones are refused", async () => {
    const { strategies } = await compareStrategies(handbook.collection, "婚假", {
      strategies: ["bm25", "rerank"],
      topK: 2,
    });
    expect(strategies[0]!.hits).toHaveLength(2);
    expect(strategies[1]!.error).toMatch(/needs a reranking model/);
    await expect(compareStrategies(handbook.collection, "婚假", { strategies: ["bm52"] })).rejects.toThrow(
      /did you mean bm25/,
    );
    await expect(compareStrategies(handbook.collection, "婚假", { strategies: [] })).rejects.toThrow(/at least one/);
  });
});
