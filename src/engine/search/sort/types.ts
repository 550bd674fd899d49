/**
 * Sorting: a request's sorts are read into builders (`parse-sort.ts`), a builder becomes a key on a shard, and a key reads one segment after
 * the other. A collector compares documents by what the keys of a segment say (`collect-sorted.ts`).
 */
import type { JsonValue } from "../../json/types.ts";
import type { QueryBuilder, QueryContext } from "../../query/dsl/index.ts";
import type { IndexSearcher } from "../../query/types.ts";
import type { LeafReader } from "../../segment/types.ts";

/** What a hit is sorted by: null for a document without a text. */
export type SortValue = number | bigint | string | null;

/** Lucene's SortField.Type: hits of several indices can only be merged by values of one type. */
export type SortType = "LONG" | "DOUBLE" | "FLOAT" | "STRING" | "SCORE" | "DOC" | "CUSTOM";

/** A key in one segment. */
export interface LeafKey {
  /** A number that orders the documents of this segment. */
  key(doc: number, score: number): number | bigint;
  /** The document's value. */
  value(doc: number, score: number): SortValue;
  /** Where a value lies among the keys of this segment. */
  keyOf(value: SortValue): number | bigint;
}

/** One of the keys by which a shard's hits are sorted. */
export interface SortKey {
  /** As errors name it. */
  readonly field: string;
  readonly type: SortType;
  readonly descending: boolean;
  /** Texts: true when a document without one comes behind all others in ascending order. */
  readonly nullsLast?: boolean;
  /** How values are shown, where other keys of this type show them in another way. */
  readonly shape?: "address";
  /** Reads what only collecting needs; when all keys of a search are made. */
  prepare?(): void;
  leaf(leaf: LeafReader): LeafKey;
  /** As the hit's `sort` shows it. */
  print(value: SortValue): JsonValue;
  /** A value of `search_after`. */
  read(value: JsonValue): SortValue;
}

/** What keys are made for. */
export interface SortContext {
  readonly query: QueryContext;
  readonly searcher: IndexSearcher;
  /** Place of the shard among those of the search. */
  readonly shardIndex: number;
}

export interface SortBuilder {
  /** `_score`, `_doc`, the field's name. */
  readonly name: string;
  readonly descending: boolean;
  /** Queries within it. */
  readonly queries: readonly QueryBuilder[];
  build(context: SortContext): SortKey;
}
