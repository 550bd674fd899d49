/** The fetch phase of a page: what a shard cannot show is its failure, and its hits are left out. */
import type { EngineError } from "../../errors.ts";
import { isShardError } from "../../query/dsl/index.ts";
import type { Slices } from "../../slices.ts";
import type { ResponseValue } from "../response-value.ts";
import { allShardsFailed, inOrder, plain, type ShardFailure } from "../shard-failures.ts";
import { byShard, type FoundBy, fetchOfShard } from "./fetch/index.ts";
import type { FetchOptions } from "./request.ts";
import type { Shard, ShardHit } from "./shard.ts";

export interface FailedBefore {
  /** Shards that could not show what comes beside their hits. */
  readonly failed?: ReadonlyMap<Shard, EngineError>;
  /** Failures of the phases before. */
  readonly before?: readonly ShardFailure[];
}

/**
 * @param shards how many there are, those without hits included
 */
export async function fetchPhase(
  page: readonly ShardHit[],
  options: FetchOptions,
  foundBy: FoundBy,
  slices: Slices,
  shards: number,
  { failed = new Map(), before = [] }: FailedBefore = {},
): Promise<{ hits: ResponseValue[]; failures: readonly ShardFailure[] }> {
  const printed = new Map<ShardHit, ResponseValue>();
  const failures: ShardFailure[] = [];
  for (const [shard, error] of failed) failures.push({ index: shard.index.name, error: plain(error) });
  for (const [shard, own] of byShard(page)) {
    if (failed.has(shard)) continue;
    try {
      await fetchOfShard(shard, own, options, foundBy, slices, printed);
    } catch (error) {
      if (!isShardError(error)) throw error;
      for (const hit of own) printed.delete(hit);
      failures.push({ index: shard.index.name, error: plain(error) });
    }
  }
  // A single shard fetches right after its query, unless there was a phase before it.
  if (failures.length > 0 && before.length + failures.length === shards)
    throw allShardsFailed(
      inOrder([...before, ...failures]),
      shards === 1 && foundBy.alone !== false ? "query" : "fetch",
    );
  return { hits: page.flatMap((hit) => printed.get(hit) ?? []), failures };
}
