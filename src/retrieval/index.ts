/** Retrieval: retrievers over an index, filters as DSL, and fusion of several lists into one. */
export {
  type AutoRetriever,
  type AutoRetrieverOptions,
  autoRetriever,
  type MetadataInfo,
  RETRIEVAL_SPEC_SCHEMA,
  type RetrievalSpec,
} from "./auto.ts";
export { type AutoMergingOptions, autoMergingRetriever } from "./auto-merging.ts";
export {
  bundleOf,
  defineRetriever,
  NotRetrievableError,
  type Retrievable,
  type RetrieveInput,
  type RetrieverFrame,
  retrieveOptions,
  withoutDuplicates,
} from "./define.ts";
export { type EnsembleOptions, ensembleRetriever } from "./ensemble.ts";
export { filtersToQuery } from "./filters.ts";
export { FUSION_MODES, type FusionMode, fuse, type NamedList, RANK_CONSTANT } from "./fuse.ts";
export { type FusionOptions, fusionRetriever } from "./fusion.ts";
export { type FusedListsOptions, fusedLists, type HybridOptions, hybridRetriever } from "./hybrid.ts";
export { type MemoryBm25Options, memoryBm25Retriever } from "./memory-bm25.ts";
export { type RecursiveRetriever, type RecursiveRetrieverOptions, recursiveRetriever } from "./recursive.ts";
export {
  bm25Retriever,
  dslRetriever,
  hitToNode,
  type IndexRetrieverOptions,
  type SearchableIndex,
  vectorRetriever,
} from "./retriever.ts";
export { type Route, type RouterOptions, routerRetriever } from "./router.ts";
export {
  type Choice,
  embeddingSelector,
  type ModelSelectorOptions,
  modelSelector,
  parseSelections,
  type Selection,
  type Selector,
} from "./selector.ts";
export { rawSimilarity, type VectorSimilarity } from "./similarity.ts";
export { bothFilters, type StoreRetrieverOptions, storeRetriever } from "./store-retriever.ts";
export * from "./strategies/index.ts";
export { type HydeOptions, hyde, type QueryTransform, type TransformOptions, transformRetriever } from "./transform.ts";
export { parseQueries, QUERY_PROMPT } from "./written-queries.ts";
