/**
 * Vectors in document order, one after the other in a section of their own that begins at a multiple of 8 and is read as a whole (so that
 * SIMD loads them from where they lie). Cosine vectors of floats are kept at unit length as Elasticsearch keeps them, with their length
 * beside them. Where the mapping asks for it, their quantised form stands in sections of its own, and is what searches read.
 */
import { illegalArgument } from "../errors.ts";
import type { Slices } from "../slices.ts";
import {
  correctionAfterMerge,
  mergedQuantizer,
  mustRequantize,
  quantize,
  quantizedScorer,
  quantizerOf,
  type ScalarQuantizer,
} from "../vectors/scalar-quantizer.ts";
import { scorerOver, vectorArray } from "../vectors/similarity.ts";
import {
  isQuantized,
  type StoredVector,
  storedLength,
  type VectorShape,
  type VectorSimilarity,
} from "../vectors/types.ts";
import { bytesOf, Float64Buffer, Uint32Buffer } from "./bytes.ts";
import { readColumn, writeColumn } from "./columns.ts";
import { type SectionData, type SegmentFile, sectionName } from "./file.ts";
import type { FieldMeta } from "./meta.ts";
import type { FieldInfo, VectorColumn } from "./types.ts";

/** DenseVectorFieldMapper.EPS: a squared length this near to 1 counts as unit length. */
const UNIT_TOLERANCE = Math.fround(1e-3);

/** The squared length in float32, summed in order, as DenseVectorFieldMapper sums it while it parses. */
export function squaredMagnitude(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum = Math.fround(sum + Math.fround(vector[i] * vector[i]));
  return sum;
}

/** Length by which a vector is divided before it is stored; 1 where it stays as it is. */
export function storedMagnitude(vector: StoredVector, similarity: VectorSimilarity): number {
  if (similarity !== "cosine" || vector instanceof Int8Array) return 1;
  const squared = squaredMagnitude(vector);
  return Math.abs(Math.fround(squared - 1)) > UNIT_TOLERANCE ? Math.fround(Math.sqrt(squared)) : 1;
}

/** Vectors of segments that are merged, in the order in which they are added. */
export interface MergedVectors {
  readonly column: StoredColumn;
  /** Ordinals of the vectors that stay. */
  readonly ords: Uint32Array;
}

export class VectorGatherer {
  readonly #name: string;
  readonly #length: number;
  readonly #docs = new Uint32Buffer();
  readonly #magnitudes = new Float64Buffer();
  #data: StoredVector;

  constructor(info: FieldInfo) {
    if (info.vector === undefined) throw new Error(`field [${info.name}] is not a vector field`);
    this.#name = info.name;
    this.#length = storedLength(info.vector);
    this.#data = vectorArray(info.vector.elementType, this.#length * 8);
  }

  get ramBytes(): number {
    return this.#data.byteLength + this.#docs.values.byteLength + this.#magnitudes.values.byteLength;
  }

  /** Adds a vector as it was given, and brings it to unit length where the similarity asks for it. */
  add(doc: number, vector: StoredVector, similarity: VectorSimilarity): void {
    const magnitude = storedMagnitude(vector, similarity);
    this.addStored(doc, vector, magnitude);
    if (magnitude === 1) return;
    const end = this.#docs.length * this.#length;
    for (let i = end - this.#length; i < end; i++) this.#data[i] /= magnitude;
  }

  /** Adds a vector in its stored form, as another segment has it. */
  addStored(doc: number, vector: StoredVector, magnitude: number): void {
    const { length } = this.#docs;
    const own = this.#length;
    if (vector.length !== own) {
      throw illegalArgument(`field [${this.#name}] has vectors of length ${own}, this one has ${vector.length}`);
    }
    if (length > 0 && this.#docs.values[length - 1] === doc) {
      throw illegalArgument(`field [${this.#name}] has two vectors in one document; a vector field holds one`);
    }
    const at = length * own;
    if (at + own > this.#data.length) {
      const grown = this.#data instanceof Int8Array ? new Int8Array(at * 2) : new Float32Array(at * 2);
      grown.set(this.#data);
      this.#data = grown;
    }
    this.#docs.push(doc);
    this.#magnitudes.push(magnitude);
    this.#data.set(vector, at);
  }

  /**
   * @param shape as the field is now
   * @param merged where the vectors come from, in their order, when segments are merged
   */
  async finish(
    shape: VectorShape,
    maxDoc: number,
    slices: Slices | undefined,
    merged?: readonly MergedVectors[],
  ): Promise<{ sections: SectionData[]; meta: FieldMeta["vectors"] }> {
    const docs = this.#docs.view();
    const data = this.#data.subarray(0, docs.length * this.#length) as StoredVector;
    const magnitudes = this.#magnitudes.view().some((length) => length !== 1);
    const { parts, meta } = writeColumn(docs, docs, "u32", maxDoc);
    const section = (part: string, bytes: Uint8Array): SectionData => ({
      name: sectionName(this.#name, part),
      parts: [bytes],
    });
    const sections = [
      section("vectors", bytesOf(data)),
      { name: sectionName(this.#name, "vector docs"), parts },
      ...(magnitudes ? [section("vector lengths", bytesOf(Float32Array.from(this.#magnitudes.view())))] : []),
    ];
    if (!isQuantized(shape) || data instanceof Int8Array) return { sections, meta: { ...meta, magnitudes } };
    const quantized = await quantizeAll(shape, data, slices, merged);
    sections.push(
      section("vector levels", bytesOf(quantized.levels)),
      section("vector corrections", bytesOf(quantized.corrections)),
    );
    return { sections, meta: { ...meta, magnitudes, quantizer: quantized.quantizer } };
  }
}

/** What searches read of quantised vectors. */
export interface QuantizedVectors {
  readonly quantizer: ScalarQuantizer;
  readonly levels: Int8Array;
  readonly corrections: Float32Array;
}

/**
 * Quantises vectors. In a merge, the quantiles are those of the segments as long as they agree, and so are the bytes
 * (Lucene99ScalarQuantizedVectorsWriter).
 */
async function quantizeAll(
  shape: VectorShape,
  data: Float32Array,
  slices: Slices | undefined,
  merged: readonly MergedVectors[] | undefined,
): Promise<QuantizedVectors> {
  const { dims } = shape;
  const size = data.length / dims;
  const euclidean = shape.similarity === "l2_norm";
  const pause = async () => {
    if (slices?.due()) await slices.pause();
  };
  const vector = (ord: number) => data.subarray(ord * dims, (ord + 1) * dims);
  const parts = merged?.map(({ column }) => ({ size: column.size, quantizer: column.quantized?.quantizer }));
  const quantizer =
    (parts && mergedQuantizer(parts)) ??
    (await quantizerOf({ size, vector }, dims, shape.index?.confidenceInterval, pause));
  const levels = new Int8Array(data.length);
  const corrections = new Float32Array(size);
  let ord = 0;
  const write = async () => {
    corrections[ord] = quantize(quantizer, vector(ord), euclidean, levels, ord * dims);
    ord++;
    if (ord % 64 === 0) await pause();
  };
  for (const { column, ords } of merged ?? []) {
    const own = column.quantized;
    if (own === undefined || mustRequantize(own.quantizer, quantizer)) {
      for (let i = 0; i < ords.length; i++) await write();
      continue;
    }
    for (const from of ords) {
      const kept = own.levels.subarray(from * dims, (from + 1) * dims);
      levels.set(kept, ord * dims);
      corrections[ord] = correctionAfterMerge(kept, own.quantizer, quantizer, euclidean);
      ord++;
      if (ord % 64 === 0) await pause();
    }
  }
  while (ord < size) await write();
  return { quantizer, levels, corrections };
}

/** What merging reads beside the contract. */
export interface StoredColumn extends VectorColumn {
  readonly quantized: QuantizedVectors | undefined;
  readonly extraBytes: number;
}

export function readVectors(file: SegmentFile, field: FieldMeta): StoredColumn | undefined {
  const meta = field.vectors;
  const shape = field.info.vector;
  if (meta === undefined || shape === undefined) return undefined;
  const { values, has, rank, extraBytes } = readColumn(file, sectionName(field, "vector docs"), meta);
  const docs = values as Uint32Array;
  const size = meta.docCount;
  const length = storedLength(shape);
  const magnitudes = meta.magnitudes
    ? file.view(sectionName(field, "vector lengths"), Float32Array, 0, size)
    : undefined;
  const bytes = shape.elementType === "byte" || shape.elementType === "bit";
  let data: StoredVector | undefined;
  let quantized: QuantizedVectors | undefined;
  const column: StoredColumn = {
    shape,
    size,
    doc: (ord) => docs[ord],
    ord: (doc) => (has(doc) ? rank(doc) : -1),
    get data() {
      const name = sectionName(field, "vectors");
      data ??= bytes ? file.view(name, Int8Array, 0, size * length) : file.view(name, Float32Array, 0, size * length);
      return data;
    },
    magnitude: (ord) => magnitudes?.[ord] ?? 1,
    get quantized() {
      if (meta.quantizer === undefined) return undefined;
      quantized ??= {
        quantizer: meta.quantizer,
        levels: file.view(sectionName(field, "vector levels"), Int8Array, 0, size * length),
        corrections: file.view(sectionName(field, "vector corrections"), Float32Array, 0, size),
      };
      return quantized;
    },
    scorer(query) {
      const own = column.quantized;
      return own
        ? quantizedScorer(shape, own.quantizer, own.levels, own.corrections, query as Float32Array)
        : scorerOver(shape, column.data, query);
    },
    extraBytes,
  };
  return column;
}
