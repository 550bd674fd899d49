/** What is done with found nodes before an answer: dropping, rewriting, reordering, adding neighbours, reranking. */
export {
  type AutoPreviousNextOptions,
  autoPreviousNext,
  NEIGHBOUR_MODES,
  type NeighbourMode,
  type PreviousNextOptions,
  previousNext,
} from "./neighbours.ts";
export { PII_KEY, PII_PATTERNS, type PiiPattern, piiMask, unmask } from "./pii.ts";
export {
  type EmbeddingRecencyOptions,
  embeddingRecency,
  type FixedRecencyOptions,
  fixedRecency,
  type TimeWeightedRecencyOptions,
  timeWeightedRecency,
} from "./recency.ts";
export { type RerankOptions, rerank } from "./rerank.ts";
export { longContextReorder, metadataReplacement } from "./rewriting.ts";
export {
  type KeywordFilterOptions,
  keywordFilter,
  type MmrOptions,
  maximalMarginalRelevance,
  similarityCutoff,
} from "./selecting.ts";
export { type SentenceOptimizerOptions, sentenceOptimizer } from "./sentence-optimizer.ts";
