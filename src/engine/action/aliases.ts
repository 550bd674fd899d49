/** Changing aliases: what the actions of `_aliases` do to indices, all of them at once. */
import { EngineError, illegalArgument } from "../errors.ts";
import type { IndexChange, IndexRegistry, NewIndex } from "../index/types.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { hashOrder } from "../mapping/java-text.ts";
import { matchesSimple } from "../simple-match.ts";
import { checkBlocks } from "./blocks.ts";
import { type IndicesOptions, LENIENT_EXPAND, resolveIndices } from "./index-names.ts";

const FORBIDDEN = "['/',',','|','>','?','*','<','\"',' ','\\']";

export function checkAlias(registry: IndexRegistry, alias: string, { index_routing: routing }: JsonObject): void {
  const fail = (why: string) =>
    new EngineError("invalid_alias_name_exception", `Invalid alias name [${alias}]: ${why}`);
  if (alias === "") throw illegalArgument("alias name is required");
  if (/[\\ "<*?>|,/]/.test(alias)) throw fail(`must not contain the following characters ${FORBIDDEN}`);
  if (alias.includes("#")) throw fail("must not contain '#'");
  if (alias.includes(":")) throw fail("must not contain ':'");
  if (/^[_+-]/.test(alias)) throw fail("must not start with '_', '-', or '+'");
  if (alias === "." || alias === "..") throw fail("must not be '.' or '..'");
  if (typeof routing === "string" && routing.includes(",")) {
    throw illegalArgument(`alias [${alias}] has several index routing values associated with it`);
  }
  if (registry.get(alias) !== undefined) throw fail("an index or data stream exists with the same name as the alias");
}

export interface AliasAction {
  readonly kind: "add" | "remove" | "remove_index";
  readonly indices: readonly string[];
  readonly aliases: readonly string[];
  /** As get-alias prints it. */
  readonly alias: JsonObject;
  readonly mustExist?: boolean;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof JsonNumber);

/** An alias as get-alias prints it: `routing` stands for both of its kinds; false flags of hiding are left out. */
export function aliasJson(value: JsonValue): JsonObject {
  const given = isObject(value) ? value : {};
  const text = (key: string) => (given[key] === undefined || given[key] === null ? undefined : String(given[key]));
  const flag = (key: string): boolean | undefined => {
    const written = text(key);
    if (written === undefined) return undefined;
    if (written === "true" || written === "false") return written === "true";
    throw illegalArgument(`Failed to parse value [${written}] as only [true] or [false] are allowed.`);
  };
  const json: { [key: string]: JsonValue | undefined } = {
    filter: isObject(given.filter) && Object.keys(given.filter).length > 0 ? given.filter : undefined,
    index_routing: text("index_routing") ?? text("routing"),
    search_routing: text("search_routing") ?? text("routing"),
    is_write_index: flag("is_write_index"),
    is_hidden: flag("is_hidden") === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(json).filter(([, inner]) => inner !== undefined)) as JsonObject;
}

/** Checks a filter as Elasticsearch checks it: by building it for the index. Throws what is wrong with it. */
export type CheckFilter = (index: NewIndex, filter: JsonObject) => void;

const ALIAS_OPTIONS: IndicesOptions = {
  ...LENIENT_EXPAND,
  allowNoIndices: false,
  expandClosed: true,
  expandHidden: true,
  forbidClosed: false,
  allowAliases: false,
};

/** What became of an action: of one that removes nothing, why. */
export interface AliasOutcome {
  readonly action: AliasAction;
  readonly indices: readonly string[];
  readonly error?: EngineError;
}

/** Carries out actions, all of them or none but those that have nothing to remove. @throws Elasticsearch's errors */
export async function changeAliases(
  registry: IndexRegistry,
  actions: readonly AliasAction[],
  checkFilter: CheckFilter,
): Promise<AliasOutcome[]> {
  const outcomes: AliasOutcome[] = [];
  await registry.change(() => {
    outcomes.length = 0;
    const changed = new Map<string, { [alias: string]: JsonValue }>();
    const removed = new Set<string>();
    const resolved = actions.map((action) => ({
      action,
      indices: resolveIndices(registry, action.indices, ALIAS_OPTIONS).map(({ index }) => index),
    }));
    checkBlocks(
      resolved.flatMap(({ indices }) => indices),
      "metadata_write",
    );
    for (const { action, indices } of resolved) {
      if (action.kind === "remove_index") for (const { name } of indices) removed.add(name);
    }
    let done = 0;
    const missing: string[] = [];
    for (const { action, indices } of resolved) {
      const names = indices.map(({ name }) => name);
      if (action.kind === "remove_index") {
        done += indices.length;
        outcomes.push({ action, indices: names });
        continue;
      }
      let found = 0;
      for (const index of indices) {
        const aliases = changed.get(index.name) ?? { ...index.aliases };
        changed.set(index.name, aliases);
        if (action.kind === "add") {
          for (const alias of action.aliases) {
            if (alias !== "" && !(removed.has(alias) && registry.get(alias))) checkAlias(registry, alias, action.alias);
            aliases[alias] = checkedAlias(alias, action.alias, index, checkFilter);
            found++;
          }
        } else {
          for (const alias of Object.keys(aliases)) {
            if (!action.aliases.some((pattern) => pattern === "_all" || matchesSimple(pattern, alias))) continue;
            delete aliases[alias];
            found++;
          }
        }
      }
      if (found === 0) {
        missing.push(...action.aliases);
        if (action.mustExist === true) throw aliasesMissing(action.aliases);
      }
      outcomes.push({ action, indices: names, ...(found === 0 && { error: aliasesMissing(action.aliases) }) });
      done += found;
    }
    if (done === 0) throw aliasesMissing(hashOrder([...new Set(missing)]));
    checkWriteIndices(registry, changed, removed);
    const changes: IndexChange[] = [...changed]
      .filter(([name]) => !removed.has(name))
      .map(([name, aliases]) => ({ name, aliases: sorted(aliases) }));
    return [...changes, ...[...removed].map((name) => ({ name, remove: true }))];
  });
  return outcomes;
}

const sorted = (aliases: { [alias: string]: JsonValue }): JsonObject =>
  Object.fromEntries(Object.entries(aliases).sort(([a], [b]) => (a < b ? -1 : 1)));

function aliasesMissing(names: readonly string[]): EngineError {
  return new EngineError("aliases_not_found_exception", `aliases [${names.join(", ")}] missing`, {
    status: 404,
    metadata: { "resource.type": "aliases", "resource.id": names.length === 1 ? names[0] : names },
  });
}

export function checkedAlias(name: string, alias: JsonObject, index: NewIndex, checkFilter: CheckFilter): JsonObject {
  if (alias.filter === undefined) return alias;
  try {
    checkFilter(index, alias.filter as JsonObject);
  } catch (error) {
    if (error instanceof EngineError && error.type === "unsupported_feature_exception") throw error;
    throw illegalArgument(`failed to parse filter for alias [${name}]`, { cause: error });
  }
  return alias;
}

/** An alias has one index to write to at most, and is hidden for all of its indices or for none. */
function checkWriteIndices(
  registry: IndexRegistry,
  changed: ReadonlyMap<string, JsonObject>,
  removed: ReadonlySet<string>,
): void {
  const after = new Map<string, { index: string; alias: JsonObject }[]>();
  for (const index of registry.list()) {
    if (removed.has(index.name)) continue;
    for (const [name, alias] of Object.entries(changed.get(index.name) ?? index.aliases)) {
      const entries = after.get(name) ?? [];
      entries.push({ index: index.name, alias: alias as JsonObject });
      after.set(name, entries);
    }
  }
  for (const [name, entries] of after) {
    const writing = entries.filter(({ alias }) => alias.is_write_index === true).map(({ index }) => index);
    if (writing.length > 1) {
      throw new EngineError(
        "illegal_state_exception",
        `alias [${name}] has more than one write index [${writing.join(",")}]`,
        { status: 500 },
      );
    }
    const hidden = entries.filter(({ alias }) => alias.is_hidden === true).map(({ index }) => index);
    if (hidden.length > 0 && hidden.length < entries.length) {
      const shown = entries.map(({ index }) => index).filter((index) => !hidden.includes(index));
      throw new EngineError(
        "illegal_state_exception",
        `alias [${name}] has is_hidden set to true on indices [${hidden.join(",")}] but does not have is_hidden set to true on indices [${shown.join(",")}]; alias must have the same is_hidden setting on all indices`,
        { status: 500 },
      );
    }
  }
}
