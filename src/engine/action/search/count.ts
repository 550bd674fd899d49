/** How many documents match. */
import type { IndexRegistry } from "../../index/types.ts";
import type { QueryBuilder } from "../../query/dsl/index.ts";
import { createSlices } from "../../slices.ts";
import type { ResolvedIndex } from "../index-names.ts";
import type { ResponseValue } from "../response-value.ts";
import { eachShard, shardCounts } from "../shard-failures.ts";
import { lookUpTerms } from "../terms-lookup.ts";
import { topDocs } from "./query-phase.ts";
import { closeShards, openShard } from "./shard.ts";
import { shardQuery } from "./shard-query.ts";

export async function count(
  registry: IndexRegistry,
  indices: readonly ResolvedIndex[],
  query: QueryBuilder | undefined,
  options: { signal?: AbortSignal; minScore?: number } = {},
): Promise<{ count: number; shards: { [key: string]: ResponseValue } }> {
  const slices = createSlices(options.signal ? { signal: options.signal } : {});
  slices.check();
  const lookedUp = lookUpTerms(registry, [query]);
  await Promise.all(indices.map(({ index }) => index.ready()));
  const shards = indices.map((index) => openShard(index, Date.now(), lookedUp));
  try {
    const { results, failures } = await eachShard(shards, "query", (shard) =>
      topDocs(shard, shardQuery(shard, query), {
        k: 0,
        totalHitsThreshold: Number.POSITIVE_INFINITY,
        slices,
        ...(options.minScore === undefined ? {} : { minScore: options.minScore }),
      }),
    );
    return {
      count: results.reduce((sum, { result }) => sum + result.total, 0),
      shards: shardCounts(shards.length, failures),
    };
  } finally {
    closeShards(shards);
  }
}
