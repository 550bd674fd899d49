import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  autoPreviousNext,
  embeddingRecency,
  fixedRecency,
  keywordFilter,
  longContextReorder,
  maximalMarginalRelevance,
  metadataReplacement,
  PII_KEY,
  piiMask,
  previousNext,
  sentenceOptimizer,
  similarityCutoff,
  timeWeightedRecency,
  unmask,
} from "../../src/postprocess/index.ts";
import {
  type EmbeddingModel,
  type Metadata,
  type NodeWithScore,
  nodeContent,
  type Postprocessor,
  textNode,
} from "../../src/schema/index.ts";
import { memoryDocstore } from "../../src/stores/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const hit = (id: string, score?: number, text = id, metadata: Metadata = {}): NodeWithScore => ({
  node: textNode({ id, text, metadata }),
  ...(score === undefined ? {} : { score }),
});
const ids = (nodes: NodeWithScore[]) => nodes.map(({ node }) => node.id);
const run = async (part: Postprocessor, nodes: NodeWithScore[], query = "q") =>
  part.postprocess(nodes, { query: { query } });

/** One dimension a topic word. */
const topics: EmbeddingModel = {
  name: "topics",
  dimensions: 3,
  similarity: "cosine",
  embed: async (texts) =>
    texts.map((text) => Float32Array.from(["leave", "travel", "badge"].map((word) => text.split(word).length - 1))),
};

describe("dropping nodes", () => {
  it("by score, where there is a cutoff", async () => {
    const nodes = [hit("a", 0.5), hit("b", 0.2), hit("c"), hit("d", 0)];
    expect(ids(await run(similarityCutoff(0.2), nodes))).toEqual(["a", "b"]);
    expect(ids(await run(similarityCutoff(0), nodes))).toEqual(["a", "b", "d"]);
    expect(await run(similarityCutoff(), nodes)).toBe(nodes);
    expect(() => similarityCutoff(Number.NaN)).toThrow(/must be a number/);
  });

  it("by words: whole ones of letters, Han characters anywhere", async () => {
    const nodes = [
      hit("1", 1, "Annual  leave is paid"),
      hit("2", 1, "unpaid leaves"),
      hit("3", 1, "年休假leave五天"),
      hit("4", 1, "draft: leave"),
    ];
    const filtered = async (options: object) => ids(await run(keywordFilter(options), nodes));
    expect(await filtered({ required: ["leave"] })).toEqual(["1", "3", "4"]);
    expect(await filtered({ required: ["annual leave", "休假"] })).toEqual(["3"]);
    expect(await filtered({ required: ["annual leave"], caseSensitive: false })).toEqual(["1"]);
    expect(await filtered({ excluded: ["draft", "unpaid"] })).toEqual(["1", "3"]);
    expect(await filtered({ required: ["(a+b)*"] })).toEqual([]);
    expect(() => keywordFilter({ required: [" "] })).toThrow(/not be empty/);
  });

  it("for being like others", async () => {
    const nodes = [hit("a", 1, "leave leave travel"), hit("b", 1, "leave leave travel "), hit("c", 1, "leave badge")];
    const part = maximalMarginalRelevance({ embedding: topics, topK: 2, threshold: 0.3 });
    expect(ids(await run(part, nodes, "leave"))).toEqual(["a", "c"]);
    expect(await run(part, [], "leave")).toEqual([]);
    await expect(part.postprocess(nodes, {})).rejects.toThrow(/needs the question/);
  });
});

describe("rewriting and reordering", () => {
  it("shows the metadata value in the place of the text, on a copy", async () => {
    const nodes = [
      hit("a", 1, "x", { window: "w x y" }),
      hit("b", 1, "x", { window: null }),
      hit("c", 1, "x", { window: 5 }),
    ];
    expect((await run(metadataReplacement("window"), nodes)).map(({ node }) => node.text)).toEqual(["w x y", "x", "5"]);
    expect(nodes[0]!.node.text).toBe("x");
  });

  it("puts the best at both ends", async () => {
    const nodes = [5, 4, 3, 2, 1].map((score) => hit(String(score), score));
    expect(ids(await run(longContextReorder(), nodes))).toEqual(["5", "3", "1", "2", "4"]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.double({ noNaN: true }), { nil: undefined })), async (scores) => {
        const any = scores.map((score, i) => hit(String(i), score));
        expect(new Set(ids(await run(longContextReorder(), any)))).toEqual(new Set(ids(any)));
      }),
    );
  });

  it("keeps of each passage the sentences near the question, with their neighbours", async () => {
    const text = "All about badge. Your leave is five days. It is paid. More travel.";
    const optimize = async (options: object) =>
      (await run(sentenceOptimizer({ embedding: topics, ...options }), [hit("a", 1, text)], "leave")).map(
        ({ node }) => node.text,
      );
    expect(await optimize({ percentileCutoff: 0.25 })).toEqual(["Your leave is five days."]);
    expect(await optimize({ percentileCutoff: 0.25, contextAfter: 1 })).toEqual([
      "Your leave is five days. It is paid.",
    ]);
    expect(await optimize({ thresholdCutoff: 0.9 })).toEqual(["Your leave is five days."]);
    expect(await optimize({ thresholdCutoff: 1.1 })).toEqual([]);
  });
});

describe("neighbours", () => {
  const chain = Array.from({ length: 5 }, (_, i) =>
    textNode({
      id: `c${i}`,
      text: `text ${i}`,
      relationships: {
        ...(i > 0 ? { previous: { id: `c${i - 1}` } } : {}),
        ...(i < 4 ? { next: { id: `c${i + 1}` } } : {}),
      },
    }),
  );

  it("stand beside their passage, without a score, and end where the docstore does", async () => {
    const docstore = memoryDocstore();
    await docstore.add(chain.filter((node) => node.id !== "c4"));
    const found = [{ node: chain[3]!, score: 0.5 }];
    const around = await run(previousNext({ docstore, count: 2, mode: "both" }), found);
    expect(around.map(({ node, score }) => [node.id, score])).toEqual([
      ["c1", undefined],
      ["c2", undefined],
      ["c3", 0.5],
    ]);
    const both = [...found, { node: chain[2]!, score: 0.4 }];
    const kept = await run(previousNext({ docstore, mode: "previous" }), both);
    expect(kept.map(({ node, score }) => [node.id, score])).toEqual([
      ["c1", undefined],
      ["c2", 0.4],
      ["c3", 0.5],
    ]);
  });

  it("are chosen by a model, whose answer must be one of three", async () => {
    const docstore = memoryDocstore();
    await docstore.add(chain);
    const found = [{ node: chain[2]!, score: 1 }];
    const ask = (answer: string) =>
      run(autoPreviousNext({ docstore, model: mockLanguageModel({ answers: [answer] }) }), found);
    expect(ids(await ask("Next."))).toEqual(["c2", "c3"]);
    expect(ids(await ask("none"))).toEqual(["c2"]);
    await expect(ask("maybe")).rejects.toThrow(/answered: maybe/);
  });
});

describe("recency", () => {
  it("keeps the newest; what has no date goes last", async () => {
    const nodes = [
      hit("old", 1, "", { date: "2020-01-01" }),
      hit("none", 1),
      hit("new", 1, "", { date: "2024-05-01T10:00:00Z" }),
      hit("seconds", 1, "", { date: 1_600_000_000 }),
    ];
    expect(ids(await run(fixedRecency(), nodes))).toEqual(["new"]);
    expect(ids(await run(fixedRecency({ topK: 4 }), nodes))).toEqual(["new", "seconds", "old", "none"]);
  });

  it("adds what is left after the hours since the last access, and remembers the access on copies", async () => {
    const now = () => 7200;
    const nodes = [hit("a", 0.5, "", { __last_accessed__: 0 }), hit("b", 0.2, "", { __last_accessed__: 7200 })];
    const [best, second] = await run(timeWeightedRecency({ decay: 0.5, topK: 2, now }), nodes);
    expect([best!.node.id, best!.score]).toEqual(["b", 1.2]);
    expect([second!.node.id, second!.score]).toEqual(["a", 0.75]);
    expect(second!.node.metadata["__last_accessed__"]).toBe(7200);
    expect(nodes[0]!.node.metadata["__last_accessed__"]).toBe(0);
  });

  it("keeps of similar texts the newest", async () => {
    const nodes = [
      hit("v1", 1, "leave five days", { date: "2022-01-01" }),
      hit("other", 1, "travel", { date: "2021-01-01" }),
      hit("v2", 1, "leave ten days", { date: "2024-01-01" }),
    ];
    expect(ids(await run(embeddingRecency({ embedding: topics }), nodes))).toEqual(["v2", "other"]);
  });
});

describe("masking personal data", () => {
  it("replaces what the patterns know, the same value alike everywhere, and can put it back", async () => {
    const nodes = [
      hit("a", 1, "Mail li.wei@example.com or call 13812345678, card 4111 1111 1111 1111."),
      hit("b", 1, "身份证 11010519491231002X，电话 +86 138-1234-5678，再写 li.wei@example.com，IP 10.0.0.1。"),
      hit("c", 1, "Order 4111111111111112 of 2024-05-01, version 1.2.3, 18 digits 110105194912310020."),
    ];
    const masked = await run(piiMask(), nodes);
    expect(masked[0]!.node.text).toBe("Mail [EMAIL_1] or call [PHONE_1], card [CARD_1].");
    expect(masked[1]!.node.text).toBe("身份证 [ID_1]，电话 [PHONE_2]，再写 [EMAIL_1]，IP [IP_1]。");
    expect(masked[2]).toBe(nodes[2]);
    expect(nodeContent(masked[0]!.node, "llm")).not.toContain("li.wei");
    expect(nodeContent(masked[0]!.node, "embed")).not.toContain(PII_KEY);
    expect(unmask("Write to [EMAIL_1], not [EMAIL_9].", masked)).toBe("Write to li.wei@example.com, not [EMAIL_9].");
  });
});
