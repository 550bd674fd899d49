/** Strategies of the catalogue as what an experiment compares. */
import {
  checkedOptions,
  parseReferences,
  STRATEGY_NAMES,
  type StrategyReference,
  strategyNamed,
} from "../catalogue/index.ts";
import type { Collection, SearchOptions } from "../collection/types.ts";
import type { NamedSearch } from "./experiment.ts";

/** What `hybrid` is made of; other composed strategies say it in their options. */
const HYBRID_PARTS = ["bm25", "dense"];

/** Strategies that need no model, and nothing said that has no default. */
export function freeStrategies(): string[] {
  return STRATEGY_NAMES.filter((name) => {
    const { needs = [], options } = strategyNamed(name);
    return needs.length === 0 && options.safeParse({}).success;
  });
}

/**
 * Strategies as they are written on one line, each under what was written; `all` are those that need no model.
 *
 * @throws InvalidArgumentError for unknown names and options
 * @example collectionSearches(collection, "bm25,phrase:slop=1")
 */
export function collectionSearches(collection: Pick<Collection, "search">, written: string): NamedSearch[] {
  const references = written.trim() === "all" ? freeStrategies() : parseReferences(written);
  return references.map((reference) => {
    const { strategy, ...options } = typeof reference === "string" ? { strategy: reference } : reference;
    const checked = checkedOptions(strategyNamed(strategy), options);
    const parts = strategy === "hybrid" ? HYBRID_PARTS : partsOf(checked["strategies"]);
    return {
      name: referenceName(reference),
      search: (question, call) => collection.search(question, { ...options, ...call, strategy } as SearchOptions),
      ...(parts.length > 0 ? { parts } : {}),
    };
  });
}

function partsOf(strategies: unknown): string[] {
  return Array.isArray(strategies) ? strategies.map((reference: StrategyReference) => referenceName(reference)) : [];
}

/** A reference as it is written: `phrase:slop=1`. */
function referenceName(reference: StrategyReference): string {
  if (typeof reference === "string") return reference;
  const { strategy, ...options } = reference;
  const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return [strategy, ...Object.entries(options).map(([name, value]) => `${name}=${written(value)}`)].join(":");
}
