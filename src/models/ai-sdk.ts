/**
 * The AI SDK's models as this library's. Any provider of the AI SDK works: `fromAiSdk(alibaba("qwen-plus"))`. Abort
 * signals reach the provider's request; retries are the AI SDK's (`maxRetries`, default 2).
 */

import type {
  EmbeddingModel as AiEmbeddingModel,
  LanguageModel as AiLanguageModel,
  RerankingModel as AiRerankingModel,
} from "ai";
import { AnswerFormatError, DimensionsError, InvalidArgumentError, ModelError } from "../schema/errors.ts";
import type { EmbeddingModel, EmbedOptions, GenerateOptions, LanguageModel, RerankModel } from "../schema/models.ts";
import { modelError } from "./model-error.ts";

/** The AI SDK's model objects. Its model *names* are refused: they would be sent to a gateway that nobody configured. */
export type AiSdkLanguageModel = Exclude<AiLanguageModel, string>;
/** An embedding model of the AI SDK. */
export type AiSdkEmbeddingModel = Exclude<AiEmbeddingModel, string>;
/** A reranking model of the AI SDK. */
export type AiSdkRerankModel = Exclude<AiRerankingModel, string>;

type ProviderOptions = NonNullable<Parameters<typeof import("ai").embedMany>[0]["providerOptions"]>;

/** A language model that can do all that the interface knows. */
export type FullLanguageModel = Required<Pick<LanguageModel, "stream" | "generateObject">> & LanguageModel;

/** What is known of a language model, and how it is called: limits in tokens, times in milliseconds. */
export interface LanguageModelOptions {
  /** Further attempts after a failed call. Default 2. */
  maxRetries?: number;
  /** Tokens of prompt and answer together, where the caller knows. */
  contextWindow?: number;
  /** Most tokens of an answer; the provider's own limit by default. */
  maxOutputTokens?: number;
  temperature?: number;
  /**
   * The longest wait in milliseconds: for a whole answer with its retries, or for the next piece of a streamed one. Then the request is ended
   * and the error is retryable. Default: none; the call's signal ends it.
   */
  timeoutMs?: number;
  providerOptions?: ProviderOptions;
}

/** What is known of an embedding model, and how it is called. */
export interface EmbeddingModelOptions {
  maxRetries?: number;
  /** Length of the vectors, where the caller knows. Vectors of another length are then refused. */
  dimensions?: number;
  /** Texts a call; the provider's own limit by default. */
  maxBatch?: number;
  /** Calls at the same time. Default 4. */
  maxParallelCalls?: number;
  /** Default `cosine`. `dot_product` only for models whose vectors have length one. */
  similarity?: "cosine" | "dot_product";
  /** A function gets the kind of text: some providers embed questions and documents differently. */
  providerOptions?: ProviderOptions | ((kind: "query" | "document") => ProviderOptions | undefined);
}

/** How a reranking model is called. */
export interface RerankModelOptions {
  maxRetries?: number;
  providerOptions?: ProviderOptions;
}

/**
 * Wraps a model of the AI SDK.
 *
 * @example const model = fromAiSdk(alibaba("qwen-plus"), { contextWindow: 131_072 });
 * @throws InvalidArgumentError for anything that is not a model object of the AI SDK
 */
export function fromAiSdk(model: AiSdkLanguageModel, options?: LanguageModelOptions): FullLanguageModel;
export function fromAiSdk(model: AiSdkEmbeddingModel, options?: EmbeddingModelOptions): EmbeddingModel;
export function fromAiSdk(model: AiSdkRerankModel, options?: RerankModelOptions): RerankModel;
export function fromAiSdk(
  model: AiSdkLanguageModel | AiSdkEmbeddingModel | AiSdkRerankModel,
  options: LanguageModelOptions | EmbeddingModelOptions | RerankModelOptions = {},
): FullLanguageModel | EmbeddingModel | RerankModel {
  if (typeof model === "object" && model !== null) {
    if ("doGenerate" in model) return languageModel(model, options as LanguageModelOptions);
    if ("doEmbed" in model) return embeddingModel(model, options as EmbeddingModelOptions);
    if ("doRerank" in model) return rerankModel(model, options as RerankModelOptions);
  }
  throw new InvalidArgumentError(
    "model",
    model,
    typeof model === "string"
      ? `"${model}" is a name, not a model: make it with its provider's package, or with languageModelFromName("${model}")`
      : "this is not a model of the AI SDK: it has none of doGenerate, doEmbed and doRerank",
  );
}

/** Whether a value is an AI SDK language model (and not one of this library's). */
export function isAiSdkLanguageModel(value: unknown): value is AiSdkLanguageModel {
  return typeof value === "object" && value !== null && "doGenerate" in value;
}

/** Whether a value is an AI SDK embedding model (and not one of this library's). */
export function isAiSdkEmbeddingModel(value: unknown): value is AiSdkEmbeddingModel {
  return typeof value === "object" && value !== null && "doEmbed" in value;
}

/** Either form of a language model as this library's: what options called `model` accept. */
export function toLanguageModel(
  model: LanguageModel | AiSdkLanguageModel,
  options?: LanguageModelOptions,
): LanguageModel {
  if (typeof model === "object" && model !== null && "generate" in model) return model;
  return fromAiSdk(model, options);
}

/** Either form of an embedding model as this library's: what options called `embedding` accept. */
export function toEmbeddingModel(
  model: EmbeddingModel | AiSdkEmbeddingModel,
  options?: EmbeddingModelOptions,
): EmbeddingModel {
  if (typeof model === "object" && model !== null && "embed" in model) return model;
  return fromAiSdk(model, options);
}

/** Either form of a reranking model as this library's. */
export function toRerankModel(model: RerankModel | AiSdkRerankModel, options?: RerankModelOptions): RerankModel {
  if (typeof model === "object" && model !== null && "rerank" in model) return model;
  return fromAiSdk(model, options);
}

/** A wait that ends with an error. It runs at first. */
interface Deadline {
  /** The caller's signal, and the deadline's. Its reason is what is thrown. */
  readonly signal: AbortSignal | undefined;
  start(): void;
  stop(): void;
}

function deadline(model: string, ms: number | undefined, signal: AbortSignal | undefined): Deadline {
  if (ms === undefined) return { signal, start() {}, stop() {} };
  if (!(ms > 0)) throw new InvalidArgumentError("timeoutMs", ms, `timeoutMs must be above 0, not ${ms}`);
  const controller = new AbortController();
  const late = () => {
    const message = `${model} gave no answer for ${ms} ms: try again, or raise timeoutMs`;
    controller.abort(new ModelError(model, message, { reason: "network", retryable: true }));
  };
  let timer = setTimeout(late, ms);
  return {
    signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
    start() {
      timer = setTimeout(late, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

/** `provider/model`; what a provider's package adds to its name (`openai.chat`) tells nothing about the model. */
function nameOf(model: { provider: string; modelId: string }): string {
  return `${model.provider.split(".")[0]}/${model.modelId}`;
}

function languageModel(model: AiSdkLanguageModel, options: LanguageModelOptions): FullLanguageModel {
  const name = nameOf(model);

  function call(request: GenerateOptions, signal: AbortSignal | undefined) {
    const temperature = request.temperature ?? options.temperature;
    const maxOutputTokens = request.maxOutputTokens ?? options.maxOutputTokens;
    return {
      model,
      ...(request.messages === undefined
        ? { prompt: request.prompt }
        : { messages: request.messages, allowSystemInMessages: true }),
      ...(request.system === undefined ? {} : { system: request.system }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(options.maxRetries === undefined ? {} : { maxRetries: options.maxRetries }),
      ...(options.providerOptions === undefined ? {} : { providerOptions: options.providerOptions }),
      ...(signal === undefined ? {} : { abortSignal: signal }),
    };
  }

  return {
    name,
    ...(options.contextWindow === undefined ? {} : { contextWindow: options.contextWindow }),
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    async generate(request) {
      request.signal?.throwIfAborted();
      const { generateText } = await import("ai");
      const wait = deadline(name, options.timeoutMs, request.signal);
      try {
        return (await generateText(call(request, wait.signal))).text;
      } catch (error) {
        throw modelError(name, error, wait.signal);
      } finally {
        wait.stop();
      }
    },
    async generateObject({ schema, ...request }) {
      request.signal?.throwIfAborted();
      const { generateText, jsonSchema, NoObjectGeneratedError, Output } = await import("ai");
      const output = Output.object({ schema: jsonSchema(schema) });
      const wait = deadline(name, options.timeoutMs, request.signal);
      try {
        return (await generateText({ ...call(request, wait.signal), output })).output;
      } catch (error) {
        if (!NoObjectGeneratedError.isInstance(error)) throw modelError(name, error, wait.signal);
        const message = `${name} was asked for an object and answered: ${JSON.stringify((error.text ?? "").slice(0, 200))}`;
        throw new AnswerFormatError(name, error.text ?? "", message, { cause: error });
      } finally {
        wait.stop();
      }
    },
    async *stream(request) {
      request.signal?.throwIfAborted();
      const { streamText } = await import("ai");
      // A reader that stops early ends the provider's request as well.
      const left = new AbortController();
      const wait = deadline(name, options.timeoutMs, request.signal);
      const signal = wait.signal ? AbortSignal.any([wait.signal, left.signal]) : left.signal;
      try {
        const result = streamText({ ...call(request, signal), onError: () => {} });
        for await (const part of result.fullStream) {
          if (part.type === "text-delta") {
            // Only the model is waited for, not whoever reads.
            wait.stop();
            yield part.text;
            wait.start();
          } else if (part.type === "error") throw part.error;
          else if (part.type === "abort") wait.signal?.throwIfAborted();
        }
      } catch (error) {
        throw modelError(name, error, wait.signal);
      } finally {
        wait.stop();
        left.abort();
      }
    },
  };
}

function embeddingModel(model: AiSdkEmbeddingModel, options: EmbeddingModelOptions): EmbeddingModel {
  const name = nameOf(model);
  let dimensions = options.dimensions;

  async function embed(values: string[], { kind = "document", signal, onTokens }: EmbedOptions): Promise<number[][]> {
    const { embedMany } = await import("ai");
    const providerOptions =
      typeof options.providerOptions === "function" ? options.providerOptions(kind) : options.providerOptions;
    try {
      const result = await embedMany({
        model,
        values,
        maxParallelCalls: options.maxParallelCalls ?? 4,
        ...(options.maxRetries === undefined ? {} : { maxRetries: options.maxRetries }),
        ...(providerOptions === undefined ? {} : { providerOptions }),
        ...(signal === undefined ? {} : { abortSignal: signal }),
      });
      // A provider that does not tell has NaN here.
      if (Number.isFinite(result.usage.tokens)) onTokens?.(result.usage.tokens);
      return result.embeddings;
    } catch (error) {
      throw modelError(name, error, signal);
    }
  }

  return {
    name,
    get dimensions() {
      return dimensions;
    },
    ...(options.maxBatch === undefined ? {} : { maxBatch: options.maxBatch }),
    similarity: options.similarity ?? "cosine",
    async embed(texts, call = {}) {
      call.signal?.throwIfAborted();
      const vectors: Float32Array[] = [];
      const batch = options.maxBatch ?? texts.length;
      for (let at = 0; at < texts.length; at += batch) {
        const values = texts.slice(at, at + batch);
        const embeddings = await embed(values, call);
        if (embeddings.length !== values.length) {
          throw new ModelError(name, `${name} returned ${embeddings.length} vectors for ${values.length} texts`);
        }
        for (const embedding of embeddings) {
          dimensions ??= embedding.length;
          if (embedding.length !== dimensions) {
            const message = `${name} returned a vector of ${embedding.length} dimensions instead of ${dimensions}`;
            throw new DimensionsError(dimensions, embedding.length, message);
          }
          vectors.push(Float32Array.from(embedding));
        }
      }
      return vectors;
    },
  };
}

function rerankModel(model: AiSdkRerankModel, options: RerankModelOptions): RerankModel {
  const name = nameOf(model);
  return {
    name,
    async rerank(query, texts, { signal, topN } = {}) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      const { rerank } = await import("ai");
      try {
        const { ranking } = await rerank({
          model,
          query,
          documents: texts,
          ...(topN === undefined ? {} : { topN }),
          ...(options.maxRetries === undefined ? {} : { maxRetries: options.maxRetries }),
          ...(options.providerOptions === undefined ? {} : { providerOptions: options.providerOptions }),
          ...(signal === undefined ? {} : { abortSignal: signal }),
        });
        return ranking.map(({ originalIndex, score }) => ({ index: originalIndex, score }));
      } catch (error) {
        throw modelError(name, error, signal);
      }
    },
  };
}
