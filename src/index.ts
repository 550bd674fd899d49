/**
 * Huiliu: hybrid retrieval and answering over a user's own documents. Everything public is exported here, and nothing else.
 *
 * @module huiliu
 */
export * from "./catalogue/index.ts";
export * from "./chat/index.ts";
export { openCollection } from "./collection/collection.ts";
export { CollectionIncompleteError, CollectionNotFoundError, EmbeddingDiffersError } from "./collection/layout.ts";
export type { ListOptions } from "./collection/records.ts";
export type {
  AddContentsOptions,
  AddDocumentsOptions,
  AddOptions,
  AddResult,
  AnalysisName,
  AskOptions,
  Collection,
  CollectionOptions,
  CollectionStatus,
  CopyCallOptions,
  CopyCollectionResult,
  CopyTarget,
  DocumentRecord,
  FileContent,
  FileOutcome,
  Notice,
  RemoveResult,
  SearchOptions,
  StoredDocument,
} from "./collection/types.ts";
export { BulkError } from "./collection/writer.ts";
export * from "./config/index.ts";
export {
  type BulkFailure,
  type BulkOperation,
  type BulkOptions,
  type BulkSummary,
  bulk,
} from "./elasticsearch/bulk.ts";
export type { ClusterOptions } from "./elasticsearch/cluster.ts";
export { ClusterError, type ClusterErrorCode } from "./elasticsearch/cluster-errors.ts";
export { type CopyOptions, type CopyResult, copyIndex, type IndexPlace } from "./elasticsearch/copy.ts";
export { CopyError } from "./elasticsearch/copy-index.ts";
export { type FusingOptions, fusingTransport } from "./elasticsearch/fusing-transport.ts";
export * from "./embedding/index.ts";
export * from "./evaluation/index.ts";
export * from "./indices/index.ts";
export {
  cl100kTokenizer,
  DOCSTORE_STRATEGIES,
  type DocstoreStrategy,
  type Extractor,
  type IngestionCache,
  type IngestionPipeline,
  ingestionPipeline,
  keywordExtractor,
  type MemoryIngestionCache,
  memoryIngestionCache,
  type PassageSplitterOptions,
  type PipelineOptions,
  type PipelineResult,
  type PipelineRun,
  passageSplitter,
  questionExtractor,
  summaryExtractor,
  type Transformation,
  titleExtractor,
} from "./ingest/index.ts";
export * from "./ingest/splitters/index.ts";
export * from "./models/index.ts";
export * from "./postprocess/index.ts";
export * from "./query-engine/index.ts";
export * from "./retrieval/index.ts";
export * from "./schema/index.ts";
export * from "./stores/index.ts";
export * from "./synthesis/index.ts";
export * from "./telemetry/index.ts";
