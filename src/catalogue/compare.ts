/** Several strategies asked the same, side by side. */

import type { StrategyTarget, StrategyWarning } from "../retrieval/index.ts";
import { type CallOptions, HuiliuError, InvalidArgumentError, type NodeWithScore } from "../schema/index.ts";
import { referenceParts, type StrategyReference } from "./lists.ts";
import { type AnySearch, runStrategy, type StrategySearch } from "./run.ts";

/** A passage in one strategy's list, with its rank there and by the first strategy. */
export interface ComparedHit extends NodeWithScore {
  rank: number;
  /** Its rank by the first strategy; missing where that did not find it. */
  before?: number;
}

/** A strategy that was compared, with its passages. */
export interface ComparedStrategy {
  /** Its name, with a number where it is asked twice. */
  name: string;
  options: Record<string, unknown>;
  hits: ComparedHit[];
  warnings: StrategyWarning[];
  /** Why it could not be asked: a model that is not configured, a field that is not there. */
  error?: string;
}

/** Several strategies' lists for one question, side by side. */
export interface StrategyComparison {
  question: string;
  topK: number;
  strategies: ComparedStrategy[];
}

/** What `compareStrategies` takes: the strategies, and what holds for each of them. */
export interface CompareOptions extends Omit<StrategySearch, "onWarning" | "onAggregations">, CallOptions {
  strategies: readonly StrategyReference[];
}

/**
 * Asks each strategy, one after the other. One that cannot be asked says so in its place; the others are still compared.
 *
 * @throws InvalidArgumentError for unknown strategies and options
 * @example await compareStrategies(collection, "请假需要谁批准", { strategies: ["bm25", "dense", "rrf"], topK: 5 })
 */
export async function compareStrategies(
  target: StrategyTarget,
  question: string,
  { strategies, ...search }: CompareOptions,
): Promise<StrategyComparison> {
  if (strategies.length === 0) throw new InvalidArgumentError("strategies", strategies, "name at least one strategy");
  const out: ComparedStrategy[] = [];
  for (const reference of strategies) {
    const { name, options } = referenceParts(reference);
    const shown = freeName(name, out);
    const warnings: StrategyWarning[] = [];
    const column = { name: shown, options, warnings };
    try {
      const asked: AnySearch = {
        ...options,
        ...search,
        strategy: name,
        onWarning: (warning) => warnings.push(warning),
      };
      const hits = await runStrategy(target, question, asked);
      out.push({ ...column, hits: hits.map((hit, i) => ({ ...hit, rank: i + 1, ...rankBefore(hit, out[0]) })) });
    } catch (error) {
      if (!(error instanceof HuiliuError) || error.code !== "MODEL_NOT_CONFIGURED") throw error;
      out.push({ ...column, hits: [], error: error.message });
    }
  }
  return { question, topK: search.topK ?? 10, strategies: out };
}

function rankBefore(hit: NodeWithScore, first: ComparedStrategy | undefined): { before?: number } {
  const before = first?.hits.find(({ node }) => node.id === hit.node.id)?.rank;
  return before === undefined ? {} : { before };
}

function freeName(name: string, out: readonly ComparedStrategy[]): string {
  let shown = name;
  for (let n = 2; out.some((other) => other.name === shown); n++) shown = `${name} ${n}`;
  return shown;
}
