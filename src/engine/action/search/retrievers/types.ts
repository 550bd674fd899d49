/** Retrievers as they were read. A leaf is a search; a compound fuses the lists of others. */
import type { JsonObject } from "../../../json/types.ts";
import type { QueryBuilder } from "../../../query/dsl/index.ts";
import type { Explanation } from "../../../query/explanation.ts";
import type { RankedHit, WeighedList } from "../../../search/rank-fusion.ts";
import type { Draft } from "../request.ts";

/** What every retriever may say. */
export interface RetrieverOptions {
  readonly filters: readonly QueryBuilder[];
  /** `_name`. */
  readonly queryName?: string;
  readonly minScore?: number;
}

export interface LeafRetriever extends RetrieverOptions {
  readonly kind: "leaf";
  readonly name: "standard" | "knn";
  readonly json: JsonObject;
  /** Of `standard`. */
  readonly query?: QueryBuilder;
  /** Every query in it. */
  readonly queries: readonly QueryBuilder[];
  /** The first of its keys that a compound's child may not have. */
  readonly onlyAlone?: string;
  /** Puts what it says into a request. @param filters its own, and those of the retrievers around it */
  apply(draft: Draft, filters: readonly QueryBuilder[]): void;
}

/** How a compound makes one list of several. */
export type Fusion =
  | { readonly type: "rrf"; readonly constant: number }
  | { readonly type: "linear"; readonly lists: readonly WeighedList[] }
  | {
      readonly type: "text_similarity_reranker";
      readonly inferenceId: string;
      readonly text: string;
      readonly field: string;
    };

export interface CompoundRetriever extends RetrieverOptions {
  readonly kind: "compound";
  readonly json: JsonObject;
  readonly window: number;
  readonly children: readonly Retriever[];
  readonly fusion: Fusion;
}

export type Retriever = LeafRetriever | CompoundRetriever;

export const nameOf = (retriever: Retriever): string =>
  retriever.kind === "leaf" ? retriever.name : retriever.fusion.type;

/** A document in an order, and why it stands there. */
export interface RankDoc extends RankedHit {
  /** @param names of the sources, where they have some */
  explain(sources: readonly Explanation[], names: readonly (string | undefined)[]): Explanation;
}
