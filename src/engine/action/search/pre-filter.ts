/** Which shards are left out before the query phase, as nothing in them can match (Elasticsearch's can-match phase). */
import type { SearchRequest } from "./request.ts";
import type { Shard } from "./shard.ts";

/** Shards from which on it is worth the while when hits come by score. */
const MANY_SHARDS = 128;

/** @returns the shards to search: at least one, for the shape of the response */
export function canMatch(shards: readonly Shard[], request: SearchRequest): readonly Shard[] {
  const [primary] = request.sorts;
  const byField = primary !== undefined && primary.name !== "_score";
  const least = request.preFilterShardSize ?? (byField ? 1 : MANY_SHARDS);
  if (shards.length <= least || request.knn.length > 0 || request.suggest || request.globalStatistics) return shards;
  const left = shards.filter((shard) => mayMatch(shard, request));
  return left.length > 0 ? left : shards.slice(0, 1);
}

/** A shard in which the query cannot be built is searched: that is where its failure belongs. */
function mayMatch({ context, aliasFilter }: Shard, { query }: SearchRequest): boolean {
  try {
    return ![query, aliasFilter].some((builder) => builder?.rewritesToNone?.(context));
  } catch {
    return true;
  }
}
