/**
 * Models by name, for the command line and configuration files: `deepseek/deepseek-chat`, or any server that speaks
 * OpenAI's API, with `baseUrl`. Keys come from the environment only.
 */

import { ApiKeyMissingError, InvalidArgumentError, ModelError } from "../schema/errors.ts";
import type { EmbeddingModel, RerankModel } from "../schema/models.ts";
import {
  type EmbeddingModelOptions,
  type FullLanguageModel,
  fromAiSdk,
  type LanguageModelOptions,
  type RerankModelOptions,
} from "./ai-sdk.ts";
import { bundledEmbedding, openStaticEmbedding } from "./bundled-embedding.ts";
import type { DashScope } from "./dashscope/index.ts";
import type { LocalModelOptions } from "./local/library.ts";
import { type NamedModelOptions, openProvider, requiredKey, splitName } from "./providers.ts";

export type { NamedModelOptions } from "./providers.ts";

/** The name of the embedding that ships in the package. */
export const BUNDLED = "bundled";
/** What stands before the names of models that run on this machine. */
const LOCAL = "transformers/";
/** What stands before the path of a static embedding's file. */
const STATIC = "static/";

/**
 * The language model of a name `provider/model`. Nothing is called before the model is used.
 *
 * @example await languageModelFromName("openai-compatible/qwen3", { baseUrl: "http://localhost:11434/v1" })
 * @throws InvalidArgumentError, PackageMissingError, ApiKeyMissingError
 */
export async function languageModelFromName(
  name: string,
  options: NamedModelOptions & LanguageModelOptions = {},
): Promise<FullLanguageModel> {
  const dashScope = await dashScopeOf(name, options);
  if (dashScope) return dashScope.service.languageModel(dashScope.id, options);
  const { provider, id, keys } = await openProvider(name, options);
  const model = fromAiSdk(provider.languageModel(id), options);
  if (keys.length === 0) return model;
  const withKey = (error: unknown) => Promise.reject(keyError(name, keys, error));
  return {
    ...model,
    generate: (request) => model.generate(request).catch(withKey),
    generateObject: (request) => model.generateObject(request).catch(withKey),
    async *stream(request) {
      try {
        yield* model.stream(request);
      } catch (error) {
        throw keyError(name, keys, error);
      }
    },
  };
}

/**
 * The embedding model of a name `provider/model`, `transformers/model` for one on this machine, `static/file`, or `bundled`; see `languageModelFromName`. `dimensions` is asked of DashScope and OpenAI;
 * of others it says what the caller knows.
 */
export async function embeddingModelFromName(
  name: string,
  options: NamedModelOptions & EmbeddingModelOptions & { local?: LocalModelOptions } = {},
): Promise<EmbeddingModel> {
  if (name === BUNDLED || name === bundledEmbedding().name) return bundledEmbedding();
  if (name.startsWith(STATIC)) return openStaticEmbedding(name.slice(STATIC.length), { identifiers: true });
  if (name.startsWith(LOCAL)) {
    const { localEmbedding } = await import("./local/embedding.ts");
    return localEmbedding(name.slice(LOCAL.length), options.local);
  }
  const { dimensions } = options;
  const dashScope = await dashScopeOf(name, options);
  if (dashScope) return dashScope.service.embeddingModel(dashScope.id, dimensions === undefined ? {} : { dimensions });
  const { provider, id, known, keys } = await openProvider(name, options);
  const make = provider.embeddingModel ?? provider.textEmbeddingModel;
  if (!make) throw new InvalidArgumentError("name", name, `the provider of "${name}" has no embedding models`);
  const providerOptions =
    options.providerOptions ??
    known?.kind ??
    (known?.packageName === "@ai-sdk/openai" && dimensions !== undefined ? { openai: { dimensions } } : undefined);
  const model = fromAiSdk(make.call(provider, id), { ...options, ...(providerOptions ? { providerOptions } : {}) });
  return {
    name: model.name,
    get dimensions() {
      return model.dimensions;
    },
    ...(model.maxBatch === undefined ? {} : { maxBatch: model.maxBatch }),
    similarity: model.similarity,
    embed: (texts, o) => model.embed(texts, o).catch((error: unknown) => Promise.reject(keyError(name, keys, error))),
  };
}

/** The reranking model of a name `provider/model`, or `transformers/model` for one on this machine; see `languageModelFromName`. */
export async function rerankModelFromName(
  name: string,
  options: NamedModelOptions & RerankModelOptions & { local?: LocalModelOptions } = {},
): Promise<RerankModel> {
  if (name.startsWith(LOCAL)) {
    const { localRerank } = await import("./local/rerank.ts");
    return localRerank(name.slice(LOCAL.length), options.local);
  }
  const dashScope = await dashScopeOf(name, options);
  if (dashScope) return dashScope.service.rerankModel(dashScope.id);
  const { provider, id } = await openProvider(name, options);
  if (!provider.rerankingModel) {
    throw new InvalidArgumentError(
      "name",
      name,
      `the provider of "${name}" has no reranking models: cohere, dashscope and transformers have`,
    );
  }
  return fromAiSdk(provider.rerankingModel(id), options);
}

/** DashScope's own adapter, when the name asks for it. */
async function dashScopeOf(
  name: string,
  options: NamedModelOptions & { maxRetries?: number },
): Promise<{ service: DashScope; id: string } | undefined> {
  const { provider, id } = splitName(name);
  if (provider !== "dashscope") return undefined;
  const { DASHSCOPE_KEY, dashScope } = await import("./dashscope/index.ts");
  const apiKey = requiredKey(provider, options.apiKeyEnv ?? DASHSCOPE_KEY, options.env ?? process.env);
  const service = dashScope({
    apiKey,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    ...(options.maxRetries === undefined ? {} : { maxRetries: options.maxRetries }),
  });
  return { service, id };
}

/** A server that refuses a call made without a key wanted one. */
function keyError(name: string, keys: readonly string[], error: unknown): unknown {
  const refused = error instanceof ModelError && (error.status === 401 || error.status === 403);
  return refused && keys.length > 0 ? new ApiKeyMissingError(name, keys, { cause: error }) : error;
}
