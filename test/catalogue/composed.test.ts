/** The strategies that are composed of others: what each must hold. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  aggregateStrategy,
  describedMetadata,
  runStrategy,
  STRATEGY_NAMES,
  within,
} from "../../src/catalogue/index.ts";
import { scoreOf } from "../../src/catalogue/metric.ts";
import type { SearchOptions } from "../../src/collection/types.ts";
import { document, type RerankModel } from "../../src/schema/index.ts";
import { mockEmbeddingModel, mockLanguageModel } from "../../src/testing.ts";
import { openSmall, type Small } from "./small.ts";

let small: Small;
beforeAll(async () => {
  small = await openSmall();
});
afterAll(() => small.close());

const kinds = () => small.warnings.map(({ kind }) => kind);

describe("rerank", () => {
  const backwards: RerankModel = {
    name: "backwards",
    rerank: async (_, texts) => texts.map((_, index) => ({ index, score: index })),
  };
  const broken: RerankModel = { name: "broken", rerank: () => Promise.reject(new Error("no such model")) };

  it("shows each passage's rank before and after", async () => {
    const before = await small.ids("申请", { strategy: "bm25" });
    const hits = await runStrategy(small.collection, "申请", {
      strategy: "rerank",
      of: "bm25",
      reranker: backwards,
      topK: 2,
    });
    expect(hits.map(({ node }) => node.metadata["name"])).toEqual(before.slice(-2).reverse());
    expect(hits.map(({ reranked }) => reranked!.rankBefore)).toEqual([before.length, before.length - 1]);
  });
  it("a reranker that fails fails, or leaves the order, as was chosen", async () => {
    await expect(small.ids("申请", { strategy: "rerank", reranker: broken })).rejects.toThrow("no such model");
    const found = await small.ids("申请", { strategy: "rerank", of: "bm25", reranker: broken, onError: "fallback" });
    expect(kinds()).toEqual(["reranker-failed"]);
    expect(found).toEqual(await small.ids("申请", { strategy: "bm25" }));
  });
  it("says what is missing", async () => {
    await expect(small.ids("x", { strategy: "rerank" })).rejects.toThrow(/needs a reranking model.*--reranker/);
  });
});

describe("fusion", () => {
  it("asks no model for one question, and says that several need one", async () => {
    expect((await small.ids("婚假", { strategy: "fusion" }))[0]).toBe("marriage");
    await expect(small.ids("婚假", { strategy: "fusion", numQueries: 3 })).rejects.toThrow(/needs a language model/);
  });
  it("reads a model's messy list, in every mode", async () => {
    for (const fusionMode of ["reciprocal_rerank", "relative_score", "dist_based_score", "simple"]) {
      const model = mockLanguageModel({ answers: ["Sure:\n1. 结婚休假\n- **annual leave**\n\n"] });
      const found = await small.ids("婚假", { strategy: "fusion", fusionMode, numQueries: 3, model, topK: 5 });
      expect(found, fusionMode).toContain("english");
    }
  });
});

describe("auto", () => {
  const answer = (filters: unknown[], query = "申请") =>
    mockLanguageModel({ answers: [JSON.stringify({ query, filters })] });

  it("sets the filters that a model reads, and tells them", async () => {
    const model = answer([{ key: "level", value: "经理", operator: "==" }]);
    expect((await small.ids("经理怎么申请", { strategy: "auto", of: "bm25", model })).sort()).toEqual([
      "annual",
      "wedding",
    ]);
    expect(kinds()).toEqual(["filters-read"]);
  });
  it("drops invalid fields and operators with a note, and keeps the others", async () => {
    const model = answer([
      { key: "level", value: "经理" },
      { key: "salary", value: 1 },
      { key: "level", value: "x", operator: "~=" },
      { key: "views", operator: ">" },
      "nonsense",
    ]);
    expect((await small.ids("x", { strategy: "auto", of: "bm25", model })).sort()).toEqual(["annual", "wedding"]);
    expect(kinds().filter((kind) => kind === "filter-dropped")).toHaveLength(4);
    expect(small.warnings.map(({ message }) => message).join()).toContain('no field "salary"');
  });
  it("filters of the search hold whatever the model says", async () => {
    const model = answer([{ key: "tenant", value: "b" }]);
    expect(await small.ids("x", { strategy: "auto", of: "bm25", model, filters: { tenant: "a" } })).toEqual([]);
  });
  it("asks the question itself where the model answers nonsense, or filters alone", async () => {
    expect(
      (
        await small.ids("婚假", { strategy: "auto", of: "bm25", model: mockLanguageModel({ answers: ["I cannot."] }) })
      )[0],
    ).toBeDefined();
    expect(kinds()).toEqual(["filter-dropped"]);
    expect(await small.ids("婚假", { strategy: "auto", of: "phrase", model: answer([], "") })).toEqual(["marriage"]);
  });
  it("describes the metadata by their commonest values", async () => {
    const described = await describedMetadata(small.collection, {});
    expect(described.find(({ name }) => name === "level")).toEqual({
      name: "level",
      type: "string",
      description: expect.stringContaining("员工"),
    });
    expect(described.find(({ name }) => name === "views")!.type).toBe("number");
    const own = await describedMetadata(within(small.collection, { tenant: "a" }), {});
    expect(own.find(({ name }) => name === "level")!.description).not.toContain("经理");
  });
});

describe("filtered", () => {
  it("finds topK under a narrow filter, in vectors too", async () => {
    for (const of of ["dense", "hybrid", "bm25"])
      expect(
        await small.ids("申请", { strategy: "filtered", of, where: { level: "经理", tenant: "b" }, topK: 2 }),
        of,
      ).toHaveLength(2);
  });
  it("has time windows", async () => {
    const found = await small.ids("申请", {
      strategy: "filtered",
      of: "bm25",
      timeKey: "effective",
      since: "2023-01-01",
      until: "2024-01-01",
    });
    expect(found).toEqual(["annual"]);
    await expect(small.ids("x", { strategy: "filtered", since: "2023-01-01" })).rejects.toThrow(/timeKey/);
  });
  it("a tenant's filter cannot be widened by what is asked, in any strategy", async () => {
    const own = within(small.collection, { tenant: "a" });
    const widening: SearchOptions["filters"][] = [
      undefined,
      { tenant: "b" },
      {
        condition: "or",
        filters: [
          { key: "tenant", value: "b" },
          { key: "tenant", value: "a" },
        ],
      },
      { condition: "not", filters: [{ key: "tenant", value: "a" }] },
    ];
    const model = () =>
      mockLanguageModel({ answers: ['{"query": "申请", "filters": [{"key": "tenant", "value": "b"}]}', "x", "x"] });
    const reranker: RerankModel = {
      name: "same",
      rerank: async (_, texts) => texts.map((_, index) => ({ index, score: -index })),
    };
    for (const strategy of STRATEGY_NAMES) {
      for (const filters of widening) {
        const question = strategy === "wildcard" ? "*申*" : strategy === "phrase" ? "申请" : "申请 leave";
        const hits = await runStrategy(own, question, {
          strategy,
          model: model(),
          reranker,
          topK: 10,
          ...(filters ? { filters } : {}),
        });
        for (const { node } of hits) expect(node.metadata["tenant"], strategy).toBe("a");
      }
    }
    const nested = await runStrategy(own, "申请", {
      strategy: "filtered",
      where: { tenant: "b" },
      of: { strategy: "bool", should: ["leave"] },
    });
    expect(nested).toEqual([]);
  });
});

it("what is told beside the passages is of the tenant's own too", async () => {
  const own = await openSmall({}, [
    document({ id: "a", text: "leave", metadata: { tenant: "a", note: "secret ".repeat(1300) } }),
    document({ id: "b", text: "leave", metadata: { tenant: "b", note: "short" } }),
  ]);
  try {
    const warnings: string[] = [];
    const search = {
      strategy: "wildcard",
      field: "metadata.note",
      onWarning: ({ kind }: { kind: string }) => warnings.push(kind),
    };
    await runStrategy(within(own.collection, { tenant: "b" }), "short*", search);
    expect(warnings).toEqual([]);
    await runStrategy(within(own.collection, { tenant: "a" }), "short*", search);
    expect(warnings).toEqual(["ignored-values"]);
    const model = mockLanguageModel({ answers: ['{"query": "leave", "filters": []}'] });
    await runStrategy(own.collection, "leave", { strategy: "auto", model, filters: { tenant: "b" } });
    expect(JSON.stringify(model.calls)).toContain("short");
    expect(JSON.stringify(model.calls)).not.toContain("secret");
  } finally {
    await own.close();
  }
});

describe("aggregate", () => {
  it("counts values, times and measures of what matches, or of everything", async () => {
    const { total, aggregations, hits } = await aggregateStrategy(small.collection, "", {
      by: ["level"],
      histogram: "effective",
      interval: "year",
      metrics: ["avg:views", "cardinality:tenant"],
    });
    expect(total).toBe(5);
    expect(hits).toEqual([]);
    expect(aggregations).toMatchObject({
      level: {
        buckets: expect.arrayContaining([
          { key: "员工", doc_count: 2 },
          { key: "经理", doc_count: 2 },
        ]),
      },
      "avg:views": { value: 223.2 },
      "cardinality:tenant": { value: 2 },
    });
    expect((aggregations["effective"] as { buckets: unknown[] }).buckets).toHaveLength(3);
    const some = await aggregateStrategy(small.collection, "婚假", { by: ["tenant"], topK: 1 });
    expect(some.hits).toHaveLength(1);
    expect(some.total).toBeGreaterThan(1);
  });
  it("within a tenant counts the tenant's alone, and refuses what looks past", async () => {
    const own = within(small.collection, { tenant: "a" });
    expect((await aggregateStrategy(own, "", { by: ["tenant"] })).total).toBe(2);
    for (const aggs of [
      { all: { global: {} } },
      { a: { terms: { field: "metadata.views" }, aggs: { b: { significant_text: { field: "content" } } } } },
    ])
      await expect(aggregateStrategy(own, "", { aggs })).rejects.toThrow(/outside the query/);
  });
  it("names what cannot be counted", async () => {
    await expect(aggregateStrategy(small.collection, "", { by: ["color"] })).rejects.toThrow(/no passage has/);
    await expect(aggregateStrategy(small.collection, "", { metrics: ["avg:level"] })).rejects.toThrow(
      /"level" is text/,
    );
    await expect(aggregateStrategy(small.collection, "", { metrics: ["median:views"] })).rejects.toThrow(
      /known are avg/,
    );
    await expect(aggregateStrategy(small.collection, "", { metrics: ["avg"] })).rejects.toThrow(/measure:metadata/);
  });
});

describe("metric", () => {
  it("compares the same vectors by four measures; of unit vectors the order is one", async () => {
    const orders = new Set<string>();
    for (const metric of ["cosine", "dot_product", "l2_norm", "max_inner_product"])
      orders.add((await small.ids("婚假", { strategy: "metric", metric })).slice(0, 2).join());
    expect(orders.size).toBe(1);
    const cosine = await runStrategy(small.collection, "婚假", { strategy: "metric" });
    const index = await runStrategy(small.collection, "婚假", { strategy: "dense" });
    expect(cosine[0]!.score).toBeCloseTo(index[0]!.score!, 3);
  });
  it("finds by another measure what the index's own does not come to, when it compares all", async () => {
    // Long vectors that point elsewhere win by the inner product, and are far by the angle.
    const vector = (text: string) => {
      const [angle = 0, length = 1] = /text (\d+) (\d+)/.exec(text)?.slice(1).map(Number) ?? [];
      return Float32Array.of(length * Math.cos(angle / 2000), length * Math.sin(angle / 2000), 0, 0);
    };
    const embedding = {
      ...mockEmbeddingModel({ dimensions: 4 }),
      name: "angles",
      similarity: "cosine" as const,
      embed: async (texts: string[]) => texts.map(vector),
    };
    const texts = Array.from({ length: 700 }, (_, i) => `text ${i} ${i === 600 ? 9000 : 1 + (i % 3)}`);
    const documents = texts.map((text, i) =>
      document({ id: `${i}`, text, metadata: { name: `${i}`, part: i % 2 === 0 ? "even" : "odd" } }),
    );
    const own = await openSmall({ embedding }, documents);
    try {
      for (const metric of ["cosine", "l2_norm", "max_inner_product"] as const) {
        const question = vector("text 0 1");
        const expected = texts
          .map((text, i) => ({ name: `${i}`, score: scoreOf(metric, question, vector(text)) }))
          .sort((a, b) => b.score - a.score);
        const ids = await own.ids("text 0 1", { strategy: "metric", metric, exact: true, topK: 5 });
        const scores = ids.map((id) => expected.find(({ name }) => name === id)!.score);
        for (const [place, score] of scores.entries()) expect(score).toBeCloseTo(expected[place]!.score, 5);
      }
      const inner = { strategy: "metric", metric: "max_inner_product", topK: 1 } as const;
      expect(await own.ids("text 0 1", { ...inner, exact: true })).toEqual(["600"]);
      expect(await own.ids("text 0 1", inner)).not.toEqual(["600"]);
      const odd = await own.ids("text 0 1", { ...inner, exact: true, filters: { part: "odd" } });
      expect(Number(odd[0]) % 2).toBe(1);
      const signal = AbortSignal.abort(new Error("gone"));
      await expect(own.ids("text 0 1", { ...inner, exact: true, signal })).rejects.toThrow();
    } finally {
      await own.close();
    }
  });
  it("refuses dot product of vectors that are not of length one, with the remedy", async () => {
    const long = mockEmbeddingModel({ dimensions: 4 });
    const embedding = {
      ...long,
      name: "long",
      similarity: "cosine" as const,
      embed: async (texts: string[]) => texts.map(() => Float32Array.of(3, 0, 0, 1)),
    };
    const own = await openSmall({ embedding }, [document({ id: "a", text: "leave" })]);
    try {
      await expect(own.ids("leave", { strategy: "metric", metric: "dot_product" })).rejects.toThrow(
        /length one.*use cosine/,
      );
      expect(await own.ids("leave", { strategy: "metric", metric: "max_inner_product" })).toHaveLength(1);
    } finally {
      await own.close();
    }
  });
});

describe("citation", () => {
  it("cuts passages into short sources, which an answer cites", async () => {
    const text = Array.from({ length: 40 }, (_, i) => `Rule ${i} says that leave is granted by the director.`).join(
      " ",
    );
    const own = await openSmall({}, [document({ id: "rules", text })]);
    try {
      const sources = await runStrategy(own.collection, "leave", { strategy: "citation", chunkSize: 64, topK: 10 });
      expect(sources.length).toBeGreaterThan(3);
      const model = mockLanguageModel({
        answers: ["Leave is granted by the director [1]. It is long [99]. Nobody knows."],
      });
      const answer = await own.collection.ask("Who grants leave?", { strategy: "citation", chunkSize: 64, model });
      expect(await answer.text).toContain("[1]");
      const report = await answer.citations!;
      expect(report.unknownCitations).toEqual([99]);
      expect(report.uncitedSentences.join()).toContain("Nobody knows");
      expect(answer.sources.length).toBeGreaterThan(1);
      const extract = await own.collection.ask("Who grants leave?", { strategy: "citation" });
      expect(extract.kind).toBe("extract");
    } finally {
      await own.close();
    }
  });
});

describe("beyond the twenty", () => {
  it("hyde embeds what a model made up", async () => {
    const model = mockLanguageModel({ answers: ["婚假共十天"] });
    expect((await small.ids("办喜事", { strategy: "hyde", includeOriginal: false, model }))[0]).toBe("marriage");
    await expect(small.ids("x", { strategy: "hyde" })).rejects.toThrow(/hyde needs a language model/);
  });
  it("mmr, recency and long-context reorder what was found", async () => {
    expect((await small.ids("假", { strategy: "mmr", topK: 3 })).length).toBe(3);
    expect((await small.ids("假", { strategy: "recency", of: "bm25", dateKey: "effective" })).slice(0, 3)).toEqual([
      "marriage",
      "annual",
      "personal",
    ]);
    const best = await small.ids("假", { strategy: "bm25" });
    const reordered = await small.ids("假", { strategy: "long-context", of: "bm25" });
    expect([...reordered].sort()).toEqual([...best].sort());
    expect([reordered[0], reordered.at(-1)]).toContain(best[0]);
  });
  it("sentence-window, parent-document and auto-merging show what stands around", async () => {
    const sentence = (i: number) => `Paragraph ${i} is about nothing at all in this long and boring text of the house.`;
    const lines = Array.from({ length: 120 }, (_, i) => (i === 60 ? "The director grants sabbaticals." : sentence(i)));
    const own = await openSmall({}, [
      document({ id: "long", text: lines.join(" ") }),
      document({ id: "b", text: "Sabbaticals are rare." }),
    ]);
    try {
      const [window] = await runStrategy(own.collection, "who grants sabbaticals", {
        strategy: "sentence-window",
        windowSize: 1,
      });
      expect(window!.node.text).toContain("The director grants sabbaticals.");
      expect(window!.node.text.length).toBeLessThan(300);
      expect(window!.node.metadata["original_text"]).toBe("The director grants sabbaticals.");
      const whole = await runStrategy(own.collection, "who grants sabbaticals", {
        strategy: "parent-document",
        of: "bm25",
      });
      expect(whole.map(({ node }) => node.text)).toContain(lines.join(" "));
      const merged = await runStrategy(own.collection, "director", {
        strategy: "auto-merging",
        of: "bm25",
        threshold: 0.9,
      });
      expect(merged[0]!.node.text.length).toBeLessThan(lines.join(" ").length);
    } finally {
      await own.close();
    }
  });
});

describe("hostile input", () => {
  const HUGE = "婚假 leave ".repeat(20_000);
  it.each([
    ["200 KB", HUGE],
    ["lone surrogates", "婚\ud800假 \udfff"],
    ["a regular expression", "(a+)+$ .*.*.*[[["],
    ["control characters", "\u0000\u001b[31m leave"],
  ])(
    "%s: every strategy answers or refuses it in words",
    async (_, question) => {
      const reranker: RerankModel = {
        name: "same",
        rerank: async (_, texts) => texts.map((_, index) => ({ index, score: -index })),
      };
      for (const strategy of STRATEGY_NAMES) {
        const model = mockLanguageModel({ answers: ['{"query": "x", "filters": []}'] });
        try {
          await runStrategy(small.collection, question, { strategy, model, reranker, topK: 3, highlight: true });
        } catch (error) {
          expect(error, strategy).toBeInstanceOf(Error);
          expect((error as Error).message, strategy).not.toMatch(/undefined|is not a function|Cannot read|call stack/);
        }
      }
    },
    60_000,
  );

  it("an empty collection finds nothing", async () => {
    const own = await openSmall({}, []);
    try {
      const reranker: RerankModel = { name: "same", rerank: async () => [] };
      for (const strategy of STRATEGY_NAMES) {
        const model = mockLanguageModel({ answers: ['{"query": "x", "filters": []}'] });
        expect(await own.ids("婚假", { strategy, model, reranker, highlight: true }), strategy).toEqual([]);
      }
    } finally {
      await own.close();
    }
  });

  it("HTML in passages is harmless where fragments go into a page", async () => {
    const own = await openSmall({}, [document({ id: "x", text: "<script>alert('leave')</script> leave & go" })]);
    try {
      for (const strategy of ["bm25", "hybrid", "dense", "phrase", "highlight"]) {
        const [hit] = await runStrategy(own.collection, "leave", {
          strategy,
          ...(strategy === "highlight" ? { encoder: "html" } : { highlight: { encoder: "html" } }),
        });
        const shown = hit!.highlights!["content"]!.join("");
        expect(shown, strategy).toContain("<em>leave</em>");
        expect(shown.replaceAll(/<\/?em>/g, ""), strategy).not.toMatch(/[<>]/);
      }
    } finally {
      await own.close();
    }
  });
});
