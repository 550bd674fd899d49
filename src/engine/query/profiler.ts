/** Where a search is profiled: every part of a query is told before it is bound to the searcher (Lucene's IndexSearcher.createWeight). */
import type { IndexSearcher, Query, ScoreMode, Weight } from "./types.ts";

export interface QueryProfiler {
  /** The query as it is searched. @param scored whether anyone asks for scores */
  rewrite(query: Query, searcher: IndexSearcher, scored: boolean): Query;
  /** @param create binds the query, its parts included */
  weight(query: Query, create: () => Weight): Weight;
  /** Vectors were compared with a query's. */
  compared(count: number): void;
}

/** The weight of a query, or of a part of one. */
export function weightOf(query: Query, searcher: IndexSearcher, mode: ScoreMode, boost: number): Weight {
  const create = () => query.createWeight(searcher, mode, boost);
  return searcher.profiler ? searcher.profiler.weight(query, create) : create();
}
