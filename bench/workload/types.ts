/** What is measured: suites of passages, questions of several kinds, and what a peer answers. */

export type Language = "en" | "zh";

/** Passages of one kind in one index. */
export interface Suite {
  readonly name: string;
  readonly size: number;
  readonly language: Language;
  /** Dimensions of the passages' vectors; 0: none. */
  readonly dims: number;
  /** Whether the passages' texts are indexed. */
  readonly text: boolean;
  /** Every vector is compared, without a graph. */
  readonly exact: boolean;
  /** Passages as they are written, one a line; the line's number from 0 is the passage's id. */
  readonly texts: string;
  /** The same as words with a space between them, for peers that cannot segment Chinese. */
  readonly words: string;
  /** Float32, little endian; the questions' vectors follow the passages'. */
  readonly vectors: string;
}

export const TEXT_KINDS = [
  "1 term",
  "3 terms",
  "10 terms",
  "phrase",
  "fuzzy",
  "prefix",
  "filtered",
  "aggregated",
] as const;
export const KINDS = [...TEXT_KINDS, "kNN", "kNN, filtered", "hybrid"] as const;
export type Kind = (typeof KINDS)[number];

export interface Question {
  readonly kind: Kind;
  readonly words: readonly string[];
  readonly tag: string;
  readonly vector: readonly number[];
}

export interface Passage {
  readonly id: number;
  readonly text: string;
  readonly tag: string;
  readonly vector: Float32Array;
}

export interface Answer {
  readonly ids: readonly number[];
  /** Where the peer tells its scores. */
  readonly scores?: readonly number[];
  readonly buckets?: Readonly<Record<string, number>>;
}

/** How many are asked for. */
export const TOP = 10;

/** Each passage has one of fifty tags, some of them far more frequent than others. */
export function tagOf(id: number): string {
  const share = ((id * 7919) % 100_003) / 100_003;
  return `t${Math.floor(50 * share * share)}`;
}
