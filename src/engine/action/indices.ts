/** Calls on indices as a whole. */
import { EngineError, illegalArgument } from "../errors.ts";
import type { Index, IndexRegistry } from "../index/types.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { aliasJson, checkAlias, checkedAlias } from "./aliases.ts";
import { checkBlocks } from "./blocks.ts";
import { dateMathName } from "./date-math-names.ts";
import { aliasesOf, type IndicesOptions, invalidIndexName, resolveIndices } from "./index-names.ts";
import { checkAliasFilter } from "./search/index.ts";

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof JsonNumber);

/** Reads the body of a create call and makes the index. */
export async function createIndex(registry: IndexRegistry, expression: string, body: JsonObject): Promise<Index> {
  const name = dateMathName(expression);
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
  const given = Object.entries(aliases ?? {}).map(([key, value]): [string, JsonObject] => [key, aliasJson(value)]);
  for (const [alias, json] of given) {
    checkAlias(registry, alias, json);
    if (alias === name) checkSameName(alias);
  }
  return registry.create(name, {
    settings: settings ?? undefined,
    mappings: mappings ?? undefined,
    aliases: given.length === 0 ? undefined : Object.fromEntries(given),
    check(index) {
      for (const [alias, json] of given) checkedAlias(alias, json, index, checkAliasFilter);
    },
  });
}

function checkSameName(alias: string): void {
  throw new EngineError(
    "invalid_alias_name_exception",
    `Invalid alias name [${alias}]: an index or data stream exists with the same name as the alias`,
  );
}

/** Deletes indices; aliases must not be named. */
export async function deleteIndices(
  registry: IndexRegistry,
  expressions: readonly string[],
  options: IndicesOptions,
): Promise<void> {
  await registry.change(() => {
    const indices = resolveIndices(registry, expressions, { ...options, allowAliases: false }).map(
      ({ index }) => index,
    );
    checkBlocks(indices, "metadata_write");
    return indices.map(({ name }) => ({ name, remove: true }));
  });
}

/** Shards that an index was asked to have; its documents are in one of them. */
export function shardsOf(index: Index): number {
  return Number((index.settings as { number_of_shards?: unknown }).number_of_shards ?? 1) || 1;
}

/** Copies of an index's shards, the replicas that are asked for included. */
export function copiesOf(index: Index): number {
  const replicas = Number((index.settings as { number_of_replicas?: unknown }).number_of_replicas ?? 1);
  return shardsOf(index) * (1 + (Number.isFinite(replicas) ? replicas : 1));
}
