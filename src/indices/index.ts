/** Indices over stores, in LlamaIndex's manner: what is put in can be retrieved, changed and persisted. */
export {
  type IndexRetrieverOptions as StoreIndexRetrieverOptions,
  type VectorStoreIndex,
  type VectorStoreIndexOptions,
  vectorStoreIndex,
} from "./vector-store-index.ts";
