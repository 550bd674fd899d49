/**
 * The vectors of a segment where they can be compared: stored vectors or their quantised form, one after the other in a memory of kernels,
 * and behind them a place for a query. `near` values are what a search and a graph rank by: higher is nearer, as scores are.
 */
import { counted } from "../work.ts";
import { createKernels, type Kernels } from "./kernels.ts";
import { factorOf, quantize, type ScalarQuantizer } from "./scalar-quantizer.ts";
import { byteDotProductScore, floatScore, scaledInnerProduct } from "./similarity.ts";
import { type StoredVector, storedLength, type VectorShape } from "./types.ts";

const f = Math.fround;

/** Ranks vectors by their likeness to one of them, or to a query. */
export interface VectorScorer {
  /** Lucene's score of a vector. */
  score(ord: number): number;
}

export interface VectorSpace {
  readonly size: number;
  /** Bytes in memory. */
  readonly bytes: number;
  /** Likeness of two vectors of the space: their score, or what scores are made from. */
  near(a: number, b: number): number;
  /** @param query in the form of the stored vectors */
  scorer(query: StoredVector): VectorScorer;
}

export interface QuantizedVectors {
  readonly quantizer: ScalarQuantizer;
  readonly levels: Int8Array;
  readonly corrections: Float32Array;
}

/** Copies vectors into a space. */
export function createSpace(shape: VectorShape, vectors: StoredVector | QuantizedVectors): VectorSpace {
  const length = storedLength(shape);
  const data = isStored(vectors) ? vectors : vectors.levels;
  const width = data.BYTES_PER_ELEMENT;
  // Addresses of floats are multiples of 4; the query begins where the next vector would.
  const kernels = createKernels((data.length + length) * width);
  const memory = data instanceof Float32Array ? new Float32Array(kernels.buffer) : new Int8Array(kernels.buffer);
  memory.set(data);
  const space = { kernels, memory, shape, length, stride: length * width, size: data.length / length };
  const bytes = kernels.buffer.byteLength;
  const { size } = space;
  if (!isStored(vectors))
    return { size, bytes: bytes + vectors.corrections.byteLength, ...quantizedSpace(space, vectors) };
  if (shape.elementType === "bit") return { size, bytes, ...bitSpace(space) };
  return { size, bytes, ...(data instanceof Int8Array ? byteSpace(space) : floatSpace(space)) };
}

const isStored = (vectors: StoredVector | QuantizedVectors): vectors is StoredVector =>
  vectors instanceof Float32Array || vectors instanceof Int8Array;

interface Parts {
  readonly kernels: Kernels;
  readonly memory: StoredVector;
  readonly shape: VectorShape;
  readonly length: number;
  /** Bytes of a vector. */
  readonly stride: number;
  readonly size: number;
}

type Comparing = Pick<VectorSpace, "near" | "scorer">;

/** Compares what lies at an address with the vector of an ordinal. */
type Compare = (at: number, ord: number) => number;

/**
 * Scorers share the place behind the vectors: one that finds another's query there puts its own back (searches take turns between slices).
 */
function scorerAt(
  { memory, stride, size, length }: Parts,
  query: StoredVector,
  score: Compare,
  owner: Owner,
): VectorScorer {
  const at = size * stride;
  const own = {};
  return {
    score(ord) {
      if (counted !== undefined) counted.vectors++;
      if (owner.current !== own) {
        memory.set(query, size * length);
        owner.current = own;
      }
      return score(at, ord);
    },
  };
}

interface Owner {
  current: object | undefined;
}

function floatSpace(parts: Parts): Comparing {
  const { kernels, length, stride, shape } = parts;
  const { similarity } = shape;
  const compare = similarity === "l2_norm" ? kernels.distanceFloats : kernels.dotFloats;
  const score: Compare = (at, ord) => floatScore(similarity, compare(at, ord * stride, length));
  const owner: Owner = { current: undefined };
  return { near: (a, b) => score(a * stride, b), scorer: (query) => scorerAt(parts, query, score, owner) };
}

function byteSpace(parts: Parts): Comparing {
  const { kernels, length, stride, shape } = parts;
  const owner: Owner = { current: undefined };
  const score = byteScore(kernels, length, stride, shape);
  return { near: (a, b) => score(a * stride, b), scorer: (query) => scorerAt(parts, query, score, owner) };
}

function byteScore({ dotBytes, distanceBytes }: Kernels, length: number, stride: number, shape: VectorShape): Compare {
  switch (shape.similarity) {
    case "l2_norm":
      return (at, ord) => f(1 / f(1 + f(distanceBytes(at, ord * stride, length))));
    case "dot_product":
      return (at, ord) => byteDotProductScore(dotBytes(at, ord * stride, length), shape.dims);
    case "max_inner_product":
      return (at, ord) => scaledInnerProduct(f(dotBytes(at, ord * stride, length)));
    case "cosine":
      return (at, ord) => {
        const other = ord * stride;
        const lengths = dotBytes(at, at, length) * dotBytes(other, other, length);
        return f(f(1 + f(dotBytes(at, other, length) / Math.sqrt(lengths))) / 2);
      };
  }
}

/** Lucene's Hamming distance: the share of dimensions that are alike. */
function bitSpace(parts: Parts): Comparing {
  const { memory, shape, length } = parts;
  const { dims } = shape;
  const score: Compare = (at, ord) => {
    const other = ord * length;
    let different = 0;
    for (let i = 0; i < length; i++) {
      for (let bits = (memory[at + i] ^ memory[other + i]) & 0xff; bits !== 0; bits &= bits - 1) different++;
    }
    return f((dims - different) / dims);
  };
  const owner: Owner = { current: undefined };
  return { near: (a, b) => score(a * length, b), scorer: (query) => scorerAt(parts, query, score, owner) };
}

/** ScalarQuantizedVectorSimilarity */
function quantizedSpace(parts: Parts, { quantizer, corrections }: QuantizedVectors): Comparing {
  const { kernels, length, stride, shape } = parts;
  const { dotBytes, distanceBytes } = kernels;
  const { similarity } = shape;
  const factor = factorOf(quantizer);
  const owner: Owner = { current: undefined };
  const euclidean = similarity === "l2_norm";
  const scoreWith = (correction: number): Compare => {
    if (euclidean) return (at, ord) => f(1 / f(1 + f(distanceBytes(at, ord * stride, length) * factor)));
    const product: Compare = (at, ord) =>
      f(f(f(dotBytes(at, ord * stride, length) * factor) + correction) + corrections[ord]);
    if (similarity === "max_inner_product") return (at, ord) => scaledInnerProduct(product(at, ord));
    return (at, ord) => Math.max(f(f(1 + product(at, ord)) / 2), 0);
  };
  return {
    near: euclidean
      ? (a, b) => -distanceBytes(a * stride, b * stride, length)
      : (a, b) => dotBytes(a * stride, b * stride, length) * factor + corrections[a] + corrections[b],
    scorer(query) {
      const levels = new Int8Array(length);
      const correction = quantize(quantizer, query as Float32Array, euclidean, levels);
      return scorerAt(parts, levels, scoreWith(correction), owner);
    },
  };
}
