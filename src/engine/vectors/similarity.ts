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

/** Compares one vector with those that lie one after the other in an array. */
export interface VectorScorer {
  score(ord: number): number;
}

/** @param data stored vectors, one after the other */
export function scorerOver(shape: VectorShape, data: StoredVector, query: StoredVector): VectorScorer {
  return data instanceof Int8Array
    ? byteScorer(shape, data, query as Int8Array)
    : floatScorer(shape.similarity, data, query as Float32Array);
}

function floatScorer(similarity: VectorSimilarity, data: Float32Array, query: Float32Array): VectorScorer {
  const { length } = query;
  const compare = similarity === "l2_norm" ? squaredDistance : dotProduct;
  return { score: (ord) => floatScore(similarity, compare(data, ord * length, query, length)) };
}

function byteScorer(shape: VectorShape, data: Int8Array, query: Int8Array): VectorScorer {
  const { length } = query;
  const { dims, similarity } = shape;
  if (shape.elementType === "bit") {
    return { score: (ord) => f((dims - differentBits(data, ord * length, query, length)) / dims) };
  }
  switch (similarity) {
    case "l2_norm":
      return { score: (ord) => f(1 / f(1 + f(byteSquaredDistance(data, ord * length, query, length)))) };
    case "dot_product":
      return { score: (ord) => byteDotProductScore(byteDotProduct(data, ord * length, query, length), dims) };
    case "max_inner_product":
      return { score: (ord) => scaledInnerProduct(f(byteDotProduct(data, ord * length, query, length))) };
    case "cosine": {
      const own = byteDotProduct(query, 0, query, length);
      return {
        score(ord) {
          const at = ord * length;
          let product = 0;
          let other = 0;
          for (let i = 0; i < length; i++) {
            const value = data[at + i];
            product += value * query[i];
            other += value * value;
          }
          return f(f(1 + f(product / Math.sqrt(own * other))) / 2);
        },
      };
    }
  }
}

/** Four sums side by side, which the processor adds at once. */
export function dotProduct(data: Float32Array, at: number, vector: Float32Array, length: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (const end = length - 3; i < end; i += 4) {
    a += data[at + i] * vector[i];
    b += data[at + i + 1] * vector[i + 1];
    c += data[at + i + 2] * vector[i + 2];
    d += data[at + i + 3] * vector[i + 3];
  }
  for (; i < length; i++) a += data[at + i] * vector[i];
  return a + b + (c + d);
}

export function squaredDistance(data: Float32Array, at: number, vector: Float32Array, length: number): number {
  let a = 0;
  let b = 0;
  let i = 0;
  for (const end = length - 1; i < end; i += 2) {
    const x = data[at + i] - vector[i];
    const y = data[at + i + 1] - vector[i + 1];
    a += x * x;
    b += y * y;
  }
  for (; i < length; i++) a += (data[at + i] - vector[i]) ** 2;
  return a + b;
}

export function byteDotProduct(data: Int8Array, at: number, vector: Int8Array, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += data[at + i] * vector[i];
  return sum;
}

export function byteSquaredDistance(data: Int8Array, at: number, vector: Int8Array, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) {
    const difference = data[at + i] - vector[i];
    sum += difference * difference;
  }
  return sum;
}

/** Hamming distance. */
function differentBits(data: Int8Array, at: number, vector: Int8Array, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) {
    let bits = (data[at + i] ^ vector[i]) & 0xff;
    for (; bits !== 0; bits &= bits - 1) sum++;
  }
  return sum;
}

/** An array for vectors of a kind. */
export function vectorArray(elementType: ElementType | undefined, length: number): StoredVector {
  return elementType === "byte" || elementType === "bit" ? new Int8Array(length) : new Float32Array(length);
}
