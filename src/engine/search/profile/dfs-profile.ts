/** What came before the query's phase on a shard (Elasticsearch's SearchProfileDfsPhaseResult): statistics of terms, and nearest vectors. */
import type { ResponseValue } from "../../action/response-value.ts";
import { weightOf } from "../../query/profiler.ts";
import type { IndexSearcher, Query } from "../../query/types.ts";
import { createBreakdown, nanosSince } from "./breakdown.ts";
import { createQueryProfile } from "./query-profile.ts";
import { measuringSearcher } from "./shard-profile.ts";

/** Elasticsearch's DfsTimingType. */
const KINDS = ["collection_statistics", "create_weight", "rewrite", "term_statistics"] as const;

export interface DfsProfile {
  /** Binds a query for its statistics alone. */
  statistics(query: Query, searcher: IndexSearcher): void;
  /** Measures one search for nearest vectors. */
  nearest<T>(searcher: IndexSearcher, work: (measuring: IndexSearcher) => Promise<NearestFound<T>>): Promise<T>;
  print(): ResponseValue;
}

export interface NearestFound<T> {
  readonly found: T;
  /** What was found, as a query. */
  readonly query: Query;
}

export function createDfsProfile(): DfsProfile {
  const statistics = createBreakdown(KINDS);
  const searches: ResponseValue[] = [];
  return {
    statistics(query, searcher) {
      const counting: IndexSearcher = {
        ...searcher,
        collectionStatistics: (field) =>
          statistics.time("collection_statistics", () => searcher.collectionStatistics(field)),
        docFreq: (field, term) => statistics.time("term_statistics", () => searcher.docFreq(field, term)),
      };
      const rewritten = statistics.time("rewrite", () => query.rewrite(counting));
      statistics.time("create_weight", () => rewritten.createWeight(counting, "complete", 1));
    },
    async nearest(searcher, work) {
      const profile = createQueryProfile();
      const measuring = measuringSearcher(searcher, profile);
      const { found, query } = await work(measuring);
      const began = performance.now();
      const weight = weightOf(query.rewrite(measuring), measuring, "complete", 1);
      for (const leaf of measuring.leaves) weight.scorer(leaf)?.nextDoc();
      searches.push({
        vector_operations_count: profile.vectors(),
        query: profile.print(),
        rewrite_time: profile.rewriting(),
        collector: [
          { name: "SimpleTopScoreDocCollector", reason: "search_top_hits", time_in_nanos: nanosSince(began) },
        ],
      });
      return found;
    },
    print: () => ({
      statistics: {
        type: "statistics",
        description: "collect term statistics",
        time_in_nanos: statistics.total(),
        breakdown: statistics.print(),
      },
      ...(searches.length > 0 ? { knn: searches } : {}),
    }),
  };
}
