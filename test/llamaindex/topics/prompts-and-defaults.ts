/**
 * The prompts of each response mode with the names in them, and the chat modes. Signatures and defaults of Python's classes are its own: what
 * is another default here stands in docs/llamaindex.md.
 */
import { expect } from "vitest";
import { type ChatMode, vectorStoreIndex } from "../../../src/indices/index.ts";
import { eventStream, promptVariables, textNode } from "../../../src/schema/index.ts";
import { type ResponseMode, responseSynthesizer } from "../../../src/synthesis/index.ts";
import { scriptModel } from "../script-model.ts";
import { hashEmbedding, type Topic } from "../support.ts";

interface Input {
  module?: string;
  chat_mode?: ChatMode;
}

const NAMES: Record<string, string> = {
  textQa: "text_qa_template",
  refine: "refine_template",
  summary: "summary_template",
  simple: "simple_template",
};

const CHATS: Record<string, string> = {
  CondensePlusContextChatEngine: "condense_plus_context",
  ContextChatEngine: "context",
  CondenseQuestionChatEngine: "condense_question",
  SimpleChatEngine: "simple",
};

export const topic: Topic<Input> = {
  notRun: [[/^(?!prompts: response synthesizer|as_chat_engine)/, "signatures are Python's own"]],
  async run({ module, chat_mode }) {
    const model = scriptModel();
    if (module) {
      const mode = module.replace("response synthesizer ", "") as ResponseMode;
      const prompts = responseSynthesizer({ mode, model }).prompts("en");
      return Object.fromEntries(
        Object.entries(prompts).map(([name, prompt]) => [NAMES[name], promptVariables(prompt!).sort()]),
      );
    }
    const index = await vectorStoreIndex({ nodes: [textNode({ text: "t" })], embedding: hashEmbedding() });
    const trace = eventStream();
    await index.asChatEngine({ mode: chat_mode!, model }).chat("question", { trace });
    return { name: trace.events[0]!.name };
  },
  compare(actual: Record<string, unknown>, expected: Record<string, unknown>, { module }: Input) {
    if (!module) return expect(actual["name"]).toBe(CHATS[expected["class"] as string]);
    // Templates for pictures among the passages are not part of this library.
    const known = Object.entries(expected).filter(([name]) => !name.startsWith("chat_"));
    expect(actual).toEqual(Object.fromEntries(known));
  },
};
