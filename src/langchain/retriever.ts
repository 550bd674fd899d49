import { AsyncLocalStorage } from "node:async_hooks";
import type { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { Collection, SearchOptions } from "../collection/types.ts";
import type { NodeWithScore, Retriever } from "../schema/index.ts";
import { toLangChain } from "./documents.ts";

/** What a `HuiliuRetriever` asks, with which options. */
export interface HuiliuRetrieverInput extends BaseRetrieverInput {
  /** A collection, searched with `options`, or any retriever of this library. */
  from: Pick<Collection, "search"> | Retriever;
  /** Of a collection's search: strategy, topK, filters and so on. */
  options?: SearchOptions;
}

/** LangChain hands the signal to `invoke` and not on to what finds the documents. */
const signals = new AsyncLocalStorage<AbortSignal | undefined>();

/**
 * A collection, or a retriever of this library, as LangChain's. The score stands in the metadata as `_score`; the config's `signal`
 * stops the search.
 *
 * @example const retriever = new HuiliuRetriever({ from: handbook, options: { topK: 5 } });
 */
export class HuiliuRetriever extends BaseRetriever {
  static override lc_name(): string {
    return "HuiliuRetriever";
  }
  lc_namespace = ["huiliu", "retrievers"];
  private readonly find: (query: string, signal: AbortSignal | undefined) => Promise<NodeWithScore[]>;

  constructor({ from, options = {}, ...fields }: HuiliuRetrieverInput) {
    super(fields);
    this.find = (query, signal) => {
      const call = signal ? { signal } : {};
      return "search" in from
        ? from.search(query, { ...options, ...call } as SearchOptions)
        : from.retrieve(query, call);
    };
  }

  override invoke(input: string, config?: RunnableConfig): Promise<Document[]> {
    return signals.run(config?.signal, () => super.invoke(input, config) as Promise<Document[]>);
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    return (await this.find(query, signals.getStore())).map(toLangChain);
  }
}
