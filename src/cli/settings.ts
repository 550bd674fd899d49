/** What holds for a command: the configuration file, over it the environment, over it the options of the command. */
import type { Command } from "commander";
import type { HuiliuConfig } from "../config/index.ts";
import type { Io } from "./context.ts";

/** Where a setting comes from. */
export type Origin = "default" | "file" | "environment" | "option";

export interface Settings {
  /** The configuration file, where there is one. */
  file?: string;
  config: HuiliuConfig;
  origins: Record<Exclude<keyof HuiliuConfig, "search">, Origin>;
}

/** Settings that have an option and a variable. */
const VARIABLES = {
  data: "HUILIU_DATA",
  elasticsearch: "HUILIU_ELASTICSEARCH",
  collection: "HUILIU_COLLECTION",
  model: "HUILIU_MODEL",
  embedding: "HUILIU_EMBEDDING",
  reranker: "HUILIU_RERANKER",
} as const satisfies Record<Exclude<keyof HuiliuConfig, "search">, string>;

const KEYS = Object.keys(VARIABLES) as (keyof typeof VARIABLES)[];

/** The settings of a command that was called. */
export async function settingsOf(command: Command, { env }: Io): Promise<Settings> {
  const given = command.opts<Record<string, string | undefined>>();
  const option = (name: string) => (command.getOptionValueSource(name) === "cli" ? given[name] : undefined);
  const { loadConfig } = await import("../config/load.ts");
  const named = option("config") ?? env["HUILIU_CONFIG"];
  const loaded = await loadConfig(named === undefined ? {} : { file: named });
  const config: HuiliuConfig = { ...loaded.config };
  const origins = {} as Settings["origins"];
  for (const key of KEYS) {
    const fromOption = option(key);
    const fromEnvironment = env[VARIABLES[key]] || undefined;
    const value = fromOption ?? fromEnvironment;
    origins[key] =
      fromOption !== undefined
        ? "option"
        : fromEnvironment !== undefined
          ? "environment"
          : config[key] !== undefined
            ? "file"
            : "default";
    // A name that is given again keeps the file's other settings of that model.
    if (value !== undefined) Object.assign(config, { [key]: sameModel(config[key], value) ? config[key] : value });
  }
  chooseElasticsearch(config, origins, loaded.config);
  applyBaseUrl(config, option("baseUrl") ?? env["HUILIU_BASE_URL"]);
  return { ...(loaded.file === undefined ? {} : { file: loaded.file }), config, origins };
}

function sameModel(setting: unknown, name: string): boolean {
  return typeof setting === "object" && setting !== null && "name" in setting && setting.name === name;
}

const NEARNESS: readonly Origin[] = ["default", "file", "environment", "option"];

/**
 * A folder that is named nearer than the cluster is meant instead of it (`--data` where the configuration has a cluster). An address that is given
 * again keeps the file's other settings of the connection; another one does not get the credentials of the first.
 */
function chooseElasticsearch(
  config: HuiliuConfig,
  origins: Settings["origins"],
  { elasticsearch }: HuiliuConfig,
): void {
  if (NEARNESS.indexOf(origins.data) > NEARNESS.indexOf(origins.elasticsearch)) {
    delete config.elasticsearch;
    origins.elasticsearch = "default";
  } else if (typeof elasticsearch === "object" && elasticsearch.node === config.elasticsearch) {
    config.elasticsearch = elasticsearch;
  }
}

/** The address of the language model's server. */
function applyBaseUrl(config: HuiliuConfig, baseUrl: string | undefined): void {
  const { model } = config;
  if (!baseUrl || model === undefined) return;
  if (typeof model === "string") config.model = { name: model, baseUrl };
  else if (!("generate" in model) && !("doGenerate" in model)) config.model = { ...model, baseUrl };
}

/** The strategy that is configured, with its options, where the command names none; options of the command go before them. */
export function withConfiguredStrategy<T extends object>(command: Command, given: T, { search }: HuiliuConfig): T {
  const named = command.getOptionValueSource("strategy");
  if (named === undefined || search === undefined) return given;
  const usual = search.strategy ?? "hybrid";
  const same = (given as { strategy?: string }).strategy === usual;
  if (named === "cli" && !same) return given;
  return { ...search.options, ...given, strategy: usual };
}
