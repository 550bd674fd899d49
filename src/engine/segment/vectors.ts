/**
 * Vectors: float32, in document order, one after the other in a section of their own that begins at a multiple of 8 and is read as a
 * whole (so that SIMD loads them from where they lie). Cosine vectors are kept at unit length as Elasticsearch keeps them, with their
 * length beside them.
 */
import { illegalArgument } from "../errors.ts";
import { bytesOf, Float64Buffer, Uint32Buffer } from "./bytes.ts";
import { readColumn, writeColumn } from "./columns.ts";
import { type SectionData, type SegmentFile, sectionName } from "./file.ts";
import type { FieldMeta } from "./meta.ts";
import type { FieldInfo, VectorColumn, VectorSimilarity } from "./types.ts";

/** DenseVectorFieldMapper.EPS: a squared length this near to 1 counts as unit length. */
const UNIT_TOLERANCE = Math.fround(1e-3);

/** The squared length in float32, summed in order, as DenseVectorFieldMapper sums it while it parses. */
export function squaredMagnitude(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum = Math.fround(sum + Math.fround(vector[i] * vector[i]));
  return sum;
}

/** Length by which a vector is divided before it is stored; 1 where it stays as it is. */
export function storedMagnitude(vector: ArrayLike<number>, similarity: VectorSimilarity): number {
  if (similarity !== "cosine") return 1;
  const squared = squaredMagnitude(vector);
  return Math.abs(Math.fround(squared - 1)) > UNIT_TOLERANCE ? Math.fround(Math.sqrt(squared)) : 1;
}

export class VectorGatherer {
  readonly #info: FieldInfo;
  readonly #dims: number;
  readonly #docs = new Uint32Buffer();
  readonly #magnitudes = new Float64Buffer();
  #data: Float32Array;

  constructor(info: FieldInfo) {
    if (info.vector === undefined) throw new Error(`field [${info.name}] is not a vector field`);
    this.#info = info;
    this.#dims = info.vector.dims;
    this.#data = new Float32Array(this.#dims * 8);
  }

  get ramBytes(): number {
    return this.#data.byteLength + this.#docs.values.byteLength + this.#magnitudes.values.byteLength;
  }

  /** Adds a vector as it was given, and brings it to unit length where the similarity asks for it. */
  add(doc: number, vector: Float32Array): void {
    const similarity = this.#info.vector?.similarity ?? "l2_norm";
    const magnitude = storedMagnitude(vector, similarity);
    this.addStored(doc, vector, magnitude);
    if (magnitude === 1) return;
    const end = this.#docs.length * this.#dims;
    for (let i = end - this.#dims; i < end; i++) this.#data[i] /= magnitude;
  }

  /** Adds a vector in its stored form, as another segment has it. */
  addStored(doc: number, vector: Float32Array, magnitude: number): void {
    const { length } = this.#docs;
    if (vector.length !== this.#dims) {
      throw illegalArgument(
        `field [${this.#info.name}] has vectors of ${this.#dims} dimensions, this one has ${vector.length}`,
      );
    }
    if (length > 0 && this.#docs.values[length - 1] === doc) {
      throw illegalArgument(`field [${this.#info.name}] has two vectors in one document; a vector field holds one`);
    }
    const at = length * this.#dims;
    if (at + this.#dims > this.#data.length) {
      const grown = new Float32Array(this.#data.length * 2);
      grown.set(this.#data);
      this.#data = grown;
    }
    this.#docs.push(doc);
    this.#magnitudes.push(magnitude);
    this.#data.set(vector, at);
  }

  finish(maxDoc: number): { sections: SectionData[]; meta: FieldMeta["vectors"] } {
    const { name } = this.#info;
    const docs = this.#docs.view();
    const data = this.#data.subarray(0, docs.length * this.#dims);
    const magnitudes = this.#magnitudes.view().some((length) => length !== 1);
    const { parts, meta } = writeColumn(docs, docs, "u32", maxDoc);
    const sections: SectionData[] = [
      { name: sectionName(name, "vectors"), parts: [bytesOf(data)] },
      { name: sectionName(name, "vector docs"), parts },
    ];
    if (magnitudes) {
      sections.push({
        name: sectionName(name, "vector lengths"),
        parts: [bytesOf(Float32Array.from(this.#magnitudes.view()))],
      });
    }
    return { sections, meta: { ...meta, magnitudes } };
  }
}

export function readVectors(
  file: SegmentFile,
  field: FieldMeta,
): (VectorColumn & { readonly extraBytes: number }) | undefined {
  const meta = field.vectors;
  const shape = field.info.vector;
  if (meta === undefined || shape === undefined) return undefined;
  const { values, has, rank, extraBytes } = readColumn(file, sectionName(field, "vector docs"), meta);
  const docs = values as Uint32Array;
  const size = meta.docCount;
  const magnitudes = meta.magnitudes
    ? file.view(sectionName(field, "vector lengths"), Float32Array, 0, size)
    : undefined;
  let data: Float32Array | undefined;
  return {
    dims: shape.dims,
    similarity: shape.similarity,
    size,
    doc: (ord) => docs[ord],
    ord: (doc) => (has(doc) ? rank(doc) : -1),
    get data() {
      data ??= file.view(sectionName(field, "vectors"), Float32Array, 0, size * shape.dims);
      return data;
    },
    magnitude: (ord) => magnitudes?.[ord] ?? 1,
    extraBytes,
  };
}
