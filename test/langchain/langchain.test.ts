import { Document } from "@langchain/core/documents";
import { RunnableLambda } from "@langchain/core/runnables";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { HuiliuEmbeddings, HuiliuRetriever, HuiliuVectorStore, langchainTools } from "../../src/langchain/index.ts";
import { defineRetriever } from "../../src/retrieval/define.ts";
import { bm25Retriever } from "../../src/retrieval/index.ts";
import { elasticsearchStore, simpleVectorStore } from "../../src/stores/index.ts";
import { type Opened, openNotes } from "../collection/fixtures.ts";

let notes: Opened;
beforeAll(async () => {
  notes = await openNotes();
});
afterAll(() => notes.close());

describe("the retriever for LangChain.js", () => {
  it("finds documents of a collection, alone and in a chain", async () => {
    const retriever = new HuiliuRetriever({ from: notes.collection, options: { topK: 1 } });
    const found = await retriever.invoke("婚假几天");
    expect(found).toHaveLength(1);
    expect(found[0]).toBeInstanceOf(Document);
    expect(found[0]).toMatchObject({ pageContent: "婚假为三天，须提前申请。", metadata: { file: "婚假.md" } });
    expect(found[0]!.metadata["_score"]).toBeGreaterThan(0);
    const chain = retriever.pipe(
      RunnableLambda.from((documents: Document[]) => documents.map((d) => d.pageContent).join()),
    );
    expect(await chain.invoke("annual leave")).toContain("ten days");
  });

  it("takes a retriever of this library", async () => {
    const retriever = new HuiliuRetriever({ from: bm25Retriever(notes.collection, { topK: 5 }) });
    expect((await retriever.invoke("board")).map(({ metadata }) => metadata["file"])).toEqual(["secret/pay.md"]);
  });

  it("hands the signal of each call on, also of calls at once", async () => {
    const seen: (AbortSignal | undefined)[] = [];
    const from = defineRetriever(async ({ signal }) => {
      await Promise.resolve();
      seen.push(signal);
      return [];
    });
    const retriever = new HuiliuRetriever({ from });
    const [a, b] = [new AbortController(), new AbortController()];
    await Promise.all([
      retriever.invoke("a", { signal: a.signal }),
      retriever.invoke("b", { signal: b.signal }),
      retriever.invoke("c"),
    ]);
    expect(seen).toHaveLength(3);
    expect(new Set(seen)).toEqual(new Set([a.signal, b.signal, undefined]));
  });
});

describe("the vector store for LangChain.js", () => {
  it("adds, finds, filters, replaces and deletes", async () => {
    const engine = await openEngine();
    const texts = ["cats purr", "dogs bark", "猫会打呼噜"];
    const metadatas = [
      { kind: "cat", n: 1 },
      { kind: "dog", n: 2, tags: ["loud"] },
      { kind: "cat", n: 3, skipped: undefined },
    ];
    const store = await HuiliuVectorStore.fromTexts(texts, metadatas, new HuiliuEmbeddings(), {
      store: elasticsearchStore({ client: engine.client(), index: "lc" }),
    });
    const found = await store.similaritySearchWithScore("dogs bark", 2);
    expect(found).toHaveLength(2);
    expect(found[0]![0]).toMatchObject({ pageContent: "dogs bark", metadata: { kind: "dog", n: 2, tags: ["loud"] } });
    expect(found[0]![1]).toBeGreaterThan(found[1]![1]);
    const cats = await store.similaritySearch("dogs bark", 5, { kind: "cat" });
    expect(cats.map(({ metadata }) => metadata["n"]).sort()).toEqual([1, 3]);
    const spread = await store.maxMarginalRelevanceSearch("cats purr", { k: 3, lambda: 0.1 });
    expect(spread.map(({ pageContent }) => pageContent).sort()).toEqual([...texts].sort());
    await expect(store.maxMarginalRelevanceSearch("cats", { k: 1, fetchK: 9 })).rejects.toThrow(/fetchK/);

    const ids = await store.addDocuments([new Document({ pageContent: "fish swim", metadata: {} })], { ids: ["fish"] });
    expect(ids).toEqual(["fish"]);
    await store.addDocuments([new Document({ id: "fish", pageContent: "fish glide", metadata: {} })]);
    expect((await store.asRetriever(1).invoke("fish glide"))[0]).toMatchObject({
      id: "fish",
      pageContent: "fish glide",
    });
    expect(await store.similaritySearch("fish", 10)).toHaveLength(4);
    await store.delete({ ids: ["fish"] });
    await store.delete({ filter: { kind: "dog" } });
    expect(await store.similaritySearch("fish", 10)).toHaveLength(2);
    await expect(store.delete({})).rejects.toThrow(/say what to delete/);
    await expect(store.addVectors([[1]], [])).rejects.toThrow(/one vector and one id/);
    await engine.close();
  });
});

describe("a vector store that keeps no texts", () => {
  it("is refused", async () => {
    const store = await HuiliuVectorStore.fromTexts(["a"], {}, new HuiliuEmbeddings(), { store: simpleVectorStore() });
    await expect(store.similaritySearch("a")).rejects.toThrow(/keeps no texts/);
  });
});

describe("tools for LangChain.js", () => {
  it("answer with text and keep the objects as artifact", async () => {
    const tools = langchainTools(notes.collection);
    expect(tools.map(({ name }) => name)).toEqual(["search", "ask", "get", "list", "count", "analyze"]);
    const message = await tools[0]!.invoke({
      type: "tool_call",
      id: "1",
      name: "search",
      args: { query: "annual leave" },
    });
    expect(message).toMatchObject({ tool_call_id: "1", artifact: { hits: [{ file: "leave.md" }, {}, {}] } });
    expect(String(message.content)).toContain("ten days");
    await expect(tools[0]!.invoke({ query: "x", size: 1 })).rejects.toThrow();
  });
});
