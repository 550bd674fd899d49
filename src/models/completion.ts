/** A language model that completes text, as one that takes messages: they are written one below the other. */
import type { ChatMessage, GenerateOptions, LanguageModel } from "../schema/models.ts";

/** A function that completes a text, and what is known of it. */
export interface CompletionModelOptions {
  name: string;
  complete(prompt: string, options: GenerateOptions): Promise<string>;
  /** Missing where it cannot stream. */
  stream?(prompt: string, options: GenerateOptions): AsyncIterable<string>;
  contextWindow?: number;
  maxOutputTokens?: number;
  /** How messages are written. Default: a line `role: content` each, and `assistant: ` at the end, as LlamaIndex does. */
  format?: (messages: readonly ChatMessage[]) => string;
}

/**
 * Makes a language model of a function that completes text, such as a local model without a chat template.
 *
 * @example completionModel({ name: "local", complete: (prompt, { signal }) => complete(prompt, signal) })
 */
export function completionModel(options: CompletionModelOptions): LanguageModel {
  const { name, complete, stream, contextWindow, maxOutputTokens, format = asLines } = options;
  const promptOf = ({ system, prompt, messages }: GenerateOptions): string => {
    const rules: ChatMessage[] = system === undefined ? [] : [{ role: "system", content: system }];
    if (messages) return format([...rules, ...messages]);
    return rules.length > 0 ? format([...rules, { role: "user", content: prompt }]) : prompt;
  };
  return {
    name,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    generate: async (request) => complete(promptOf(request), request),
    ...(stream ? { stream: (request: GenerateOptions) => stream(promptOf(request), request) } : {}),
  };
}

function asLines(messages: readonly ChatMessage[]): string {
  return `${messages.map(({ role, content }) => `${role}: ${content}`).join("\n")}\nassistant: `;
}
