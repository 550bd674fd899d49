/** Changing aliases: the body of `_aliases`, and what its actions do to indices, all of them at once. */
import { EngineError, illegalArgument } from "../errors.ts";
import type { IndexChange, IndexRegistry, NewIndex } from "../index/types.ts";
import { positionOf } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { matchesSimple } from "../simple-match.ts";
import { checkBlocks } from "./blocks.ts";
import { type IndicesOptions, LENIENT_EXPAND, resolveIndices } from "./index-names.ts";

const FORBIDDEN = "['/',',','|','>','?','*','<','\"',' ','\\']";

export function checkAlias(registry: IndexRegistry, alias: string): void {
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

const FIELDS: Readonly<Record<AliasAction["kind"], readonly string[]>> = {
  add: [
    "index",
    "indices",
    "alias",
    "aliases",
    "filter",
    "routing",
    "index_routing",
    "search_routing",
    "is_write_index",
    "is_hidden",
    "must_exist",
  ],
  remove: ["index", "indices", "alias", "aliases", "must_exist"],
  remove_index: ["index", "indices", "alias", "aliases"],
};

type Where = "start" | "end" | { readonly key: string } | { readonly value: string | number };

function placed(container: object, where: Where, reason: string, cause?: unknown): EngineError {
  const { line, col } = positionOf(container, where) ?? { line: 1, col: 1 };
  return new EngineError("x_content_parse_exception", `[${line}:${col}] ${reason}`, { cause });
}

/** Reads the body of `_aliases`. @throws Elasticsearch's errors with their place in the body */
export function parseAliasActions(root: JsonObject): AliasAction[] {
  for (const key of Object.keys(root)) {
    if (key !== "actions") throw placed(root, { key }, `[aliases] unknown field [${key}]`);
  }
  const list = root.actions;
  if (list === undefined || (Array.isArray(list) && list.length === 0)) throw illegalArgument("No action specified");
  if (!Array.isArray(list)) {
    throw placed(root, { value: "actions" }, "[aliases] actions doesn't support values of type: START_OBJECT");
  }
  return (list as JsonValue[]).map((entry, at) => parseEntry(list, at, entry));
}

function parseEntry(list: object, at: number, entry: JsonValue): AliasAction {
  const failed = (container: object, where: Where, cause: unknown) =>
    placed(container, where, "[aliases] failed to parse field [actions]", cause);
  if (!isObject(entry)) {
    throw failed(list, { value: at }, placed(list, { value: at }, "[alias_action] Expected START_OBJECT"));
  }
  const [kind, ...more] = Object.keys(entry);
  if (kind === undefined) throw failed(list, "end", illegalArgument("No operation declared on operation entry"));
  if (!(kind in FIELDS)) {
    const cause = placed(entry, { key: kind }, `[alias_action] unknown field [${kind}]`);
    throw failed(entry, { value: kind }, cause);
  }
  if (more.length > 0) {
    const cause = new EngineError(
      "x_content_parse_exception",
      "Failed to build [alias_action] after last required field arrived",
      { cause: illegalArgument("Too many operations declared on operation entry") },
    );
    throw failed(entry, "end", cause);
  }
  const fields = entry[kind];
  if (!isObject(fields)) {
    const reason = `[alias_action] ${kind} doesn't support values of type: VALUE_STRING`;
    throw failed(entry, { value: kind }, placed(entry, { value: kind }, reason));
  }
  const known = FIELDS[kind as AliasAction["kind"]];
  for (const key of Object.keys(fields)) {
    const inField = (cause: unknown) =>
      failed(
        fields,
        { value: key },
        placed(fields, { value: key }, `[alias_action] failed to parse field [${kind}]`, cause),
      );
    if (!known.includes(key)) throw inField(placed(fields, { key }, `[${kind}] unknown field [${key}]`));
    const problem = problemOf(kind, key, fields);
    if (problem !== undefined) {
      throw inField(
        placed(fields, { value: key }, `[${kind}] failed to parse field [${key}]`, illegalArgument(problem)),
      );
    }
  }
  const indices = namesOf(fields, "index", "indices");
  const aliases = namesOf(fields, "alias", "aliases");
  if (indices.length === 0) throw failed(list, "end", illegalArgument("One of [index] or [indices] is required"));
  if (aliases.length === 0 && kind !== "remove_index") {
    throw failed(list, "end", illegalArgument("One of [alias] or [aliases] is required"));
  }
  return {
    kind: kind as AliasAction["kind"],
    indices,
    aliases,
    alias: kind === "add" ? aliasJson(fields) : {},
    mustExist: fields.must_exist === undefined ? undefined : String(fields.must_exist) === "true",
  };
}

function problemOf(kind: string, key: string, fields: JsonObject): string | undefined {
  const value = fields[key];
  if (kind === "remove_index" && key.startsWith("alias")) return `[${key}] is unsupported for [REMOVE_INDEX]`;
  if ((key === "index" || key === "alias") && value === "") return `[${key}] can't be empty string`;
  if ((key === "indices" || key === "aliases") && Array.isArray(value)) {
    if (value.length === 0) return `[${key}] can't be empty`;
    if (value.includes("")) return `[${key}] can't contain empty string`;
  }
  const keys = Object.keys(fields);
  for (const [one, many] of [
    ["index", "indices"],
    ["alias", "aliases"],
  ]) {
    const second = keys.indexOf(one) < keys.indexOf(many) ? many : one;
    if (key === second && keys.includes(one) && keys.includes(many)) {
      return `Only one of [${one}] and [${many}] is supported`;
    }
  }
  return undefined;
}

function namesOf(fields: JsonObject, one: string, many: string): string[] {
  if (fields[one] !== undefined) return [String(fields[one])];
  const list = fields[many];
  return list === undefined ? [] : Array.isArray(list) ? list.map((name: JsonValue) => String(name)) : [String(list)];
}

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

/** Carries out actions, all of them or none. @throws Elasticsearch's errors */
export async function changeAliases(
  registry: IndexRegistry,
  actions: readonly AliasAction[],
  checkFilter: CheckFilter,
): Promise<void> {
  await registry.change(() => {
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
      if (action.kind === "remove_index") {
        done += indices.length;
        continue;
      }
      let found = 0;
      for (const index of indices) {
        const aliases = changed.get(index.name) ?? { ...index.aliases };
        changed.set(index.name, aliases);
        if (action.kind === "add") {
          for (const alias of action.aliases) {
            if (alias !== "" && !(removed.has(alias) && registry.get(alias))) checkAlias(registry, alias);
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
      done += found;
    }
    if (done === 0) throw aliasesMissing(missing);
    checkWriteIndices(registry, changed, removed);
    const changes: IndexChange[] = [...changed]
      .filter(([name]) => !removed.has(name))
      .map(([name, aliases]) => ({ name, aliases: sorted(aliases) }));
    return [...changes, ...[...removed].map((name) => ({ name, remove: true }))];
  });
}

const sorted = (aliases: { [alias: string]: JsonValue }): JsonObject =>
  Object.fromEntries(Object.entries(aliases).sort(([a], [b]) => (a < b ? -1 : 1)));

export function aliasesMissing(names: readonly string[]): EngineError {
  return new EngineError("aliases_not_found_exception", `aliases [${names.join(",")}] missing`, {
    status: 404,
    metadata: { "resource.type": "aliases", "resource.id": names.join(",") },
  });
}

export function checkedAlias(name: string, alias: JsonObject, index: NewIndex, checkFilter: CheckFilter): JsonObject {
  const routing = alias.index_routing;
  if (typeof routing === "string" && routing.includes(",")) {
    throw illegalArgument(`alias [${name}] has several index routing values associated with it`);
  }
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
