/** The strategy that another one works on. */
import { z } from "zod";
import type { StrategyCall } from "../retrieval/index.ts";
import type { LanguageModel, Retriever } from "../schema/index.ts";
import { ModelNotConfiguredError } from "../schema/index.ts";
import { referenceParts, STRATEGY_REFERENCE, type StrategyReference } from "./lists.ts";

/** The option `of`. */
export function ofOption(name: string) {
  return STRATEGY_REFERENCE.default(name)
    .meta({ list: "strategy" })
    .describe("the strategy that finds the passages, by name");
}

export function depthOption(depth: number, text: string) {
  return z.int().min(1).max(10_000).default(depth).describe(`${text}; never fewer than topK`);
}

/** What `of` finds, `topK` of it. Fragments are its own. */
export function innerRetriever(of: StrategyReference, call: StrategyCall, topK = call.topK): Retriever {
  const { name, options } = referenceParts(of);
  return call.strategy(name, options, { topK, ...(call.highlight ? { highlight: call.highlight } : {}) });
}

/** @throws ModelNotConfiguredError without one */
export function languageModelOf(call: StrategyCall, strategy: string): LanguageModel {
  if (call.model) return call.model;
  throw new ModelNotConfiguredError(
    "language",
    `the strategy ${strategy}`,
    "give the search a `model` (--model provider/name, or in the configuration)",
  );
}
