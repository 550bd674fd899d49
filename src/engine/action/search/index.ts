/** Searching: the request (`keys/`), the phases, and what is printed of hits (`fetch/`). */
export { createSearchContexts, type SearchContexts } from "./contexts.ts";
export { count } from "./count.ts";
export { fetchHits } from "./fetch/index.ts";
export { parseSearchRequest } from "./parse-request.ts";
export { closePointInTime, openPointInTime, searchPointInTime } from "./point-in-time.ts";
export { topDocs } from "./query-phase.ts";
export type { FetchOptions, SearchRequest } from "./request.ts";
export type { Reranker, Rerankers } from "./retrievers/rerank.ts";
export { freeScroll, nextPage, startScroll } from "./scroll.ts";
export { type SearchOptions, search } from "./search.ts";
export { checkAliasFilter, closeShards, openShard, type Shard, type ShardHit } from "./shard.ts";
export { rootsOnly, shardQuery } from "./shard-query.ts";
