/**
 * Fusion: one list of several. The formulas are LlamaIndex's (QueryFusionRetriever), as pure functions over lists that are best first;
 * what a list does not hold adds nothing. Nodes are never changed: each result is a new object, with the ranks it had.
 */
import {
  type CallOptions,
  contentKey,
  InvalidArgumentError,
  type Node,
  type NodeWithScore,
  type QueryBundle,
  queryBundle,
  type Rank,
  type Retriever,
} from "../schema/index.ts";
import { checkedTopK } from "./retriever.ts";

export const FUSION_MODES = ["reciprocal_rerank", "relative_score", "dist_based_score", "simple"] as const;

/**
 * - `reciprocal_rerank`: the sum of 1 / (60 + rank), rank from 0 (Cormack, Clarke and Büttcher 2009, with LlamaIndex's rank);
 * - `relative_score`: each list's scores scaled to 0 … 1 by its smallest and largest, weighted and added;
 * - `dist_based_score`: the same, scaled by mean ± 3 standard deviations;
 * - `simple`: the largest raw score.
 */
export type FusionMode = (typeof FUSION_MODES)[number];

/** The constant of reciprocal rank fusion: how little the first ranks stand out. */
export const RANK_CONSTANT = 60;

export interface NamedList {
  name: string;
  nodes: NodeWithScore[];
  /** Share of the list in `relative_score` and `dist_based_score`. Default: equal shares. */
  weight?: number;
}

/**
 * Fuses lists into one, best first; equal scores stay in the order in which their nodes were first seen.
 * Two nodes are the same when text and metadata are, unless `sameness` says what tells them apart.
 */
export function fuse(
  lists: readonly NamedList[],
  mode: FusionMode,
  sameness: (node: Node) => string = contentKey,
): NodeWithScore[] {
  const shares = normalizedWeights(lists);
  const fused = new Map<string, { item: NodeWithScore; score: number; ranks: Rank[] }>();
  lists.forEach((list, l) => {
    const ordered = [...list.nodes].sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
    const scale = scaling(ordered, mode);
    ordered.forEach((item, position) => {
      const key = sameness(item.node);
      const rank: Rank = {
        list: list.name,
        rank: position + 1,
        ...(item.score === undefined ? {} : { score: item.score }),
      };
      const part = mode === "reciprocal_rerank" ? 1 / (RANK_CONSTANT + position) : scale(item.score ?? 0) * shares[l]!;
      const known = fused.get(key);
      if (!known) {
        fused.set(key, { item, score: mode === "simple" ? (item.score ?? 0) : part, ranks: [rank] });
        return;
      }
      known.ranks.push(rank);
      if (mode !== "simple") known.score += part;
      else if ((item.score ?? 0) > known.score) {
        known.item = item;
        known.score = item.score ?? 0;
      }
    });
  });
  return [...fused.values()]
    .sort((a, b) => b.score - a.score)
    .map(({ item, score, ranks }) => ({ ...item, score, ranks }));
}

/** How a list's raw scores become comparable. Of equal scores, all are 1 where they are above 0. */
function scaling(nodes: readonly NodeWithScore[], mode: FusionMode): (score: number) => number {
  if (mode === "simple" || mode === "reciprocal_rerank" || nodes.length === 0) return (score) => score;
  const scores = nodes.map((item) => item.score ?? 0);
  let low = Math.min(...scores);
  let high = Math.max(...scores);
  if (low === high) return () => (high > 0 ? 1 : 0);
  if (mode === "dist_based_score") {
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
    low = mean - 3 * deviation;
    high = mean + 3 * deviation;
  }
  return (score) => (score - low) / (high - low);
}

function normalizedWeights(lists: readonly NamedList[]): number[] {
  const weights = lists.map((list) => list.weight ?? 1);
  if (weights.some((weight) => !Number.isFinite(weight) || weight < 0)) {
    throw new InvalidArgumentError("weights", weights, "weights must be numbers that are not negative");
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (lists.length > 0 && sum === 0) throw new InvalidArgumentError("weights", weights, "one weight must be above 0");
  return weights.map((weight) => weight / sum);
}

export interface FusionOptions {
  /** Each with a name, which the ranks of the result mention; bare retrievers are called `1`, `2`, … */
  retrievers: Record<string, Retriever> | readonly Retriever[];
  /** Default `reciprocal_rerank`. */
  mode?: FusionMode;
  /** Beside `retrievers`, for the modes that weigh. Default: equal. */
  weights?: Record<string, number> | readonly number[];
  /** Default 10. */
  topK?: number;
  /** What two nodes share that are the same. Default: text and metadata. */
  sameness?: (node: Node) => string;
}

/** Asks all retrievers at once and fuses what they find. The first that fails fails the whole, and stops the others. */
export function fusionRetriever(options: FusionOptions): Retriever {
  const { mode = "reciprocal_rerank" } = options;
  const topK = checkedTopK(options.topK);
  if (!FUSION_MODES.includes(mode)) {
    throw new InvalidArgumentError("mode", mode, `unknown fusion mode "${mode}": known are ${FUSION_MODES.join(", ")}`);
  }
  const retrievers = namedRetrievers(options);
  return {
    async retrieve(query: string | QueryBundle, { signal }: CallOptions = {}) {
      const bundle = queryBundle(query);
      const stop = new AbortController();
      const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      try {
        const lists = await Promise.all(
          retrievers.map(async ({ retriever, ...list }) => ({
            ...list,
            nodes: await retriever.retrieve(bundle, { signal: either }),
          })),
        );
        return fuse(lists, mode, options.sameness).slice(0, topK);
      } finally {
        stop.abort();
      }
    },
  };
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
  normalizedWeights(named.map((item) => ({ ...item, nodes: [] })));
  return named;
}
