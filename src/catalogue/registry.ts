/** All strategies under their names. A new one is a file and a line here. */
import type { z } from "zod";
import { bm25, dense, type OptionsOf, phrase, type Strategy } from "../retrieval/index.ts";
import { rrf } from "./rrf.ts";
import { hybrid, weighted } from "./weighted.ts";

export const STRATEGIES = { hybrid, bm25, dense, rrf, weighted, phrase } as const;

export type StrategyName = keyof typeof STRATEGIES;

/** The options of one strategy, as they are written. */
export type StrategyOptions<Name extends StrategyName> = OptionsOf<(typeof STRATEGIES)[Name]>;

/** A strategy with its options: the name decides which options there are. Without a name it is `hybrid`. */
export type StrategyChoice =
  | { [Name in StrategyName]: { strategy: Name } & StrategyOptions<Name> }[StrategyName]
  | ({ strategy?: undefined } & StrategyOptions<"hybrid">);

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as StrategyName[];

/** Any of the strategies, where the name is known only when it runs. */
export type AnyStrategy = Strategy<string, z.ZodObject>;

export function isStrategyName(name: string): name is StrategyName {
  return Object.hasOwn(STRATEGIES, name);
}
