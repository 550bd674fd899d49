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

/** Most vectors that are compared in one go; not more than a space has, rounded up to four. */
export const BATCH = 1024;

/** What is compared in one go: whoever wants it fills in ordinals, and reads the results before anything else is compared. */
export interface Batch {
  readonly ords: Int32Array;
  readonly results: Float64Array;
}

/** Ranks vectors by their likeness to one of them, or to a query. */
export interface VectorScorer {
  /** Lucene's score of a vector. */
  score(ord: number): number;
  readonly batch: Batch;
  /** The scores of the first `count` ordinals of the batch. */
  scoreBatch(count: number): void;
}

export interface VectorSpace {
  readonly size: number;
  /** Bytes in memory. */
  readonly bytes: number;
  /** Likeness of two vectors of the space: their score, or what scores are made from. */
  near(a: number, b: number): number;
  readonly batch: Batch;
  /** The likeness of a vector and each of the first `count` ordinals of the batch. */
  nearBatch(a: number, count: number): void;
  /** @param query in the form of the stored vectors */
  scorer(query: StoredVector): VectorScorer;
}

export interface QuantizedVectors {
  readonly quantizer: ScalarQuantizer;
  readonly levels: Int8Array;
  readonly corrections: Float32Array;
}

/** Of all spaces: results are read before anything else is compared. */
const results = new Float64Array(BATCH);

/** Copies vectors into a space. */
export function createSpace(shape: VectorShape, vectors: StoredVector | QuantizedVectors): VectorSpace {
  const length = storedLength(shape);
  const data = isStored(vectors) ? vectors : vectors.levels;
  const width = data.BYTES_PER_ELEMENT;
  // Addresses of floats are multiples of 4; the query begins where the next vector would, and behind it lists and results of batches.
  const listAt = ((data.length + length) * width + 3) & ~3;
  const size = data.length / length;
  const most = Math.min(BATCH, (size + 3) & ~3);
  const kernels = createKernels(listAt + 2 * most * 4);
  const memory = data instanceof Float32Array ? new Float32Array(kernels.buffer) : new Int8Array(kernels.buffer);
  memory.set(data);
  const { buffer } = kernels;
  const batch: Batch = { ords: new Int32Array(buffer, listAt, most), results };
  const parts: Parts = { kernels, memory, shape, length, stride: length * width, size, listAt, batch };
  const own = { size, bytes: buffer.byteLength, batch };
  if (!isStored(vectors))
    return { ...own, bytes: own.bytes + vectors.corrections.byteLength, ...quantizedSpace(parts, vectors) };
  if (shape.elementType === "bit") return { ...own, ...bitSpace(parts) };
  return { ...own, ...(data instanceof Int8Array ? byteSpace(parts) : floatSpace(parts)) };
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
  /** Where the batch's ordinals lie, and behind them the raw results. */
  readonly listAt: number;
  readonly batch: Batch;
}

type Comparing = Pick<VectorSpace, "near" | "nearBatch" | "scorer">;

/** Compares what lies at an address with vectors. */
interface Compare {
  /** @returns likeness to the vector of an ordinal */
  one(at: number, ord: number): number;
  /** Likeness to the first so many of the batch. */
  batch(at: number, count: number): void;
}

type RawList = Kernels["dotFloatLists"];
type FinishBatch = (out: Float32Array | Int32Array, batch: Batch, count: number) => void;

/**
 * @param finish from a raw result to a likeness
 * @param finishBatch the same of so many; by default one by one, each with a call that the compiler does not inline
 */
function comparing(
  { stride, length, listAt, batch, kernels }: Parts,
  raw: (a: number, b: number, n: number) => number,
  list: RawList,
  finish: (raw: number, ord: number) => number,
  finishBatch: FinishBatch = (out, { ords, results }, count) => {
    for (let i = 0; i < count; i++) results[i] = finish(out[i], ords[i]);
  },
): Compare {
  const { ords } = batch;
  const outAt = listAt + ords.byteLength;
  const Out = list === kernels.dotFloatLists || list === kernels.distanceFloatLists ? Float32Array : Int32Array;
  const out = new Out(kernels.buffer, outAt, ords.length);
  return {
    one: (at, ord) => finish(raw(at, ord * stride, length), ord),
    batch(at, count) {
      let padded = count;
      while ((padded & 3) !== 0) ords[padded++] = 0;
      list(at, listAt, padded, 0, stride, length, outAt);
      finishBatch(out, batch, count);
    },
  };
}

/** For what has no kernels for lists. */
function oneByOne({ ords, results }: Batch, one: Compare["one"]): Compare {
  return {
    one,
    batch(at, count) {
      for (let i = 0; i < count; i++) results[i] = one(at, ords[i]);
    },
  };
}

/**
 * Scorers share the place behind the vectors: one that finds another's query there puts its own back (searches take turns between slices).
 */
function scorerAt({ memory, stride, size, length, batch }: Parts, query: StoredVector, compare: Compare, owner: Owner) {
  const at = size * stride;
  const own = {};
  const take = () => {
    memory.set(query, size * length);
    owner.current = own;
  };
  return {
    batch,
    score(ord: number) {
      if (counted !== undefined) counted.vectors++;
      if (owner.current !== own) take();
      return compare.one(at, ord);
    },
    scoreBatch(count: number) {
      if (counted !== undefined) counted.vectors += count;
      if (owner.current !== own) take();
      compare.batch(at, count);
    },
  };
}

interface Owner {
  current: object | undefined;
}

/** A space where vectors are compared with each other as with a query. */
function plainSpace(parts: Parts, compare: Compare): Comparing {
  const owner: Owner = { current: undefined };
  return {
    near: (a, b) => compare.one(a * parts.stride, b),
    nearBatch: (a, count) => compare.batch(a * parts.stride, count),
    scorer: (query) => scorerAt(parts, query, compare, owner),
  };
}

function floatSpace(parts: Parts): Comparing {
  const { kernels, shape } = parts;
  const { similarity } = shape;
  const [raw, list] =
    similarity === "l2_norm"
      ? [kernels.distanceFloats, kernels.distanceFloatLists]
      : [kernels.dotFloats, kernels.dotFloatLists];
  return plainSpace(
    parts,
    comparing(parts, raw, list, (value) => floatScore(similarity, value)),
  );
}

function byteSpace(parts: Parts): Comparing {
  const { kernels, length, stride, shape, batch } = parts;
  const { dotBytes, distanceBytes, dotByteLists, distanceByteLists } = kernels;
  const { dims } = shape;
  switch (shape.similarity) {
    case "l2_norm":
      return plainSpace(
        parts,
        comparing(parts, distanceBytes, distanceByteLists, (raw) => f(1 / f(1 + f(raw)))),
      );
    case "dot_product":
      return plainSpace(
        parts,
        comparing(parts, dotBytes, dotByteLists, (raw) => byteDotProductScore(raw, dims)),
      );
    case "max_inner_product":
      return plainSpace(
        parts,
        comparing(parts, dotBytes, dotByteLists, (raw) => scaledInnerProduct(f(raw))),
      );
    case "cosine":
      return plainSpace(
        parts,
        oneByOne(batch, (at, ord) => {
          const other = ord * stride;
          const lengths = dotBytes(at, at, length) * dotBytes(other, other, length);
          return f(f(1 + f(dotBytes(at, other, length) / Math.sqrt(lengths))) / 2);
        }),
      );
  }
}

/** Lucene's Hamming distance: the share of dimensions that are alike. */
function bitSpace(parts: Parts): Comparing {
  const { memory, shape, length, batch } = parts;
  const { dims } = shape;
  return plainSpace(
    parts,
    oneByOne(batch, (at, ord) => {
      const other = ord * length;
      let different = 0;
      for (let i = 0; i < length; i++) {
        for (let bits = (memory[at + i] ^ memory[other + i]) & 0xff; bits !== 0; bits &= bits - 1) different++;
      }
      return f((dims - different) / dims);
    }),
  );
}

/** ScalarQuantizedVectorSimilarity */
function quantizedSpace(parts: Parts, { quantizer, corrections }: QuantizedVectors): Comparing {
  const { kernels, length, stride, shape } = parts;
  const { dotBytes, distanceBytes, dotByteLists, distanceByteLists } = kernels;
  const { similarity } = shape;
  const factor = factorOf(quantizer);
  const owner: Owner = { current: undefined };
  const euclidean = similarity === "l2_norm";
  const byDistance = (finish: (raw: number) => number) => comparing(parts, distanceBytes, distanceByteLists, finish);
  const byProduct = (finish: (raw: number, ord: number) => number, finishBatch?: FinishBatch) =>
    comparing(parts, dotBytes, dotByteLists, finish, finishBatch);
  const scoreWith = (correction: number): Compare => {
    if (euclidean) return byDistance((raw) => f(1 / f(1 + f(raw * factor))));
    const product = (raw: number, ord: number) => f(f(f(raw * factor) + correction) + corrections[ord]);
    if (similarity === "max_inner_product") return byProduct((raw, ord) => scaledInnerProduct(product(raw, ord)));
    return byProduct(
      (raw, ord) => Math.max(f(f(1 + product(raw, ord)) / 2), 0),
      (out, { ords, results }, count) => {
        for (let i = 0; i < count; i++) {
          const sum = f(f(f(out[i] * factor) + correction) + corrections[ords[i]]);
          results[i] = Math.max(f(f(1 + sum) / 2), 0);
        }
      },
    );
  };
  // Of the vector that is compared with others.
  let own = 0;
  const near = euclidean
    ? byDistance((raw) => -raw)
    : byProduct(
        (raw, ord) => raw * factor + own + corrections[ord],
        (out, { ords, results }, count) => {
          const correction = own;
          for (let i = 0; i < count; i++) results[i] = out[i] * factor + correction + corrections[ords[i]];
        },
      );
  const at = (a: number) => {
    own = corrections[a];
    return a * stride;
  };
  return {
    near: (a, b) => near.one(at(a), b),
    nearBatch: (a, count) => near.batch(at(a), count),
    scorer(query) {
      const levels = new Int8Array(length);
      const correction = quantize(quantizer, query as Float32Array, euclidean, levels);
      return scorerAt(parts, levels, scoreWith(correction), owner);
    },
  };
}
