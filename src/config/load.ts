/** Finding and reading the configuration file. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { HuiliuError, InvalidArgumentError } from "../schema/index.ts";
import { checkedConfig, type HuiliuConfig } from "./config.ts";

/** In the order in which they are looked for. */
const NAMES = ["ts", "mts", "js", "mjs", "yaml", "yml", "json"].map((extension) => `huiliu.config.${extension}`);

/** A configuration, and the file that it was read from. */
export interface LoadedConfig {
  /** The file; undefined where there is none. */
  file?: string;
  config: HuiliuConfig;
}

/**
 * The configuration in `folder`, or in the file that is named. Its paths are made absolute. No file is no error, unless it was named.
 *
 * @throws InvalidArgumentError for a file that is not there, is no configuration, or has settings that are wrong
 */
export async function loadConfig(options: { folder?: string; file?: string } = {}): Promise<LoadedConfig> {
  const { folder = process.cwd() } = options;
  const file =
    options.file === undefined
      ? NAMES.map((name) => join(folder, name)).find((path) => existsSync(path))
      : resolve(folder, options.file);
  if (file === undefined) return { config: {} };
  if (!existsSync(file)) throw new InvalidArgumentError("config", file, `there is no configuration file ${file}`);
  const config = checkedConfig(await read(file), file);
  return { file, config: withAbsolutePaths(config, dirname(file)) };
}

function withAbsolutePaths(config: HuiliuConfig, folder: string): HuiliuConfig {
  const { data, elasticsearch } = config;
  const ca = typeof elasticsearch === "object" ? elasticsearch.ca : undefined;
  return {
    ...config,
    ...(data === undefined ? {} : { data: resolve(folder, data) }),
    ...(typeof elasticsearch === "object" && ca !== undefined
      ? { elasticsearch: { ...elasticsearch, ca: resolve(folder, ca) } }
      : {}),
  };
}

async function read(file: string): Promise<unknown> {
  try {
    const extension = extname(file);
    if (extension === ".json") return JSON.parse(await readFile(file, "utf8")) as unknown;
    if (/^\.ya?ml$/.test(extension))
      return (parse(await readFile(file, "utf8"), { maxAliasCount: 0 }) as unknown) ?? {};
    const module = /^\.[mc]?ts$/.test(extension)
      ? await importTypeScript(file)
      : ((await import(pathToFileURL(file).href)) as Record<string, unknown>);
    if (!("default" in module)) throw new Error("it has no default export: export default defineConfig({ … })");
    return module["default"];
  } catch (error) {
    if (error instanceof HuiliuError) throw error;
    throw new InvalidArgumentError("config", file, `${file} cannot be read: ${(error as Error).message}`);
  }
}

/** `huiliu` in it is this library, also where the project does not have it among its packages (a global installation, `npx`). */
async function importTypeScript(file: string): Promise<Record<string, unknown>> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(pathToFileURL(file).href, {
    alias: { huiliu: createRequire(import.meta.url).resolve("huiliu") },
    fsCache: false,
  });
  return jiti.import<Record<string, unknown>>(file);
}
