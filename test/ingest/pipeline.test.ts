import { describe, expect, it } from "vitest";
import {
  ingestionPipeline,
  keywordExtractor,
  memoryIngestionCache,
  questionExtractor,
  sentenceSplitter,
  summaryExtractor,
  titleExtractor,
} from "../../src/ingest/index.ts";
import { document, type LanguageModel, relatedNode, textNode } from "../../src/schema/index.ts";
import { memoryDocstore, simpleVectorStore } from "../../src/stores/index.ts";
import { mockEmbeddingModel } from "../../src/testing.ts";

const docs = (...texts: string[]) => texts.map((text, i) => document({ id: `d${i}`, text }));

/** Answers with a count of its calls. */
function counting(): LanguageModel & { prompts: string[] } {
  const prompts: string[] = [];
  return {
    name: "counting",
    prompts,
    async generate({ prompt }) {
      prompts.push(prompt!);
      return ` answer ${prompts.length}\n`;
    },
    async *stream() {},
  };
}

function parts() {
  const embedding = mockEmbeddingModel({ dimensions: 16 });
  return { embedding, store: simpleVectorStore(), docstore: memoryDocstore(), splitter: sentenceSplitter() };
}

describe("the ingestion pipeline", () => {
  it("leaves out what has not changed, and puts what has in the place of the old", async () => {
    const given = parts();
    const pipeline = ingestionPipeline(given);
    const progress: number[] = [];
    const first = await pipeline.run({ documents: docs("one", "two"), onProgress: ({ done }) => progress.push(done) });
    expect([first.added, first.nodes.map((node) => node.text), progress]).toEqual([
      ["d0", "d1"],
      ["one", "two"],
      [1, 2],
    ]);
    const second = await pipeline.run({ documents: docs("one", "other", "three") });
    expect([second.added, second.updated, second.skipped]).toEqual([["d2"], ["d1"], ["d0"]]);
    expect(given.store.size).toBe(3);
    expect(given.embedding.calls.flat()).toEqual(["one", "two", "other", "three"]);
  });

  it("removes what has vanished, if it is told to", async () => {
    const given = parts();
    await ingestionPipeline(given).run({ documents: docs("one", "two") });
    const { removed } = await ingestionPipeline({ ...given, strategy: "upserts_and_delete" }).run({
      documents: docs("one"),
    });
    expect([removed, given.store.size, await given.docstore.refDocIds()]).toEqual([["d1"], 1, ["d0"]]);
  });

  it("leaves out what is known by its content, if it is told to", async () => {
    const given = parts();
    const pipeline = ingestionPipeline({ ...given, strategy: "duplicates_only" });
    await pipeline.run({ documents: docs("one") });
    const again = [
      document({ id: "x", text: "one" }),
      document({ id: "y", text: "new" }),
      document({ id: "z", text: "new" }),
    ];
    const { added, skipped } = await pipeline.run({ documents: again });
    expect([added, skipped]).toEqual([["y"], ["x", "z"]]);
  });

  it("does with the cache nothing twice", async () => {
    const model = counting();
    const cache = memoryIngestionCache();
    const run = async (words: string, from = cache) =>
      ingestionPipeline({
        splitter: sentenceSplitter(),
        transformations: [keywordExtractor({ model })],
        cache: from,
      }).run({
        documents: docs(words),
      });
    const first = await run("one");
    const again = await run("one", memoryIngestionCache(JSON.parse(JSON.stringify(cache.toJson()))));
    expect(again.nodes).toEqual(first.nodes);
    expect(model.prompts).toHaveLength(1);
    await run("other");
    expect(model.prompts).toHaveLength(2);
  });

  it("goes on where a run was cut short", async () => {
    const given = parts();
    let failing = true;
    const embedding = {
      ...given.embedding,
      embed: async (texts: string[]) => {
        if (failing && texts.includes("three")) throw new Error("503");
        return given.embedding.embed(texts);
      },
    };
    let saved = 0;
    const pipeline = ingestionPipeline({ ...given, embedding, batchSize: 1 });
    const run = () => pipeline.run({ documents: docs("one", "two", "three", "four"), checkpoint: () => void saved++ });
    await expect(run()).rejects.toThrow("503");
    expect([saved, given.store.size]).toEqual([2, 2]);
    failing = false;
    const { skipped, added } = await run();
    expect([skipped, added]).toEqual([
      ["d0", "d1"],
      ["d2", "d3"],
    ]);
  });

  it("works on several batches at once, and gives the nodes in order", async () => {
    let running = 0;
    let most = 0;
    const slow = {
      transform: async (nodes: readonly ReturnType<typeof textNode>[]) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        return [...nodes];
      },
    };
    const pipeline = ingestionPipeline({
      splitter: sentenceSplitter(),
      transformations: [slow as never],
      batchSize: 1,
      concurrency: 3,
    });
    const { nodes } = await pipeline.run({ documents: docs("a", "b", "c", "d", "e") });
    expect([nodes.map((node) => node.text).join(""), most]).toEqual(["abcde", 3]);
  });

  it("stops when aborted, and refuses settings that make no sense", async () => {
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    const pipeline = ingestionPipeline({ splitter: sentenceSplitter() });
    await expect(pipeline.run({ documents: docs("a"), signal: controller.signal })).rejects.toThrow("enough");
    expect(() => ingestionPipeline({ splitter: sentenceSplitter(), store: simpleVectorStore() })).toThrow(
      /embedding model/,
    );
    expect(() => ingestionPipeline({ splitter: sentenceSplitter(), batchSize: 0 })).toThrow(/batchSize/);
    expect(() => ingestionPipeline({ splitter: sentenceSplitter(), strategy: "all" as never })).toThrow(
      /unknown strategy/,
    );
  });
});

describe("extractors", () => {
  const source = document({ id: "d", text: "" });
  const nodes = ["a", "b", "c"].map((text) =>
    textNode({ id: text, text, relationships: { source: relatedNode(source) } }),
  );

  it("write under LlamaIndex's keys, with answers stripped", async () => {
    const model = counting();
    expect(await keywordExtractor({ model, keywords: 3 }).extract(nodes.slice(0, 1))).toEqual([
      { excerpt_keywords: "answer 1" },
    ]);
    expect(model.prompts[0]).toContain("Give 3 keywords");
    expect(await questionExtractor({ model }).extract(nodes.slice(0, 1))).toEqual([
      { questions_this_excerpt_can_answer: "answer 2" },
    ]);
  });

  it("summarise each text once, for itself and its neighbours", async () => {
    const model = counting();
    const extractor = summaryExtractor({ model, summaries: ["self", "previous", "next"], concurrency: 1 });
    expect(await extractor.extract(nodes)).toEqual([
      { next_section_summary: "answer 2", section_summary: "answer 1" },
      { prev_section_summary: "answer 1", next_section_summary: "answer 3", section_summary: "answer 2" },
      { prev_section_summary: "answer 2", section_summary: "answer 3" },
    ]);
    expect(model.prompts).toHaveLength(3);
    expect(() => summaryExtractor({ model, summaries: ["all" as never] })).toThrow(/unknown summary/);
  });

  it("ask about Chinese texts in Chinese and about others in English, unless told how", async () => {
    const texts = ["年休假满一年的为五天。", "Annual leave is ten days."].map((text) => textNode({ text }));
    for (const make of [keywordExtractor, questionExtractor, summaryExtractor, titleExtractor]) {
      const model = counting();
      await make({ model, concurrency: 1 }).extract(texts);
      const frames = model.prompts.map((prompt) => prompt.slice(prompt.indexOf("\n\n")));
      expect(frames[0], make.name).toMatch(/^[^a-z]*$/i);
      expect(frames[1], make.name).toMatch(/^\P{Script=Han}*$/u);
      const own = counting();
      await make({ model: own, concurrency: 1, prompt: "Mine: {context_str}" }).extract(texts);
      expect(own.prompts[0]).toBe("Mine: 年休假满一年的为五天。");
    }
  });

  it("give each document one title, from its first nodes", async () => {
    const model = counting();
    const titles = await titleExtractor({ model, nodes: 2 }).extract(nodes);
    expect(titles).toEqual(nodes.map(() => ({ document_title: "answer 3" })));
    expect(model.prompts[2]).toContain("answer 1, answer 2");
  });
});
