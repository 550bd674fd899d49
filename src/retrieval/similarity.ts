/** What vectors' similarities were before Elasticsearch made scores of them. */
import type { estypes } from "@elastic/elasticsearch";

/** How vectors are compared; Elasticsearch's names. */
export type VectorSimilarity = "cosine" | "dot_product" | "l2_norm" | "max_inner_product";

/**
 * Undoes Elasticsearch's scaling: (1 + x) / 2 for cosine and dot product, 1 / (1 + d²) for the distance, and for the inner product x + 1, or
 * 1 / (1 − x) below 0.
 */
export function rawSimilarity(score: number, similarity: VectorSimilarity): number {
  switch (similarity) {
    case "cosine":
    case "dot_product":
      return 2 * score - 1;
    case "l2_norm":
      return Math.sqrt(Math.max(0, 1 / score - 1));
    case "max_inner_product":
      return score < 1 ? 1 - 1 / score : score - 1;
  }
}

/** Whether a request's scores are those of one comparison of vectors, and nothing else. */
export function scoresByVectors({ knn, query, rescore, sort, retriever }: estypes.SearchRequest): boolean {
  if (!knn || query || rescore || sort || retriever) return false;
  const all = [knn].flat();
  return all.length === 1 && (all[0]!.boost ?? 1) === 1;
}
