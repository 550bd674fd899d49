/**
 * Models by name, for the command line and configuration files: `deepseek/deepseek-chat`, or any server that speaks
 * OpenAI's API, with `baseUrl`. Keys come from the environment only.
 */

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ApiKeyMissingError, InvalidArgumentError, ModelError, PackageMissingError } from "../schema/errors.ts";
import type { EmbeddingModel, LanguageModel } from "../schema/models.ts";
import {
  type AiSdkEmbeddingModel,
  type AiSdkLanguageModel,
  type EmbeddingModelOptions,
  fromAiSdk,
  type LanguageModelOptions,
} from "./ai-sdk.ts";

export interface NamedModelOptions {
  /** A server that speaks OpenAI's API, such as `http://localhost:11434/v1`. Needed unless the provider is a known one. */
  baseUrl?: string;
  /** The environment variable that holds the key. With `baseUrl` default `HUILIU_API_KEY`, then `OPENAI_API_KEY`. */
  apiKeyEnv?: string;
  /** Where variables are looked up. Default `process.env`. */
  env?: Record<string, string | undefined>;
}

interface Known {
  packageName: string;
  create: string;
  apiKeyEnv: string;
}

/** Providers with a package of their own, which is imported when it is used. */
const PROVIDERS: Record<string, Known> = {
  openai: { packageName: "@ai-sdk/openai", create: "createOpenAI", apiKeyEnv: "OPENAI_API_KEY" },
  anthropic: { packageName: "@ai-sdk/anthropic", create: "createAnthropic", apiKeyEnv: "ANTHROPIC_API_KEY" },
  google: {
    packageName: "@ai-sdk/google",
    create: "createGoogleGenerativeAI",
    apiKeyEnv: "GOOGLE_GENERATIVE_AI_API_KEY",
  },
  alibaba: { packageName: "@ai-sdk/alibaba", create: "createAlibaba", apiKeyEnv: "ALIBABA_API_KEY" },
  deepseek: { packageName: "@ai-sdk/deepseek", create: "createDeepSeek", apiKeyEnv: "DEEPSEEK_API_KEY" },
  mistral: { packageName: "@ai-sdk/mistral", create: "createMistral", apiKeyEnv: "MISTRAL_API_KEY" },
  cohere: { packageName: "@ai-sdk/cohere", create: "createCohere", apiKeyEnv: "COHERE_API_KEY" },
  groq: { packageName: "@ai-sdk/groq", create: "createGroq", apiKeyEnv: "GROQ_API_KEY" },
  xai: { packageName: "@ai-sdk/xai", create: "createXai", apiKeyEnv: "XAI_API_KEY" },
};

const COMPATIBLE = "openai-compatible";
const DEFAULT_KEYS = ["HUILIU_API_KEY", "OPENAI_API_KEY"];

interface Provider {
  languageModel(id: string): AiSdkLanguageModel;
  embeddingModel?(id: string): AiSdkEmbeddingModel;
  textEmbeddingModel?(id: string): AiSdkEmbeddingModel;
}

/**
 * The language model of a name `provider/model`. Nothing is called before the model is used.
 *
 * @example await languageModelFromName("openai-compatible/qwen-plus", { baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1" })
 * @throws InvalidArgumentError, PackageMissingError, ApiKeyMissingError
 */
export async function languageModelFromName(
  name: string,
  options: NamedModelOptions & LanguageModelOptions = {},
): Promise<LanguageModel> {
  const { provider, id, keys } = await open(name, options);
  const model = fromAiSdk(provider.languageModel(id), options);
  if (keys.length === 0) return model;
  return {
    ...model,
    generate: (request) =>
      model.generate(request).catch((error: unknown) => Promise.reject(keyError(name, keys, error))),
    async *stream(request) {
      try {
        yield* model.stream(request);
      } catch (error) {
        throw keyError(name, keys, error);
      }
    },
  };
}

/** The embedding model of a name `provider/model`; see `languageModelFromName`. */
export async function embeddingModelFromName(
  name: string,
  options: NamedModelOptions & EmbeddingModelOptions = {},
): Promise<EmbeddingModel> {
  const { provider, id, keys } = await open(name, options);
  const make = provider.embeddingModel ?? provider.textEmbeddingModel;
  if (!make) throw new InvalidArgumentError("name", name, `the provider of "${name}" has no embedding models`);
  const model = fromAiSdk(make.call(provider, id), options);
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

/** The provider, the model's id, and (if the server was called without a key) the variables that might have held one. */
async function open(
  name: string,
  options: NamedModelOptions,
): Promise<{ provider: Provider; id: string; keys: readonly string[] }> {
  const slash = name.indexOf("/");
  const providerName = name.slice(0, slash);
  const id = name.slice(slash + 1);
  if (slash <= 0 || id === "") {
    throw new InvalidArgumentError(
      "name",
      name,
      `a model's name is provider/model, such as deepseek/deepseek-chat; got "${name}"`,
    );
  }
  const env = options.env ?? process.env;
  if (options.baseUrl !== undefined) {
    const apiKey = keyFor(providerName, options, env);
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const baseURL = checkedUrl(options.baseUrl);
    const provider = createOpenAICompatible({
      name: providerName,
      baseURL,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return { provider, id, keys: apiKey === undefined ? DEFAULT_KEYS : [] };
  }
  const known = Object.hasOwn(PROVIDERS, providerName) ? PROVIDERS[providerName] : undefined;
  if (!known) {
    const remedy =
      providerName === COMPATIBLE
        ? "give the server's baseUrl"
        : `known are ${Object.keys(PROVIDERS).join(", ")}; for any other give the baseUrl of a server that speaks OpenAI's API`;
    throw new InvalidArgumentError("name", name, `"${name}" does not say which server to call: ${remedy}`);
  }
  const variable = options.apiKeyEnv ?? known.apiKeyEnv;
  const module = await importOptional(known.packageName, name);
  const apiKey = env[variable];
  if (!apiKey) throw new ApiKeyMissingError(providerName, [variable]);
  const create = module[known.create] as (settings: { apiKey: string }) => Provider;
  return { provider: create({ apiKey }), id, keys: [] };
}

function keyFor(
  provider: string,
  options: NamedModelOptions,
  env: Record<string, string | undefined>,
): string | undefined {
  if (options.apiKeyEnv === undefined) return DEFAULT_KEYS.map((variable) => env[variable]).find(Boolean);
  const key = env[options.apiKeyEnv];
  if (!key) throw new ApiKeyMissingError(provider, [options.apiKeyEnv]);
  return key;
}

function checkedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new InvalidArgumentError(
    "baseUrl",
    url,
    `baseUrl must be an http or https address, such as http://localhost:11434/v1; got "${url}"`,
  );
}

/** A server that refuses a call made without a key wanted one. */
function keyError(name: string, keys: readonly string[], error: unknown): unknown {
  const refused = error instanceof ModelError && (error.status === 401 || error.status === 403);
  return refused && keys.length > 0 ? new ApiKeyMissingError(name, keys, { cause: error }) : error;
}

/** A package that the user installs where it is wanted: looked for beside this library, then from the working directory. */
async function importOptional(packageName: string, neededBy: string): Promise<Record<string, unknown>> {
  try {
    return (await import(packageName)) as Record<string, unknown>;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    const path = createRequire(join(process.cwd(), "package.json")).resolve(packageName);
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new PackageMissingError(packageName, neededBy, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as { code?: string }).code;
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
}
