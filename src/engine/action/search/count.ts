/** How many documents match. */
import type { IndexRegistry } from "../../index/types.ts";
import type { QueryBuilder } from "../../query/dsl/index.ts";
import { createSlices } from "../../slices.ts";
import type { ResolvedIndex } from "../index-names.ts";
import type { ResponseValue } from "../response-value.ts";
import { eachShard, shardCounts } from "../shard-failures.ts";
import { lookUpTerms } from "../terms-lookup.ts";
import { readInnerHits } from "./inner-hits/request.ts";
import { checkInnerNames, innerSearches } from "./inner-hits/search.ts";
import { topDocs } from "./query-phase.ts";
import { closeShards, openShard } from "./shard.ts";
import { shardQuery } from "./shard-query.ts";
import { innerHitsIn } from "./shard-search.ts";
import { before, terminationOf } from "./termination.ts";

export async function count(
  registry: IndexRegistry,
  indices: readonly ResolvedIndex[],
  query: QueryBuilder | undefined,
  options: { signal?: AbortSignal; minScore?: number; terminateAfter?: number } = {},
): Promise<{ count: number; shards: { [key: string]: ResponseValue }; terminatedEarly?: boolean }> {
  const slices = createSlices(options.signal ? { signal: options.signal } : {});
  slices.check();
  const lookedUp = lookUpTerms(registry, [query]);
  await Promise.all(indices.map(({ index }) => index.ready()));
  const shards = indices.map((index) => openShard(index, Date.now(), { lookedUp, size: 0 }));
  try {
    const { minScore, terminateAfter: after = 0 } = options;
    const { results, failures } = await eachShard(shards, "query", async (shard) => {
      // It is a search: what is wrong with inner hits is told here too.
      const innerHits = innerHitsIn(shard, query);
      checkInnerNames(shard, innerHits);
      const wanted = shardQuery(shard, query);
      innerSearches(shard, innerHits.map(readInnerHits));
      const termination =
        after > 0
          ? await terminationOf(shard, wanted, {
              after,
              minScore,
              filtered: false,
              wanted: 0,
              sorted: false,
              aggregated: false,
              scrolled: false,
              slices,
            })
          : undefined;
      const { total } = await topDocs(shard, termination ? before(wanted, termination.end) : wanted, {
        k: 0,
        totalHitsThreshold: Number.POSITIVE_INFINITY,
        slices,
        ...(minScore === undefined ? {} : { minScore }),
      });
      return { total, terminated: termination !== undefined };
    });
    return {
      count: results.reduce((sum, { result }) => sum + result.total, 0),
      shards: shardCounts(shards.length, failures),
      ...(after > 0 ? { terminatedEarly: results.some(({ result }) => result.terminated) } : {}),
    };
  } finally {
    closeShards(shards);
  }
}
