/**
 * `huiliu/testing`: models that answer from a script, for tests without a network.
 *
 * @module huiliu/testing
 */
import type { EmbeddingModel, GenerateOptions, LanguageModel } from "./schema/index.ts";

/** One scripted answer: a text, its pieces, an error to throw, or a function of the call. */
export type ScriptedAnswer = string | string[] | Error | ((options: GenerateOptions) => string | string[]);

/** A language model that answers from a script, and keeps the calls that it got. */
export interface MockLanguageModel extends LanguageModel {
  stream(options: GenerateOptions): AsyncIterable<string>;
  /** What the model was asked, in order. */
  readonly calls: GenerateOptions[];
}

/**
 * A language model that gives the answers in order; when they run out it throws. A list of pieces is streamed piece by piece. A function
 * in the list's place answers every call, and is told how many came before.
 *
 * @example mockLanguageModel({ answers: ["Five days [1].", new Error("429")] })
 */
export function mockLanguageModel(options: {
  answers: ScriptedAnswer[] | ((options: GenerateOptions, position: number) => string | string[]);
  name?: string;
  contextWindow?: number;
}): MockLanguageModel {
  const { answers, name = "mock/language", contextWindow } = options;
  const calls: GenerateOptions[] = [];
  function next(call: GenerateOptions): string[] {
    call.signal?.throwIfAborted();
    const position = calls.push(call) - 1;
    const answer = typeof answers === "function" ? () => answers(call, position) : answers[position];
    if (answer === undefined)
      throw new Error(`the script of ${name} has ${answers.length} answers; this is call ${position + 1}`);
    if (answer instanceof Error) throw answer;
    const pieces = typeof answer === "function" ? answer(call) : answer;
    return typeof pieces === "string" ? [pieces] : pieces;
  }
  return {
    name,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    calls,
    async generate(call) {
      return next(call).join("");
    },
    async *stream(call) {
      for (const piece of next(call)) {
        call.signal?.throwIfAborted();
        yield piece;
      }
    },
  };
}

/**
 * An embedding model whose vectors are counts of characters, hashed into `dimensions` places and brought to unit length: the same text
 * gives the same vector, and texts that share characters are near each other.
 */
export function mockEmbeddingModel(
  options: { dimensions?: number; name?: string; maxBatch?: number } = {},
): EmbeddingModel & {
  readonly calls: string[][];
} {
  const { dimensions = 16, name = "mock/embedding", maxBatch } = options;
  const calls: string[][] = [];
  return {
    name,
    dimensions,
    similarity: "dot_product",
    ...(maxBatch === undefined ? {} : { maxBatch }),
    calls,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      calls.push([...texts]);
      return texts.map((text) => {
        const vector = new Float32Array(dimensions);
        for (const character of text) vector[(character.codePointAt(0)! * 2654435761) % dimensions]! += 1;
        const length = Math.hypot(...vector);
        return length === 0 ? vector : vector.map((value) => value / length);
      });
    },
  };
}
