/** A collection: a user's own documents, indexed for search and answers. What `openCollection` gives, and its options. */
import type { Client, estypes } from "@elastic/elasticsearch";
import type { StrategyChoice, StrategySearch } from "../catalogue/index.ts";
import type { ClusterOptions } from "../elasticsearch/cluster.ts";
import type { StrategyWarning } from "../retrieval/index.ts";
import type {
  CallOptions,
  Document,
  EmbeddingModel,
  LanguageModel,
  Node,
  NodeWithScore,
  OnProgress,
  Response,
} from "../schema/index.ts";
import type { ResponseMode } from "../synthesis/index.ts";
import type { ListOptions } from "./records.ts";
import type { IndexTuning } from "./tuning.ts";

/**
 * How text is analysed: `default` suits Chinese, English and both together; `ik` cuts Chinese into words by a dictionary, finely when it is
 * indexed and coarsely when it is asked for; `ik_smart` coarsely both times; `cjk` into pairs of characters; `standard` into single ones.
 */
export type AnalysisName = "default" | "standard" | "cjk" | "ik" | "ik_smart";

/** Where a collection is, and how it is made when it is not there yet. */
export interface CollectionOptions extends IndexTuning {
  /** Folder of the embedded engine's data. Default `.huiliu`. */
  data?: string;
  /** Open the folder beside a process that writes to it: searches work, changes are refused. Default false. */
  readOnly?: boolean;
  /**
   * A cluster of Elasticsearch 8 in place of the embedded engine: its address or cloud id, options of the official client (`node`, `auth`,
   * `tls`, `cloud`, …), or a client.
   */
  elasticsearch?: ClusterOptions;
  /** Default: the bundled one. The index remembers it and refuses another. */
  embedding?: EmbeddingModel;
  /** Default `default`. Chosen when the collection is made. */
  analysis?: AnalysisName;
  /** Also keeps each passage's whole text in a field of the type `wildcard`, for patterns over it. Default false. Chosen when it is made. */
  wildcard?: boolean;
  /** Makes the collection when it does not exist. Default true; false throws a CollectionNotFoundError. */
  create?: boolean;
}

/** What was done with one file. */
export interface FileOutcome {
  file: string;
  outcome: "added" | "replaced" | "unchanged" | "failed" | "removed";
  /** Passages that the file has now. */
  passages?: number;
  /** Metadata that filters cannot ask for, as other files have another kind of value under that name. The passages have them. */
  unfiltered?: string[];
  /** Scripts in it that the embedding does not know: what is written in them is found by words alone. */
  unknownScripts?: string[];
  error?: Error;
}

/** What `add` takes beside the paths. */
export interface AddOptions extends CallOptions {
  /** Called with each step; `done` and `total` count files. */
  onProgress?: OnProgress;
  /** Called when a file's fate is sealed: `added` means durable. */
  onFile?: (outcome: FileOutcome) => void;
  /** Removes documents of files below the given paths that are no longer there. Default false. */
  removeVanished?: boolean;
  /** Metadata for every document. */
  metadata?: Record<string, string | number | boolean>;
  /** Largest file in bytes. Default 64 MiB. */
  maxFileBytes?: number;
}

/** What adding did, counted in files, and the files that failed with their errors. */
export interface AddResult {
  added: number;
  replaced: number;
  unchanged: number;
  removed: number;
  failed: { file: string; error: Error }[];
  passages: number;
  /** True when the signal stopped it. What was done before is kept; adding again goes on from there. */
  aborted: boolean;
}

/** What a caller should know of a result. */
export type Notice =
  | {
      /** The embedding does not know the question's script: as far as that goes, words alone were searched. */
      code: "SCRIPTS_UNKNOWN";
      scripts: string[];
      message: string;
    }
  /** What a strategy costs, or could not do. */
  | StrategyWarning;

/** What every search takes beside its strategy. */
export interface CommonSearchOptions extends Omit<StrategySearch, "onWarning"> {
  /** Told what should be known of the result. An answer has the same in `metadata.notices`. */
  onNotice?: (notice: Notice) => void;
}

/**
 * A strategy by name (default `hybrid`), its own options beside it, and what every search takes.
 *
 * @example { strategy: "phrase", slop: 1, topK: 5 }
 */
export type SearchOptions = CommonSearchOptions & StrategyChoice;

export interface CommonAskOptions extends CommonSearchOptions {
  /** Writes the answer. Without one the answer is an extract. */
  model?: LanguageModel;
  /** Passages that the answer may rest on. Default 5. */
  topK?: number;
  /** A response mode of LlamaIndex. Default: one call with numbered sources that the answer cites. */
  mode?: ResponseMode;
}

/** What `ask` takes beside the question: a strategy and its options, the model that answers, and how. */
export type AskOptions = CommonAskOptions & StrategyChoice;

/** What `addDocuments` takes beside the documents. */
export interface AddDocumentsOptions extends CallOptions {
  /** `done` counts documents; `total` is what is known so far. */
  onProgress?: OnProgress;
  /** Called when a document's fate is sealed. `file` is its `metadata.file`, or its id. */
  onFile?: (outcome: FileOutcome) => void;
}

/** A file whose bytes are in memory. */
export interface FileContent {
  /** A relative path with `/`: its name in the collection. The extension says how it is read. */
  file: string;
  bytes: Uint8Array;
  modified?: Date;
}

/** What `addContents` takes beside the files. */
export interface AddContentsOptions extends AddDocumentsOptions {
  /** Metadata for every document. */
  metadata?: Record<string, string | number | boolean>;
}

/** A file (or a document handed in) that the collection holds. */
export interface DocumentRecord {
  id: string;
  file: string;
  title?: string;
  passages: number;
  bytes: number;
  /** ISO time of indexing. */
  added: string;
}

/** A document with what is stored of it. */
export interface StoredDocument extends DocumentRecord {
  /** Its text, put together from the passages: white space between them is not kept. */
  text: string;
  /** Its passages, in order. */
  nodes: Node[];
}

/** How much a collection holds, and how it was made. */
export interface CollectionStatus {
  name: string;
  /** Folder or cluster. */
  place: string;
  documents: number;
  passages: number;
  embedding: { name: string; dimensions: number };
  analysis: AnalysisName;
  weights: { bm25: number; dense: number };
  /** Size on disk in bytes, where it is known. */
  storeBytes?: number;
}

/** What `remove` took away, and names that were not there. */
export interface RemoveResult {
  removed: string[];
  /** What was asked for and is not there. */
  missing: string[];
}

/** Where a collection is copied to. */
export interface CopyTarget {
  /** A folder … */
  data?: string;
  /** … or a cluster. */
  elasticsearch?: ClusterOptions;
  /** Default: the collection's own. */
  name?: string;
}

/** What `copyTo` takes beside the other place. */
export interface CopyCallOptions extends CallOptions {
  /** `done` and `total` count passages. */
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Told before each wait for a place that is busy or cannot be reached. */
  onRetry?: (waiting: { ms: number; reason: string }) => void;
}

/** What copying a collection did: passages and files that are there now, and what was left behind. */
export interface CopyCollectionResult {
  name: string;
  /** Folder or cluster. */
  place: string;
  /** Files and passages that the copy has. */
  files: number;
  passages: number;
  /** Passages that this run wrote. */
  copied: number;
  /** Whether it went on from an earlier run. */
  resumed: boolean;
  /** True when the signal stopped it. The next run goes on from there. */
  aborted: boolean;
}

/** A user's own documents: added, replaced, removed, searched and asked. `openCollection` gives one; `close` it at the end. */
export interface Collection {
  readonly name: string;
  /** Name of the index that holds the passages. */
  readonly index: string;
  /** The official client: any request beside the ones here. */
  readonly client: Client;
  readonly embedding: EmbeddingModel;
  /** Fields of a full-text question, with their weights. */
  readonly textFields: readonly string[];
  /** Field of the vectors. */
  readonly vectorField: string;
  /** How they are compared. */
  readonly similarity: "cosine" | "dot_product";
  readonly analysis: AnalysisName;
  /** Of words and vectors in `hybrid`. */
  readonly weights: { readonly bm25: number; readonly dense: number };
  /** Adds files, folders and globs. Unchanged files are skipped, changed ones replaced. */
  add(paths: string | string[], options?: AddOptions): Promise<AddResult>;
  /** Adds documents that are in memory, each under its id: the same id again replaces it. */
  addDocuments(
    documents: Iterable<Document> | AsyncIterable<Document>,
    options?: AddDocumentsOptions,
  ): Promise<AddResult>;
  /** Adds files whose bytes are in memory, as `add` does those on the disk: the same name again replaces one. */
  addContents(
    files: Iterable<FileContent> | AsyncIterable<FileContent>,
    options?: AddContentsOptions,
  ): Promise<AddResult>;
  search(query: string, options?: SearchOptions): Promise<NodeWithScore[]>;
  ask(question: string, options?: AskOptions): Promise<Response>;
  /** Removes documents by their file (as `list` shows it, or a folder that holds it) or id. */
  remove(filesOrIds: string | string[], options?: CallOptions): Promise<RemoveResult>;
  /** Documents sorted by file. */
  list(options?: ListOptions): AsyncIterable<DocumentRecord>;
  /** A document by its file (as `list` shows it) or id; undefined when it is not there. */
  get(fileOrId: string, options?: CallOptions): Promise<StoredDocument | undefined>;
  status(options?: CallOptions): Promise<CollectionStatus>;
  /** Copies all of it to another place, or goes on with a copy that was cut short. */
  copyTo(target: CopyTarget, options?: CopyCallOptions): Promise<CopyCollectionResult>;
  /** Any search body of the DSL over the passages. */
  raw(body: estypes.SearchRequest, options?: CallOptions): Promise<estypes.SearchResponse>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
