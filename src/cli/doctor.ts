/** What a machine has of what is configured: looked at from outside, and with `call` tried. */
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  configuredElasticsearch,
  configuredEmbedding,
  configuredLanguageModel,
  configuredReranker,
  ELASTICSEARCH_VARIABLES,
} from "../config/index.ts";
import { DASHSCOPE_KEY } from "../models/dashscope/index.ts";
import { bundledEmbedding } from "../models/index.ts";
import { TRANSFORMERS } from "../models/local/library.ts";
import { COMPATIBLE_KEYS, PROVIDERS } from "../models/providers.ts";
import type { CallOptions } from "../schema/index.ts";
import type { Io } from "./context.ts";
import { errorSentence } from "./errors.ts";
import type { Origin, Settings } from "./settings.ts";

/** `ok`: works as far as it was tried. `unset`: not configured, and not needed. `failed`: configured, and does not work. */
export interface Check {
  name: string;
  status: "ok" | "unset" | "failed";
  detail: string;
  origin?: Origin;
  /** What a real call took and gave. */
  call?: { ms: number; [fact: string]: unknown };
}

export interface Diagnosis {
  checks: Check[];
  /** Keys in the environment, by variable; their values stay there. */
  keys: Record<string, boolean>;
  /** Optional packages. */
  packages: Record<string, boolean>;
}

export async function diagnose(
  settings: Settings,
  io: Pick<Io, "env" | "now">,
  options: CallOptions & { call?: boolean; data: string; collection: string },
): Promise<Diagnosis> {
  const variables = [
    DASHSCOPE_KEY,
    ...Object.values(PROVIDERS).map(({ apiKeyEnv }) => apiKeyEnv),
    ...COMPATIBLE_KEYS,
    ELASTICSEARCH_VARIABLES.apiKey,
    ELASTICSEARCH_VARIABLES.password,
  ];
  const packages = [...Object.values(PROVIDERS).map(({ packageName }) => packageName), TRANSFORMERS.packageName];
  return {
    checks: [
      fileCheck(settings),
      ...(settings.config.elasticsearch === undefined
        ? [dataCheck(options.data, settings.origins.data)]
        : [await clusterCheck(settings, io, options)]),
      await embeddingCheck(settings, io, options),
      await modelCheck(settings, io, options),
      await rerankerCheck(settings, io, options),
    ],
    keys: Object.fromEntries([...new Set(variables)].map((variable) => [variable, Boolean(io.env[variable])])),
    packages: Object.fromEntries(packages.map((name) => [name, isInstalled(name)])),
  };
}

function fileCheck({ file }: Settings): Check {
  return file === undefined
    ? { name: "config", status: "unset", detail: "no huiliu.config.ts, .js, .yaml or .json in this folder" }
    : { name: "config", status: "ok", detail: file };
}

function dataCheck(data: string, origin: Origin): Check {
  if (!existsSync(data))
    return { name: "data", status: "unset", detail: `${data} is not there yet: huiliu add PATH`, origin };
  if (!statSync(data).isDirectory()) return { name: "data", status: "failed", detail: `${data} is a file`, origin };
  return { name: "data", status: "ok", detail: data, origin };
}

/** Connecting costs nothing, so it is tried. */
async function clusterCheck({ config, origins }: Settings, io: Pick<Io, "env">, call: CallOptions): Promise<Check> {
  const name = "cluster";
  const origin = origins.elasticsearch;
  try {
    const { openCluster, describeCluster } = await import("../elasticsearch/cluster.ts");
    const cluster = await openCluster(configuredElasticsearch(config, io.env)!, call);
    try {
      return { name, status: "ok", detail: `${cluster.place}: ${await describeCluster(cluster, call)}`, origin };
    } finally {
      await cluster.close();
    }
  } catch (error) {
    call.signal?.throwIfAborted();
    return { name, status: "failed", detail: errorSentence(error), origin };
  }
}

type Options = CallOptions & { call?: boolean };

/** Runs a check of one model: made from its name, and called where that was asked for. */
async function checked(
  name: string,
  origin: Origin,
  io: Pick<Io, "now">,
  { call, signal }: Options,
  make: () => Promise<{ model: { name: string }; try: (options: CallOptions) => Promise<Record<string, unknown>> }>,
): Promise<Check> {
  try {
    const made = await make();
    if (!call) return { name, status: "ok", detail: `${made.model.name} (not tried: --call tries it)`, origin };
    const began = io.now();
    const facts = await made.try(signal ? { signal } : {});
    const ms = Math.round(io.now() - began);
    const told = Object.entries(facts).map(([fact, value]) => `${String(value)} ${fact}`);
    const detail = [`${made.model.name} answered in ${ms} ms`, ...told].join(", ");
    return { name, status: "ok", detail, origin, call: { ms, ...facts } };
  } catch (error) {
    signal?.throwIfAborted();
    return { name, status: "failed", detail: errorSentence(error), origin };
  }
}

async function embeddingCheck({ config, origins }: Settings, io: Pick<Io, "env" | "now">, options: Options) {
  const origin = origins.embedding;
  return checked("embedding", origin, io, options, async () => {
    const configured = await configuredEmbedding(config, io.env);
    const model = configured?.model ?? bundledEmbedding();
    return {
      model,
      async try(call) {
        const [vector] = await model.embed(["年休假 annual leave"], { ...call, kind: "query" });
        return { dimensions: vector!.length };
      },
    };
  });
}

async function modelCheck({ config, origins }: Settings, io: Pick<Io, "env" | "now">, options: Options) {
  if (config.model === undefined) {
    const detail = "none: answers are extracts (--model, HUILIU_MODEL, or `model` in the configuration)";
    return { name: "model", status: "unset" as const, detail };
  }
  return checked("model", origins.model, io, options, async () => {
    const model = (await configuredLanguageModel(config, io.env))!;
    return {
      model,
      async try(call) {
        const text = await model.generate({ ...call, prompt: "Answer with the one word: ready", maxOutputTokens: 16 });
        return { characters: text.length };
      },
    };
  });
}

async function rerankerCheck({ config, origins }: Settings, io: Pick<Io, "env" | "now">, options: Options) {
  if (config.reranker === undefined) {
    const detail = "none: --reranker, HUILIU_RERANKER, or `reranker` in the configuration";
    return { name: "reranker", status: "unset" as const, detail };
  }
  return checked("reranker", origins.reranker, io, options, async () => {
    const { model } = (await configuredReranker(config, io.env))!;
    return {
      model,
      async try(call) {
        const ranking = await model.rerank(
          "annual leave",
          ["Annual leave is five days.", "The printer is broken."],
          call,
        );
        return { "texts scored": ranking.length };
      },
    };
  });
}

/** Beside this library, or in the packages of the working directory. */
function isInstalled(packageName: string): boolean {
  return [import.meta.url, join(process.cwd(), "package.json")].some((from) => {
    try {
      createRequire(from).resolve(packageName);
      return true;
    } catch {
      return false;
    }
  });
}
