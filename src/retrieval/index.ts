/** Retrieval: retrievers over an index, filters as DSL, and fusion of several lists into one. */
export { filtersToQuery } from "./filters.ts";
export {
  FUSION_MODES,
  type FusionMode,
  type FusionOptions,
  fuse,
  fusionRetriever,
  type NamedList,
  RANK_CONSTANT,
} from "./fusion.ts";
export { type HybridOptions, hybridRetriever } from "./hybrid.ts";
export {
  bm25Retriever,
  defineRetriever,
  dslRetriever,
  hitToNode,
  type IndexRetrieverOptions,
  type SearchableIndex,
  vectorRetriever,
} from "./retriever.ts";
