/** Retrieval: retrievers over an index, filters as DSL, and fusion of several lists into one. */
export { type AutoMergingOptions, autoMergingRetriever } from "./auto-merging.ts";
export {
  callOptions,
  defineRetriever,
  NotRetrievableError,
  type Retrievable,
  type RetrieveInput,
  type RetrieverFrame,
  withoutDuplicates,
} from "./define.ts";
export { filtersToQuery } from "./filters.ts";
export { FUSION_MODES, type FusionMode, fuse, type NamedList, RANK_CONSTANT } from "./fuse.ts";
export { type FusionOptions, fusionRetriever } from "./fusion.ts";
export { type HybridOptions, hybridRetriever } from "./hybrid.ts";
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
export { bothFilters, type StoreRetrieverOptions, storeRetriever } from "./store-retriever.ts";
export { parseQueries, QUERY_PROMPT } from "./written-queries.ts";
