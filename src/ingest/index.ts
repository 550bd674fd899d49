/**
 * From files to passages. `findFiles` finds them, `loadFile` takes their bytes, `readDocuments` asks the reader of their kind for
 * documents (each kind's parser is loaded when the first file of it comes), and a splitter cuts those into passages.
 */

/** Changes when the rules of reading or splitting change, so that files are indexed again. */
export const INGEST_VERSION = "1";

export {
  type Extractor,
  keywordExtractor,
  questionExtractor,
  summaryExtractor,
  titleExtractor,
  withExtracted,
} from "./extractors/index.ts";
export {
  type FindOptions,
  type FoundFile,
  fileSource,
  findFiles,
  isGlob,
  loadFile,
  storedName,
  type UnreadableFile,
} from "./files.ts";
export { type IngestionCache, type MemoryIngestionCache, memoryIngestionCache } from "./ingestion-cache.ts";
export { type PassageSplitterOptions, passageSplitter } from "./passage-splitter.ts";
export {
  DOCSTORE_STRATEGIES,
  type DocstoreStrategy,
  type IngestionPipeline,
  ingestionPipeline,
  type PipelineOptions,
  type PipelineResult,
  type PipelineRun,
  type Transformation,
} from "./pipeline.ts";
export { KNOWN_EXTENSIONS, readDocuments } from "./readers/index.ts";
export { sentences } from "./sentences.ts";
export * from "./splitters/index.ts";
export { cl100kTokenizer } from "./tokenizer.ts";
export { sentenceWindows } from "./windows.ts";
