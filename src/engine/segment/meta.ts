/** What a segment's table of contents says beside the places of its sections. */
import type { ScalarQuantizer } from "../vectors/scalar-quantizer.ts";
import type { FieldInfo } from "./types.ts";

/** How the numbers of a column are stored, by what is in it. */
export type NumberStorage = "i8" | "i16" | "i32" | "f64" | "i64" | "u8" | "u16" | "u32";

/** Layout of a column: values by rank of their document, offsets where a document may have several, a bit for each document that has one. */
export interface ColumnMeta {
  readonly storage: NumberStorage;
  readonly docCount: number;
  readonly valueCount: number;
  /** At most one value a document: no offsets. */
  readonly single: boolean;
  /** Every document has a value: no bits. */
  readonly dense: boolean;
}

export interface TermsMeta {
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  /** Number of terms. */
  readonly size: number;
  /** Blocks of the terms that have more than one. */
  readonly blocks: number;
}

export interface PointsMeta {
  readonly storage: NumberStorage;
  readonly docStorage: NumberStorage;
  readonly size: number;
  readonly docCount: number;
}

export interface FieldMeta {
  readonly info: FieldInfo;
  readonly terms?: TermsMeta;
  /** "sparse": documents and bytes of those that have the field; "dense": a byte for each document. */
  readonly norms?: { readonly layout: "dense" | "sparse"; readonly count: number };
  readonly numeric?: ColumnMeta;
  /** `shared`: the terms of the column are those of the inverted field, whose dictionary serves both. */
  readonly ordinals?: ColumnMeta & { readonly shared: boolean };
  readonly points?: PointsMeta;
  /** A column whose only value is the vector's place. */
  readonly vectors?: ColumnMeta & {
    /** Lengths are kept, for cosine. */
    readonly magnitudes: boolean;
    /** Where searches read bytes. */
    readonly quantizer?: ScalarQuantizer;
    /** Where there is one: its entry, and how many nodes and links each level has, from the lowest on. */
    readonly graph?: {
      readonly entry: number;
      readonly levels: readonly { readonly nodes: number; readonly links: number }[];
    };
  };
}

export interface SegmentMeta {
  readonly maxDoc: number;
  /** Root documents. */
  readonly rootCount: number;
  readonly seqNo: NumberStorage;
  readonly version: NumberStorage;
  readonly fields: readonly FieldMeta[];
}
