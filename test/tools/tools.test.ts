import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { document, type RerankModel } from "../../src/schema/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";
import { aiSdkTools } from "../../src/tools/ai-sdk.ts";
import { PAGE_CHARACTERS, pageEnd } from "../../src/tools/documents.ts";
import { collectionTools, type ToolOptions } from "../../src/tools/tools.ts";
import { NOTES, type Opened, openNotes } from "../collection/fixtures.ts";

const LONG = `${"😀 leave. ".repeat(4000)}end`;
let notes: Opened;
beforeAll(async () => {
  notes = await openNotes([
    ...NOTES,
    document({ id: "long.md", text: LONG, metadata: { file: "long.md", tenant: "c" } }),
  ]);
});
afterAll(() => notes.close());
/** The longest text first. */
const BACKWARDS: RerankModel = {
  name: "length",
  rerank: async (_, texts) =>
    texts.map(({ length }, index) => ({ index, score: length })).sort((a, b) => b.score - a.score),
};
const tools = (options: ToolOptions = {}) => collectionTools(notes.collection, options);

describe("tools over a collection", () => {
  it("search with strategies and filters", async () => {
    const { search } = tools();
    const { hits } = await search.run(search.input.parse({ query: "婚假几天", filters: { tenant: "a" } }));
    expect(hits[0]).toMatchObject({ file: "婚假.md", text: "婚假为三天，须提前申请。" });
    expect(search.text({ hits: hits.slice(0, 1) })).toMatch(/^1\. 婚假\.md \(id .+\)\n婚假为三天/);
    const words = await search.run(search.input.parse({ query: "board", strategy: "bm25" }));
    expect(words.hits.map(({ file }) => file)).toEqual(["secret/pay.md"]);
    expect(search.text({ hits: [] })).toBe("Nothing was found.");
  });

  it("offer every strategy whose models are there, and each finds with what it takes", async () => {
    const { search } = tools();
    const names = (made: ReturnType<typeof tools>) => made.search.input.shape.strategy.unwrap().options;
    expect(names(tools())).not.toEqual(expect.arrayContaining(["rerank"]));
    expect(names(tools({ model: mockLanguageModel({ answers: [] }) }))).toEqual(
      expect.arrayContaining(["auto", "hyde"]),
    );
    expect(names(tools({ reranker: BACKWARDS }))).toContain("rerank");
    for (const strategy of names(tools())) {
      // Filters hold whatever the strategy.
      const input = search.input.parse({ query: "annual leave", strategy, filters: { tenant: "b" } });
      const { hits } = await search.run(input);
      expect(
        hits.filter(({ file }) => file !== "secret/pay.md"),
        strategy,
      ).toEqual([]);
    }
    const options = { query: "leave annual", strategy: "phrase" };
    expect((await search.run(search.input.parse(options))).hits).toEqual([]);
    const { hits } = await search.run(search.input.parse({ ...options, options: { slop: 3 } }));
    expect(hits.map(({ file }) => file)).toContain("leave.md");
    for (const [wrong, words] of [
      [{ slpo: 3 }, /did you mean slop/],
      [{ filters: { tenant: "b" } }, /give it beside them/],
    ] as const)
      await expect(search.run(search.input.parse({ ...options, options: wrong }))).rejects.toThrow(words);
  });

  it("search and answer as is configured where a call says nothing else", async () => {
    const { search, ask } = tools({ search: { strategy: "phrase", options: { slop: 3 } } });
    const files = async (input: object) =>
      (await search.run(search.input.parse({ query: "leave annual", ...input }))).hits.map(({ file }) => file);
    expect(await files({})).toEqual(["leave.md"]);
    expect(await files({ options: { slop: 0 } })).toEqual([]);
    // Options of the configured strategy are none of another one.
    expect(await files({ strategy: "bm25" })).toContain("leave.md");
    expect((await ask.run(ask.input.parse({ question: "nothing of this kind" }))).kind).toBe("empty");
    const reranked = tools({ reranker: BACKWARDS, search: { strategy: "rerank", options: { of: "bm25" } } });
    const { hits } = await reranked.search.run(reranked.search.input.parse({ query: "annual leave" }));
    expect(hits.length).toBeGreaterThan(0);
  });

  it("refuse what they do not know", () => {
    const { search } = tools();
    for (const input of [
      {},
      { query: "" },
      { query: "x", topk: 3 },
      { query: "x", topK: 0 },
      { query: "x", filters: { a: { like: 1 } } },
    ])
      expect(search.input.safeParse(input).success, JSON.stringify(input)).toBe(false);
  });

  it("answer with an extract, or by a model whose wrong numbers are told", async () => {
    const { ask } = tools();
    const extract = await ask.run(ask.input.parse({ question: "Who approves annual leave?" }));
    expect(extract.kind).toBe("extract");
    expect(extract.answer).toContain("approved by the manager");
    const { ask: written } = tools({ model: mockLanguageModel({ answers: ["Ten days [1], as said in [9]."] }) });
    const answer = await written.run(written.input.parse({ question: "How long is annual leave?" }));
    expect(answer).toMatchObject({ kind: "generated", unknownCitations: [9] });
    expect(written.text(answer)).toContain("No source has these numbers: [9]");
  });

  it("read a long document page by page, and lose nothing", async () => {
    const { get } = tools();
    let text = "";
    let from: number | undefined = 0;
    let pages = 0;
    while (from !== undefined) {
      const page: Awaited<ReturnType<typeof get.run>> = await get.run({ document: "long.md", from });
      expect(page.text.length).toBeLessThanOrEqual(PAGE_CHARACTERS);
      expect(() => encodeURIComponent(page.text)).not.toThrow();
      text += page.text;
      from = page.nextFrom;
      pages++;
    }
    expect(pages).toBe(Math.ceil(LONG.length / PAGE_CHARACTERS));
    expect(text.replace(/\s/g, "")).toBe(LONG.replace(/\s/g, ""));
    await expect(get.run({ document: "none.md", from: 0 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await get.run({ document: "leave.md", from: 10_000 })).text).toBe("");
  });

  it("cut pages between characters", () => {
    expect(pageEnd("a😀b", 0, 2)).toBe(1);
    expect(pageEnd("😀b", 0, 1)).toBe(1);
    expect(pageEnd("a😀b", 0, 3)).toBe(3);
  });

  it("list in pages", async () => {
    const { list } = tools();
    const first = await list!.run(list!.input.parse({ limit: 2 }));
    expect(first.documents.map(({ file }) => file)).toEqual(["leave.md", "long.md"]);
    const rest = await list!.run(list!.input.parse({ limit: 2, after: first.nextAfter }));
    expect(rest).toMatchObject({ documents: [{ file: "secret/pay.md" }, { file: "婚假.md" }] });
    expect(rest.nextAfter).toBeUndefined();
  });

  it("count by metadata, within what filters leave, and name the metadata that there is", async () => {
    const counted = async (input: object, options: ToolOptions = {}) => {
      const { count } = tools(options);
      const result = await count.run(count.input.parse(input));
      return { result, text: count.text(result) };
    };
    const { result } = await counted({ by: ["tenant"], metrics: ["cardinality:file"] });
    const { aggregations } = result as { aggregations: Record<string, { buckets: unknown; value: number }> };
    expect(aggregations["tenant"]!.buckets).toContainEqual({ key: "b", doc_count: 1 });
    expect(aggregations["cardinality:file"]).toEqual({ value: 4 });
    expect((await counted({ query: "board", by: ["tenant"] })).text).toBe("1 passages match.\ntenant: b 1");
    const own = await counted({ by: ["tenant"], filters: { tenant: "b" } }, { filters: { tenant: "a" } });
    expect(own.text).toBe("0 passages match.\ntenant: ");
    expect((await counted({ by: ["tenant"] }, { filters: { tenant: "a" } })).text).not.toMatch(/\bb \d/);
    await expect(counted({ by: ["tenants"] })).rejects.toThrow(/tenant/);
  });

  it("analyze as the collection does, or as asked", async () => {
    const { analyze } = tools();
    const terms = async (input: object) =>
      (await analyze.run(analyze.input.parse(input))).tokens.map(({ token }) => token);
    expect(await terms({ text: "年休假" })).toEqual(["年", "休", "假"]);
    expect(await terms({ text: "员工请年休假", analyzer: "ik_smart" })).toEqual(["员工", "请", "年休假"]);
    await expect(terms({ text: "x", analyzer: "nope" })).rejects.toThrow(/nope/);
  });

  it("never show what the filters of their maker hide, whatever the caller asks for", async () => {
    const narrowed = tools({ filters: { tenant: "a" } });
    const { search, get, ask } = narrowed;
    for (const filters of [undefined, { tenant: "b" }, { tenant: { ne: "a" } }]) {
      const { hits } = await search.run(search.input.parse({ query: "secret pay of the board", filters }));
      expect(hits.filter(({ file }) => file === "secret/pay.md")).toEqual([]);
    }
    const { sources } = await ask.run(ask.input.parse({ question: "What is the pay of the board?" }));
    expect(sources.map(({ file }) => file)).not.toContain("secret/pay.md");
    await expect(get.run({ document: "secret/pay.md", from: 0 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await get.run({ document: "leave.md", from: 0 })).text).toContain("Annual leave");
    expect("list" in narrowed).toBe(false);
  });

  it("stop when the call is aborted", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    const { search, ask, get, list } = tools();
    await expect(search.run(search.input.parse({ query: "leave" }), { signal })).rejects.toThrow();
    await expect(ask.run(ask.input.parse({ question: "leave" }), { signal })).rejects.toThrow();
    await expect(get.run({ document: "leave.md", from: 0 }, { signal })).rejects.toThrow();
    await expect(list!.run(list!.input.parse({}), { signal })).rejects.toThrow();
  });
});

describe("tools of the AI SDK", () => {
  it("are called by the model's wish, which reads the result as text", async () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const prompts: string[] = [];
    let calls = 0;
    const model = new MockLanguageModelV3({
      doGenerate: async ({ prompt }) => {
        prompts.push(JSON.stringify(prompt));
        calls++;
        return calls === 1
          ? {
              content: [{ type: "tool-call", toolCallId: "1", toolName: "search", input: '{"query":"annual leave"}' }],
              finishReason: { unified: "tool-calls", raw: "tool_calls" },
              usage,
              warnings: [],
            }
          : {
              content: [{ type: "text", text: "Ten days." }],
              finishReason: { unified: "stop", raw: "stop" },
              usage,
              warnings: [],
            };
      },
    });
    const { text, steps } = await generateText({
      model,
      tools: aiSdkTools(notes.collection),
      stopWhen: stepCountIs(3),
      prompt: "How long is annual leave?",
    });
    expect(text).toBe("Ten days.");
    expect(prompts[1]).toContain("Annual leave is ten days.");
    const [result] = steps[0]!.toolResults;
    expect(result!.output).toHaveProperty("hits.0.file", "leave.md");
  });
});
