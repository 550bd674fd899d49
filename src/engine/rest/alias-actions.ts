/** Calls that read and change aliases. */
import { parseAliasActions } from "../action/alias-actions.ts";
import { type AliasAction, aliasJson, changeAliases } from "../action/aliases.ts";
import { matchesAlias, resolveIndices } from "../action/index-names.ts";
import { checkAliasFilter } from "../action/search/index.ts";
import { illegalArgument } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { matchesSimple } from "../simple-match.ts";
import { type Action, acceptTimeouts, bodyJson, type Call, indicesOptions, names, requiredBody } from "./call.ts";
import { describeError } from "./errors.ts";
import { ADMIN_EXPAND } from "./index-actions.ts";
import type { ResponseValue } from "./types.ts";

async function change(call: Call, actions: readonly AliasAction[]) {
  const outcomes = await changeAliases(call.registry, actions, checkAliasFilter);
  const errors = outcomes.some(({ error }) => error !== undefined);
  if (!errors) return { body: { acknowledged: true, errors } };
  // Where something was missing, each action is told what became of it.
  const results = outcomes.map(({ action: { kind, aliases }, indices, error }) => ({
    action: { type: kind, indices, aliases },
    status: error?.status ?? 200,
    ...(error && { error: describeError(error) }),
  }));
  return { body: { acknowledged: true, errors, action_results: results } };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const updateAliases: Action = (call) => {
  acceptTimeouts(call);
  requiredBody(call, "request body is required");
  const actions = parseAliasActions(bodyJson(call) ?? {});
  return () => change(call, actions);
};

/** Names in the body go before those of the path. */
export const putAlias: Action = (call) => {
  acceptTimeouts(call);
  const given = bodyJson(call);
  const body = isObject(given) ? given : {};
  const indices = body.index === undefined ? names(call, "index") : String(body.index).split(",");
  const name = body.alias === undefined ? (call.params.text("name") ?? "") : String(body.alias);
  call.params.accept("name", "index");
  if (indices.length === 0) throw illegalArgument("[indices] can't be empty");
  if (name === "") throw illegalArgument("[alias] can't be empty string");
  const action: AliasAction = { kind: "add", indices, aliases: [name], alias: aliasJson(body) };
  return () => change(call, [action]);
};

export const deleteAlias: Action = (call) => {
  acceptTimeouts(call);
  const action: AliasAction = {
    kind: "remove",
    indices: names(call, "index"),
    aliases: names(call, "name"),
    alias: {},
  };
  return () => change(call, [action]);
};

/** Names that no alias has (RestGetAliasesAction): patterns miss nothing, and what is excluded afterwards is not missed. */
function missingAliases(patterns: readonly string[], seen: ReadonlySet<string>): string[] {
  const isPattern = (name: string) => name.includes("*") || name === "_all";
  const firstPattern = patterns.findIndex(isPattern);
  const excludesFrom = firstPattern < 0 ? patterns.length : firstPattern;
  const missing = patterns.filter((name, at) => {
    if (isPattern(name) || seen.has(name) || (at > excludesFrom && name.startsWith("-"))) return false;
    return !patterns
      .slice(Math.max(at + 1, excludesFrom))
      .some((other) => other.startsWith("-") && (other === "-_all" || matchesSimple(other.slice(1), name)));
  });
  return [...new Set(missing)].sort();
}

export const getAlias: Action = (call) => {
  const expressions = names(call, "index");
  const options = indicesOptions(call, { ...ADMIN_EXPAND, expandClosed: true, expandHidden: true });
  const patterns = names(call, "name");
  call.params.accept("local");
  acceptTimeouts(call);
  return () => {
    const shown: { [index: string]: ResponseValue | undefined } = {};
    const seen = new Set<string>();
    for (const { index } of resolveIndices(call.registry, expressions, options)) {
      const aliases = Object.entries(index.aliases).filter(
        ([name]) => patterns.length === 0 || matchesAlias(patterns, name),
      );
      for (const [name] of aliases) seen.add(name);
      if (patterns.length === 0 || aliases.length > 0) shown[index.name] = { aliases: Object.fromEntries(aliases) };
    }
    const missing = missingAliases(patterns, seen);
    if (missing.length === 0) return { body: shown };
    const error = missing.length === 1 ? `alias [${missing[0]}] missing` : `aliases [${missing.join(",")}] missing`;
    return { status: 404, body: { error, status: 404, ...shown } };
  };
};
