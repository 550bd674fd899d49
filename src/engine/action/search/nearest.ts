/** The phase before the query's: the nearest vectors of each shard, and of those the best of all shards. */
import { matchNoneQuery } from "../../query/lucene/constant.ts";
import type { IndexSearcher } from "../../query/types.ts";
import type { KnnHits, KnnSearch } from "../../search/knn.ts";
import { knnSearch } from "../../search/knn.ts";
import { createDfsProfile, type DfsProfile } from "../../search/profile/dfs-profile.ts";
import type { Slices } from "../../slices.ts";
import { eachShard, type ShardFailure } from "../shard-failures.ts";
import type { SearchRequest } from "./request.ts";
import type { Shard } from "./shard.ts";
import { type NearestClause, shardQuery } from "./shard-query.ts";
import { checkBeforeNearest } from "./shard-search.ts";

export interface Nearest {
  readonly shards: ReadonlyMap<Shard, readonly NearestClause[]>;
  readonly failures: readonly ShardFailure[];
  /** What the phase took, where that is asked for. */
  readonly profiles: ReadonlyMap<Shard, DfsProfile>;
}

/** @returns the shards that answered, each with its clauses */
export async function nearestOf(
  shards: readonly Shard[],
  request: SearchRequest,
  count: number,
  slices: Slices,
): Promise<Nearest> {
  const searches = request.knn;
  if (searches.length === 0 && !request.globalStatistics)
    return { shards: new Map(shards.map((shard) => [shard, []])), failures: [], profiles: new Map() };
  const profiles = new Map<Shard, DfsProfile>();
  // A single shard's statistics are all there are.
  const profiled = request.profile && (searches.length > 0 || (request.globalStatistics && shards.length > 1));
  const { results, failures } = await eachShard(shards, "dfs", async (shard) => {
    if (request.globalStatistics) checkBeforeNearest(shard, request, { count, slices });
    if (!profiled) return shardNearest(shard, searches, slices);
    const profile = createDfsProfile();
    profiles.set(shard, profile);
    await profileStatistics(shard, request, profile, slices);
    return shardNearest(shard, searches, slices, profile);
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
  return { shards: new Map(clauses), failures, profiles };
}

/** The nearest of one shard, for each clause. */
async function shardNearest(
  shard: Shard,
  clauses: readonly KnnSearch[],
  slices: Slices,
  profile?: DfsProfile,
): Promise<KnnHits[]> {
  const nearest: KnnHits[] = [];
  for (const knn of clauses) {
    const filters = shard.aliasFilter ? [...knn.filters, shard.aliasFilter] : knn.filters;
    const search = (searcher: IndexSearcher) => knnSearch({ ...knn, filters }, shard.context, searcher, slices);
    const measured = async (searcher: IndexSearcher) => {
      const found = await search(searcher);
      return { found, query: found.query };
    };
    nearest.push(await (profile ? profile.nearest(shard.searcher, measured) : search(shard.searcher)));
  }
  return nearest;
}

/** The query is bound once for what its terms count (DfsPhase.collectStatistics). */
async function profileStatistics(shard: Shard, request: SearchRequest, profile: DfsProfile, slices: Slices) {
  const apart: Shard = { ...shard, context: { ...shard.context, named: [], searches: [] } };
  const query = request.query ? shardQuery(apart, request.query) : matchNoneQuery("no query");
  for (const search of apart.context.searches) await search.prepare(shard.searcher, slices);
  profile.statistics(query, shard.searcher);
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
  // Where one index finds nested documents, all are asked for theirs (DfsKnnResults).
  const nestedPath = perShard.find((hits) => hits.nestedPath !== undefined)?.nestedPath;
  return perShard.map(({ docs, scores }, shard) => {
    const own = kept[shard].sort((a, b) => a - b);
    return {
      docs: Int32Array.from(own, (at) => docs[at]),
      scores: Float32Array.from(own, (at) => scores[at]),
      nestedPath,
    };
  });
}
