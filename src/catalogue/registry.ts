/** All strategies under their names. A new one is a file and a line here. */
import type { z } from "zod";
import {
  bm25,
  bool,
  chinese,
  dense,
  fields,
  functionScore,
  fuzzy,
  type OptionsOf,
  phrase,
  type Strategy,
  wildcard,
} from "../retrieval/index.ts";
import { aggregate } from "./aggregate.ts";
import { auto } from "./auto.ts";
import { bm25Tuned } from "./bm25-tuned.ts";
import { citation } from "./citation.ts";
import { filtered } from "./filtered.ts";
import { fusion } from "./fusion.ts";
import { highlight } from "./highlight.ts";
import { hyde } from "./hyde.ts";
import { metric } from "./metric.ts";
import { longContext, mmr, recency } from "./reordering.ts";
import { rerank } from "./rerank.ts";
import { rrf } from "./rrf.ts";
import { autoMerging, parentDocument, sentenceWindow } from "./surroundings.ts";
import { hybrid, weighted } from "./weighted.ts";

/** All strategies, by name. */
export const STRATEGIES = {
  hybrid,
  bm25,
  dense,
  rrf,
  weighted,
  fusion,
  fields,
  bool,
  phrase,
  wildcard,
  fuzzy,
  highlight,
  "function-score": functionScore,
  chinese,
  "bm25-tuned": bm25Tuned,
  metric,
  filtered,
  rerank,
  auto,
  citation,
  aggregate,
  hyde,
  mmr,
  "auto-merging": autoMerging,
  "sentence-window": sentenceWindow,
  "parent-document": parentDocument,
  "long-context": longContext,
  recency,
} as const;

/** The name of a strategy. */
export type StrategyName = keyof typeof STRATEGIES;

/** The options of one strategy, as they are written. */
export type StrategyOptions<Name extends StrategyName> = OptionsOf<(typeof STRATEGIES)[Name]>;

/** A strategy with its options: the name decides which options there are. Without a name it is `hybrid`. */
export type StrategyChoice =
  | { [Name in StrategyName]: { strategy: Name } & StrategyOptions<Name> }[StrategyName]
  | ({ strategy?: undefined } & StrategyOptions<"hybrid">);

/** The names of all strategies, in the order in which they are shown. */
export const STRATEGY_NAMES = Object.keys(STRATEGIES) as StrategyName[];

/** Any of the strategies, where the name is known only when it runs. */
export type AnyStrategy = Strategy<string, z.ZodObject>;

/** Whether a text is the name of a strategy. */
export function isStrategyName(name: string): name is StrategyName {
  return Object.hasOwn(STRATEGIES, name);
}
