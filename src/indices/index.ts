/** Indices over stores, in LlamaIndex's manner: what is put in can be retrieved, changed and persisted. */
export { CHAT_MODES, type ChatMode, type ChatOptionsOf } from "./chat-engine.ts";
export {
  type CollectionIndex,
  type CollectionRetrieverOptions,
  collectionIndex,
  type DocumentCollection,
} from "./collection-index.ts";
export type { EngineOptions } from "./engine-options.ts";
export {
  type MultiModalIndex,
  type MultiModalIndexOptions,
  type MultiModalRetrieverOptions,
  multiModalIndex,
} from "./multi-modal-index.ts";
export { type DocumentSummaryOptions, documentSummaryIndex, smallToBig } from "./summaries.ts";
export {
  type IndexRetrieverOptions as StoreIndexRetrieverOptions,
  type VectorStoreIndex,
  type VectorStoreIndexOptions,
  vectorStoreIndex,
} from "./vector-store-index.ts";
