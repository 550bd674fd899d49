/** The catalogue: every strategy under its name, and what is done with strategies by name. */

export { STRATEGY_LIST, type StrategyReference } from "./lists.ts";
export { checkedOptions, nearNames, strategyNamed } from "./options.ts";
export { parseReferences } from "./reference-text.ts";
export {
  type AnyStrategy,
  isStrategyName,
  STRATEGIES,
  STRATEGY_NAMES,
  type StrategyChoice,
  type StrategyName,
  type StrategyOptions,
} from "./registry.ts";
export {
  type AnySearch,
  RESERVED_OPTIONS,
  runStrategy,
  type StrategySearch,
  strategyRetriever,
} from "./run.ts";
