import { expect } from "vitest";
import { chatMemory, type MemoryMessage, queueMemory } from "../../../src/chat/index.ts";
import { type Topic, tokenizer } from "../support.ts";

interface Input {
  memory: "buffer" | "queue";
  token_limit: number;
  tokenizer: string;
  messages: [MemoryMessage["role"], string][];
  initial_token_count?: number;
  token_flush_size?: number;
  chat_history_token_ratio?: number;
}

export const topic: Topic<Input> = {
  async run(input) {
    const limits = { tokenLimit: input.token_limit, tokenizer: tokenizer(input.tokenizer) };
    const memory =
      input.memory === "buffer"
        ? chatMemory(limits)
        : queueMemory({
            ...limits,
            ...(input.token_flush_size === undefined ? {} : { flushSize: input.token_flush_size }),
            ...(input.chat_history_token_ratio === undefined ? {} : { historyRatio: input.chat_history_token_ratio }),
          });
    const steps: number[] = [];
    for (const [role, content] of input.messages) {
      await memory.put({ role, content });
      steps.push((await memory.get()).length);
    }
    const given = await memory.get({ initialTokens: input.initial_token_count ?? 0 });
    return { get: given.map(({ content }) => content), all: memory.getAll().length, messages_after_each_put: steps };
  },
  compare(actual: Record<string, unknown>, expected: Record<string, unknown>) {
    expect(actual).toMatchObject(expected);
  },
};
