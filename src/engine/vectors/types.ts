/**
 * Vectors: how near two of them are, in the words and the float arithmetic of Lucene and Elasticsearch. Nothing here knows of segments:
 * `similarity.ts` turns raw comparisons into scores, `scalar-quantizer.ts` floats into bytes.
 */

export type VectorSimilarity = "cosine" | "dot_product" | "l2_norm" | "max_inner_product";
/** What a component is; a `bit` vector holds eight dimensions in each of its bytes. */
export type ElementType = "float" | "byte" | "bit";

/** A vector as it is stored: floats, or the bytes of `byte` and `bit` vectors. */
export type StoredVector = Float32Array | Int8Array;

/** How vectors are searched: the part of `index_options` that a segment is written by. */
export interface VectorIndexOptions {
  readonly type: "flat" | "int8_flat" | "hnsw" | "int8_hnsw";
  /** Links of a node of the graph (twice as many on the lowest level). */
  readonly m?: number;
  /** Nodes that are looked at to find the links of a new one. */
  readonly efConstruction?: number;
  /** Share of all components between the quantiles; undefined: by the number of dimensions. */
  readonly confidenceInterval?: number;
}

/** What a vector field is, the same for all of its vectors. */
export interface VectorShape {
  readonly dims: number;
  readonly similarity: VectorSimilarity;
  readonly elementType?: ElementType;
  /** Undefined where vectors are only kept (`index: false`), and in segments of older versions. */
  readonly index?: VectorIndexOptions;
}

/** Numbers that a vector of so many dimensions is stored in. */
export const storedLength = ({ dims, elementType }: VectorShape): number => (elementType === "bit" ? dims / 8 : dims);

export const isQuantized = ({ index }: VectorShape): boolean =>
  index?.type === "int8_flat" || index?.type === "int8_hnsw";

export const hasGraph = ({ index }: VectorShape): boolean => index?.type === "hnsw" || index?.type === "int8_hnsw";
