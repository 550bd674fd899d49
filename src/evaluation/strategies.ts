/** Strategies of the catalogue as what an experiment compares. */
import {
  checkedOptions,
  parseReferences,
  STRATEGY_NAMES,
  type StrategyReference,
  strategyNamed,
} from "../catalogue/index.ts";
import type { Collection, SearchOptions } from "../collection/types.ts";
import type { LanguageModel, RerankModel } from "../schema/index.ts";
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
 * Strategies as they are written on one line, each under what was written; `all` are those that need no model. Those that ask one are handed it.
 *
 * @throws InvalidArgumentError for unknown names and options
 * @example collectionSearches(collection, "bm25,phrase:slop=1")
 */
export function collectionSearches(
  collection: Pick<Collection, "search">,
  written: string,
  models: { model?: LanguageModel; reranker?: RerankModel } = {},
): NamedSearch[] {
  const references = written.trim() === "all" ? freeStrategies() : parseReferences(written);
  return references.map((reference) => {
    const { strategy, ...options } = typeof reference === "string" ? { strategy: reference } : reference;
    const checked = checkedOptions(strategyNamed(strategy), options);
    const asked = modelsOf(reference);
    const composed = asked.size > 0 && checked["of"] !== undefined ? [checked["of"]] : checked["strategies"];
    const parts = strategy === "hybrid" ? HYBRID_PARTS : partsOf(composed);
    const model = asked.has("language model") ? models.model : undefined;
    // Every other strategy would have its passages put in the reranker's order too.
    const reranker = strategy === "rerank" ? models.reranker : undefined;
    const handed = { ...(model ? { model } : {}), ...(reranker ? { reranker } : {}) };
    const names = [model?.name, reranker?.name].filter((name) => name !== undefined);
    return {
      name: referenceName(reference),
      search: (question, call) =>
        collection.search(question, { ...options, ...handed, ...call, strategy } as SearchOptions),
      ...(names.length > 0 ? { with: names.join(", ") } : {}),
      ...(parts.length > 0 ? { parts } : {}),
    };
  });
}

function partsOf(strategies: unknown): string[] {
  return Array.isArray(strategies) ? strategies.map((reference: StrategyReference) => referenceName(reference)) : [];
}

/** What a strategy, or one that it works on, asks. */
function modelsOf(reference: StrategyReference): Set<string> {
  const { strategy, ...options } = typeof reference === "string" ? { strategy: reference } : reference;
  const checked = checkedOptions(strategyNamed(strategy), options);
  const inner = [checked["of"], checked["strategies"]].flat().filter((item) => item !== undefined);
  return new Set([
    ...(strategyNamed(strategy).needs ?? []),
    ...(Number(checked["numQueries"] ?? 1) > 1 ? ["language model"] : []),
    ...inner.flatMap((item) => [...modelsOf(item as StrategyReference)]),
  ]);
}

/** A reference as it is written: `phrase:slop=1`. */
function referenceName(reference: StrategyReference): string {
  if (typeof reference === "string") return reference;
  const { strategy, ...options } = reference;
  const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return [strategy, ...Object.entries(options).map(([name, value]) => `${name}=${written(value)}`)].join(":");
}
