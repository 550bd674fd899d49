/**
 * How the lists of a compound retriever become one: the formulas of Elasticsearch's `rrf`, `linear` and `text_similarity_reranker`, in float32
 * as there. They know nothing of an engine, so that what a cluster's licence lacks is computed beside it in the same way.
 */

const f32 = Math.fround;

/** A hit of a list: its place among all documents, by which equal scores are ordered, and its score; NaN where it has none. */
export interface RankedHit {
  /** The number of its shard. */
  readonly shard: number;
  /** Its place within the shard. */
  readonly doc: number;
  readonly score: number;
}

/** A hit of the fused list, and what each list said of it. */
export interface FusedHit<Part> extends RankedHit {
  /** By list; undefined where a list does not hold it. */
  readonly parts: readonly (Part | undefined)[];
}

/** Best first; then by shard and place (RankDoc.compareTo). */
export function compareHits(a: RankedHit, b: RankedHit): number {
  return b.score - a.score || a.shard - b.shard || a.doc - b.doc;
}

/** Adds up what each list gives its hits. @param window how many are kept */
function fuse<Hit extends RankedHit, Part extends { readonly score: number }>(
  lists: readonly (readonly Hit[])[],
  window: number,
  partsOf: (list: readonly Hit[], at: number) => readonly Part[],
): (FusedHit<Part> & Omit<Hit, "score">)[] {
  const found = new Map<string, { hit: Hit; score: number; parts: (Part | undefined)[] }>();
  for (const [at, list] of lists.entries()) {
    const parts = partsOf(list, at);
    for (const [i, hit] of list.entries()) {
      const key = `${hit.shard} ${hit.doc}`;
      let known = found.get(key);
      if (!known) {
        known = { hit, score: 0, parts: lists.map(() => undefined) };
        found.set(key, known);
      }
      known.score = f32(known.score + parts[i].score);
      known.parts[at] = parts[i];
    }
  }
  return [...found.values()]
    .map(({ hit, score, parts }) => ({ ...hit, score, parts }))
    .sort(compareHits)
    .slice(0, window);
}

/** A ranked document stands before those that only match, whatever it scores (RankDocsQuery). */
export const rankedScore = (score: number): number => Math.max(score, LEAST_POSITIVE);

/** A rank in a list, from 1, and what it adds. */
export interface RankPart {
  readonly rank: number;
  readonly score: number;
}

export const reciprocalRank = (rank: number, constant: number): number => f32(1 / f32(rank + constant));

/** The sum of 1 / (rank constant + rank), rank from 1 (RRFRetrieverBuilder; Cormack, Clarke and Büttcher 2009). */
export function reciprocalRankFusion<Hit extends RankedHit>(
  lists: readonly (readonly Hit[])[],
  { constant, window }: { readonly constant: number; readonly window: number },
) {
  return fuse(lists, window, (list): RankPart[] =>
    list.map((_, i) => ({ rank: i + 1, score: reciprocalRank(i + 1, constant) })),
  );
}

export const NORMALIZERS = ["none", "minmax", "l2_norm"] as const;

export type Normalizer = (typeof NORMALIZERS)[number];

/** Scores nearer to each other than this are the same. */
const EPSILON = f32(1e-6);
/** Java's Float.MIN_VALUE and Float.MAX_VALUE. */
export const LEAST_POSITIVE = 2 ** -149;
const LARGEST = (2 - 2 ** -23) * 2 ** 127;

/** A list's scores as they are compared with those of others. NaN stays. */
export function normalizeScores(scores: readonly number[], normalizer: Normalizer): readonly number[] {
  if (normalizer === "none" || scores.every(Number.isNaN)) return scores;
  if (normalizer === "minmax") {
    // The greatest starts from the least positive float, as there.
    let [min, max] = [LARGEST, LEAST_POSITIVE];
    for (const score of scores) {
      if (score > max) max = score;
      if (score < min) min = score;
    }
    if (Math.abs(f32(min - max)) < EPSILON) return scores.map(() => 1);
    return scores.map((score) => f32(f32(score - min) / f32(max - min)));
  }
  const squares = scores.reduce((sum, score) => (Number.isNaN(score) ? sum : sum + f32(score * score)), 0);
  const norm = Math.sqrt(squares);
  return norm < EPSILON ? scores : scores.map((score) => f32(score / norm));
}

export interface WeighedList {
  readonly weight: number;
  readonly normalizer: Normalizer;
}

/** A normalized score, and what it adds. */
export interface WeighedPart {
  readonly normalized: number;
  readonly score: number;
}

/** The sum of weight times normalized score; a hit without a score adds nothing (LinearRetrieverBuilder). */
export function linearFusion<Hit extends RankedHit>(
  lists: readonly (readonly Hit[])[],
  weighed: readonly WeighedList[],
  window: number,
) {
  return fuse(lists, window, (list, at): WeighedPart[] => {
    const { weight, normalizer } = weighed[at];
    const scores = normalizeScores(
      list.map(({ score }) => score),
      normalizer,
    );
    return scores.map((normalized) => ({
      normalized,
      score: Number.isNaN(normalized) ? 0 : f32(f32(weight) * normalized),
    }));
  });
}

/** A model's relevance as a score, which is never negative: above 0 it comes to lie above 1, the others between 0 and 1. */
export function rerankedScore(relevance: number): number {
  const score = f32(relevance);
  return f32(Math.max(score, 0) + Math.min(f32(Math.exp(score)), 1));
}

/** Hits by a model's relevance; what stays below `minScore` is left out. @param relevance of each hit, in their order */
export function rerankedHits<Hit extends RankedHit>(
  hits: readonly Hit[],
  relevance: readonly number[],
  { window, minScore = Number.NEGATIVE_INFINITY }: { readonly window: number; readonly minScore?: number | undefined },
): Hit[] {
  return hits
    .map((hit, i) => ({ ...hit, score: f32(relevance[i]) }))
    .filter(({ score }) => score >= minScore)
    .map((hit) => ({ ...hit, score: rerankedScore(hit.score) }))
    .sort(compareHits)
    .slice(0, window);
}
