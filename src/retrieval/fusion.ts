/** Several retrievers, and several questions, as one retriever: LlamaIndex's QueryFusionRetriever. */
import {
  InvalidArgumentError,
  type LanguageModel,
  ModelNotConfiguredError,
  type Node,
  type PromptOption,
  type PromptSet,
  type QueryBundle,
  type Retriever,
  step,
  type Verbose,
  withPrompts,
} from "../schema/index.ts";
import { bundleOf, defineRetriever, type RetrieverFrame, retrieveOptions } from "./define.ts";
import { FUSION_MODES, type FusionMode, fuse, normalizedWeights } from "./fuse.ts";
import { checkedTopK } from "./retriever.ts";
import { QUERY_PROMPT, writeQueries } from "./written-queries.ts";

/** The retrievers that are fused, how, and whether a model writes further questions. */
export interface FusionOptions extends RetrieverFrame {
  /** Each with a name, which the ranks of the result mention; bare retrievers are called `1`, `2`, … */
  retrievers: Record<string, Retriever> | readonly Retriever[];
  /** Default `reciprocal_rerank`. */
  mode?: FusionMode;
  /** Beside `retrievers`, for the modes that weigh (`relative_score`, `dist_based_score`). Default: equal. */
  weights?: Record<string, number> | readonly number[];
  /** Default 10. */
  topK?: number;
  /** The constant of `reciprocal_rerank`. Default 60. */
  rankConstant?: number;
  /** What two nodes share that are the same. Default: text and metadata. */
  sameness?: (node: Node) => string;
  /** Questions that are asked, the user's included; the others are written by `model`. Default 1: no model is asked. */
  numQueries?: number;
  /** Needed where `numQueries` is above 1. */
  model?: LanguageModel;
  /** What the model is told; `{num_queries}` and `{query}` are filled in. */
  queryPrompt?: PromptOption;
  /** Shows the model's call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

/**
 * Asks all retrievers at once, and fuses what they find. The first that fails fails the whole, and stops the others.
 *
 * @throws ModelNotConfiguredError where queries are to be written and there is no model
 * @example fusionRetriever({ retrievers: { bm25, dense }, mode: "relative_score", weights: { bm25: 0.3, dense: 0.7 }, topK: 5 })
 */
export function fusionRetriever(options: FusionOptions): Retriever {
  const { mode = "reciprocal_rerank", numQueries = 1, model } = options;
  const prompts: PromptSet["own"] = { queries: options.queryPrompt ?? QUERY_PROMPT };
  const topK = checkedTopK(options.topK);
  if (!FUSION_MODES.includes(mode)) {
    throw new InvalidArgumentError("mode", mode, `unknown fusion mode "${mode}": known are ${FUSION_MODES.join(", ")}`);
  }
  if (!Number.isInteger(numQueries)) {
    throw new InvalidArgumentError("numQueries", numQueries, "numQueries must be a whole number");
  }
  if (numQueries > 1 && !model) {
    throw new ModelNotConfiguredError("language", "fusion with written queries", "give it a `model`, or numQueries: 1");
  }
  const retrievers = namedRetrievers(options);
  const self = defineRetriever(
    async (input) => {
      const { query, signal } = input;
      const stop = new AbortController();
      const call = { ...retrieveOptions(input), signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal };
      try {
        const written =
          numQueries > 1
            ? await writeQueries(model!, query, numQueries - 1, prompts["queries"]!, call, options.verbose)
            : [];
        const asked = [bundleOf(input), ...different(query, written).map((other) => rewritten(input, other))];
        const lists = await Promise.all(
          asked.flatMap((bundle, q) =>
            retrievers.map(async ({ retriever, ...list }) => ({
              ...list,
              ...(q > 0 ? { query: bundle.query } : {}),
              nodes: await retriever.retrieve(bundle, call),
            })),
          ),
        );
        return await step(call, { kind: "fuse", name: mode, attributes: { lists: lists.length } }, async () =>
          fuse(lists, mode, options.sameness, options.rankConstant).slice(0, topK),
        );
      } finally {
        stop.abort();
      }
    },
    { name: "fusion", ...options },
  );
  return withPrompts(self, prompts);
}

/** A written question has no vector and no texts of its own. */
function rewritten({ filters }: QueryBundle, query: string): QueryBundle {
  return { query, ...(filters ? { filters } : {}) };
}

/** Each question once: asking again would find the same. */
function different(query: string, written: readonly string[]): string[] {
  return [...new Set(written)].filter((other) => other !== query);
}

function namedRetrievers(options: FusionOptions): { name: string; retriever: Retriever; weight?: number }[] {
  const { retrievers, weights } = options;
  const entries = Array.isArray(retrievers)
    ? retrievers.map((retriever: Retriever, i) => [String(i + 1), retriever] as const)
    : Object.entries(retrievers as Record<string, Retriever>);
  if (entries.length === 0)
    throw new InvalidArgumentError("retrievers", retrievers, "fusion needs at least one retriever");
  const shares = Array.isArray(weights)
    ? entries.map((_, i) => weights[i] as number | undefined)
    : entries.map(([name]) => (weights as Record<string, number> | undefined)?.[name]);
  if (weights && shares.some((share) => share === undefined)) {
    throw new InvalidArgumentError("weights", weights, "give a weight for each retriever, or none");
  }
  const named = entries.map(([name, retriever], i) => ({
    name,
    retriever,
    ...(shares[i] === undefined ? {} : { weight: shares[i] }),
  }));
  normalizedWeights(named);
  return named;
}
