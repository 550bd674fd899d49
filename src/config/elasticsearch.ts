/** The cluster that is configured, with what it wants to be shown from the environment. */
import { readFileSync } from "node:fs";
import type { ClientOptions } from "@elastic/elasticsearch";
import { addressOptions } from "../elasticsearch/address.ts";
import { InvalidArgumentError } from "../schema/index.ts";
import type { ElasticsearchByAddress, HuiliuConfig } from "./config.ts";

type Env = Record<string, string | undefined>;

/** Where the secrets are, unless the configuration names other variables. */
export const ELASTICSEARCH_VARIABLES = {
  apiKey: "HUILIU_ELASTICSEARCH_API_KEY",
  username: "HUILIU_ELASTICSEARCH_USERNAME",
  password: "HUILIU_ELASTICSEARCH_PASSWORD",
  ca: "HUILIU_ELASTICSEARCH_CA",
} as const;

/** Options of the client for the cluster that is configured; undefined where none is. */
export function configuredElasticsearch({ elasticsearch }: HuiliuConfig, env: Env): ClientOptions | undefined {
  if (elasticsearch === undefined) return undefined;
  const setting: ElasticsearchByAddress = typeof elasticsearch === "string" ? { node: elasticsearch } : elasticsearch;
  return clusterOptions(setting, env);
}

/** The same for any address: that of a command's argument. */
export function clusterOptions(setting: ElasticsearchByAddress, env: Env): ClientOptions {
  const { node, requestTimeoutMs, maxRetries } = setting;
  const tls = tlsOptions(setting, env);
  return {
    ...addressOptions(node),
    ...credentials(setting, env),
    ...(tls ? { tls } : {}),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeout: requestTimeoutMs }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
  };
}

function credentials(setting: ElasticsearchByAddress, env: Env): Pick<ClientOptions, "auth"> {
  // Whoever names a user means that one, whatever key the environment has.
  const namesUser = setting.username !== undefined || setting.passwordEnv !== undefined;
  const variableOfKey = setting.apiKeyEnv ?? (namesUser ? undefined : ELASTICSEARCH_VARIABLES.apiKey);
  const apiKey = variableOfKey === undefined ? undefined : env[variableOfKey];
  if (setting.apiKeyEnv !== undefined && !apiKey) throw unset(setting.apiKeyEnv);
  if (apiKey) return { auth: { apiKey } };
  const username = setting.username ?? env[ELASTICSEARCH_VARIABLES.username];
  if (!username && setting.passwordEnv !== undefined) throw unset(ELASTICSEARCH_VARIABLES.username);
  if (!username) return {};
  const variable = setting.passwordEnv ?? ELASTICSEARCH_VARIABLES.password;
  const password = env[variable];
  if (!password) throw unset(variable);
  return { auth: { username, password } };
}

function unset(variable: string): InvalidArgumentError {
  return new InvalidArgumentError(
    variable,
    undefined,
    `the environment variable ${variable} is not set: Elasticsearch is to be shown what it holds`,
  );
}

function tlsOptions({ ca }: ElasticsearchByAddress, env: Env): ClientOptions["tls"] | undefined {
  const file = ca ?? env[ELASTICSEARCH_VARIABLES.ca];
  if (!file) return undefined;
  try {
    return { ca: readFileSync(file) };
  } catch (error) {
    throw new InvalidArgumentError(
      "ca",
      file,
      `the file of the certificate authority ${file} cannot be read: ${(error as Error).message}`,
    );
  }
}
