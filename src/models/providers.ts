/** Providers by name: their optional packages, their keys, and how they are told a question from a document. */

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ApiKeyMissingError, InvalidArgumentError, PackageMissingError } from "../schema/errors.ts";
import type { AiSdkEmbeddingModel, AiSdkLanguageModel, AiSdkRerankModel, EmbeddingModelOptions } from "./ai-sdk.ts";
import { checkedUrl } from "./url.ts";

/** What a model by name needs beside its name: an address, and the key's variable. */
export interface NamedModelOptions {
  /** A server that speaks OpenAI's API, such as `http://localhost:11434/v1`. Needed unless the provider is a known one. */
  baseUrl?: string;
  /** The environment variable that holds the key. With `baseUrl` default `HUILIU_API_KEY`, then `OPENAI_API_KEY`. */
  apiKeyEnv?: string;
  /** Where variables are looked up. Default `process.env`. */
  env?: Record<string, string | undefined>;
}

export interface KnownProvider {
  packageName: string;
  /** The major version that goes with this library's `ai`. */
  version: string;
  create: string;
  apiKeyEnv: string;
  /** Options that tell the provider what kind of text it embeds. */
  kind?: (
    kind: "query" | "document",
  ) => ReturnType<Extract<EmbeddingModelOptions["providerOptions"], (...args: never[]) => unknown>>;
}

/** Providers with a package of their own, which is imported when it is used. `package.json` lists them as optional peers. */
export const PROVIDERS: Record<string, KnownProvider> = {
  openai: { packageName: "@ai-sdk/openai", version: "3", create: "createOpenAI", apiKeyEnv: "OPENAI_API_KEY" },
  anthropic: {
    packageName: "@ai-sdk/anthropic",
    version: "3",
    create: "createAnthropic",
    apiKeyEnv: "ANTHROPIC_API_KEY",
  },
  google: {
    packageName: "@ai-sdk/google",
    version: "3",
    create: "createGoogleGenerativeAI",
    apiKeyEnv: "GOOGLE_GENERATIVE_AI_API_KEY",
    kind: (kind) => ({ google: { taskType: kind === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT" } }),
  },
  alibaba: { packageName: "@ai-sdk/alibaba", version: "1", create: "createAlibaba", apiKeyEnv: "ALIBABA_API_KEY" },
  deepseek: { packageName: "@ai-sdk/deepseek", version: "2", create: "createDeepSeek", apiKeyEnv: "DEEPSEEK_API_KEY" },
  mistral: { packageName: "@ai-sdk/mistral", version: "3", create: "createMistral", apiKeyEnv: "MISTRAL_API_KEY" },
  cohere: {
    packageName: "@ai-sdk/cohere",
    version: "3",
    create: "createCohere",
    apiKeyEnv: "COHERE_API_KEY",
    kind: (kind) => ({ cohere: { inputType: kind === "query" ? "search_query" : "search_document" } }),
  },
  groq: { packageName: "@ai-sdk/groq", version: "3", create: "createGroq", apiKeyEnv: "GROQ_API_KEY" },
  xai: { packageName: "@ai-sdk/xai", version: "3", create: "createXai", apiKeyEnv: "XAI_API_KEY" },
};

export const COMPATIBLE = "openai-compatible";
/** Where the key of a server that was named by its address is looked for. */
export const COMPATIBLE_KEYS = ["HUILIU_API_KEY", "OPENAI_API_KEY"];

/** A provider object of the AI SDK, as far as it is used. */
export interface Provider {
  languageModel(id: string): AiSdkLanguageModel;
  embeddingModel?(id: string): AiSdkEmbeddingModel;
  textEmbeddingModel?(id: string): AiSdkEmbeddingModel;
  rerankingModel?(id: string): AiSdkRerankModel;
}

/** The two parts of `provider/model`; the model's name may have slashes itself. */
export function splitName(name: string): { provider: string; id: string } {
  const slash = name.indexOf("/");
  const id = name.slice(slash + 1);
  if (slash > 0 && id !== "") return { provider: name.slice(0, slash), id };
  throw new InvalidArgumentError(
    "name",
    name,
    `a model's name is provider/model, such as deepseek/deepseek-chat; got "${name}"`,
  );
}

export interface OpenProvider {
  provider: Provider;
  id: string;
  known?: KnownProvider;
  /** If the server is called without a key, the variables that might have held one. */
  keys: readonly string[];
}

/** The provider of a model's name, its package imported and its key found. */
export async function openProvider(name: string, options: NamedModelOptions): Promise<OpenProvider> {
  const { provider: providerName, id } = splitName(name);
  const env = options.env ?? process.env;
  if (options.baseUrl !== undefined) {
    const apiKey = keyFor(providerName, options, env);
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({
      name: providerName,
      baseURL: checkedUrl(options.baseUrl),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return { provider, id, keys: apiKey === undefined ? COMPATIBLE_KEYS : [] };
  }
  const known = Object.hasOwn(PROVIDERS, providerName) ? PROVIDERS[providerName] : undefined;
  if (!known) {
    const remedy =
      providerName === COMPATIBLE
        ? "give the server's baseUrl"
        : `known are ${Object.keys(PROVIDERS).join(", ")}, dashscope, transformers; for any other give the baseUrl of a server that speaks OpenAI's API`;
    throw new InvalidArgumentError("name", name, `"${name}" does not say which server to call: ${remedy}`);
  }
  const module = await importOptional(known.packageName, known.version, name);
  const apiKey = requiredKey(providerName, options.apiKeyEnv ?? known.apiKeyEnv, env);
  const create = module[known.create] as (settings: { apiKey: string }) => Provider;
  return { provider: create({ apiKey }), id, known, keys: [] };
}

function keyFor(
  provider: string,
  options: NamedModelOptions,
  env: Record<string, string | undefined>,
): string | undefined {
  if (options.apiKeyEnv === undefined) return COMPATIBLE_KEYS.map((variable) => env[variable]).find(Boolean);
  return requiredKey(provider, options.apiKeyEnv, env);
}

/** @throws ApiKeyMissingError when the variable is not set */
export function requiredKey(provider: string, variable: string, env: Record<string, string | undefined>): string {
  const key = env[variable];
  if (!key) throw new ApiKeyMissingError(provider, [variable]);
  return key;
}

/** A package that the user installs where it is wanted: looked for beside this library, then from the working directory. */
export async function importOptional(
  packageName: string,
  version: string,
  neededBy: string,
): Promise<Record<string, unknown>> {
  let missing: unknown;
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    let path: string;
    try {
      path = createRequire(from).resolve(packageName);
    } catch (error) {
      if (!isMissing(error, packageName)) throw error;
      missing = error;
      continue;
    }
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  }
  throw new PackageMissingError(packageName, neededBy, { version, cause: missing });
}

/** Whether the package itself is missing, and not one that it needs. */
function isMissing(error: unknown, packageName: string): boolean {
  const { code, message } = error as { code?: string; message: string };
  return code === "MODULE_NOT_FOUND" && message.includes(packageName);
}
