// Answers through the AI SDK from a server that fails: what is retried, what is kept, what is told.
import { afterEach, describe, expect, it, vi } from "vitest";
import { contextChatEngine } from "../../src/chat/index.ts";
import { languageModelFromName } from "../../src/models/index.ts";
import { citationQueryEngine, subQuestionQueryEngine } from "../../src/query-engine/index.ts";
import { defineRetriever } from "../../src/retrieval/index.ts";
import { textNode } from "../../src/schema/index.ts";
import { type ResponseMode, responseSynthesizer } from "../../src/synthesis/index.ts";
import { type OpenAiServer, openAiServer, type Reply } from "../models/openai-server.ts";

const nodes = [0, 1].map((i) => ({ node: textNode({ text: `passage ${i}` }), score: 1 }));
const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(replies: readonly Reply[], options: { maxRetries?: number; timeoutMs?: number } = {}) {
  const server = await openAiServer((_, n) => replies[n - 1]!);
  servers.push(server);
  return { server, model: await languageModelFromName("local/m", { baseUrl: server.baseUrl, env: {}, ...options }) };
}

const busy: Reply = { status: 429, headers: { "retry-after-ms": "1" } };
const good: Reply = { pieces: ["five ", "days"] };

describe("a server that is busy or broken at first", () => {
  it.each([true, false])("is asked again, streaming: %s", async (streaming) => {
    const { server, model } = await serving([busy, { status: 500, headers: { "retry-after-ms": "1" } }, good]);
    const answer = await responseSynthesizer({ model, streaming }).synthesize({ query: "days?", nodes });
    expect([await answer.text, server.requests.length]).toEqual(["five days", 3]);
  });

  it("is left alone after as many attempts as were asked for, and its reason is told", async () => {
    const { server, model } = await serving([busy, busy], { maxRetries: 1 });
    const asking = responseSynthesizer({ model, mode: "refine" }).synthesize({ query: "days?", nodes });
    await expect(asking).rejects.toMatchObject({
      code: "MODEL_FAILED",
      status: 429,
      reason: "rate_limit",
      retryable: true,
    });
    expect(server.requests).toHaveLength(2);
  });

  it("ends a chain of calls where it fails, and no later call is made", async () => {
    for (const mode of ["refine", "accumulate", "tree_summarize"] as const) {
      const { server, model } = await serving([good, { status: 400 }, good, good, good]);
      const many = Array.from({ length: 3 }, (_, i) => ({
        node: textNode({ text: `passage ${i} ${"word ".repeat(600)}` }),
      }));
      const options = { model, mode, contextWindow: 1400, maxOutputTokens: 100 };
      const asking = responseSynthesizer(options).synthesize({ query: "days?", nodes: many });
      await expect(asking).rejects.toMatchObject({ status: 400, retryable: false });
      expect(server.requests).toHaveLength(2);
    }
  });
});

describe("a stream that fails", () => {
  it.each([
    ["cut", "cut"],
    ["ended without its end", "end"],
    ["with what is no event", "garbage"],
    ["with an error in it", "error"],
  ] as const)("%s reaches the reader with the text so far, and is not asked for again", async (_, fails) => {
    const { server, model } = await serving([{ pieces: ["five ", "da"], fails }, good]);
    const answer = await responseSynthesizer({ model, streaming: true }).synthesize({ query: "days?", nodes });
    await expect(answer.text).rejects.toMatchObject({ code: "MODEL_FAILED", model: "local/m" });
    expect(answer.textSoFar).toBe("five da");
    expect(answer.sources).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
  });

  it("is not remembered by a chat, which goes on", async () => {
    const { model } = await serving([{ pieces: ["fi"], fails: "cut" }, good]);
    const retriever = defineRetriever(() => nodes);
    const chat = contextChatEngine({ retriever, model, streaming: true });
    await expect((await chat.chat("days?")).text).rejects.toMatchObject({ code: "MODEL_FAILED" });
    expect(chat.memory.getAll()).toEqual([]);
    expect(await (await chat.chat("days?")).text).toBe("five days");
  });
});

describe("a server that goes silent", () => {
  it("is waited for as long as was said, and then hung up on", async () => {
    for (const streaming of [true, false]) {
      const { server, model } = await serving([{ pieces: ["five "], fails: "stall" }], {
        timeoutMs: 60,
        maxRetries: 0,
      });
      const asking = responseSynthesizer({ model, streaming }).synthesize({ query: "days?", nodes });
      const text = asking.then((answer) => answer.text);
      await expect(text).rejects.toMatchObject({ code: "MODEL_FAILED", reason: "network", retryable: true });
      await expect(text).rejects.toThrow(/no answer for 60 ms/);
      await server.hungUp;
    }
  });

  it("is hung up on when the caller aborts or cancels", async () => {
    const { server, model } = await serving([{ pieces: ["five "], fails: "stall" }]);
    const answer = await responseSynthesizer({ model, streaming: true }).synthesize({ query: "days?", nodes });
    for await (const piece of answer.textStream) {
      expect(piece).toBe("five ");
      break;
    }
    answer.cancel();
    await expect(answer.text).rejects.toMatchObject({ name: "AbortError" });
    await server.hungUp;

    const other = await serving([{ pieces: [], fails: "stall" }]);
    const controller = new AbortController();
    const mode: ResponseMode = "tree_summarize";
    const asking = responseSynthesizer({ model: other.model, mode }).synthesize({
      query: "days?",
      nodes,
      signal: controller.signal,
    });
    // Only a request that has arrived can be hung up on.
    await vi.waitUntil(() => other.server.requests.length > 0, { timeout: 20_000 });
    controller.abort(new Error("enough"));
    await expect(asking).rejects.toThrow("enough");
    await other.server.hungUp;
  });

  it("does not count the time that a reader takes", async () => {
    const { model } = await serving([good], { timeoutMs: 1000 });
    const answer = await responseSynthesizer({ model, streaming: true }).synthesize({ query: "days?", nodes });
    let text = "";
    for await (const piece of answer.textStream) {
      if (text === "") await new Promise((resolve) => setTimeout(resolve, 1100));
      text += piece;
    }
    expect(text).toBe("five days");
  });
});

it("engines over engines work over the wire", async () => {
  const retriever = defineRetriever(() => nodes);
  const { server, model } = await serving([
    { pieces: ['[{"sub_question": "q", "tool_name": "t"}]'] },
    { pieces: ["five [1]", "."] },
    { pieces: ["whole"] },
  ]);
  const inner = citationQueryEngine({ retriever, model, streaming: true });
  const engine = subQuestionQueryEngine({ tools: [{ name: "t", description: "d", engine: inner }], model });
  const answer = await engine.query("days?");
  expect(await answer.text).toBe("whole");
  expect(server.requests.map(({ stream }) => stream ?? false)).toEqual([false, true, false]);
});
