/** A search by the name of its strategy: options checked, the strategy's retriever asked, reranked where that is wanted. */
import { rerank } from "../postprocess/index.ts";
import {
  bothFilters,
  defineRetriever,
  dslRetriever,
  HIGHLIGHT_OPTIONS,
  type HighlightInput,
  type HighlightOptions,
  highlightBody,
  retrieveOptions,
  type StrategyCall,
  type StrategyTarget,
  type StrategyWarning,
} from "../retrieval/index.ts";
import { checkedTopK } from "../retrieval/retriever.ts";
import {
  type CallOptions,
  callOptions,
  type Filters,
  InvalidArgumentError,
  type LanguageModel,
  type NodeWithScore,
  type QueryBundle,
  queryBundle,
  type RerankModel,
  type Retriever,
} from "../schema/index.ts";
import type { Aggregations } from "./aggregate.ts";
import { checkedOptions, strategyNamed } from "./options.ts";

/** Passages that a reranker reads. */
const RERANK_DEPTH = 30;

/** What every strategy takes beside its own options. */
export interface StrategySearch extends CallOptions {
  /** Default 10. */
  topK?: number;
  filters?: Filters;
  /** Fragments of what was found, with the words marked. */
  highlight?: boolean | HighlightInput;
  /** Puts what was found in a better order. */
  reranker?: RerankModel;
  /** Passages that the reranker reads. Default 30, and never fewer than `topK`. */
  rerankDepth?: number;
  /** For the strategies that ask a language model. */
  model?: LanguageModel;
  onWarning?: (warning: StrategyWarning) => void;
  /** Hears of what the strategy `aggregate` counted, and of how many passages matched. */
  onAggregations?: (aggregations: Aggregations, total: number) => void;
}

/** A search with the strategy's options beside the common ones. Types are checked where the name is known: see `StrategyChoice`. */
export type AnySearch = StrategySearch & { strategy?: string } & Readonly<Record<string, unknown>>;

const COMMON = [
  "topK",
  "filters",
  "highlight",
  "reranker",
  "rerankDepth",
  "model",
  "onWarning",
  "onAggregations",
  "signal",
  "trace",
];

/** Names that no strategy's option has: those of every search, and those of an answer. */
export const RESERVED_OPTIONS: readonly string[] = [...COMMON, "strategy", "onNotice", "mode"];

/** What a strategy finds for a question. */
export async function runStrategy(
  target: StrategyTarget,
  query: string | QueryBundle,
  options: AnySearch = {},
): Promise<NodeWithScore[]> {
  return strategyRetriever(target, options).retrieve(query, callOptions(options));
}

/**
 * A strategy as a retriever, to compose with other parts.
 *
 * @example strategyRetriever(collection, { strategy: "phrase", slop: 1, topK: 20 })
 */
export function strategyRetriever(target: StrategyTarget, search: AnySearch = {}): Retriever {
  const { strategy = "hybrid", reranker, rerankDepth, highlight, model, onWarning, onAggregations, ...rest } = search;
  const filters = bothFilters(target.filters, search.filters);
  const topK = checkedTopK(search.topK);
  const fragments = highlightOptions(highlight);
  const found = resolved(target, strategy, ownOptions(rest), {
    topK: reranker && strategy !== "rerank" ? Math.max(topK, checkedTopK(rerankDepth, RERANK_DEPTH)) : topK,
    ...(filters ? { filters } : {}),
    ...(fragments ? { highlight: fragments } : {}),
    ...(model ? { model } : {}),
    ...(reranker ? { reranker } : {}),
    ...(onAggregations ? { aggregations: onAggregations } : {}),
    warn: once(onWarning),
  });
  const ranked = reranker && strategy !== "rerank" ? reranked(found, reranker, topK) : found;
  return fragments ? withFragments(target, ranked, fragments) : ranked;
}

function ownOptions(rest: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !COMMON.includes(name)));
}

/** The retriever of a strategy; those that it is composed of are found the same way. */
function resolved(
  target: StrategyTarget,
  name: string,
  options: Readonly<Record<string, unknown>>,
  given: Omit<StrategyCall, "strategy">,
  within: readonly string[] = [],
): Retriever {
  const strategy = strategyNamed(name);
  if (within.length >= 8) {
    throw new InvalidArgumentError(
      "strategy",
      name,
      `strategies are nested too deeply: ${[...within, name].join(" > ")}`,
    );
  }
  const call: StrategyCall = {
    ...given,
    // Fragments and the order of a reranker belong to the outermost, unless it hands them on.
    strategy: (inner, innerOptions = {}, more = {}) => {
      const { highlight: _, idsOnly: __, ...handed } = given;
      return resolved(target, inner, innerOptions, { ...handed, ...more }, [...within, name]);
    },
  };
  return strategy.retriever(target, checkedOptions(strategy, options), call);
}

function highlightOptions(highlight: StrategySearch["highlight"]): HighlightOptions | undefined {
  if (!highlight) return undefined;
  const parsed = HIGHLIGHT_OPTIONS.safeParse(highlight === true ? {} : highlight);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new InvalidArgumentError(
    "highlight",
    highlight,
    `highlight${issue.path.length > 0 ? `.${issue.path.join(".")}` : ""}: ${issue.message}`,
  );
}

function once(onWarning: StrategySearch["onWarning"]): StrategyCall["warn"] {
  const told = new Set<string>();
  return (kind, message) => {
    if (told.has(message)) return;
    told.add(message);
    onWarning?.({ code: "STRATEGY_WARNING", kind, message });
  };
}

function reranked(found: Retriever, model: RerankModel, topK: number): Retriever {
  return defineRetriever(
    async (input) => {
      const call = retrieveOptions(input);
      return rerank({ model, topN: topK }).postprocess(await found.retrieve(input, call), {
        ...callOptions(call),
        query: queryBundle(input),
      });
    },
    { name: "rerank", follow: false },
  );
}

/** Hits that came without fragments (fused ones) get those of the question's words. */
function withFragments(target: StrategyTarget, found: Retriever, options: HighlightOptions): Retriever {
  return defineRetriever(
    async (input) => {
      const call = retrieveOptions(input);
      const hits = await found.retrieve(input, call);
      const values = hits.filter(({ highlights }) => !highlights).map(({ node }) => node.id);
      if (values.length === 0) return hits;
      const fragments = dslRetriever(
        target,
        () => ({
          query: { ids: { values } },
          size: values.length,
          _source: false,
          highlight: highlightBody(target, options, input.query),
        }),
        { follow: false },
      );
      const byId = new Map((await fragments.retrieve("", call)).map(({ node, highlights }) => [node.id, highlights]));
      return hits.map((hit) => {
        const highlights = hit.highlights ?? byId.get(hit.node.id);
        return highlights ? { ...hit, highlights } : hit;
      });
    },
    { name: "highlight", follow: false },
  );
}
