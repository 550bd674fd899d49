/** Embedding many texts with a model that costs time or money: batches, limits, repeated calls, and a cache on disk. */
export { type BulkEmbeddingOptions, bulkEmbedding } from "./bulk.ts";
export { type CachedVector, type EmbeddingCache, openEmbeddingCache } from "./cache.ts";
export type { BulkProgress, OnBulkProgress } from "./progress.ts";
export { type OnTooLong, TextTooLongError, type TooLong } from "./too-long.ts";
