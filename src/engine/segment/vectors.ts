/**
 * Vectors in document order, one after the other in a section of their own that begins at a multiple of 8 and is read as a whole (so that
 * SIMD loads them from where they lie). Cosine vectors of floats are kept at unit length as Elasticsearch keeps them, with their length
 * beside them. Where the mapping asks for it, their quantised form stands in sections of its own, and is what searches read.
 */
import { illegalArgument } from "../errors.ts";
import type { Slices } from "../slices.ts";
import type { HnswGraph } from "../vectors/hnsw/graph.ts";
import {
  correctionAfterMerge,
  mergedQuantizer,
  mustRequantize,
  quantize,
  quantizerOf,
} from "../vectors/scalar-quantizer.ts";
import { vectorArray } from "../vectors/similarity.ts";
import { createSpace, type QuantizedVectors, type VectorSpace } from "../vectors/space.ts";
import {
  isQuantized,
  type StoredVector,
  storedLength,
  type VectorShape,
  type VectorSimilarity,
} from "../vectors/types.ts";
import { bytesOf, Float64Buffer, Uint32Buffer } from "./bytes.ts";
import { readColumn, writeColumn } from "./columns.ts";
import { crc32 } from "./crc32.ts";
import { type SectionData, type SegmentFile, sectionName } from "./file.ts";
import type { FieldMeta } from "./meta.ts";
import type { FieldInfo, VectorColumn } from "./types.ts";
import { graphMeta, graphOver, graphParts, readGraph } from "./vector-graph.ts";

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
    const quantized =
      isQuantized(shape) && data instanceof Float32Array ? await quantizeAll(shape, data, slices, merged) : undefined;
    if (quantized) {
      sections.push(
        section("vector levels", bytesOf(quantized.levels)),
        section("vector corrections", bytesOf(quantized.corrections)),
        section("vector checksums", bytesOf(await checksums(data as Float32Array, shape.dims, slices))),
      );
    }
    const graph = await graphOver(shape, quantized ?? data, slices, merged);
    if (graph) sections.push({ name: sectionName(this.#name, "vector graph"), parts: graphParts(graph) });
    return {
      sections,
      meta: {
        ...meta,
        magnitudes,
        ...(quantized ? { quantizer: quantized.quantizer } : {}),
        ...(graph ? { graph: graphMeta(graph) } : {}),
      },
    };
  }
}

/** A checksum of each vector: few are read one by one, without the section around them. */
async function checksums(data: Float32Array, dims: number, slices: Slices | undefined): Promise<Uint32Array> {
  const bytes = bytesOf(data);
  const width = dims * data.BYTES_PER_ELEMENT;
  const sums = new Uint32Array(data.length / dims);
  for (let ord = 0; ord < sums.length; ord++) {
    sums[ord] = crc32(bytes.subarray(ord * width, (ord + 1) * width));
    if (ord % 64 === 0 && slices?.due()) await slices.pause();
  }
  return sums;
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
  const sources = merged?.map(({ column, ords }) => ({ size: column.size, ords, own: column.quantized() })) ?? [];
  const parts = sources.map(({ own, size }) => ({ size, quantizer: own?.quantizer }));
  const quantizer =
    mergedQuantizer(parts) ?? (await quantizerOf({ size, vector }, dims, shape.index?.confidenceInterval, pause));
  const levels = new Int8Array(data.length);
  const corrections = new Float32Array(size);
  let ord = 0;
  const write = async () => {
    corrections[ord] = quantize(quantizer, vector(ord), euclidean, levels, ord * dims);
    ord++;
    if (ord % 64 === 0) await pause();
  };
  for (const { own, ords } of sources) {
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
  quantized(): QuantizedVectors | undefined;
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
  const isBytes = shape.elementType === "byte" || shape.elementType === "bit";
  let data: StoredVector | undefined;
  let space: VectorSpace | undefined;
  let graph: HnswGraph | undefined;
  let sums: Uint32Array | undefined;
  const view = (bytes: Uint8Array): StoredVector =>
    isBytes
      ? new Int8Array(bytes.buffer, bytes.byteOffset, size * length)
      : new Float32Array(bytes.buffer, bytes.byteOffset, size * length);
  const section = (part: string, bytesEach: number): Uint8Array => {
    const name = sectionName(field, part);
    const bytes = file.read(name);
    return bytes.length === size * bytesEach ? bytes : file.fail(name, "a section of another length");
  };
  const quantized = (): QuantizedVectors | undefined => {
    if (meta.quantizer === undefined) return undefined;
    const levels = section("vector levels", length);
    const corrections = section("vector corrections", 4);
    return {
      quantizer: meta.quantizer,
      levels: new Int8Array(levels.buffer, levels.byteOffset, levels.length),
      corrections: new Float32Array(corrections.buffer, corrections.byteOffset, size),
    };
  };
  return {
    shape,
    size,
    doc: (ord) => docs[ord],
    ord: (doc) => (has(doc) ? rank(doc) : -1),
    get data() {
      data ??= isBytes
        ? file.view(sectionName(field, "vectors"), Int8Array, 0, size * length)
        : file.view(sectionName(field, "vectors"), Float32Array, 0, size * length);
      return data;
    },
    magnitude: (ord) => magnitudes?.[ord] ?? 1,
    quantized,
    space() {
      // A copy in a memory of its own, beside which the bytes of the file are not kept.
      space ??= createSpace(shape, quantized() ?? view(section("vectors", isBytes ? length : length * 4)));
      return space;
    },
    graph() {
      if (meta.graph === undefined) return undefined;
      graph ??= readGraph(file, sectionName(field, "vector graph"), meta.graph);
      return graph;
    },
    unquantized(ord) {
      // Segments of before have no checksums.
      if (meta.quantizer === undefined || !file.has(sectionName(field, "vector checksums"))) return undefined;
      sums ??= file.view(sectionName(field, "vector checksums"), Uint32Array, 0, size);
      const bytes = file.part(sectionName(field, "vectors"), ord * length * 4, length * 4, sums[ord]);
      return new Float32Array(bytes.buffer, bytes.byteOffset, length);
    },
    get extraBytes() {
      return extraBytes + (space?.bytes ?? 0);
    },
  };
}
