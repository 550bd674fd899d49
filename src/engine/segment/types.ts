/**
 * Segments: immutable, column-shaped parts of an index. Document numbers are small integers local to a segment.
 * A root document follows its nested documents directly (Lucene's block join).
 */

import type { HnswGraph } from "../vectors/hnsw/graph.ts";
import type { VectorSpace } from "../vectors/space.ts";
import type { StoredVector, VectorShape } from "../vectors/types.ts";

import type { Tokens } from "./tokens.ts";

export type { VectorSimilarity } from "../vectors/types.ts";

/** How the terms of a field are recorded, as Lucene's IndexOptions. */
export type IndexOptions = "none" | "docs" | "freqs" | "positions";
export type NumberKind = "long" | "double";

/** What a field keeps in a segment. The same name has the same FieldInfo in all segments of an index, apart from parts that came later. */
export interface FieldInfo {
  readonly name: string;
  readonly index: IndexOptions;
  /** One-byte lengths (Lucene's SmallFloat.intToByte4), for fields with index "freqs", "positions" or "docs" that score by length. */
  readonly norms: boolean;
  /** Terms have weights in place of frequencies: whole numbers, one for each document. */
  readonly weights?: true;
  /** "long" and "double" columns are sorted-numeric (several values a document, ascending); "ordinals" is a sorted set of strings. */
  readonly docValues: "none" | NumberKind | "ordinals";
  /** Sorted points for ranges. */
  readonly points: "none" | NumberKind;
  readonly vector?: VectorShape;
}

/** The values of one document for a segment, made by the mapping. Text is analysed already: nothing here can fail later. */
export interface LuceneDoc {
  /** Path of the nested object that this document is, or undefined for a root document. The segment has it as a term of `_nested_path`. */
  readonly nestedPath?: string;
  readonly fields: readonly IndexableField[];
}

export type IndexableField =
  | {
      readonly kind: "terms";
      readonly field: FieldInfo;
      /** The tokens in order (all values of the field, gaps in the positions). */
      readonly terms: readonly string[];
      /** Ascending absolute positions beside `terms`; left out when positions are not indexed. */
      readonly positions?: readonly number[];
      /** Of fields with weights: those of `terms`, ascending. */
      readonly weights?: readonly number[];
      /** Length for the norm: tokens whose position increment is above 0. */
      readonly length: number;
    }
  /** The tokens of texts, in a form that takes little room until a segment is built. `length` as above. */
  | { readonly kind: "tokens"; readonly field: FieldInfo; readonly tokens: Tokens; readonly length: number }
  /** Doc values and points of a number, date, boolean or ip field; `long` values are bigint when beyond 2^53. */
  | { readonly kind: "numbers"; readonly field: FieldInfo; readonly values: readonly (number | bigint)[] }
  | { readonly kind: "ordinals"; readonly field: FieldInfo; readonly values: readonly string[] }
  | { readonly kind: "vector"; readonly field: FieldInfo; readonly vector: StoredVector };

/** A root document and its nested ones (in `docs`, the root last), with what identifies it. */
export interface DocBlock {
  readonly id: string;
  readonly seqNo: number;
  readonly version: number;
  readonly docs: readonly LuceneDoc[];
}

/** No more documents. */
export const NO_MORE_DOCS = 0x7fffffff;

/** Walks over documents in ascending order; starts before the first (docID -1). */
export interface DocIterator {
  docID(): number;
  nextDoc(): number;
  /** To the first document at or after `target` (which is after the current one). */
  advance(target: number): number;
  /** An upper bound of the number of documents. */
  cost(): number;
}

/**
 * The postings of one term, block by block (128 documents, the last block shorter). Hot loops may read `docs` and `freqs` directly:
 * entries 0 … `length` − 1 of the current block; everything else should use the iterator.
 */
export interface Postings extends DocIterator {
  freq(): number;
  /** Positions of the current document, `freq()` calls at most. Only where positions are indexed and were asked for. */
  nextPosition(): number;
  /** All positions of the current document at once, in place of `nextPosition`; `out` has room for `freq()` of them. */
  readPositions?(out: Int32Array): void;
  /** Where the token of the last position lies in the text: only of a text that has just been analysed. */
  startOffset?(): number;
  endOffset?(): number;
  readonly docs: Int32Array | Uint32Array;
  readonly freqs: Int32Array | Uint32Array;
  readonly length: number;
  /** One of `freqs`, without decoding the others. */
  freqAt(index: number): number;
  /** Loads the next block; false at the end. Leaves the iterator before the block's first document. */
  nextBlock(): boolean;
  /** Finds the block that holds `target` without decoding it; its last document then is `blockLastDoc()`. */
  shallowAdvance(target: number): void;
  blockLastDoc(): number;
  /** Competitive (freq, norm byte) pairs of the block found by shallowAdvance: no document scores above the best of them. */
  blockImpacts(): readonly { freq: number; norm: number }[];
  /** The same for the whole term. */
  impacts(): readonly { freq: number; norm: number }[];
  /** Last document of each block, ascending: a view that belongs to the segment. */
  readonly blockEnds: Int32Array | Uint32Array;
  /** Place in `blockEnds` of the block that is loaded, -1 before the first. */
  readonly block: number;
  /** Loads any block, as nextBlock does: the iterator then stands before its first document. */
  seekBlock(block: number): void;
  /** The largest of `scorer.score` over the competitive pairs of a block, without making objects. */
  blockMaxScore(block: number, scorer: { score(freq: number, norm: number): number }): number;
}

/** A deterministic automaton over bytes, from each of whose states some text is accepted. */
export interface ByteAutomaton {
  readonly start: number;
  /** The state that a byte leads to, or -1. */
  step(state: number, byte: number): number;
  accepts(state: number): boolean;
  /** The smallest byte from `from` on that leads anywhere, or -1. */
  nextByte(state: number, from: number): number;
}

/** Looking for many terms of a sorted dictionary at once. */
export interface TermsEnumeration {
  /** Ords of the terms that an automaton accepts, ascending; the first `most` of them. */
  intersect(automaton: ByteAutomaton, most?: number): number[];
  /** Terms that begin with a text: the first one's ord, and that behind the last. */
  prefixRange(prefix: string): readonly [from: number, to: number];
}

/** The terms of one field in one segment, sorted by UTF-8 bytes. An ord is a term's place in this order. */
export interface FieldTerms extends TermsEnumeration {
  readonly info: FieldInfo;
  readonly size: number;
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  /** Ord of a term, or -1. */
  lookup(term: string): number;
  /** Ord of the first term at or after `term`; `size` when there is none. */
  seekCeil(term: string): number;
  term(ord: number): string;
  /** UTF-8 bytes, a view that must not be kept. */
  termBytes(ord: number): Uint8Array;
  docFreq(ord: number): number;
  totalTermFreq(ord: number): number;
  postings(ord: number, options?: { positions?: boolean }): Postings;
}

/** A numeric column. A document's values are `start(doc)` … `end(doc)` − 1, ascending. */
export interface NumericColumn {
  readonly kind: NumberKind;
  /** Documents that have a value. */
  readonly docCount: number;
  /** True when each document has at most one value. */
  readonly single: boolean;
  /** True when some values may lie beyond 2^53, which only `bigint` gives exactly. */
  readonly wide: boolean;
  has(doc: number): boolean;
  start(doc: number): number;
  end(doc: number): number;
  /** The value at an index from start/end; longs beyond 2^53 are rounded. */
  value(index: number): number;
  bigint(index: number): bigint;
  /** The upper and the lower 32 bits of longs, where they can be had without making bigints. */
  readonly halves?: LongHalves;
  /** Documents with a value, in order. */
  iterator(): DocIterator;
}

export interface LongHalves {
  high(index: number): number;
  low(index: number): number;
}

/** A column of string sets as ordinals into the segment's sorted dictionary. */
export interface OrdinalColumn extends TermsEnumeration {
  /** Where each document has exactly one: the ordinals by document. */
  readonly byDoc?: Uint8Array | Uint16Array | Uint32Array;
  readonly docCount: number;
  readonly single: boolean;
  readonly valueCount: number;
  has(doc: number): boolean;
  start(doc: number): number;
  end(doc: number): number;
  ord(index: number): number;
  term(ord: number): string;
  lookup(term: string): number;
  iterator(): DocIterator;
}

/** Points of a field, sorted by value. */
export interface PointIndex {
  readonly kind: NumberKind;
  readonly docCount: number;
  /** Number of points. */
  readonly size: number;
  /** Documents with a value in [low, high], both inclusive, each once, ascending. For longs, bounds may be bigint. */
  range(low: number | bigint, high: number | bigint): DocIterator;
  /** How many points lie in the range. */
  count(low: number | bigint, high: number | bigint): number;
  min(): number | bigint;
  max(): number | bigint;
}

/** Vectors of a field in document order. */
export interface VectorColumn {
  readonly shape: VectorShape;
  readonly size: number;
  /** The document of a vector ordinal. */
  doc(ord: number): number;
  /** Ordinal of a document's vector, or -1. */
  ord(doc: number): number;
  /** All vectors, one after the other, as they were indexed (cosine vectors are stored at unit length, as Lucene does). */
  readonly data: StoredVector;
  /** Length before normalising, for cosine; 1 otherwise. */
  magnitude(ord: number): number;
  /** What searches compare: the vectors, or what was quantised where the mapping asks for that. */
  space(): VectorSpace;
  /** Undefined where vectors are compared one by one: `flat`, and where there are few. */
  graph(): HnswGraph | undefined;
  /** A vector before it was quantised, read from where it lies; undefined where searches compare the vectors themselves. */
  unquantized(ord: number): Float32Array | undefined;
}

export interface BitSet {
  readonly length: number;
  get(index: number): boolean;
  /** First set bit at or after `from`, NO_MORE_DOCS when there is none. */
  nextSetBit(from: number): number;
  /** Last set bit at or before `from`, -1 when there is none. */
  previousSetBit(from: number): number;
  cardinality(): number;
}

export interface SegmentReader {
  readonly name: string;
  /** Number of documents, nested and deleted ones included. */
  readonly maxDoc: number;
  fieldInfos(): readonly FieldInfo[];
  terms(field: string): FieldTerms | undefined;
  /** A byte for each document; 0 where it does not have the field, 255 where it has it without a token. */
  norms(field: string): Uint8Array | undefined;
  numeric(field: string): NumericColumn | undefined;
  ordinals(field: string): OrdinalColumn | undefined;
  points(field: string): PointIndex | undefined;
  vectors(field: string): VectorColumn | undefined;
  /** Root documents; undefined when there are no nested documents. */
  roots(): BitSet | undefined;
  /** Of root documents (a nested document has its root's). */
  id(doc: number): string;
  seqNo(doc: number): number;
  version(doc: number): number;
  /** Document number of an id, deleted or not, or -1; the newest where there are several. */
  docOf(id: string): number;
  /** Bytes held in memory now. */
  residentBytes(): number;
  /** Reads every section and checks its checksum; throws corrupt() naming the place. */
  verify(): void;
}

/** A segment with the documents that are still alive in one snapshot. */
export interface LeafReader {
  readonly segment: SegmentReader;
  /** Undefined when nothing is deleted. Nested documents of a deleted root are deleted too. */
  readonly live: BitSet | undefined;
  /** Place of the segment's first document in the index-wide order of this snapshot. */
  readonly docBase: number;
}
