/** The phase before the query's: the nearest vectors of each shard, and of those the best of all shards. */
import type { KnnHits, KnnSearch } from "../../search/knn.ts";
import { knnSearch } from "../../search/knn.ts";
import type { Slices } from "../../slices.ts";
import { eachShard, type ShardFailure } from "../shard-failures.ts";
import type { SearchRequest } from "./request.ts";
import type { Shard } from "./shard.ts";
import type { NearestClause } from "./shard-query.ts";
import { checkBeforeNearest } from "./shard-search.ts";

/** @returns the shards that answered, each with its clauses */
export async function nearestOf(
  shards: readonly Shard[],
  request: SearchRequest,
  count: number,
  slices: Slices,
): Promise<{ shards: ReadonlyMap<Shard, readonly NearestClause[]>; failures: readonly ShardFailure[] }> {
  const searches = request.knn;
  const { results, failures } = await eachShard(shards, "dfs", (shard) => {
    if (request.globalStatistics) checkBeforeNearest(shard, request, { count, slices });
    return shardNearest(shard, searches, slices);
  });
  const merged = searches.map(({ k }, i) =>
    mergeNearest(
      results.map(({ result }) => result[i]),
      k,
    ),
  );
  const clauses = results.map(({ shard }, at): [Shard, NearestClause[]] => [
    shard,
    merged.map((hits, i) => ({ ...searches[i], hits: hits[at] })),
  ]);
  return { shards: new Map(clauses), failures };
}

/** The nearest of one shard, for each clause. */
async function shardNearest(shard: Shard, clauses: readonly KnnSearch[], slices: Slices): Promise<KnnHits[]> {
  const nearest: KnnHits[] = [];
  for (const knn of clauses) {
    const filters = shard.aliasFilter ? [...knn.filters, shard.aliasFilter] : knn.filters;
    nearest.push(await knnSearch({ ...knn, filters }, shard.context, shard.searcher, slices));
  }
  return nearest;
}

/** Of the nearest of each shard the k best of all shards together. */
function mergeNearest(perShard: readonly KnnHits[], k: number): KnnHits[] {
  const hits = perShard.flatMap(({ docs, scores }, shard) =>
    Array.from(docs, (_, at) => ({ shard, at, score: scores[at] })),
  );
  // Stable: equal scores stay in the order of the indices and their documents.
  hits.sort((a, b) => b.score - a.score);
  const kept = perShard.map((): number[] => []);
  for (const { shard, at } of hits.slice(0, k)) kept[shard].push(at);
  return perShard.map(({ docs, scores, nestedPath }, shard) => {
    const own = kept[shard].sort((a, b) => a - b);
    return {
      docs: Int32Array.from(own, (at) => docs[at]),
      scores: Float32Array.from(own, (at) => scores[at]),
      nestedPath,
    };
  });
}
