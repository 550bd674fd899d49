/** The analyzers of one index, from its settings. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import { ANALYZERS } from "./analyzers.ts";
import {
  applyCharFilters,
  type ChainAnalyzer,
  type CharFilter,
  createChain,
  normalizedBy,
  type TokenFilter,
  type Tokenizer,
} from "./chain.ts";
import {
  type Builders,
  CHAR_FILTERS,
  type FilterDefinition,
  TOKEN_FILTERS,
  TOKENIZERS,
  UNSUPPORTED,
} from "./components.ts";
import { type ComponentContext, type ComponentSettings, componentSettings, isObject } from "./settings.ts";
import type { AnalysisRegistry, AnalysisResources, IndexAnalysisSettings, Normalizer } from "./types.ts";

export type Kind = "tokenizer" | "filter" | "char_filter" | "analyzer";

/** Names of older releases that Elasticsearch still reads. */
const ALIASES: Readonly<Record<string, string>> = { PathHierarchy: "path_hierarchy" };

/** Names of older releases that it refuses in an index of today. */
function checkRetired(kind: Kind, type: string): void {
  if (type !== "nGram" && type !== "edgeNGram") return;
  const today = type === "nGram" ? "ngram" : "edge_ngram";
  if (kind === "tokenizer") {
    throw illegalArgument(
      `The [${type}] tokenizer name was deprecated in 7.6. Please use the tokenizer name to [${type === "nGram" ? today : "edge_nGram"}] for ` +
        "indices created in versions 8 or higher instead.",
    );
  }
  if (kind === "filter") {
    throw illegalArgument(
      `The [${type}] token filter name was deprecated in 6.4 and cannot be used in new indices. Please change the filter name to [${today}] instead.`,
    );
  }
}

/** Filters that cannot be asked for by their name alone. */
const NEED_SETTINGS = new Set(["keyword_marker", "mapping", "pattern_replace", "synonym", "synonym_graph"]);

/** A registry that shows its parts, for `_analyze`. */
export interface ComponentRegistry extends AnalysisRegistry {
  get(name: string): ChainAnalyzer | undefined;
  readonly default: ChainAnalyzer;
  tokenizer(name: string): Tokenizer | undefined;
  filter(name: string): FilterDefinition | undefined;
  charFilter(name: string): CharFilter | undefined;
  normalizerParts(name: string): NormalizerParts | undefined;
  readonly context: ComponentContext;
}

export interface NormalizerParts extends Normalizer {
  /** Put together from named parts, which `explain` shows one by one. */
  readonly custom: boolean;
  readonly charFilters: readonly CharFilter[];
  readonly filters: readonly TokenFilter[];
}

const NOTHING = componentSettings({});

const components = new WeakMap<AnalysisRegistry, ComponentRegistry>();

/** The parts of a registry that `createAnalysisRegistry` made. */
export function componentsOf(registry: AnalysisRegistry): ComponentRegistry {
  const parts = components.get(registry);
  if (parts === undefined) throw new TypeError("not a registry of createAnalysisRegistry");
  return parts;
}

/** A part with its default settings, or with those of an inline definition; `undefined` when Elasticsearch does not know it either. */
export function builtIn<T>(
  kind: Kind,
  builders: Builders<T>,
  type: string,
  name: string,
  settings: ComponentSettings,
  context: ComponentContext,
): T | undefined {
  checkRetired(kind, type);
  const key = Object.hasOwn(ALIASES, type) ? ALIASES[type] : type;
  if (settings.empty && NEED_SETTINGS.has(key) && kind !== "analyzer" && kind !== "tokenizer")
    throw illegalArgument("Analysis settings required - can't instantiate analysis factory");
  if (Object.hasOwn(builders, key)) return builders[key](name, settings, context);
  if (UNSUPPORTED[kind].has(key)) throw unsupported(`${key} ${kind}`);
  return undefined;
}

/** The parts under one heading of the settings, by name. */
function section(analysis: JsonObject, heading: string): Map<string, JsonObject> {
  const parts = new Map<string, JsonObject>();
  const values = Object.hasOwn(analysis, heading) ? analysis[heading] : undefined;
  if (!isObject(values)) return parts;
  for (const [name, value] of Object.entries(values)) {
    if (!isObject(value)) {
      throw new EngineError(
        "settings_exception",
        `Failed to get setting group for [index.analysis.${heading}.] setting prefix and setting [index.analysis.${heading}.${name}] ` +
          "because of a missing '.'",
        { status: 500 },
      );
    }
    if (Object.keys(value).length > 0) parts.set(name, value);
  }
  return parts;
}

/**
 * Something made from the settings, or the refusal that stands in its place: an index whose settings define what the engine does not
 * support can be made and used, but for those parts.
 */
type Made<T> = { part: T } | { refusal: EngineError };

function make<T>(create: () => T): Made<T> {
  try {
    return { part: create() };
  } catch (error) {
    if (error instanceof EngineError && error.type === "unsupported_feature_exception") return { refusal: error };
    throw error;
  }
}

/** @throws the refusal */
function take<T>(made: Made<T> | undefined): T | undefined {
  if (made !== undefined && "refusal" in made) throw made.refusal;
  return made?.part;
}

function configured<T>(
  kind: Kind,
  builders: Builders<T>,
  analysis: JsonObject,
  context: ComponentContext,
): Map<string, Made<T>> {
  const made = new Map<string, Made<T>>();
  for (const [name, values] of section(analysis, kind)) {
    const settings = componentSettings(values);
    const type = settings.string("type");
    if (type === undefined)
      throw illegalArgument(`${kind} [${name}] must specify either an analyzer type, or a tokenizer`);
    const part = make(() => builtIn(kind, builders, type, name, settings, context));
    if ("part" in part && part.part === undefined)
      throw illegalArgument(`Unknown ${kind} type [${type}] for [${name}]`);
    made.set(name, part as Made<T>);
  }
  return made;
}

/** Puts filters that analyze their own rules in their place in the chain. */
export function inChain(
  charFilters: readonly CharFilter[],
  tokenizer: Tokenizer,
  definitions: readonly FilterDefinition[],
): TokenFilter[] {
  const filters: TokenFilter[] = [];
  for (const filter of definitions)
    filters.push("inChain" in filter ? filter.inChain(charFilters, tokenizer, filters) : filter);
  return filters;
}

export function normalizerOf(
  name: string,
  charFilters: readonly CharFilter[],
  filters: readonly TokenFilter[],
  custom: boolean,
): NormalizerParts {
  return {
    name,
    custom,
    charFilters,
    filters,
    normalize(text) {
      return normalizedBy(
        filters,
        charFilters.length === 0 ? text : applyCharFilters(charFilters, text).text,
        name,
        text,
      );
    },
  };
}

/**
 * The analyzers and normalizers that an index with these settings has.
 *
 * @throws illegal_argument_exception for unknown components, as Elasticsearch does when an index is created. What Elasticsearch knows and
 *   the engine does not support is refused where it is used: by `get` and `normalizer`, and here for the default analyzers
 */
export function createComponentRegistry(
  settings: IndexAnalysisSettings,
  resources: AnalysisResources,
): ComponentRegistry {
  const { analysis = {}, maxNgramDiff = 1, maxShingleDiff = 3 } = settings;
  const context: ComponentContext = { resources, maxNgramDiff, maxShingleDiff };
  const charFilters = configured("char_filter", CHAR_FILTERS, analysis, context);
  const tokenizers = configured("tokenizer", TOKENIZERS, analysis, context);
  const filters = configured("filter", TOKEN_FILTERS, analysis, context);

  const charFilter = (name: string) =>
    take(charFilters.get(name)) ?? builtIn("char_filter", CHAR_FILTERS, name, name, NOTHING, context);
  const tokenizer = (name: string) =>
    take(tokenizers.get(name)) ?? builtIn("tokenizer", TOKENIZERS, name, name, NOTHING, context);
  const filter = (name: string) =>
    take(filters.get(name)) ?? builtIn("filter", TOKEN_FILTERS, name, name, NOTHING, context);

  const find = <T>(owner: string, kind: Kind, names: readonly string[], lookup: (name: string) => T | undefined): T[] =>
    names.map((name) => {
      const part = lookup(name);
      if (part === undefined) throw illegalArgument(`${owner} failed to find ${kind} under name [${name}]`);
      return part;
    });

  function custom(name: string, values: ComponentSettings): ChainAnalyzer {
    const tokenizerName = values.string("tokenizer");
    if (tokenizerName === undefined)
      throw illegalArgument(`Custom Analyzer [${name}] must be configured with a tokenizer`);
    const owner = `Custom Analyzer [${name}]`;
    const [source] = find(owner, "tokenizer", [tokenizerName], tokenizer);
    const chars = find(owner, "char_filter", values.list("char_filter") ?? [], charFilter);
    const tokenFilters = inChain(chars, source, find(owner, "filter", values.list("filter") ?? [], filter));
    const positionIncrementGap = values.int("position_increment_gap", 100);
    return createChain({
      name,
      charFilters: chars,
      tokenizer: source,
      filters: tokenFilters,
      positionIncrementGap,
      custom: true,
    });
  }

  const analyzers = new Map<string, Made<ChainAnalyzer>>();
  for (const [name, values] of section(analysis, "analyzer")) {
    if (name.startsWith("_")) throw illegalArgument(`analyzer name must not start with '_'. got "${name}"`);
    const own = componentSettings(values);
    const type = own.string("type") ?? (own.string("tokenizer") === undefined ? undefined : "custom");
    if (type === undefined)
      throw illegalArgument(`analyzer [${name}] must specify either an analyzer type, or a tokenizer`);
    const made = make(() =>
      type === "custom" ? custom(name, own) : builtIn("analyzer", ANALYZERS, type, name, own, context),
    );
    if ("part" in made && made.part === undefined)
      throw illegalArgument(`Unknown analyzer type [${type}] for [${name}]`);
    analyzers.set(name, made as Made<ChainAnalyzer>);
  }
  if (analyzers.has("default_index")) {
    throw illegalArgument(
      "setting [index.analysis.analyzer.default_index] is not supported anymore, use [index.analysis.analyzer.default] instead for index " +
        `[${settings.index ?? ""}]`,
    );
  }

  function customNormalizer(name: string, own: ComponentSettings): NormalizerParts {
    const type = own.string("type", "custom");
    if (type !== "custom" && type !== "lowercase")
      throw illegalArgument(`Unknown normalizer type [${type}] for [${name}]`);
    if (own.string("tokenizer") !== undefined)
      throw illegalArgument(`Custom normalizer [${name}] cannot configure a tokenizer`);
    const filterNames = type === "lowercase" ? ["lowercase"] : (own.list("filter") ?? []);
    const chars = find(`Custom normalizer [${name}]`, "char_filter", own.list("char_filter") ?? [], charFilter);
    for (const part of chars) {
      if (part.normalizing !== true)
        throw illegalArgument(`Custom normalizer [${name}] may not use char filter [${part.name}]`);
    }
    const tokenFilters = find(`Custom Analyzer [${name}]`, "filter", filterNames, filter).map((part) => {
      if (!("normalize" in part))
        throw illegalArgument(`Custom normalizer [${name}] may not use filter [${part.name}]`);
      return part;
    });
    return normalizerOf(name, chars, tokenFilters, type === "custom");
  }
  const normalizers = new Map<string, Made<NormalizerParts>>();
  for (const [name, values] of section(analysis, "normalizer")) {
    normalizers.set(
      name,
      make(() => customNormalizer(name, componentSettings(values))),
    );
  }

  // The default where the settings have none is the one `standard`, under a name of its own by which it can be asked for.
  const prebuilt = ANALYZERS.standard("standard", NOTHING, context);
  const builtIns = new Map<string, ChainAnalyzer>([
    ["standard", prebuilt],
    ["default", { ...prebuilt, name: "default" }],
  ]);
  function get(name: string): ChainAnalyzer | undefined {
    const known = take(analyzers.get(name)) ?? builtIns.get(name);
    if (known !== undefined) return known;
    const made = builtIn("analyzer", ANALYZERS, name, name, NOTHING, context);
    if (made !== undefined) builtIns.set(name, made);
    return made;
  }
  // An analyzer of the settings with the name `standard` is not the default.
  const standard = take(analyzers.get("default")) ?? builtIns.get("default")!;
  const { searchTimeFilters = [] } = standard;
  if (searchTimeFilters.length > 0) {
    throw new EngineError(
      "mapper_exception",
      `analyzer [default] contains filters [${searchTimeFilters.join(", ")}] that are not allowed to run in all mode.`,
      { status: 500 },
    );
  }
  const search = take(analyzers.get("default_search")) ?? standard;

  function normalizerParts(name: string): NormalizerParts | undefined {
    const own = take(normalizers.get(name));
    if (own !== undefined || name !== "lowercase") return own;
    const lower = normalizerOf("lowercase", [], [filter("lowercase") as TokenFilter], false);
    normalizers.set(name, { part: lower });
    return lower;
  }

  const registry: ComponentRegistry = {
    get,
    names: () => [...new Set([...analyzers.keys(), ...Object.keys(ANALYZERS)])],
    default: standard,
    defaultSearch: search,
    defaultQuoted: take(analyzers.get("default_search_quoted")) ?? search,
    normalizer: normalizerParts,
    normalizerParts,
    tokenizer,
    filter,
    charFilter,
    context,
  };
  components.set(registry, registry);
  return registry;
}
