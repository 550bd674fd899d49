/**
 * Strategies: named ways to search an index, with typed options. Those that are one request of the DSL are here, a file each; those that are
 * composed of others are in `catalogue/`, with the registry of all.
 */
import type { estypes } from "@elastic/elasticsearch";
import { z } from "zod";
import type { CallOptions, Filters, LanguageModel, QueryBundle, RerankModel, Retriever } from "../../schema/index.ts";
import { filtersToQuery } from "../filters.ts";
import { dslRetriever, type SearchableIndex } from "../retriever.ts";
import { bothFilters } from "../store-retriever.ts";
import { type HighlightOptions, highlightBody } from "./highlighting.ts";

type Query = estypes.QueryDslQueryContainer;

/** An index as strategies need it. A collection is one. */
export interface StrategyTarget extends SearchableIndex {
  /** What words and vectors weigh where nothing else is said. */
  readonly weights?: { readonly bm25: number; readonly dense: number };
  /** How the text is analysed, by the name that the collection was made with. */
  readonly analysis?: string;
  /** Hold whatever is asked: a tenant's. */
  readonly filters?: Filters;
}

/** What should be known of a result: a cost, or a part of the question that could not be honoured. */
export interface StrategyWarning {
  code: "STRATEGY_WARNING";
  /** Which of a strategy's warnings it is, such as `leading-wildcard`. */
  kind: string;
  message: string;
}

/** What one search hands to a strategy beside the strategy's own options. */
export interface StrategyCall {
  topK: number;
  /** Hold whatever the strategy does. */
  filters?: Filters;
  highlight?: HighlightOptions;
  /** Texts are read later: hits come with their ids alone. */
  idsOnly?: boolean;
  model?: LanguageModel;
  reranker?: RerankModel;
  warn(kind: string, message: string): void;
  /** Hears of what a strategy counted, and of how many passages. */
  aggregations?(aggregations: Record<string, estypes.AggregationsAggregate>, total: number): void;
  /** Another strategy of the catalogue as a retriever, for strategies that are composed. */
  strategy(name: string, options?: Readonly<Record<string, unknown>>, call?: Partial<StrategyCall>): Retriever;
}

/** What a strategy asks: the best `size` of a query or of the nearest vectors. */
export type StrategyRequest = estypes.SearchRequest;

/** What a strategy makes its request of. */
export type StrategyInput = QueryBundle & CallOptions;

/** A way to search by name: what it is good for, its options as a schema, and the request that it makes. */
export interface Strategy<Name extends string = string, Options extends z.ZodObject = z.ZodObject> {
  readonly name: Name;
  /** What it does, in a line. */
  readonly title: string;
  /** What it is good for, in a line. */
  readonly goodFor: string;
  /** Needed beside the index. */
  readonly needs?: readonly ("language model" | "reranker")[];
  /** Whether the question is embedded. */
  readonly embeds?: boolean;
  /** Options with defaults and descriptions; unknown ones are refused. */
  readonly options: Options;
  /** The request of a strategy that is one; nothing where nothing can be found. */
  request?(
    target: StrategyTarget,
    input: StrategyInput,
    options: z.output<Options>,
    call: StrategyCall,
  ): StrategyRequest | undefined | Promise<StrategyRequest | undefined>;
  retriever(target: StrategyTarget, options: z.output<Options>, call: StrategyCall): Retriever;
}

/** The names of a strategy's options, as they are written in code. */
export type OptionsOf<S> = S extends Strategy<string, infer Options> ? z.input<Options> : never;

type RequestStrategy<Name extends string, Options extends z.ZodObject> = Omit<Strategy<Name, Options>, "retriever"> &
  Required<Pick<Strategy<Name, Options>, "request">>;

/** A strategy that is one request: its filters are in the request, and fragments are asked for with it. */
export function requestStrategy<Name extends string, Options extends z.ZodObject>(
  strategy: RequestStrategy<Name, Options>,
): Strategy<Name, Options> & Required<Pick<Strategy<Name, Options>, "request">> {
  return {
    ...strategy,
    retriever: (target, options, call) =>
      dslRetriever(
        target,
        async (input) => {
          if (call.topK === 0) return undefined;
          const request = await strategy.request(target, input, options, call);
          if (!request) return undefined;
          return call.idsOnly ? { ...request, _source: false } : withHighlight(target, request, input.query, call);
        },
        { name: strategy.name },
      ),
  };
}

/** The fragments of a request's own query; of nearest vectors, those with the question's words. */
function withHighlight(
  target: StrategyTarget,
  request: StrategyRequest,
  question: string,
  { highlight }: StrategyCall,
): StrategyRequest {
  // A text that is read while it is searched has no fragments: they come afterwards.
  if (!highlight || request.runtime_mappings) return request;
  return { ...request, highlight: highlightBody(target, highlight, request.query ? undefined : question) };
}

/** Options without a meaning of their own. */
export const NO_OPTIONS = z.strictObject({});

/** The filters of a search and those that came with the question, as queries that do not score. */
export function filterQueries(call: Pick<StrategyCall, "filters">, input: Pick<QueryBundle, "filters">): Query[] {
  const query = filtersToQuery(bothFilters(call.filters, input.filters));
  return query ? [query] : [];
}

/** A query with filters beside it. */
export function filtered(query: Query, filters: readonly Query[]): Query {
  return filters.length === 0 ? query : { bool: { must: [query], filter: [...filters] } };
}

/** Whether a question holds nothing to search for. */
export function isBlank(query: string): boolean {
  return query.trim() === "";
}

/** A field's name without its weight. */
export function bareField(field: string): string {
  return field.replace(/\^[^^]*$/, "");
}
