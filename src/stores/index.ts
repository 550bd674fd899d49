/** Where nodes are kept: vector stores and docstores, in memory or in an index. */

export { type ElasticsearchQueryOptions, HYBRID_FUSIONS, type HybridFusion } from "./elasticsearch-find.ts";
export {
  type ElasticsearchStore,
  type ElasticsearchStoreOptions,
  elasticsearchStore,
  StoreError,
} from "./elasticsearch-store.ts";
export { type DocstoreJson, type MemoryDocstore, memoryDocstore } from "./memory-docstore.ts";
export { type SimpleVectorStore, type SimpleVectorStoreJson, simpleVectorStore } from "./simple-vector-store.ts";
export { type IndexStruct, loadStorageContext, type StorageContext, storageContext } from "./storage-context.ts";
