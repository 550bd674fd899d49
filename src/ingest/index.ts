/**
 * From files to passages. `findFiles` finds them, `loadFile` takes their bytes, `readDocuments` asks the reader of their kind for
 * documents (each kind's parser is loaded when the first file of it comes), and a splitter cuts those into passages.
 */

/** Changes when the rules of reading or splitting change, so that files are indexed again. */
export const INGEST_VERSION = "1";

export {
  type FindOptions,
  type FoundFile,
  findFiles,
  isGlob,
  loadFile,
  storedName,
  type UnreadableFile,
} from "./files.ts";
export { type PassageSplitterOptions, passageSplitter } from "./passage-splitter.ts";
export { KNOWN_EXTENSIONS, readDocuments } from "./readers/index.ts";
export { sentences } from "./sentences.ts";
export * from "./splitters/index.ts";
export { cl100kTokenizer } from "./tokenizer.ts";
export { sentenceWindows } from "./windows.ts";
