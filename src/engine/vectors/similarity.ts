/** From a raw comparison of two vectors to a score (Lucene's VectorSimilarityFunction and VectorUtil), in float32. */
import type { ElementType, StoredVector, VectorShape, VectorSimilarity } from "./types.ts";

const f = Math.fround;

/** VectorUtil.scaleMaxInnerProductScore: below 0 an inverse, so that scores are never negative. */
export function scaledInnerProduct(product: number): number {
  return product < 0 ? f(1 / f(1 - product)) : f(product + 1);
}

/** Score of floats: cosine and dot product to 0 … 1, a squared distance to its inverse. @param raw product, or squared distance */
export function floatScore(similarity: VectorSimilarity, raw: number): number {
  const value = f(raw);
  switch (similarity) {
    case "cosine":
    case "dot_product":
      return Math.max(f(f(1 + value) / 2), 0);
    case "l2_norm":
      return f(1 / f(1 + value));
    case "max_inner_product":
      return scaledInnerProduct(value);
  }
}

/** VectorUtil.dotProductScore: bytes are not of unit length, so that their product is scaled by the largest possible. */
export const byteDotProductScore = (product: number, dims: number): number =>
  f(0.5 + f(f(product) / f(dims * (1 << 15))));

/** The score that a `similarity` threshold of a request means (VectorSimilarity.score in DenseVectorFieldMapper). */
export function thresholdScore({ similarity, elementType, dims }: VectorShape, threshold: number): number {
  const least = f(threshold);
  if (elementType === "bit") return f(f(dims - least) / dims);
  if (similarity === "l2_norm") return f(1 / f(1 + f(least * least)));
  if (similarity === "max_inner_product") return scaledInnerProduct(least);
  if (similarity === "dot_product" && elementType === "byte") return byteDotProductScore(least, dims);
  return f(f(1 + least) / 2);
}

/** An array for vectors of a kind. */
export function vectorArray(elementType: ElementType | undefined, length: number): StoredVector {
  return elementType === "byte" || elementType === "bit" ? new Int8Array(length) : new Float32Array(length);
}
