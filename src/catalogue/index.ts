/** The catalogue: every strategy under its name, and what is done with strategies by name. */

export { type AggregateResult, type Aggregations, aggregateStrategy } from "./aggregate.ts";
export { describedMetadata } from "./auto.ts";
export { BM25_DEFAULTS, type Bm25Constants, readBm25, setBm25 } from "./bm25-tuned.ts";
export { type CitedAnswerOptions, citedAnswer } from "./citation.ts";
export {
  type ComparedHit,
  type ComparedStrategy,
  type CompareOptions,
  compareStrategies,
  type StrategyComparison,
} from "./compare.ts";
export { type SearchDefaults, withSearchDefaults } from "./defaults.ts";
export { type DescribedStrategy, describeStrategy } from "./describe.ts";
export { explainHit, type HitExplanation, type ListExplanation } from "./explain.ts";
export type { TermShare } from "./explanation.ts";
export { type Facet, type FacetOptions, facets } from "./facets.ts";
export { within } from "./filtered.ts";
export { STRATEGY_LIST, type StrategyReference } from "./lists.ts";
export {
  type Neighbour,
  type Neighbourhood,
  type NeighbourhoodOptions,
  neighbourhood,
} from "./neighbourhood.ts";
export { checkedOptions, nearNames, strategyNamed } from "./options.ts";
export { findPassage, PassageNotFoundError } from "./passage.ts";
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
