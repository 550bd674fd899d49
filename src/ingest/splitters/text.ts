/** What the splitters share: cutting with nothing lost, and sentences as texts. */
import { InvalidArgumentError, type Splitter, sha256 } from "../../schema/index.ts";
import { sentences } from "../sentences.ts";

/** A splitter that can also cut a text of its own, without metadata. */
export interface TextSplitter extends Splitter {
  /** The chunks of a text, in order. */
  splitText(text: string, options?: { signal?: AbortSignal }): Promise<string[]>;
}

/** Cuts a text into sentences that together are the text. */
export type SentenceTokenizer = (text: string) => string[];

/** Sentences of Chinese and English text, with what lies between two at the end of the first. */
export function sentenceTexts(text: string): string[] {
  const starts = sentences(text).map((span) => span.start);
  if (starts.length === 0) return text === "" ? [] : [text];
  starts[0] = 0;
  return starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length));
}

/** Pieces with the separator at the front of each but the first; together they are the text. Empty ones are left out. */
export function splitBefore(text: string, separator: string): string[] {
  if (separator === "") return [text];
  return text
    .split(separator)
    .map((part, i) => (i > 0 ? separator + part : part))
    .filter((part) => part !== "");
}

export function checkedSize(name: string, value: number): number {
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError(name, value, `${name} must be a whole number of tokens, at least 1`);
  }
  return value;
}

export function checkedOverlap(value: number, chunkSize: number): number {
  if (!Number.isInteger(value) || value < 0 || value > chunkSize) {
    throw new InvalidArgumentError(
      "chunkOverlap",
      value,
      `chunkOverlap must be a whole number of tokens from 0 to chunkSize (${chunkSize})`,
    );
  }
  return value;
}

/** A name that is the same for the same settings. Functions count by their text, models and tokenizers by their names. */
export function splitterName(kind: string, options: object): string {
  return `${kind} ${JSON.stringify(options, (_, value: unknown) => {
    if (typeof value === "function" || value instanceof RegExp) return sha256(String(value));
    if (typeof value === "object" && value !== null && "name" in value && typeof value.name === "string")
      return value.name;
    return value;
  })}`;
}
