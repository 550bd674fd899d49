/** The configuration file: what it may hold, and what of it is wrong. */

import type { TooLong } from "../embedding/index.ts";
import type { AiSdkEmbeddingModel, AiSdkLanguageModel, AiSdkRerankModel, LocalModelOptions } from "../models/index.ts";
import type { EmbeddingModel, LanguageModel, RerankModel } from "../schema/index.ts";
import { InvalidArgumentError } from "../schema/index.ts";
import { type SearchConfig, searchConfigFault } from "./search.ts";

/** A model by its name. Keys are never in the file: they come from the environment. */
export interface ModelByName {
  /** `provider/model`, such as `dashscope/qwen-plus`. */
  name: string;
  /** The address of a server that speaks OpenAI's API, or another address of the provider. */
  baseUrl?: string;
  /** The environment variable that holds the key. */
  apiKeyEnv?: string;
  maxRetries?: number;
  /** Of models on this machine (`transformers/…`). */
  local?: Omit<LocalModelOptions, "transformers">;
}

/** A language model in the configuration, by name, with its limits. */
export interface LanguageModelByName extends ModelByName {
  /** Tokens of prompt and answer together. */
  contextWindow?: number;
  maxOutputTokens?: number;
  temperature?: number;
}

/** An embedding model in the configuration, by name, with how it is called in bulk. */
export interface EmbeddingByName extends ModelByName {
  dimensions?: number;
  /** Texts a call. */
  maxBatch?: number;
  /** Calls at the same time. */
  concurrency?: number;
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  /** Tokens that a text may have. */
  maxTokens?: number;
  /** What becomes of a longer text. Default `split`; it is always told. */
  tooLong?: TooLong;
  /** Keeps vectors in the data folder, so that nothing is paid for twice. Default true. */
  cache?: boolean;
}

/** A reranker in the configuration, by name. */
export interface RerankerByName extends ModelByName {
  /** Passages that are reranked. Default 30. */
  depth?: number;
}

/** A cluster by its address. What it wants to be shown is never in the file: it comes from the environment. */
export interface ElasticsearchByAddress {
  /** Such as `https://search.example:9200`, or a cloud id. */
  node: string;
  /** The environment variable that holds the API key. Default `HUILIU_ELASTICSEARCH_API_KEY`. */
  apiKeyEnv?: string;
  /** Default: the variable `HUILIU_ELASTICSEARCH_USERNAME`. */
  username?: string;
  /** The environment variable that holds the password. Default `HUILIU_ELASTICSEARCH_PASSWORD`. */
  passwordEnv?: string;
  /** File with the certificate authority's certificate in PEM, relative to the configuration. Default: `HUILIU_ELASTICSEARCH_CA`. */
  ca?: string;
  /** The longest wait for an answer. Default two minutes. */
  requestTimeoutMs?: number;
  /** How often a request is sent again when a node cannot be reached or is not ready. Default 3. */
  maxRetries?: number;
}

/** `huiliu.config.ts`, `.js`, `.yaml` or `.json`. Every setting may be left out. */
export interface HuiliuConfig {
  /** Folder of the index, relative to the file. */
  data?: string;
  /** The cluster that has the collection, in place of the folder: an address, or an address and how to connect. */
  elasticsearch?: string | ElasticsearchByAddress;
  collection?: string;
  /** Writes answers. */
  model?: string | LanguageModelByName | LanguageModel | AiSdkLanguageModel;
  /** Default `bundled`. */
  embedding?: string | EmbeddingByName | EmbeddingModel | AiSdkEmbeddingModel;
  /** Puts what was found in a better order; `language` takes the language model for it. */
  reranker?: string | RerankerByName | RerankModel | AiSdkRerankModel;
  /** Strategy, weights and sizes where a command says nothing else. */
  search?: SearchConfig;
}

/**
 * Types for a configuration file.
 *
 * @example export default defineConfig({ embedding: "dashscope/text-embedding-v3", model: "dashscope/qwen-plus" });
 */
export function defineConfig(config: HuiliuConfig): HuiliuConfig {
  return config;
}

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === "string" && value !== "";
const count: Check = (value) => Number.isInteger(value) && (value as number) > 0;
const some: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const number: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
const flag: Check = (value) => typeof value === "boolean";
const oneOf =
  (...names: string[]): Check =>
  (value) =>
    names.includes(value as string);

interface Rule {
  check: Check;
  says: string;
}
const TEXT: Rule = { check: text, says: "a text" };
const COUNT: Rule = { check: count, says: "a whole number above 0" };
const BY_NAME: Record<string, Rule> = {
  name: TEXT,
  baseUrl: TEXT,
  apiKeyEnv: TEXT,
  maxRetries: { check: some, says: "a whole number" },
  local: { check: isRecord, says: "an object" },
};
const LOCAL: Record<string, Rule> = {
  dtype: TEXT,
  localFilesOnly: { check: flag, says: "true or false" },
  cacheFolder: TEXT,
  revision: TEXT,
  maxTokens: COUNT,
  maxBatch: COUNT,
};
const MODELS: Record<"model" | "embedding" | "reranker", { method: string[]; rules: Record<string, Rule> }> = {
  model: {
    method: ["generate", "doGenerate"],
    rules: {
      ...BY_NAME,
      contextWindow: COUNT,
      maxOutputTokens: COUNT,
      temperature: { check: number, says: "a number" },
    },
  },
  embedding: {
    method: ["embed", "doEmbed"],
    rules: {
      ...BY_NAME,
      dimensions: COUNT,
      maxBatch: COUNT,
      concurrency: COUNT,
      requestsPerMinute: COUNT,
      tokensPerMinute: COUNT,
      maxTokens: COUNT,
      tooLong: { check: oneOf("error", "truncate", "split"), says: '"error", "truncate" or "split"' },
      cache: { check: flag, says: "true or false" },
    },
  },
  reranker: { method: ["rerank", "doRerank"], rules: { ...BY_NAME, depth: COUNT } },
};

const ELASTICSEARCH: Record<string, Rule> = {
  node: TEXT,
  apiKeyEnv: TEXT,
  username: TEXT,
  passwordEnv: TEXT,
  ca: TEXT,
  requestTimeoutMs: COUNT,
  maxRetries: { check: some, says: "a whole number" },
};

/** @throws InvalidArgumentError that names the file and the setting */
export function checkedConfig(value: unknown, file: string): HuiliuConfig {
  if (!isRecord(value)) throw wrong(file, "", value, "a configuration is an object of settings");
  for (const [key, setting] of Object.entries(value)) {
    if (setting === undefined) continue;
    if (key === "data" || key === "collection") {
      if (!text(setting)) throw wrong(file, key, setting, "must be a text");
    } else if (key === "search") {
      const fault = searchConfigFault(setting);
      if (fault) throw wrong(file, fault.place, setting, `is wrong: ${fault.message}`);
    } else if (key === "elasticsearch") checkElasticsearch(file, setting);
    else if (Object.hasOwn(MODELS, key)) checkModel(file, key as keyof typeof MODELS, setting);
    else {
      const known = ["data", "elasticsearch", "collection", ...Object.keys(MODELS), "search"].join(", ");
      throw wrong(file, key, setting, `is no setting: known are ${known}`);
    }
  }
  return value as HuiliuConfig;
}

function checkModel(file: string, key: keyof typeof MODELS, setting: unknown): void {
  const { method, rules } = MODELS[key];
  if (text(setting)) return;
  if (!isRecord(setting)) throw wrong(file, key, setting, 'must be a name such as "dashscope/qwen-plus", or an object');
  if (method.some((name) => typeof setting[name] === "function")) return;
  if (!text(setting["name"])) throw wrong(file, `${key}.name`, setting["name"], "must be the model's name");
  checkFields(file, key, setting, rules);
  if (setting["local"] !== undefined)
    checkFields(file, `${key}.local`, setting["local"] as Record<string, unknown>, LOCAL);
}

function checkElasticsearch(file: string, setting: unknown): void {
  const node = isRecord(setting) ? setting["node"] : setting;
  if (!text(node)) {
    const what = "must be an address such as https://search.example:9200, or an object with it as node";
    throw wrong(file, "elasticsearch", setting, what);
  }
  if (URL.canParse(node as string) && new URL(node as string).password !== "")
    throw secret(file, "elasticsearch", "passwordEnv");
  if (isRecord(setting)) checkFields(file, "elasticsearch", setting, ELASTICSEARCH);
}

function checkFields(file: string, place: string, setting: Record<string, unknown>, rules: Record<string, Rule>): void {
  for (const [name, value] of Object.entries(setting)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (/^(api_?key|password|auth)$/i.test(name))
      throw secret(file, `${place}.${name}`, /^password$/i.test(name) ? "passwordEnv" : "apiKeyEnv");
    if (!rule)
      throw wrong(file, `${place}.${name}`, value, `is no setting: known are ${Object.keys(rules).join(", ")}`);
    if (value !== undefined && !rule.check(value)) throw wrong(file, `${place}.${name}`, value, `must be ${rule.says}`);
  }
}

function secret(file: string, place: string, setting: string): InvalidArgumentError {
  return wrong(file, place, "…", `does not belong in a file: name a variable of the environment with ${setting}`);
}

function wrong(file: string, place: string, value: unknown, what: string): InvalidArgumentError {
  return new InvalidArgumentError(place || "config", value, `${file}: ${place}${place && " "}${what}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
