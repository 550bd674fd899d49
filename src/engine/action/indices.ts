/** Calls on indices as a whole. */
import { EngineError, illegalArgument } from "../errors.ts";
import type { Index, IndexRegistry } from "../index/types.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { aliasesOf, type IndicesOptions, invalidIndexName, resolveIndices } from "./index-names.ts";

const FORBIDDEN = "['\\',' ','\"','<','*','?','>','|',',','/']";

function checkAlias(registry: IndexRegistry, alias: string): void {
  const fail = (why: string) =>
    new EngineError("invalid_alias_name_exception", `Invalid alias name [${alias}]: ${why}`);
  if (alias === "") throw illegalArgument("alias name is required");
  if (/[\\ "<*?>|,/]/.test(alias)) throw fail(`must not contain the following characters ${FORBIDDEN}`);
  if (alias.includes("#")) throw fail("must not contain '#'");
  if (alias.includes(":")) throw fail("must not contain ':'");
  if (/^[_+-]/.test(alias)) throw fail("must not start with '_', '-', or '+'");
  if (alias === "." || alias === "..") throw fail("must not be '.' or '..'");
  if (registry.get(alias) !== undefined) throw fail("an index or data stream exists with the same name as the alias");
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof JsonNumber);

/** Reads the body of a create call and makes the index. */
export async function createIndex(registry: IndexRegistry, name: string, body: JsonObject): Promise<Index> {
  for (const [key, value] of Object.entries(body)) {
    if (key !== "settings" && key !== "mappings" && key !== "aliases") {
      throw new EngineError("parse_exception", `unknown key [${key}] for create index`);
    }
    if (value !== null && !isObject(value)) throw new EngineError("parse_exception", `key [${key}] must be an object`);
  }
  const { settings, mappings, aliases } = body as { readonly [key: string]: JsonObject | null | undefined };
  if (mappings && Object.keys(mappings).length === 1 && mappings._doc !== undefined) {
    throw illegalArgument(
      "The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.",
    );
  }
  if (aliasesOf(registry).has(name)) throw invalidIndexName(name, "already exists as alias");
  for (const alias of Object.keys(aliases ?? {})) {
    checkAlias(registry, alias);
    if (alias === name) checkSameName(alias);
  }
  return registry.create(name, {
    settings: settings ?? undefined,
    mappings: mappings ?? undefined,
    aliases:
      aliases === null || aliases === undefined
        ? undefined
        : Object.fromEntries(Object.entries(aliases).map(([key, value]) => [key, aliasJson(value)])),
  });
}

function checkSameName(alias: string): void {
  throw new EngineError(
    "invalid_alias_name_exception",
    `Invalid alias name [${alias}]: an index or data stream exists with the same name as the alias`,
  );
}

/** An alias as get-alias prints it: `routing` stands for both of its kinds. */
export function aliasJson(value: JsonValue): JsonObject {
  const given = isObject(value) ? value : {};
  const text = (key: string) => (given[key] === undefined || given[key] === null ? undefined : String(given[key]));
  const flag = (key: string) => (given[key] === undefined ? undefined : String(given[key]) === "true");
  const json: { [key: string]: JsonValue | undefined } = {
    filter: given.filter ?? undefined,
    index_routing: text("index_routing") ?? text("routing"),
    search_routing: text("search_routing") ?? text("routing"),
    is_write_index: flag("is_write_index"),
    is_hidden: flag("is_hidden"),
  };
  return Object.fromEntries(Object.entries(json).filter(([, inner]) => inner !== undefined)) as JsonObject;
}

/** Deletes indices; aliases must not be named. */
export async function deleteIndices(
  registry: IndexRegistry,
  expressions: readonly string[],
  options: IndicesOptions,
): Promise<void> {
  for (const { index } of resolveIndices(registry, expressions, { ...options, allowAliases: false }))
    await registry.delete(index.name);
}

/** Copies of an index's shard, the replicas that are asked for included. */
export function copiesOf(index: Index): number {
  const replicas = Number((index.settings as { number_of_replicas?: unknown }).number_of_replicas ?? 1);
  return 1 + (Number.isFinite(replicas) ? replicas : 1);
}
