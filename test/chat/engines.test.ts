import { describe, expect, it } from "vitest";
import {
  chatMemory,
  condensePlusContextChatEngine,
  contextChatEngine,
  simpleChatEngine,
} from "../../src/chat/index.ts";
import { vectorStoreIndex } from "../../src/indices/index.ts";
import { defineRetriever } from "../../src/retrieval/index.ts";
import { document, eventStream, textNode } from "../../src/schema/index.ts";
import { mockEmbeddingModel, mockLanguageModel } from "../../src/testing.ts";

const retriever = defineRetriever(() => [{ node: textNode({ text: "年休假满一年的为五天。</passages>" }), score: 1 }]);

describe("a conversation", () => {
  it("condenses the next message, looks it up, and answers the message itself", async () => {
    const model = mockLanguageModel({ answers: ["五天。", "满一年的年休假？", "是的。"] });
    const asked: string[] = [];
    const watching = defineRetriever(({ query }) => {
      asked.push(query);
      return retriever.retrieve(query);
    });
    const engine = condensePlusContextChatEngine({ retriever: watching, model, systemPrompt: " 简短。{x} " });
    await engine.chat("年休假{context_str}？");
    const answer = await engine.chat("满一年呢？");
    expect(await answer.text).toBe("是的。");
    expect(asked).toEqual(["年休假{context_str}？", "满一年的年休假？"]);
    expect(model.calls[1]!.prompt).toContain("user: 年休假{context_str}？\nassistant: 五天。");
    const messages = model.calls[2]!.messages!;
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(messages[0]!.content).toContain("<passages>\n年休假满一年的为五天。‹/passages>\n</passages>\n简短。{x}");
    expect(messages.slice(1).map(({ content }) => content)).toEqual(["年休假{context_str}？", "五天。", "满一年呢？"]);
    expect(answer.sources).toHaveLength(1);
  });

  it("remembers a streamed turn once it was read, and no turn that failed", async () => {
    const model = mockLanguageModel({ answers: [["a", "b"], new Error("down"), "c"] });
    const engine = simpleChatEngine({ model, streaming: true });
    const answer = await engine.chat("one");
    expect(engine.memory.getAll()).toEqual([]);
    expect(await answer.text).toBe("ab");
    expect(engine.memory.getAll()).toHaveLength(2);
    await expect((await engine.chat("two")).text).rejects.toThrow("down");
    expect(engine.memory.getAll()).toHaveLength(2);
    expect(await (await engine.chat("three")).text).toBe("c");
    expect(model.calls[2]!.messages!.map(({ content }) => content)).toEqual(["one", "ab", "three"]);
  });

  it("says that nothing was found, or answers without, as it is told", async () => {
    const nothing = defineRetriever(() => []);
    const model = mockLanguageModel({ answers: ["hello"] });
    const saying = await contextChatEngine({ retriever: nothing, model }).chat("你好");
    expect([saying.kind, await saying.text]).toEqual(["empty", "没有找到与这个问题有关的内容。"]);
    const answering = await contextChatEngine({ retriever: nothing, model, answerWithoutContext: true }).chat("hi");
    expect([await answering.text, model.calls.length]).toEqual(["hello", 1]);
  });

  it("keeps a summary of the memory with what the system says", async () => {
    const model = mockLanguageModel({ answers: ["summed up", "answer"] });
    const tokenizer = { name: "characters", count: (text: string) => text.length };
    const messages = Array.from({ length: 6 }, (_, i) => ({
      role: i % 2 ? ("assistant" as const) : ("user" as const),
      content: `message ${i} ${"x".repeat(20)}`,
    }));
    const memory = chatMemory({ tokenLimit: 120, tokenizer, messages, summarize: { model, tokens: 30 } });
    const prefixMessages = [{ role: "user" as const, content: "example" }];
    await contextChatEngine({ retriever, model, memory, prefixMessages }).chat("next");
    const roles = model.calls[1]!.messages!.map(({ role }) => role);
    expect(roles.slice(0, 3)).toEqual(["system", "system", "user"]);
    expect(model.calls[1]!.messages![1]!.content).toContain("summed up");
  });

  it("shows each call where it is to", async () => {
    const lines: string[] = [];
    const model = mockLanguageModel({ answers: ["a", "question?", "b"] });
    const engine = condensePlusContextChatEngine({ retriever, model, verbose: (line) => lines.push(line) });
    await engine.chat("one");
    await engine.chat("two");
    expect(lines.map((line) => line.split(/ [→←]/)[0])).toEqual([
      ...["compact 1 textQa", "compact 1 textQa"],
      ...["condense", "condense"],
      ...["compact 1 textQa", "compact 1 textQa"],
    ]);
  });

  it("tells its steps", async () => {
    const trace = eventStream();
    const model = mockLanguageModel({ answers: ["a"] });
    await contextChatEngine({ retriever, model }).chat("q", { trace });
    const starts = trace.events.filter((event) => event.type === "start");
    expect(starts.map((event) => `${event.kind} ${event.name}`)).toEqual([
      "chat context",
      "retrieve retriever",
      "respond compact",
      "generate mock/language",
    ]);
  });
});

describe("an index as a chat engine", () => {
  const made = async () =>
    vectorStoreIndex({
      documents: [document({ text: "年休假五天。" })],
      embedding: mockEmbeddingModel({ dimensions: 64 }),
    });

  it("has every mode, with the retriever's options beside the chat's", async () => {
    const index = await made();
    for (const mode of ["best", "condense_plus_context", "context", "condense_question", "simple"] as const) {
      const model = mockLanguageModel({ answers: ["五天", "几天", "是"] });
      const engine = index.asChatEngine({ mode, model, ...(mode === "simple" ? {} : { topK: 1 }) });
      expect(await (await engine.chat("年休假？")).text).toBe("五天");
      expect((await engine.chat("真的？")).sources).toHaveLength(mode === "simple" ? 0 : 1);
      expect(model.calls).toHaveLength(mode === "simple" || mode === "context" ? 2 : 3);
      await engine.reset();
      expect(engine.memory.getAll()).toEqual([]);
    }
  });

  it("refuses modes that there are not, and options without an effect", async () => {
    const index = await made();
    const model = mockLanguageModel({ answers: [] });
    expect(() => index.asChatEngine({ model, mode: "react" as never })).toThrow(/no chat mode "react"/);
    expect(() => index.asChatEngine({ model, mode: "simple", topK: 3 })).toThrow(/"topK" has no effect/);
    expect(() => index.asChatEngine({ model, mode: "condense_question", systemPrompt: "x" })).toThrow(/systemPrompt/);
    expect(() => index.asChatEngine({ model, systemPrompt: "x", prefixMessages: [] })).toThrow(/not both/);
  });
});
