/**
 * The recorded answers once more, with the model behind a server that speaks OpenAI's protocol and the AI SDK between: the same calls, the
 * same pieces.
 */
import { readFileSync } from "node:fs";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterAll, beforeAll, describe, it } from "vitest";
import { fromAiSdk } from "../../src/models/index.ts";
import type { LanguageModel } from "../../src/schema/index.ts";
import { type ChatRequest, type OpenAiServer, openAiServer, type Reply } from "../models/openai-server.ts";
import { check } from "./run.ts";
import { piecesOf, throughTransport } from "./script-model.ts";
import type { Case, Topic } from "./support.ts";

const TOPICS = ["response-modes", "response-structured", "query-engines", "chat-engines"];

const scripts = new Map<string, LanguageModel>();
let server: OpenAiServer;

beforeAll(async () => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  server = await openAiServer(asked);
  throughTransport((script, { contextWindow, maxOutputTokens }) => {
    const id = `script-${scripts.size}`;
    scripts.set(id, script);
    const provider = createOpenAICompatible({ name: "script", baseURL: server.baseUrl });
    const { stream, ...model } = fromAiSdk(provider.chatModel(id), {
      maxRetries: 0,
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    });
    return script.stream ? { ...model, stream } : model;
  });
});
afterAll(async () => {
  throughTransport(undefined);
  await server.close();
});

/** The script's answer; a message of the user's alone is what the script calls a prompt. */
async function asked({ model, messages, stream }: ChatRequest): Promise<Reply> {
  const script = scripts.get(model)!;
  const [only] = messages;
  const request = messages.length === 1 && only!.role === "user" ? { prompt: only!.content } : { messages };
  return { pieces: stream ? await piecesOf(script.stream!(request)) : [await script.generate(request)] };
}

for (const name of TOPICS) {
  const { topic } = (await import(`./topics/${name}.ts`)) as { topic: Topic<never> };
  const cases = JSON.parse(readFileSync(new URL(`cases/${name}.json`, import.meta.url), "utf8")) as Case[];
  // One of the two data sets: the wire is what this is about.
  describe(name, () => {
    it.each(cases.filter((item) => item.name.endsWith("[a]")))("$name", (item) => check(topic, item));
  });
}
