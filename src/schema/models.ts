/** Models as the parts above see them. Any object with these methods will do; `models/` makes them from the AI SDK's. */

import type { Budget } from "./budget.ts";
import type { Trace } from "./trace.ts";

/** What every call that may take long accepts. */
export interface CallOptions {
  /** Stops the work; the call then throws the signal's reason. */
  signal?: AbortSignal;
  /** Hears of the steps of this call: an `eventStream()`, or OpenTelemetry's by `openTelemetryTrace`. */
  trace?: Trace;
  /** What the question may cost, through all parts: a `callBudget()`. Default: a budget of its own for each question. */
  budget?: Budget;
}

/** Makes vectors of texts: one Float32Array for each, all of `dimensions` numbers. */
export interface EmbeddingModel {
  /** `provider/model` or another name that identifies the vectors: vectors of differently named models never mix. */
  readonly name: string;
  /** Length of the vectors; `undefined` where only the first answer tells. */
  readonly dimensions: number | undefined;
  /** Texts that one call may hold. */
  readonly maxBatch?: number;
  /** Tokens that one text may have, where known. */
  readonly maxTokens?: number;
  /** True of a static embedding: it reads single words, so that passages are found by the vectors of their sentence windows. */
  readonly contextFree?: boolean;
  /** Scripts that it knows, by Unicode's names (`Latin`, `Han`). All, where this is missing. */
  readonly scripts?: readonly string[];
  /** `dot_product` promises vectors of length one (or zero: see `isZero`). */
  readonly similarity: "cosine" | "dot_product";
  /** The limit and the tokenizer of a model that has to be loaded to know them. */
  limits?(): Promise<{ maxTokens: number; tokenizer: Tokenizer }>;
  /** One vector a text, in order. A text that the model knows nothing of may give the zero vector, which is not indexed. */
  embed(texts: string[], options?: EmbedOptions): Promise<Float32Array[]>;
}

/** What one call of an embedding model takes: whether the texts are questions or documents, and an abort signal. */
export interface EmbedOptions extends CallOptions {
  /** Some models embed questions and documents differently. Default `document`. */
  kind?: "query" | "document";
  /** Called with the tokens that the provider counted, where it tells. */
  onTokens?: (tokens: number) => void;
}

/** An image as it can be given to a model: its bytes, where it lies, or where it can be fetched. */
export interface ImageInput {
  /** Base64. */
  image?: string;
  path?: string;
  url?: string;
  mimeType?: string;
}

/** A model that puts images and texts into one space, so that a question finds pictures. */
export interface ImageEmbeddingModel extends EmbeddingModel {
  /** One vector an image, in order, comparable with those of `embed`. */
  embedImages(images: ImageInput[], options?: CallOptions): Promise<Float32Array[]>;
}

/** Terms with their weights, all above 0. */
export type SparseVector = Readonly<Record<string, number>>;

/**
 * A model that gives a text weighted terms, such as SPLADE or ELSER: of those that it holds, and of those that it might. Questions find texts
 * by the sum of the products of the weights of the terms that both have.
 */
export interface SparseEmbeddingModel {
  readonly name: string;
  /** Texts that one call may hold. */
  readonly maxBatch?: number;
  /** One vector a text, in order. */
  embedSparse(texts: string[], options?: EmbedOptions): Promise<SparseVector[]>;
}

/** Whether a vector is all zeros: "no meaning found", to be left out of an index. */
export function isZero(vector: ArrayLike<number>): boolean {
  for (let i = 0; i < vector.length; i++) if (vector[i] !== 0) return false;
  return true;
}

/** A message of a conversation: who says it, and its text. */
export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** One call of a language model: a prompt, or messages (the last of which is usually the user's). */
export type GenerateOptions = CallOptions & {
  system?: string;
  temperature?: number;
  maxOutputTokens?: number;
} & ({ prompt: string; messages?: undefined } | { messages: ChatMessage[]; prompt?: undefined });

/** A call whose answer is to be an object of a JSON schema. */
export type GenerateObjectOptions = GenerateOptions & { schema: Readonly<Record<string, unknown>> };

/** Writes texts: `generate` a whole one, `stream` in pieces where the model can. */
export interface LanguageModel {
  readonly name: string;
  /** Tokens of prompt and answer together, where known. */
  readonly contextWindow?: number;
  /** Tokens that are kept free for the answer, where known. */
  readonly maxOutputTokens?: number;
  generate(options: GenerateOptions): Promise<string>;
  /**
   * Pieces of the answer as they come. The call is made when the iteration starts, and ended when it is left early. Missing where a model
   * cannot stream.
   */
  stream?(options: GenerateOptions): AsyncIterable<string>;
  /** An object of the schema, where the provider can hold a model to one. Elsewhere the prompt says the schema and the answer is read. */
  generateObject?(options: GenerateObjectOptions): Promise<unknown>;
}

/** Says how well passages fit a question: for each its index and a score, higher is better. */
export interface RerankModel {
  readonly name: string;
  /** Relevance of each text to the query; any order, best first where the provider sorts. `index` points into `texts`. */
  rerank(
    query: string,
    texts: string[],
    options?: CallOptions & { topN?: number },
  ): Promise<{ index: number; score: number }[]>;
}

/** Counts the tokens of a text. */
export interface Tokenizer {
  readonly name: string;
  count(text: string): number;
}
