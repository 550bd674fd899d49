/** Models out of a configuration. */
import { join } from "node:path";
import { bulkEmbedding, type OnBulkProgress, type OnTooLong, openEmbeddingCache } from "../embedding/index.ts";
import {
  BUNDLED,
  embeddingModelFromName,
  isAiSdkEmbeddingModel,
  isAiSdkLanguageModel,
  languageModelFromName,
  languageRerank,
  rerankModelFromName,
  toEmbeddingModel,
  toLanguageModel,
  toRerankModel,
} from "../models/index.ts";
import { type EmbeddingModel, type LanguageModel, ModelNotConfiguredError, type RerankModel } from "../schema/index.ts";
import type { EmbeddingByName, HuiliuConfig, LanguageModelByName, RerankerByName } from "./config.ts";

type Env = Record<string, string | undefined>;

/** The language model that is configured, if one is. */
export async function configuredLanguageModel(config: HuiliuConfig, env: Env): Promise<LanguageModel | undefined> {
  const { model } = config;
  if (model === undefined) return undefined;
  if (typeof model === "string") return languageModelFromName(model, { env });
  if (isAiSdkLanguageModel(model) || "generate" in model) return toLanguageModel(model);
  const { name, ...options } = model satisfies LanguageModelByName;
  return languageModelFromName(name, { ...options, env });
}

/** The embedding that is configured; `close` writes what it keeps. */
export interface ConfiguredEmbedding {
  model: EmbeddingModel;
  close(): Promise<void>;
}

/**
 * The embedding that is configured; undefined for the bundled one. One that is named is used in bulk, with a cache in the data folder where
 * documents are added.
 */
export async function configuredEmbedding(
  config: HuiliuConfig,
  env: Env,
  use: { data?: string; onProgress?: OnBulkProgress; onTooLong?: OnTooLong } = {},
): Promise<ConfiguredEmbedding | undefined> {
  const { embedding } = config;
  if (embedding === undefined || embedding === BUNDLED) return undefined;
  if (typeof embedding !== "string" && (isAiSdkEmbeddingModel(embedding) || "embed" in embedding))
    return { model: toEmbeddingModel(embedding), close: async () => {} };
  const {
    name,
    baseUrl,
    apiKeyEnv,
    dimensions,
    local,
    cache = true,
    tooLong = "split",
    ...bulk
  } = (typeof embedding === "string" ? { name: embedding } : embedding) as EmbeddingByName;
  if (name === BUNDLED) return undefined;
  const model = await embeddingModelFromName(name, {
    env,
    // Calls are repeated by the bulk embedding, which knows how long to hold back the others.
    maxRetries: 0,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(local === undefined ? {} : { local }),
  });
  // What costs next to nothing needs no batches and no cache.
  if (model.contextFree) return { model, close: async () => {} };
  const kept = cache && use.data !== undefined ? openEmbeddingCache(join(use.data, "embeddings")) : undefined;
  return {
    model: bulkEmbedding(model, {
      ...bulk,
      tooLong,
      ...(kept ? { cache: kept } : {}),
      ...(use.onProgress ? { onProgress: use.onProgress } : {}),
      ...(use.onTooLong ? { onTooLong: use.onTooLong } : {}),
    }),
    close: async () => kept?.close(),
  };
}

/** The reranker that is configured, if one is, and how many passages it is given. */
export async function configuredReranker(
  config: HuiliuConfig,
  env: Env,
): Promise<{ model: RerankModel; depth?: number } | undefined> {
  const { reranker } = config;
  if (reranker === undefined) return undefined;
  if (typeof reranker !== "string" && ("rerank" in reranker || "doRerank" in reranker))
    return { model: toRerankModel(reranker) };
  const { name, depth, ...options } = (typeof reranker === "string" ? { name: reranker } : reranker) as RerankerByName;
  const given = depth === undefined ? {} : { depth };
  if (name !== "language") return { model: await rerankModelFromName(name, { ...options, env }), ...given };
  const language = await configuredLanguageModel(config, env);
  if (!language)
    throw new ModelNotConfiguredError(
      "language",
      'the reranker "language"',
      "name one with --model, or in the configuration",
    );
  return { model: languageRerank(language), ...given };
}
