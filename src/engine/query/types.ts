/**
 * Queries as Lucene has them: a Query is a value; a Weight binds it to a searcher's statistics; a Scorer walks over the documents of one
 * segment that match. `engine/query/*` parses the DSL into queries, one file for each query or family.
 */
import type { JsonObject } from "../json/types.ts";
import type { DocIterator, LeafReader } from "../segment/types.ts";
import type { Explanation } from "./explanation.ts";
import type { Matches } from "./matches.ts";
import type { QueryProfiler } from "./profiler.ts";
import type { QueryVisitor } from "./visitor.ts";

/** How scores are used: not at all (filters), all of them, or only those that can reach the top. */
export type ScoreMode = "none" | "complete" | "top";

export interface Query {
  /** Tells the query from all others: what is kept for a query is kept under this text. */
  toString(): string;
  /** Lucene's text of the query (Query.toString): explain and validate show it. */
  describe(): string;
  /** Name of Lucene's class, which a profile shows. Left out: the query cannot be profiled. */
  readonly className?: string;
  /** A simpler query with the same hits and scores, or itself. */
  rewrite(searcher: IndexSearcher): Query;
  /** Tells a visitor what the query looks for. Left out: nothing that a visitor could look into (`visitQuery`). */
  visit?(visitor: QueryVisitor): void;
  /** `boost` multiplies the scores (float32, as Lucene multiplies it). */
  createWeight(searcher: IndexSearcher, scoreMode: ScoreMode, boost: number): Weight;
}

export interface Weight {
  readonly query: Query;
  /** A scorer over one segment (deleted documents included: the caller skips them), or undefined when nothing matches. */
  scorer(leaf: LeafReader): Scorer | undefined;
  /** Why a document of a segment matches, with its score; Lucene's tree. */
  explain(leaf: LeafReader, doc: number): Explanation;
  /** Where a document matches, undefined where it does not. Left out: it matches or not, without terms (`matchesOf`). */
  matches?(leaf: LeafReader, doc: number): Matches | undefined;
}

export interface Scorer extends DocIterator {
  /** Score of the current document, a float32 value. */
  score(): number;
  /** No document up to and including `upTo` scores above this. */
  maxScore(upTo: number): number;
  /** Finds the block that holds `target`, without moving; returns the last document for which maxScore of that block holds. */
  advanceShallow(target: number): number;
  /** Documents that score below this need not be returned any more. */
  setMinCompetitiveScore(score: number): void;
  /**
   * Second phase: when present, the iterator gives candidates and this says whether the current one matches (phrases). Whoever uses a
   * scorer must ask; `matchCost` orders several.
   */
  readonly twoPhase?: { matches(): boolean; readonly matchCost: number };
}

/** Statistics of a field over all segments of a snapshot, deleted documents counted until merged. */
export interface CollectionStatistics {
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
  readonly sumDocFreq: number;
}

/** A snapshot with the statistics and the mapping that queries ask for. */
export interface IndexSearcher {
  readonly leaves: readonly LeafReader[];
  readonly maxDoc: number;
  collectionStatistics(field: string): CollectionStatistics | undefined;
  /** Documents with the term, over all segments. */
  docFreq(field: string, term: string): number;
  totalTermFreq(field: string, term: string): number;
  /** Scoring of a field: BM25 with k1 and b, or boolean. */
  similarity(field: string): Similarity;
  /** The source of a root document, for runtime fields; a searcher without it is never asked for them. */
  source?(leaf: LeafReader, doc: number): JsonObject | undefined;
  /** Weight of a query without scores, its documents cached as a bitset when it is worth it. */
  filterWeight(query: Query): Weight;
  /** Measures the parts of queries; only where the search is profiled. */
  readonly profiler?: QueryProfiler;
}

/** A scoring formula bound by a field's mapping or the index's settings. */
export type Similarity =
  | { readonly type: "BM25"; readonly k1: number; readonly b: number }
  | { readonly type: "boolean" };
