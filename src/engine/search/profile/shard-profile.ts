/** What a shard's search took: its query, rewriting, and collecting (Elasticsearch's QueryProfileShardResult). */
import type { ResponseValue } from "../../action/response-value.ts";
import { weightOf } from "../../query/profiler.ts";
import type { IndexSearcher } from "../../query/types.ts";
import { nanosSince } from "./breakdown.ts";
import { createQueryProfile, type QueryProfile } from "./query-profile.ts";

export interface ShardProfile {
  readonly searcher: IndexSearcher;
  /** Measures collecting, rewriting and binding the query included; what they take is taken off. */
  collecting<T>(collector: CollectorNames, work: () => Promise<T>): Promise<T>;
  /** The `searches` of a shard. */
  print(): ResponseValue;
}

export interface CollectorNames {
  readonly name: string;
  readonly reason: "search_top_hits" | "search_count" | "aggregation";
}

/** A searcher that measures; filters are not kept for later (ContextIndexSearcher without a cache). */
export function measuringSearcher(searcher: IndexSearcher, profiler: QueryProfile): IndexSearcher {
  const measuring: IndexSearcher = {
    ...searcher,
    profiler,
    filterWeight: (query) => weightOf(query.rewrite(measuring), measuring, "none", 1),
  };
  return measuring;
}

export function createShardProfile(searcher: IndexSearcher): ShardProfile {
  const queries: QueryProfile = createQueryProfile();
  const collectors: { readonly name: string; readonly reason: string; readonly time_in_nanos: number }[] = [];
  return {
    searcher: measuringSearcher(searcher, queries),
    async collecting({ name, reason }, work) {
      const before = queries.spent();
      const began = performance.now();
      const found = await work();
      const time = Math.max(0, nanosSince(began) - (queries.spent() - before));
      collectors.push({ name, reason, time_in_nanos: time });
      return found;
    },
    print() {
      const collector = {
        name: "QueryPhaseCollector",
        reason: "search_query_phase",
        time_in_nanos: collectors.reduce((sum, { time_in_nanos }) => sum + time_in_nanos, 0),
        children: collectors,
      };
      return [{ query: queries.print(), rewrite_time: queries.rewriting(), collector: [collector] }];
    },
  };
}
