/**
 * Prompts: a text or a list of messages, in one language or in both. `{name}` of the names that a step knows is filled in once, and braces in
 * what is filled in stay as they are: neither a question nor a passage is ever read as a template.
 */
import type { AnswerLanguage } from "./language.ts";
import type { ChatMessage } from "./models.ts";
import { fillTemplate } from "./node.ts";

/** A prompt: a text with `{names}`, or messages of such texts. */
export type Prompt = string | readonly ChatMessage[];

/** A prompt, or one for each language. */
export type PromptOption = Prompt | Readonly<Record<AnswerLanguage, Prompt>>;

/** The prompt of an option in a language. */
export function inLanguage(option: PromptOption, language: AnswerLanguage): Prompt;
export function inLanguage(option: PromptOption | undefined, language: AnswerLanguage): Prompt | undefined;
export function inLanguage(option: PromptOption | undefined, language: AnswerLanguage): Prompt | undefined {
  if (option === undefined || isPrompt(option)) return option;
  return option[language];
}

function isPrompt(option: PromptOption): option is Prompt {
  return typeof option === "string" || Array.isArray(option);
}

/** Fills what is known; other names stay. */
export function fillPrompt(prompt: Prompt, values: Readonly<Record<string, string>>): Prompt {
  if (typeof prompt === "string") return fillTemplate(prompt, values);
  return prompt.map((message) => ({ ...message, content: fillTemplate(message.content, values) }));
}

/** The prompt as a model's call has it. */
export function asCall(
  prompt: Prompt,
): { prompt: string; messages?: undefined } | { messages: ChatMessage[]; prompt?: undefined } {
  return typeof prompt === "string" ? { prompt } : { messages: prompt.map((message) => ({ ...message })) };
}

/** The names in a prompt, in order of first appearance. */
export function promptVariables(prompt: Prompt): string[] {
  const text = typeof prompt === "string" ? prompt : prompt.map((message) => message.content).join("\n");
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))];
}
