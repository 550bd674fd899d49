/** A collection with the methods of LlamaIndex's index: it cuts, embeds and keeps its documents itself. */

import type { ChatEngine } from "../chat/index.ts";
import { type RetrieverQueryEngine, retrieverQueryEngine } from "../query-engine/index.ts";
import {
  bm25Retriever,
  hybridRetriever,
  type RetrieverFrame,
  type SearchableIndex,
  vectorRetriever,
} from "../retrieval/index.ts";
import {
  type CallOptions,
  type Document,
  type Filters,
  InvalidArgumentError,
  type Retriever,
} from "../schema/index.ts";
import { type ChatOptionsOf, chatEngineOf } from "./chat-engine.ts";
import { type EngineOptions, splitEngineOptions } from "./engine-options.ts";

/** What `openCollection` gives, as far as an index needs it. */
export interface DocumentCollection extends SearchableIndex {
  addDocuments(
    documents: Iterable<Document>,
    options?: CallOptions,
  ): Promise<{ added: number; replaced: number; failed: { file: string; error: Error }[]; aborted: boolean }>;
  remove(ids: string | string[], options?: CallOptions): Promise<unknown>;
}

/** How a retriever over a collection searches. */
export interface CollectionRetrieverOptions extends RetrieverFrame {
  /** Default 10. */
  topK?: number;
  filters?: Filters;
  /** Default `default`: the nearest vectors. */
  mode?: "default" | "text_search" | "hybrid";
  /** Share of the vectors in `hybrid`. Default 0.5. */
  alpha?: number;
}

/** A collection with the methods of a VectorStoreIndex. */
export interface CollectionIndex {
  insert(documents: Document | Iterable<Document>, options?: CallOptions): Promise<void>;
  delete(docId: string, options?: CallOptions): Promise<void>;
  update(document: Document, options?: CallOptions): Promise<void>;
  /** Inserts what is new, updates what has changed; tells of each document whether it was. */
  refresh(documents: Iterable<Document>, options?: CallOptions): Promise<boolean[]>;
  asRetriever(options?: CollectionRetrieverOptions): Retriever;
  /** Answers by the model in a response mode, or by an extract where there is none. */
  asQueryEngine(options?: EngineOptions<CollectionRetrieverOptions>): RetrieverQueryEngine;
  /** A conversation over the collection. */
  asChatEngine(options: ChatOptionsOf<CollectionRetrieverOptions>): ChatEngine;
}

/**
 * Makes an index of a collection.
 *
 * @example
 * const index = collectionIndex(await openCollection("handbook"));
 * await index.asRetriever({ mode: "hybrid", topK: 5 }).retrieve("年休假有几天");
 */
export function collectionIndex(collection: DocumentCollection): CollectionIndex {
  async function insert(given: Document | Iterable<Document>, call: CallOptions = {}): Promise<boolean> {
    const documents = "type" in given && given.type === "document" ? [given] : (given as Iterable<Document>);
    const { added, replaced, failed, aborted } = await collection.addDocuments(documents, call);
    if (failed[0]) throw failed[0].error;
    if (aborted) call.signal?.throwIfAborted();
    return added + replaced > 0;
  }

  const index: CollectionIndex = {
    insert: async (documents, call) => void (await insert(documents, call)),
    delete: async (docId, call) => void (await collection.remove(docId, call)),
    update: async (document, call) => void (await insert(document, call)),
    async refresh(documents, call) {
      const changed: boolean[] = [];
      for (const document of documents) changed.push(await insert(document, call));
      return changed;
    },
    asRetriever({ mode = "default", alpha = 0.5, ...options } = {}) {
      if (mode === "default") return vectorRetriever(collection, options);
      if (mode === "text_search") return bm25Retriever(collection, options);
      if (mode !== "hybrid") {
        throw new InvalidArgumentError(
          "mode",
          mode,
          `a collection knows the modes default, text_search and hybrid, not "${mode}"`,
        );
      }
      if (!(alpha >= 0 && alpha <= 1)) throw new InvalidArgumentError("alpha", alpha, "alpha must be between 0 and 1");
      return hybridRetriever(collection, {
        ...options,
        mode: "relative_score",
        weights: { bm25: 1 - alpha, dense: alpha },
      });
    },
    asQueryEngine(engineOptions = {}) {
      const { retriever, answer, postprocessors } = splitEngineOptions<CollectionRetrieverOptions>(engineOptions);
      return retrieverQueryEngine({
        retriever: index.asRetriever(retriever),
        postprocessors,
        ...(collection.embedding ? { embedding: collection.embedding } : {}),
        ...answer,
      });
    },
    asChatEngine: (chatOptions) => chatEngineOf<CollectionRetrieverOptions>(index.asRetriever, chatOptions),
  };
  return index;
}
