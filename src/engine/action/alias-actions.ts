/** Reads the body of `_aliases`: actions, each in an object of its own. */
import { EngineError, illegalArgument } from "../errors.ts";
import { positionOf } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { readBoolean, readText } from "../query/dsl/read.ts";
import { type AliasAction, aliasJson } from "./aliases.ts";
import { tokenOf } from "./update.ts";

type Kind = AliasAction["kind"];

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof JsonNumber);

const TEXT = ["VALUE_STRING"];
const TEXTS = ["VALUE_STRING", "START_ARRAY"];
const ROUTING = ["VALUE_STRING", "VALUE_NUMBER"];
const FLAG = ["VALUE_STRING", "VALUE_BOOLEAN"];

/** The fields of each kind of action, with the tokens that they take. */
const NAMES = { index: TEXT, indices: TEXTS, alias: TEXT, aliases: TEXTS };
const FIELDS: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  add: {
    ...NAMES,
    filter: ["START_OBJECT"],
    routing: ROUTING,
    index_routing: ROUTING,
    search_routing: ROUTING,
    is_write_index: FLAG,
    is_hidden: FLAG,
  },
  remove: { ...NAMES, must_exist: FLAG },
  remove_index: NAMES,
};

type Where = "start" | "end" | { readonly key: string } | { readonly value: string | number };

function placed(container: object, where: Where, reason: string, cause?: unknown): EngineError {
  const { line, col } = positionOf(container, where) ?? { line: 1, col: 1 };
  return new EngineError("x_content_parse_exception", `[${line}:${col}] ${reason}`, { cause });
}

const failed = (container: object, where: Where, cause: unknown) =>
  placed(container, where, "[aliases] failed to parse field [actions]", cause);

/** Reads the body of `_aliases`. @throws Elasticsearch's errors with their place in the body */
export function parseAliasActions(root: JsonValue): AliasAction[] {
  if (!isObject(root)) throw placed({}, "start", `[aliases] Expected START_OBJECT but was: ${tokenOf(root)}`);
  for (const key of Object.keys(root)) {
    if (key !== "actions") throw placed(root, { key }, `[aliases] unknown field [${key}]`);
  }
  const given = root.actions;
  if (given === undefined) throw illegalArgument("No action specified");
  if (!isObject(given) && !Array.isArray(given)) {
    throw placed(root, { value: "actions" }, `[aliases] actions doesn't support values of type: ${tokenOf(given)}`);
  }
  const entries = isObject(given) ? [given] : entriesOf(given as readonly JsonValue[]);
  const actions = entries.map(parseEntry);
  if (actions.length === 0) throw illegalArgument("No action specified");
  // Whole actions are checked when all of them are read.
  return actions.map((action) => {
    const problem = problemOf(action);
    if (problem !== undefined) throw failed(given, "end", problem);
    return action!;
  });
}

/** ObjectParser steps over one scalar before the object that it reads. */
function entriesOf(list: readonly JsonValue[]): JsonObject[] {
  const entries: JsonObject[] = [];
  for (let at = 0; at < list.length; at++) {
    if (Array.isArray(list[at])) {
      const cause = new EngineError("illegal_state_exception", "expected value but got [START_ARRAY]");
      throw failed(list, { value: at }, cause);
    }
    if (!isObject(list[at])) at++;
    const entry = list[at];
    if (isObject(entry)) {
      entries.push(entry);
      continue;
    }
    const where: Where = at < list.length ? { value: at } : "end";
    const token = at < list.length ? tokenOf(entry) : "END_ARRAY";
    throw failed(list, where, placed(list, where, `[alias_action] Expected START_OBJECT but was: ${token}`));
  }
  return entries;
}

/** An action; undefined where an object has none. */
function parseEntry(entry: JsonObject): AliasAction | undefined {
  const [kind, ...more] = Object.keys(entry);
  if (kind === undefined) return undefined;
  if (!Object.hasOwn(FIELDS, kind)) {
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
    const reason = `[alias_action] ${kind} doesn't support values of type: ${tokenOf(fields)}`;
    throw failed(entry, { value: kind }, placed(entry, { value: kind }, reason));
  }
  for (const key of Object.keys(fields)) checkField(kind as Kind, fields, key);
  return {
    kind: kind as Kind,
    indices: namesOf(fields, "index", "indices"),
    aliases: namesOf(fields, "alias", "aliases"),
    alias: kind === "add" ? aliasJson(fields) : {},
    mustExist: fields.must_exist === undefined ? undefined : readBoolean(fields.must_exist),
  };
}

function checkField(kind: Kind, fields: JsonObject, key: string): void {
  const value = fields[key];
  const inField = (cause: EngineError, where: readonly [object, Where] = [fields, { value: key }]) =>
    failed(...where, placed(...where, `[alias_action] failed to parse field [${kind}]`, cause));
  const tokens = Object.hasOwn(FIELDS[kind], key) ? FIELDS[kind][key] : undefined;
  if (tokens === undefined) throw inField(placed(fields, { key }, `[${kind}] unknown field [${key}]`));
  if (!tokens.includes(tokenOf(value))) {
    const reason = `[${kind}] ${key} doesn't support values of type: ${tokenOf(value)}`;
    throw inField(placed(fields, { value: key }, reason));
  }
  const unread = (cause: unknown, where: readonly [object, Where] = [fields, { value: key }]) =>
    inField(placed(...where, `[${kind}] failed to parse field [${key}]`, cause), where);
  if (tokens === FLAG) {
    try {
      readBoolean(value);
    } catch (error) {
      throw unread(error);
    }
  }
  for (let at = 0; Array.isArray(value) && at < value.length; at++) {
    try {
      readText(value as readonly JsonValue[], at);
    } catch (error) {
      throw unread(error, [value, { value: at }]);
    }
  }
  const problem = fieldProblem(kind, key, fields);
  if (problem !== undefined) throw unread(illegalArgument(problem));
}

function fieldProblem(kind: Kind, key: string, fields: JsonObject): string | undefined {
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

/** What an action lacks as a whole. */
function problemOf(action: AliasAction | undefined): EngineError | undefined {
  if (action === undefined) {
    const name = "org.elasticsearch.action.admin.indices.alias.IndicesAliasesRequest$AliasActions.validate()";
    return new EngineError("null_pointer_exception", `Cannot invoke "${name}" because "aliasAction" is null`);
  }
  if (action.indices.length === 0) return illegalArgument("One of [index] or [indices] is required");
  if (action.aliases.length === 0 && action.kind !== "remove_index") {
    return illegalArgument("One of [alias] or [aliases] is required");
  }
  return undefined;
}

function namesOf(fields: JsonObject, one: string, many: string): string[] {
  if (fields[one] !== undefined) return [String(fields[one])];
  const list = fields[many];
  return list === undefined ? [] : Array.isArray(list) ? list.map((name: JsonValue) => String(name)) : [String(list)];
}
