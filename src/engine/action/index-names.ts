/**
 * Index expressions: names, lists, patterns with `*`, exclusions with `-` and aliases, resolved to indices as Elasticsearch resolves them.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import type { Index, IndexRegistry } from "../index/types.ts";
import type { JsonObject } from "../json/types.ts";
import { matchesSimple } from "../simple-match.ts";
import { dateMathName } from "./date-math-names.ts";

export interface IndicesOptions {
  /** Missing names are left out in place of an error. */
  readonly ignoreUnavailable: boolean;
  /** Patterns that match nothing are no error. */
  readonly allowNoIndices: boolean;
  readonly expandOpen: boolean;
  /** Patterns stand for closed indices too. */
  readonly expandClosed: boolean;
  /** A closed index is an error, or left out with `ignoreUnavailable`. */
  readonly forbidClosed: boolean;
  readonly expandHidden: boolean;
  /** False where an alias is refused (deleting an index). */
  readonly allowAliases: boolean;
}

export const LENIENT_EXPAND: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  forbidClosed: true,
  expandHidden: false,
  allowAliases: true,
};

export interface ResolvedIndex {
  readonly index: Index;
  /** Filters of the aliases by which alone the index was reached: one of them must match. */
  readonly filters: readonly JsonObject[] | undefined;
}

export function indexNotFound(name: string, hint = ""): EngineError {
  return new EngineError("index_not_found_exception", `no such index [${name}]${hint}`, {
    status: 404,
    metadata: { "resource.type": "index_or_alias", "resource.id": name, index_uuid: "_na_", index: name },
  });
}

export function invalidIndexName(name: string, why: string): EngineError {
  return new EngineError("invalid_index_name_exception", `Invalid index name [${name}], ${why}`, {
    metadata: { index_uuid: "_na_", index: name },
  });
}

export function indexClosed(index: Index): EngineError {
  return new EngineError("index_closed_exception", "closed", {
    metadata: { index_uuid: index.uuid, index: index.name },
  });
}

const EXCLUSION_HINT =
  " and if you intended to exclude this index, ensure that you use wildcards that include it before explicitly excluding it";

function isHidden(index: Index): boolean {
  const settings = index.settings as { readonly hidden?: unknown };
  return settings.hidden === "true" || settings.hidden === true;
}

/** Aliases by name, with the indices that have each. */
export function aliasesOf(registry: IndexRegistry): Map<string, { index: Index; alias: JsonObject }[]> {
  const found = new Map<string, { index: Index; alias: JsonObject }[]>();
  for (const index of registry.list()) {
    for (const [name, alias] of Object.entries(index.aliases)) {
      const entry = { index, alias: alias as JsonObject };
      const entries = found.get(name);
      if (entries === undefined) found.set(name, [entry]);
      else entries.push(entry);
    }
  }
  return found;
}

const byName = (a: Index, b: Index) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Names that stand for all indices. */
export function meansAll(expressions: readonly string[]): boolean {
  return (
    expressions.length === 0 || (expressions.length === 1 && (expressions[0] === "_all" || expressions[0] === "*"))
  );
}

function checkExpression(name: string): void {
  if (name.includes(":")) {
    const cluster = name.slice(0, name.indexOf(":"));
    throw new EngineError("no_such_remote_cluster_exception", `no such remote cluster: [${cluster}]`, { status: 404 });
  }
  if (name.startsWith("_")) throw invalidIndexName(name, "must not start with '_'.");
}

/**
 * Resolves a list of expressions. Indices come in the order of their names, each once.
 *
 * @param expressions parts of a list; none means all indices
 * @throws index_not_found_exception
 */
export function resolveIndices(
  registry: IndexRegistry,
  expressions: readonly string[],
  options: IndicesOptions,
): ResolvedIndex[] {
  let known: ReturnType<typeof aliasesOf> | undefined;
  const aliases = () => (known ??= aliasesOf(registry));
  const expands = (index: Index) => (index.closed ? options.expandClosed : options.expandOpen);
  const visible = (pattern: string, index: Index, name: string, hidden = isHidden(index)) =>
    expands(index) && (options.expandHidden || !hidden || (pattern.startsWith(".") && name.startsWith(".")));
  /** By name, with the aliases that led there; "" for the index's own name. */
  const reached = new Map<string, { readonly index: Index; readonly ways: Set<string> }>();
  const reach = (index: Index, by: string) => {
    const known = reached.get(index.name);
    if (known === undefined) reached.set(index.name, { index, ways: new Set([by]) });
    else known.ways.add(by);
  };
  const all = meansAll(expressions);
  let wildcardSeen = all;
  if (all) {
    for (const index of registry.list()) if (visible("*", index, index.name)) reach(index, "");
  }
  for (const expression of all ? [] : expressions) {
    const exclude = wildcardSeen && expression.startsWith("-");
    const name = dateMathName(exclude ? expression.slice(1) : expression);
    checkExpression(name);
    if (name.includes("*") || (exclude && !name.includes("*"))) {
      if (name.includes("*")) wildcardSeen = true;
      const matched = matching(
        registry,
        aliases(),
        name,
        options,
        exclude ? () => true : (index, as, hidden) => visible(name, index, as, hidden),
      );
      if (exclude) {
        for (const { index } of matched) reached.delete(index.name);
      } else {
        if (matched.length === 0 && !options.allowNoIndices) throw indexNotFound(name);
        for (const { index, by } of matched) reach(index, by);
      }
      continue;
    }
    const index = registry.get(name);
    const alias = index === undefined ? aliases().get(name) : undefined;
    const usable = (found: Index) => {
      if (!found.closed || !options.forbidClosed) return true;
      if (!options.ignoreUnavailable) throw indexClosed(found);
      return false;
    };
    if (index !== undefined) {
      if (usable(index)) reach(index, "");
    } else if (alias !== undefined && options.allowAliases) {
      for (const entry of alias) if (usable(entry.index)) reach(entry.index, name);
    } else if (alias !== undefined) {
      if (!options.ignoreUnavailable) {
        throw illegalArgument(
          `The provided expression [${name}] matches an alias, specify the corresponding concrete indices instead.`,
        );
      }
    } else if (!options.ignoreUnavailable) throw indexNotFound(name, name.startsWith("-") ? EXCLUSION_HINT : "");
  }
  // Patterns were told to stand for closed indices, which cannot be used.
  if (options.forbidClosed && !options.ignoreUnavailable) {
    let closed: Index | undefined;
    for (const { index } of reached.values())
      if (index.closed && (closed === undefined || index.name < closed.name)) closed = index;
    if (closed !== undefined) throw indexClosed(closed);
  }
  if (reached.size === 0 && !options.allowNoIndices) throw indexNotFound(all ? "_all" : expressions.join(","));
  return [...reached.values()]
    .map(({ index, ways }) => ({ index, filters: filtersOf(index, ways) }))
    .sort((a, b) => byName(a.index, b.index));
}

function matching(
  registry: IndexRegistry,
  aliases: ReadonlyMap<string, { index: Index; alias: JsonObject }[]>,
  pattern: string,
  options: IndicesOptions,
  visible: (index: Index, name: string, hidden?: boolean) => boolean,
): { index: Index; by: string }[] {
  const found: { index: Index; by: string }[] = [];
  for (const index of registry.list()) {
    if (matchesSimple(pattern, index.name) && visible(index, index.name)) found.push({ index, by: "" });
  }
  if (options.allowAliases) {
    for (const [name, entries] of aliases) {
      if (!matchesSimple(pattern, name)) continue;
      // An alias is hidden when it says so itself.
      for (const { index, alias } of entries) {
        if (visible(index, name, alias.is_hidden === true)) found.push({ index, by: name });
      }
    }
  }
  return found;
}

function filtersOf(index: Index, ways: ReadonlySet<string>): JsonObject[] | undefined {
  const filters: JsonObject[] = [];
  for (const way of ways) {
    if (way === "") return undefined;
    const filter = (index.aliases[way] as JsonObject).filter as JsonObject | undefined;
    if (filter === undefined) return undefined;
    filters.push(filter);
  }
  return filters;
}

function open(index: Index): Index {
  if (index.closed) throw indexClosed(index);
  return index;
}

/** The one index that a document request names, directly or by an alias; patterns and lists name none. */
export function resolveOne(registry: IndexRegistry, expression: string): Index {
  const name = dateMathName(expression);
  if (name === "_all") {
    throw illegalArgument(
      "unable to return a single index as the index and options provided got resolved to multiple indices",
    );
  }
  if (name.includes(":")) {
    throw illegalArgument(
      `Cross-cluster calls are not supported in this context but remote indices were requested: [${name}]`,
    );
  }
  checkExpression(name);
  const index = registry.get(name);
  if (index !== undefined) return open(index);
  const entries = aliasesOf(registry).get(name);
  if (entries === undefined) throw indexNotFound(name);
  if (entries.length === 1) return open(entries[0].index);
  const names = entries.map((entry) => entry.index.name).sort();
  throw illegalArgument(
    `alias [${name}] has more than one index associated with it [${names.join(", ")}], can't execute a single index op`,
  );
}

/** The index that a write goes to. `undefined` when there is none of that name yet. */
export function resolveWrite(registry: IndexRegistry, name: string, requireAlias: boolean): Index | undefined {
  const index = registry.get(name);
  const entries = index === undefined ? aliasesOf(registry).get(name) : undefined;
  if (requireAlias && entries === undefined) {
    throw new EngineError(
      "index_not_found_exception",
      `no such index [${name}] and [require_alias] request flag is [true] and [${name}] is not an alias`,
      { status: 404, metadata: { index_uuid: "_na_", index: name } },
    );
  }
  if (index !== undefined || entries === undefined) return index === undefined ? undefined : open(index);
  const flag = (alias: JsonObject) => alias.is_write_index;
  const chosen = entries.filter(({ alias }) => flag(alias) === true || flag(alias) === "true");
  if (chosen.length === 1) return open(chosen[0].index);
  if (entries.length === 1 && flag(entries[0].alias) === undefined) return open(entries[0].index);
  throw illegalArgument(
    `no write index is defined for alias [${name}]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index`,
  );
}

/** True when an alias is among those that a list of names and patterns asks for; `-` takes away what came before. */
export function matchesAlias(patterns: readonly string[], alias: string): boolean {
  let matched = false;
  for (const pattern of patterns) {
    if (pattern.startsWith("-") && matched) matched = !matchesSimple(pattern.slice(1), alias);
    else if (pattern === "_all" || matchesSimple(pattern, alias)) matched = true;
  }
  return matched;
}
