/**
 * Measures of one ranking, as trec_eval computes them: a ranking is a list of document ids, best first; judgements say how relevant a
 * document is (above 0: relevant). What is not judged is not relevant. `k` cuts the ranking; a ranking shorter than `k` counts as filled with
 * documents that are not relevant. Where no document is relevant every measure is 0.
 */

/** Document id → relevance. */
export type Judgements = ReadonlyMap<string, number>;

/** Σ rel / log2(rank + 1) over the first k, over the same sum of the best possible ranking (trec_eval's `ndcg_cut`: linear gain). */
export function ndcg(ranking: readonly string[], judgements: Judgements, k = Number.POSITIVE_INFINITY): number {
  const gains = top(ranking, k).map((id) => relevance(judgements, id));
  const ideal = [...judgements.values()].filter((value) => value > 0).sort((a, b) => b - a);
  const best = discounted(ideal.slice(0, k));
  return best > 0 ? discounted(gains) / best : 0;
}

/** 1 / rank of the first relevant document among the first k (`recip_rank`), 0 where there is none. */
export function reciprocalRank(
  ranking: readonly string[],
  judgements: Judgements,
  k = Number.POSITIVE_INFINITY,
): number {
  const first = top(ranking, k).findIndex((id) => relevance(judgements, id) > 0);
  return first < 0 ? 0 : 1 / (first + 1);
}

/** Share of the relevant documents that are among the first k (`recall`). */
export function recall(ranking: readonly string[], judgements: Judgements, k = Number.POSITIVE_INFINITY): number {
  const relevant = relevantCount(judgements);
  return relevant === 0 ? 0 : found(ranking, judgements, k) / relevant;
}

/** Share of the first k that is relevant (`P`): divided by k, also when fewer were found. */
export function precision(ranking: readonly string[], judgements: Judgements, k = ranking.length): number {
  return k === 0 ? 0 : found(ranking, judgements, k) / k;
}

/** 1 when a relevant document is among the first k (`success`), else 0. */
export function hitRate(ranking: readonly string[], judgements: Judgements, k = Number.POSITIVE_INFINITY): number {
  return found(ranking, judgements, k) > 0 ? 1 : 0;
}

/** Mean, over all relevant documents, of the precision at their ranks; those beyond k count 0 (`map`, `map_cut`). */
export function averagePrecision(
  ranking: readonly string[],
  judgements: Judgements,
  k = Number.POSITIVE_INFINITY,
): number {
  const relevant = relevantCount(judgements);
  if (relevant === 0) return 0;
  let hits = 0;
  let sum = 0;
  top(ranking, k).forEach((id, i) => {
    if (relevance(judgements, id) > 0) sum += ++hits / (i + 1);
  });
  return sum / relevant;
}

/** The first k, each document once: what comes again is no second find. */
function top(ranking: readonly string[], k: number): string[] {
  return [...new Set(ranking)].slice(0, k);
}

function relevance(judgements: Judgements, id: string): number {
  return Math.max(0, judgements.get(id) ?? 0);
}

function relevantCount(judgements: Judgements): number {
  let count = 0;
  for (const value of judgements.values()) if (value > 0) count++;
  return count;
}

function found(ranking: readonly string[], judgements: Judgements, k: number): number {
  return top(ranking, k).filter((id) => relevance(judgements, id) > 0).length;
}

/** Σ gain / log2(rank + 1), rank from 1. */
function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

/** The harmonic mean of precision and recall over the first k (`set_F` where nothing is cut). */
export function f1(ranking: readonly string[], judgements: Judgements, k = ranking.length): number {
  const p = precision(ranking, judgements, k);
  const r = recall(ranking, judgements, k);
  return p + r === 0 ? 0 : (2 * p * r) / (p + r);
}

/** The recalls at which precision is interpolated: 0, 0.1 … 1. */
export const RECALL_LEVELS = Array.from({ length: 11 }, (_, i) => i / 10);

/**
 * For each level of recall the best precision at that recall or a later one (`iprec_at_recall`). A level asks for as many relevant documents
 * as trec_eval rounds it to: level × relevant + 0.9, cut off.
 */
export function interpolatedPrecision(ranking: readonly string[], judgements: Judgements): number[] {
  const relevant = relevantCount(judgements);
  const best: number[] = [];
  let hits = 0;
  top(ranking, ranking.length).forEach((id, i) => {
    if (relevance(judgements, id) > 0) best.push(++hits / (i + 1));
  });
  for (let i = best.length - 2; i >= 0; i--) best[i] = Math.max(best[i]!, best[i + 1]!);
  return RECALL_LEVELS.map((level) => best[Math.max(0, Math.floor(level * relevant + 0.9) - 1)] ?? 0);
}
