/** Where nodes are kept: with vectors, to be found; and by id, to be read. Any object with these methods will do. */
import type { Filters } from "./filters.ts";
import type { CallOptions } from "./models.ts";
import type { Document, Node } from "./node.ts";

/** The ways to ask a vector store, by LlamaIndex's names. */
export const VECTOR_QUERY_MODES = [
  "default",
  "text_search",
  "sparse",
  "hybrid",
  "semantic_hybrid",
  "mmr",
  "svm",
  "logistic_regression",
  "linear_regression",
] as const;

/** LlamaIndex's modes of asking a vector store. What a store does not know it refuses. */
export type VectorQueryMode = (typeof VECTOR_QUERY_MODES)[number];

/** What a vector store is asked: a vector or a text, how many, which mode, filters. */
export interface VectorStoreQuery {
  /** The question, for modes that match text. */
  query?: string;
  embedding?: ArrayLike<number>;
  topK: number;
  mode: VectorQueryMode;
  filters?: Filters;
  /** Only these nodes; an empty list finds nothing. */
  nodeIds?: readonly string[];
  /** Only nodes of these documents. */
  docIds?: readonly string[];
  /** Share of the vectors in `hybrid`, from 0 (text alone) to 1. */
  alpha?: number;
  sparseTopK?: number;
  hybridTopK?: number;
  /** Share of relevance in `mmr`, from 0 to 1; the rest is distance from what was picked. Default 0.5. */
  mmrThreshold?: number;
  /** What only this store understands. */
  storeOptions?: Record<string, unknown>;
}

/** What a store found, best first: nodes where it keeps them, else ids. Places agree. */
export interface VectorStoreResult {
  nodes?: Node[];
  ids?: string[];
  similarities?: number[];
}

/** A node with its vector, ready to be kept. Without one it is found by text alone. */
export interface EmbeddedNode {
  node: Node;
  embedding?: ArrayLike<number>;
}

/** Keeps nodes with their vectors, and finds the nearest. */
export interface VectorStore {
  /** Whether whole nodes come back; otherwise the text is read from a docstore. */
  readonly storesText: boolean;
  /** Whether it compares vectors: questions are embedded only for those. */
  readonly isEmbeddingQuery: boolean;
  /** Keeps nodes, in the place of those with the same ids. */
  add(nodes: readonly EmbeddedNode[], options?: CallOptions): Promise<string[]>;
  query(query: VectorStoreQuery, options?: CallOptions): Promise<VectorStoreResult>;
  /** Deletes all nodes of a document. */
  delete(docId: string, options?: CallOptions): Promise<void>;
  /** Deletes nodes by id, by filters, or both at once. Given neither, nothing. */
  deleteNodes(which: { ids?: readonly string[]; filters?: Filters }, options?: CallOptions): Promise<void>;
  /** Deletes everything. */
  clear(options?: CallOptions): Promise<void>;
}

/** What a docstore knows of a document. */
export interface RefDocInfo {
  nodeIds: string[];
  metadata: Document["metadata"];
}

/** Documents and nodes by id. */
export interface Docstore {
  add(items: readonly (Node | Document)[], options?: CallOptions): Promise<void>;
  /** Those that are known, in the order of the ids. */
  get(ids: readonly string[], options?: CallOptions): Promise<(Node | Document)[]>;
  delete(ids: readonly string[], options?: CallOptions): Promise<void>;
  /** The hash under which a document was last stored. */
  hash(id: string): Promise<string | undefined>;
  setHash(id: string, hash: string): Promise<void>;
  /** Hashes of all documents by id. */
  hashes(): Promise<Map<string, string>>;
  refDoc(docId: string): Promise<RefDocInfo | undefined>;
  refDocIds(): Promise<string[]>;
  /** Deletes a document, its nodes, and what is known of them. */
  deleteRefDoc(docId: string): Promise<void>;
}
