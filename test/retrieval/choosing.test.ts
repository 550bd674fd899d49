import { describe, expect, it } from "vitest";
import {
  autoRetriever,
  defineRetriever,
  embeddingSelector,
  ensembleRetriever,
  hyde,
  modelSelector,
  routerRetriever,
  transformRetriever,
} from "../../src/retrieval/index.ts";
import { type NodeWithScore, type QueryBundle, textNode } from "../../src/schema/index.ts";
import { mockEmbeddingModel, mockLanguageModel } from "../../src/testing.ts";

const hit = (id: string, score = 1): NodeWithScore => ({ node: textNode({ id, text: id }), score });
const ids = (nodes: NodeWithScore[]) => nodes.map(({ node }) => node.id);
const giving = (...names: string[]) => defineRetriever(() => names.map((name) => hit(name)));

describe("the router", () => {
  const routes = [
    { retriever: giving("a", "b"), description: "annual leave 年假" },
    { retriever: giving("b", "c"), description: "business travel 出差" },
  ];

  it("asks those that a model chooses, each node once", async () => {
    const one = mockLanguageModel({ answers: ['Sure: [{"choice": "2", "reason": "x"}, {"choice": 1}]'] });
    expect(ids(await routerRetriever({ routes, selector: modelSelector({ model: one }) }).retrieve("q"))).toEqual([
      "b",
      "c",
    ]);
    const several = mockLanguageModel({ answers: ["[{'choice': 2}, {'choice': 1}, {'choice': 9}, 'x', null]"] });
    const both = routerRetriever({ routes, selector: modelSelector({ model: several, multiple: true }) });
    expect(ids(await both.retrieve("q"))).toEqual(["b", "c", "a"]);
    expect(several.calls[0]!.prompt).toContain("(2) business travel 出差");
  });

  it("asks the one whose description is nearest", async () => {
    const selector = embeddingSelector({ embedding: mockEmbeddingModel({ dimensions: 128 }) });
    expect(ids(await routerRetriever({ routes, selector }).retrieve("年假"))).toEqual(["a", "b"]);
  });

  it("says what a model answered that chose nothing", async () => {
    const selector = modelSelector({ model: mockLanguageModel({ answers: ["none of them"] }) });
    await expect(routerRetriever({ routes, selector }).retrieve("q")).rejects.toThrow(/answered: none of them/);
    expect(() => routerRetriever({ routes: [], selector })).toThrow(/at least one/);
  });
});

describe("HyDE", () => {
  it("has a written passage embedded, and leaves the question as it is", async () => {
    const seen: QueryBundle[] = [];
    const retriever = defineRetriever(({ query, embeddingTexts }) => {
      seen.push({ query, ...(embeddingTexts ? { embeddingTexts } : {}) });
      return [];
    });
    const model = mockLanguageModel({ answers: ["A passage.", "Another."] });
    await transformRetriever({ retriever, transform: hyde({ model }) }).retrieve("q {x}");
    await transformRetriever({ retriever, transform: hyde({ model, includeOriginal: false }) }).retrieve("q");
    expect(seen).toEqual([
      { query: "q {x}", embeddingTexts: ["A passage.", "q {x}"] },
      { query: "q", embeddingTexts: ["Another."] },
    ]);
    expect(model.calls[0]!.prompt).toContain("Question: q {x}");
  });
});

describe("an ensemble over settings", () => {
  it("fuses one retriever for each", async () => {
    const retriever = await ensembleRetriever({
      settings: { small: ["a", "b"], large: ["b"] },
      make: async (names) => giving(...names),
    });
    const [best] = await retriever.retrieve("q");
    expect(best!.node.id).toBe("b");
    expect(best!.ranks!.map((rank) => rank.list)).toEqual(["small", "large"]);
  });
});

describe("filters read from the question", () => {
  const asked: unknown[] = [];
  const auto = (answer: string, options = {}) =>
    autoRetriever({
      index: {
        asRetriever(made) {
          asked.push(made);
          return giving("x");
        },
      },
      model: mockLanguageModel({ answers: [answer] }),
      contentInfo: "handbook",
      metadataInfo: [{ name: "level", type: "string", description: "员工 or 经理" }],
      topK: 5,
      ...options,
    });

  it("become the retriever's, with those that hold always", async () => {
    asked.length = 0;
    const answer =
      '```json\n{"query": "leave", "filters": [{"key": "level", "value": "经理"}], "condition": "or", "top_k": 3}\n```';
    await auto(answer, { extraFilters: { filters: [{ key: "year", operator: ">", value: 2020 }] } }).retrieve("q");
    expect(asked).toEqual([
      {
        topK: 3,
        filters: {
          condition: "and",
          filters: [
            { filters: [{ key: "level", value: "经理", operator: "==" }], condition: "or" },
            { key: "year", operator: ">", value: 2020 },
          ],
        },
      },
    ]);
  });

  it.each([
    "no JSON",
    "{",
    '{"query": 1, "filters": []}',
    '{"query": "a", "filters": [{"key": "k", "value": 1, "operator": "~"}]}',
    "{".repeat(5000),
  ])("fall back to the question where the answer is %j", async (answer) => {
    expect((await auto(answer).plan("q")).spec).toEqual({ query: "q", filters: [] });
  });

  it("are refused where they could not hold always", () => {
    expect(() => auto("", { extraFilters: { filters: [], condition: "or" } })).toThrow(/cannot be "or"/);
  });
});
