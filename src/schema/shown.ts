/** How a model's calls are shown to whoever watches: a line each, of characters that do no harm. */
import type { Prompt } from "./prompts.ts";

/** Where calls are shown: on the console's error stream, or to a function, line by line. */
export type Verbose = boolean | ((line: string) => void);

export function shower(verbose: Verbose | undefined): (line: string) => void {
  if (typeof verbose === "function") return verbose;
  return verbose ? (line) => console.error(line) : () => {};
}

const SHOWN = 300;

export function shownPrompt(prompt: Prompt): string {
  if (typeof prompt === "string") return shownText(prompt);
  return prompt.map(({ role, content }) => `${role}: ${shownText(content)}`).join(" ");
}

/** In one line of harmless characters: it may come from a document. */
export function shownText(text: string): string {
  const start = text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
  return JSON.stringify(start).replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "�");
}
