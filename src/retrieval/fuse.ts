/**
 * Fusion: one list of several. The formulas are LlamaIndex's (QueryFusionRetriever), as pure functions; what a list does not hold adds
 * nothing. Nodes are never changed: each result is a new object, with the ranks it had.
 */
import { contentKey, InvalidArgumentError, type Node, type NodeWithScore, type Rank } from "../schema/index.ts";

/** The names of the ways to fuse lists. */
export const FUSION_MODES = ["reciprocal_rerank", "relative_score", "dist_based_score", "simple", "raw_sum"] as const;

/**
 * - `reciprocal_rerank`: the sum of 1 / (60 + rank), rank from 0 (Cormack, Clarke and Büttcher 2009, with LlamaIndex's rank);
 * - `relative_score`: each list's scores scaled to 0 … 1 by its smallest and largest, weighted and added;
 * - `dist_based_score`: the same, scaled by mean ± 3 standard deviations;
 * - `simple`: the largest raw score;
 * - `raw_sum`: the raw scores, weighted and added, which means something only where the lists' scores are of one scale (not LlamaIndex's).
 */
export type FusionMode = (typeof FUSION_MODES)[number];

/** The constant of reciprocal rank fusion: how little the first ranks stand out. */
export const RANK_CONSTANT = 60;

/** Modes in which a list's own scores decide how they count. */
const SCALED: readonly FusionMode[] = ["relative_score", "dist_based_score"];

/** Below it a standard deviation is rounding noise. */
const NO_DEVIATION = 1e-12;

/** A list of nodes with the name that `ranks` shows, and its weight. */
export interface NamedList {
  name: string;
  nodes: NodeWithScore[];
  /** Share of the list in `relative_score` and `dist_based_score`. Default: equal shares. */
  weight?: number;
  /** The question that was asked, where it was not the user's. */
  query?: string;
}

interface Fused {
  item: NodeWithScore;
  score: number | undefined;
  ranks: Rank[];
}

/**
 * Fuses lists into one, best first; equal scores stay in the order in which their nodes were first seen.
 * Two nodes are the same when text and metadata are, unless `sameness` says what tells them apart.
 */
export function fuse(
  lists: readonly NamedList[],
  mode: FusionMode,
  sameness: (node: Node) => string = contentKey,
  rankConstant = RANK_CONSTANT,
): NodeWithScore[] {
  const shares = normalizedWeights(lists);
  const fused = new Map<string, Fused>();
  lists.forEach((list, l) => {
    const scale = scaling(list.nodes, mode);
    for (const { item, rank } of ranked(list, mode)) {
      const part = mode === "reciprocal_rerank" ? 1 / (rankConstant + rank - 1) : scale(item.score ?? 0) * shares[l]!;
      add(fused, sameness(item.node), item, mode, part, {
        list: list.name,
        rank,
        ...(item.score === undefined ? {} : { score: item.score }),
        ...(item.similarity === undefined ? {} : { similarity: item.similarity }),
        ...(list.query === undefined ? {} : { query: list.query }),
      });
    }
  });
  return [...fused.values()]
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ item: { score: _, similarity: __, ...item }, score, ranks }) => ({
      ...item,
      ...(score === undefined ? {} : { score }),
      ranks,
    }));
}

function add(
  fused: Map<string, Fused>,
  key: string,
  item: NodeWithScore,
  mode: FusionMode,
  part: number,
  rank: Rank,
): void {
  const known = fused.get(key);
  if (!known) {
    fused.set(key, { item, score: mode === "simple" ? item.score : part, ranks: [rank] });
    return;
  }
  known.ranks.push(rank);
  if (mode === "simple") known.score = Math.max(known.score ?? 0, item.score ?? 0);
  else known.score! += part;
  // LlamaIndex's choice among objects of one content: the last where ranks count, else the first.
  if (mode === "reciprocal_rerank") known.item = item;
}

/**
 * The list's nodes with their ranks by score, from 1; a missing score counts as 0. In the order of the ranks where these count, else as
 * they came: this decides which of equal results was seen first.
 */
function ranked(list: NamedList, mode: FusionMode): { item: NodeWithScore; rank: number }[] {
  const places = list.nodes.map((item, place) => ({ item, place, rank: 0 }));
  places.sort((a, b) => (b.item.score ?? 0) - (a.item.score ?? 0));
  places.forEach((entry, i) => {
    entry.rank = i + 1;
  });
  return mode === "reciprocal_rerank" ? places : places.sort((a, b) => a.place - b.place);
}

/** How a list's raw scores become comparable. Of equal scores, all are 1 where they are above 0. */
function scaling(nodes: readonly NodeWithScore[], mode: FusionMode): (score: number) => number {
  if (!SCALED.includes(mode) || nodes.length === 0) return (score) => score;
  const scores = nodes.map((item) => item.score ?? 0);
  let low = scores.reduce((a, b) => Math.min(a, b));
  let high = scores.reduce((a, b) => Math.max(a, b));
  const equal = high > 0 ? 1 : 0;
  if (mode === "dist_based_score" && low !== high) {
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
    low = deviation < NO_DEVIATION ? high : mean - 3 * deviation;
    high = deviation < NO_DEVIATION ? high : mean + 3 * deviation;
  }
  if (low === high) return () => equal;
  return (score) => (score - low) / (high - low);
}

/** @throws InvalidArgumentError for weights that are negative, not numbers, or all zero */
export function normalizedWeights(lists: readonly Pick<NamedList, "weight">[]): number[] {
  const weights = lists.map((list) => list.weight ?? 1);
  if (weights.some((weight) => !Number.isFinite(weight) || weight < 0)) {
    throw new InvalidArgumentError("weights", weights, "weights must be numbers that are not negative");
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (lists.length > 0 && sum === 0) throw new InvalidArgumentError("weights", weights, "one weight must be above 0");
  return weights.map((weight) => weight / sum);
}
