/** The options of `asQueryEngine` and `asChatEngine`: a retriever's and an answer's side by side. */
import type { AnswerOptions } from "../query-engine/index.ts";
import type { Postprocessor } from "../schema/index.ts";

/** A retriever's options beside those of an answer. `mode` is the response mode; the retriever's own is called `queryMode`. */
export type EngineOptions<R extends { mode?: unknown }> = Omit<R, "mode"> &
  Omit<AnswerOptions, "embedding"> & {
    /** How the index is searched. Default `default`. */
    queryMode?: R["mode"];
    /** Run over what was found, in order. */
    postprocessors?: readonly Postprocessor[];
  };

/** Every option of an answer: what is not one of them is the retriever's. */
const OF_ANSWER: Record<Exclude<keyof AnswerOptions, "embedding">, true> = {
  synthesizer: true,
  mode: true,
  model: true,
  streaming: true,
  prompts: true,
  variables: true,
  language: true,
  schema: true,
  structuredFiltering: true,
  parallel: true,
  verbose: true,
  emptyAnswer: true,
  contextWindow: true,
  maxOutputTokens: true,
  reservedTokens: true,
  overlapRatio: true,
  chunkSizeLimit: true,
  tokenizer: true,
  separator: true,
};

export function splitEngineOptions<R extends { mode?: unknown }>(
  options: EngineOptions<R>,
): { retriever: R; answer: AnswerOptions; postprocessors: readonly Postprocessor[] } {
  const { postprocessors = [], queryMode, ...rest } = options;
  const retriever: Record<string, unknown> = queryMode === undefined ? {} : { mode: queryMode };
  const answer: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) (Object.hasOwn(OF_ANSWER, name) ? answer : retriever)[name] = value;
  return { retriever: retriever as R, answer, postprocessors };
}
