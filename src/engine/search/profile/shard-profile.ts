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
  print(): ResponseValue;
}

export interface CollectorNames {
  readonly name: string;
  readonly reason: "search_top_hits" | "search_count";
}

/** A searcher that measures; filters are not kept for later (ContextIndexSearcher without a cache). */
export function createShardProfile(searcher: IndexSearcher): ShardProfile {
  const queries: QueryProfile = createQueryProfile();
  const measuring: IndexSearcher = {
    ...searcher,
    profiler: queries,
    filterWeight: (query) => weightOf(query.rewrite(measuring), measuring, "none", 1),
  };
  let collector: ResponseValue = null;
  return {
    searcher: measuring,
    async collecting({ name, reason }, work) {
      const began = performance.now();
      const found = await work();
      const time = Math.max(0, nanosSince(began) - queries.spent());
      const child = { name, reason, time_in_nanos: time };
      collector = {
        name: "QueryPhaseCollector",
        reason: "search_query_phase",
        time_in_nanos: time,
        children: [child],
      };
      return found;
    },
    print: () => ({ query: queries.print(), rewrite_time: queries.rewriting(), collector: [collector] }),
  };
}
