import type { Document, DocumentInterface } from "@langchain/core/documents";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import {
  VectorStore as LangChainVectorStore,
  type MaxMarginalRelevanceSearchOptions,
} from "@langchain/core/vectorstores";
import { type Filters, InvalidArgumentError, type VectorStore, type VectorStoreQuery } from "../schema/index.ts";
import { fromLangChain, toLangChain } from "./documents.ts";

/** The store behind a `HuiliuVectorStore`. */
export interface HuiliuVectorStoreConfig {
  /** Where the documents are kept: `elasticsearchStore` (over the embedded engine or a cluster), `simpleVectorStore`, or one of your own. */
  store: VectorStore;
}

/** What adding to a `HuiliuVectorStore` takes: ids in place of made ones. */
export interface HuiliuAddOptions {
  /** Ids of the documents, in their order. Default: their own, or new ones. The same id again replaces a document. */
  ids?: string[];
}

/**
 * A vector store of this library as LangChain's. Filters are this library's (`{ level: "a", year: { gte: 2024 } }`). Scores are the
 * store's similarities: for `elasticsearchStore` with cosine (1 + cos) / 2.
 *
 * @example const store = new HuiliuVectorStore(embeddings, { store: elasticsearchStore({ client: engine.client(), index: "notes" }) });
 */
export class HuiliuVectorStore extends LangChainVectorStore {
  declare FilterType: Filters;
  private readonly store: VectorStore;

  constructor(embeddings: EmbeddingsInterface, config: HuiliuVectorStoreConfig) {
    super(embeddings, config);
    this.store = config.store;
  }

  _vectorstoreType(): string {
    return "huiliu";
  }

  async addDocuments(documents: DocumentInterface[], options: HuiliuAddOptions = {}): Promise<string[]> {
    const vectors = await this.embeddings.embedDocuments(documents.map(({ pageContent }) => pageContent));
    return this.addVectors(vectors, documents, options);
  }

  async addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    { ids }: HuiliuAddOptions = {},
  ): Promise<string[]> {
    if (vectors.length !== documents.length || (ids && ids.length !== documents.length)) {
      const counts = `${documents.length} documents, ${vectors.length} vectors${ids ? `, ${ids.length} ids` : ""}`;
      throw new InvalidArgumentError(
        "documents",
        documents.length,
        `each document needs one vector and one id, not ${counts}`,
      );
    }
    return this.store.add(
      documents.map((document, i) => ({ node: fromLangChain(document, ids?.[i]), embedding: vectors[i]! })),
    );
  }

  /** By ids, by filter, or those that fit both; without either nothing is deleted and the call is refused. */
  override async delete({ ids, filter }: { ids?: string[]; filter?: Filters } = {}): Promise<void> {
    if (!ids && !filter) throw new InvalidArgumentError("ids", ids, "say what to delete: ids, filter or both");
    await this.store.deleteNodes({ ...(ids ? { ids } : {}), ...(filter ? { filters: filter } : {}) });
  }

  async similaritySearchVectorWithScore(query: number[], k: number, filter?: Filters): Promise<[Document, number][]> {
    return this.search({ embedding: query, topK: k, mode: "default", ...(filter ? { filters: filter } : {}) });
  }

  /** The store looks at as many candidates as it needs: `fetchK` is refused. `lambda`: share of relevance, default 0.5. */
  override async maxMarginalRelevanceSearch(
    query: string,
    { k, fetchK, lambda, filter }: MaxMarginalRelevanceSearchOptions<Filters>,
  ): Promise<Document[]> {
    if (fetchK !== undefined)
      throw new InvalidArgumentError(
        "fetchK",
        fetchK,
        "fetchK cannot be chosen: the store looks at as many candidates as it needs",
      );
    const found = await this.search({
      embedding: await this.embeddings.embedQuery(query),
      topK: k,
      mode: "mmr",
      ...(lambda === undefined ? {} : { mmrThreshold: lambda }),
      ...(filter ? { filters: filter } : {}),
    });
    return found.map(([document]) => document);
  }

  private async search(query: VectorStoreQuery): Promise<[Document, number][]> {
    const { nodes, similarities = [] } = await this.store.query(query);
    if (!nodes) throw new InvalidArgumentError("store", this.store, "the store keeps no texts: use one that does");
    return nodes.map((node, i) => [toLangChain({ node }), similarities[i] ?? 0]);
  }

  static override async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings: EmbeddingsInterface,
    config: HuiliuVectorStoreConfig,
  ): Promise<HuiliuVectorStore> {
    const documents = texts.map((pageContent, i) => ({
      pageContent,
      metadata: { ...(Array.isArray(metadatas) ? metadatas[i] : metadatas) },
    }));
    return HuiliuVectorStore.fromDocuments(documents, embeddings, config);
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings: EmbeddingsInterface,
    config: HuiliuVectorStoreConfig,
  ): Promise<HuiliuVectorStore> {
    const store = new HuiliuVectorStore(embeddings, config);
    await store.addDocuments(documents);
    return store;
  }
}
