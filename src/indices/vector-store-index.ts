/** LlamaIndex's VectorStoreIndex: documents or nodes, embedded and kept in a vector store, found by a retriever. */

import type { ChatEngine } from "../chat/index.ts";
import { sentenceSplitter } from "../ingest/index.ts";
import { type RetrieverQueryEngine, retrieverQueryEngine } from "../query-engine/index.ts";
import { type StoreRetrieverOptions, storeRetriever } from "../retrieval/index.ts";
import {
  type CallOptions,
  type Docstore,
  type Document,
  type EmbeddingModel,
  embedTexts,
  InvalidArgumentError,
  type Node,
  nodeContent,
  nodeHash,
  type OnProgress,
  type Retriever,
  randomId,
  type Splitter,
  step,
  type VectorStore,
} from "../schema/index.ts";
import { type IndexStruct, type StorageContext, storageContext } from "../stores/index.ts";
import { type ChatOptionsOf, chatEngineOf } from "./chat-engine.ts";
import { type CollectionIndex, collectionIndex, type DocumentCollection } from "./collection-index.ts";
import { type EngineOptions, splitEngineOptions } from "./engine-options.ts";

/** The nodes or documents, the embedding, and the store of an index. */
export interface VectorStoreIndexOptions extends CallOptions {
  /** Cut, embedded and kept. */
  documents?: Iterable<Document>;
  /** Embedded and kept as they are. */
  nodes?: Iterable<Node>;
  embedding: EmbeddingModel;
  /** Where vectors go. Default: into memory. */
  store?: VectorStore;
  /** Where nodes go that the store does not keep whole. Default: into memory. */
  docstore?: Docstore;
  /** Both together, with what earlier indices left in it. */
  storage?: StorageContext;
  /** Default: the storage's only index, else a new one. */
  indexId?: string;
  /** Default `sentenceSplitter()`. */
  splitter?: Splitter;
  /** Whether all nodes go to the docstore even if the store keeps them. Default false. */
  storeNodesOverride?: boolean;
  onProgress?: OnProgress;
}

/** A retriever's options and an answer's; `mode` is the answer's, the retriever's is `queryMode`. */
export type IndexQueryEngineOptions = EngineOptions<IndexRetrieverOptions>;

/** How a retriever over an index's store searches. */
export type IndexRetrieverOptions = Omit<StoreRetrieverOptions, "store" | "docstore" | "nodesDict" | "embedding">;

/** Nodes with their vectors in a store: inserted, updated, deleted, retrieved, asked. LlamaIndex's class of this name. */
export interface VectorStoreIndex {
  readonly indexId: string;
  readonly storage: StorageContext;
  readonly embedding: EmbeddingModel;
  /** The node's id for each id of the store, as far as nodes are read from the docstore. */
  readonly nodesDict: ReadonlyMap<string, string>;
  insert(documents: Document | Iterable<Document>, options?: CallOptions): Promise<void>;
  insertNodes(nodes: Iterable<Node>, options?: CallOptions): Promise<void>;
  /** Deletes all nodes of a document. */
  delete(docId: string, options?: CallOptions): Promise<void>;
  deleteNodes(ids: readonly string[], options?: CallOptions): Promise<void>;
  /** Puts a document in the place of the one with its id. */
  update(document: Document, options?: CallOptions): Promise<void>;
  /** Inserts what is new, updates what has changed; tells of each document whether it was. */
  refresh(documents: Iterable<Document>, options?: CallOptions): Promise<boolean[]>;
  asRetriever(options?: IndexRetrieverOptions): Retriever;
  /** Answers by the model in a response mode, or by an extract where there is none. */
  asQueryEngine(options?: IndexQueryEngineOptions): RetrieverQueryEngine;
  /** A conversation over the index. */
  asChatEngine(options: ChatOptionsOf<IndexRetrieverOptions>): ChatEngine;
}

/**
 * Makes an index of documents or nodes, or opens one over stores that hold some already.
 *
 * @example
 * const index = await vectorStoreIndex({ documents, embedding });
 * const nodes = await index.asRetriever({ topK: 3, filters: { level: "员工" } }).retrieve("年休假有几天");
 * await index.storage.persist("./storage");
 */
export async function vectorStoreIndex(options: VectorStoreIndexOptions): Promise<VectorStoreIndex>;
/** Over a collection, which cuts and embeds by itself. */
export async function vectorStoreIndex(
  options: CallOptions & { store: DocumentCollection; documents?: Iterable<Document> },
): Promise<CollectionIndex>;
export async function vectorStoreIndex(
  given: VectorStoreIndexOptions | (CallOptions & { store: DocumentCollection; documents?: Iterable<Document> }),
): Promise<VectorStoreIndex | CollectionIndex> {
  if (isOverCollection(given)) {
    const index = collectionIndex(given.store);
    if (given.documents) await index.insert(given.documents, given.signal ? { signal: given.signal } : {});
    return index;
  }
  return overStores(given);
}

function isOverCollection(given: {
  store?: object;
}): given is { store: DocumentCollection; documents?: Iterable<Document> } {
  return given.store !== undefined && "addDocuments" in given.store;
}

async function overStores(options: VectorStoreIndexOptions): Promise<VectorStoreIndex> {
  const { embedding, splitter = sentenceSplitter(), storeNodesOverride = false, onProgress } = options;
  const storage = options.storage ?? storageContext(options);
  const { store, docstore } = storage;
  const struct = indexStruct(storage, options.indexId);
  const { nodesDict } = struct;

  async function insertNodes(given: Iterable<Node>, call: CallOptions = {}): Promise<void> {
    const nodes = [...given];
    if (nodes.length === 0) return;
    await step(call, { kind: "store", name: struct.indexId, attributes: { nodes: nodes.length } }, async (inner) => {
      const texts = nodes.map((node) => nodeContent(node, "embed"));
      const vectors = await embedTexts(embedding, texts, {
        kind: "document",
        ...inner,
        onProgress: (done) => onProgress?.({ done, total: nodes.length, stage: "embed" }),
      });
      const ids = await store.add(
        nodes.map((node, i) => ({ node, embedding: vectors[i]! })),
        inner,
      );
      const wanted = nodes.map((node) => !store.storesText || storeNodesOverride || node.type !== "text");
      await docstore.add(
        nodes.filter((_, i) => wanted[i]),
        inner,
      );
      nodes.forEach((node, i) => {
        if (wanted[i]) nodesDict.set(ids[i]!, node.id);
      });
    });
  }

  async function insert(given: Document | Iterable<Document>, call: CallOptions = {}): Promise<void> {
    for (const document of isDocument(given) ? [given] : given) {
      const nodes = await step(call, { kind: "split", name: document.id }, (inner) => splitter.split(document, inner));
      await insertNodes(nodes, call);
      // Last: a document whose hash is known is there as a whole.
      await docstore.setHash(document.id, nodeHash(document));
    }
  }

  async function forget(ids: readonly string[]): Promise<void> {
    const gone = new Set(ids);
    for (const [vectorId, nodeId] of nodesDict) if (gone.has(nodeId)) nodesDict.delete(vectorId);
  }

  async function remove(docId: string, call: CallOptions = {}): Promise<void> {
    await store.delete(docId, call);
    await forget((await docstore.refDoc(docId))?.nodeIds ?? []);
    await docstore.deleteRefDoc(docId);
  }

  async function update(document: Document, call?: CallOptions): Promise<void> {
    await remove(document.id, call);
    await insert(document, call);
  }

  const index: VectorStoreIndex = {
    indexId: struct.indexId,
    storage,
    embedding,
    nodesDict,
    insert,
    insertNodes,
    delete: remove,
    async deleteNodes(ids, call) {
      if (ids.length === 0) return;
      await store.deleteNodes({ ids }, call);
      await forget(ids);
      await docstore.delete(ids, call);
    },
    update,
    async refresh(documents, call) {
      const changed: boolean[] = [];
      for (const document of documents) {
        const known = await docstore.hash(document.id);
        const same = known === nodeHash(document);
        if (!same) await (known === undefined ? insert(document, call) : update(document, call));
        changed.push(!same);
      }
      return changed;
    },
    asRetriever: (retrieverOptions = {}) =>
      storeRetriever({
        store,
        docstore,
        ...(store.storesText && !storeNodesOverride ? {} : { nodesDict }),
        embedding,
        ...retrieverOptions,
      }),
    asQueryEngine(engineOptions = {}) {
      const { retriever, answer, postprocessors } = splitEngineOptions<IndexRetrieverOptions>(engineOptions);
      return retrieverQueryEngine({ retriever: index.asRetriever(retriever), postprocessors, embedding, ...answer });
    },
    asChatEngine: (chatOptions) => chatEngineOf<IndexRetrieverOptions>(index.asRetriever, chatOptions),
  };
  const call: CallOptions = {
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.trace ? { trace: options.trace } : {}),
  };
  if (options.documents) await insert(options.documents, call);
  if (options.nodes) await insertNodes(options.nodes, call);
  return index;
}

function isDocument(given: Document | Iterable<Document>): given is Document {
  return "type" in given && given.type === "document";
}

function indexStruct({ indices }: StorageContext, indexId: string | undefined): IndexStruct {
  if (indexId === undefined && indices.size > 1) {
    throw new InvalidArgumentError(
      "indexId",
      indexId,
      `the storage holds several indices: say which by indexId, one of ${[...indices.keys()].join(", ")}`,
    );
  }
  const id = indexId ?? indices.keys().next().value ?? randomId();
  const known = indices.get(id) ?? { indexId: id, nodesDict: new Map<string, string>() };
  indices.set(id, known);
  return known;
}
