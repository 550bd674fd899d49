/**
 * DashScope (Alibaba Cloud Model Studio). Language models go over its OpenAI-compatible API; embeddings and rerankers over the native one,
 * which knows the kind of a text (question or document) and has the rerankers.
 */

import { ApiKeyMissingError } from "../../schema/errors.ts";
import type { EmbeddingModel, RerankModel } from "../../schema/models.ts";
import { type FullLanguageModel, fromAiSdk, type LanguageModelOptions } from "../ai-sdk.ts";
import { checkedUrl } from "../url.ts";
import type { DashScopeAccess } from "./call.ts";
import { type DashScopeEmbeddingOptions, dashScopeEmbedding } from "./embedding.ts";
import { dashScopeRerank } from "./rerank.ts";

export type { DashScopeEmbeddingOptions } from "./embedding.ts";

export const DASHSCOPE_KEY = "DASHSCOPE_API_KEY";
const ROOT = "https://dashscope.aliyuncs.com";

/** The key and the address of DashScope, and how often a failed call is made again. */
export interface DashScopeOptions {
  /** Default: the environment variable `DASHSCOPE_API_KEY`. */
  apiKey?: string;
  /** Default `https://dashscope.aliyuncs.com`; outside China `https://dashscope-intl.aliyuncs.com`. A path of one of its APIs may follow. */
  baseUrl?: string;
  /** Further attempts after a failed call. Default 2. */
  maxRetries?: number;
  /** The first wait between attempts, which doubles each time. Default 500 ms. */
  firstWaitMs?: number;
}

/** DashScope's models: language, embedding and reranking. */
export interface DashScope {
  /** @example dashScope().languageModel("qwen-plus") */
  languageModel(id: string, options?: LanguageModelOptions): FullLanguageModel;
  /** @example dashScope().embeddingModel("text-embedding-v3", { dimensions: 1024 }) */
  embeddingModel(id: string, options?: DashScopeEmbeddingOptions): EmbeddingModel;
  /** @example dashScope().rerankModel("gte-rerank-v2") */
  rerankModel(id: string): RerankModel;
}

/**
 * DashScope's models. Nothing is called before a model is used.
 *
 * @throws ApiKeyMissingError when there is no key
 */
export function dashScope(options: DashScopeOptions = {}): DashScope {
  const apiKey = options.apiKey ?? process.env[DASHSCOPE_KEY];
  if (!apiKey) throw new ApiKeyMissingError("dashscope", [DASHSCOPE_KEY]);
  const root = rootOf(options.baseUrl ?? ROOT);
  const access: DashScopeAccess = {
    apiKey,
    root,
    maxRetries: options.maxRetries ?? 2,
    firstWaitMs: options.firstWaitMs,
  };
  return {
    languageModel: (id, modelOptions) => dashScopeLanguageModel(access, id, modelOptions),
    embeddingModel: (id, modelOptions) => dashScopeEmbedding(access, id, modelOptions),
    rerankModel: (id) => dashScopeRerank(access, id),
  };
}

/** The AI SDK's client is loaded with the first call. */
function dashScopeLanguageModel(
  { root, apiKey, maxRetries }: DashScopeAccess,
  id: string,
  options: LanguageModelOptions = {},
): FullLanguageModel {
  let loading: Promise<FullLanguageModel> | undefined;
  const load = () => {
    loading ??= import("@ai-sdk/openai-compatible").then(({ createOpenAICompatible }) => {
      const provider = createOpenAICompatible({ name: "dashscope", baseURL: `${root}/compatible-mode/v1`, apiKey });
      return fromAiSdk(provider.languageModel(id), { maxRetries, ...options });
    });
    return loading;
  };
  const { contextWindow, maxOutputTokens } = options;
  return {
    name: `dashscope/${id}`,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    generate: async (request) => (await load()).generate(request),
    generateObject: async (request) => (await load()).generateObject(request),
    async *stream(request) {
      yield* (await load()).stream(request);
    },
  };
}

/** The address below which all its APIs are. */
function rootOf(baseUrl: string): string {
  return checkedUrl(baseUrl).replace(/\/(compatible-mode\/v1|compatible-api\/v1|api\/v1)?\/*$/, "");
}
