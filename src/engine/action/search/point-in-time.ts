/** Points in time: snapshots of indices that stay open, and searches on them. */
import { EngineError } from "../../errors.ts";
import type { IndexRegistry, IndexSnapshot } from "../../index/types.ts";
import type { QueryBuilder } from "../../query/dsl/index.ts";
import type { ResolvedIndex } from "../index-names.ts";
import type { ResponseValue } from "../response-value.ts";
import { allShardsFailed, plain, type ShardFailure, shardCounts } from "../shard-failures.ts";
import { lookUpTerms } from "../terms-lookup.ts";
import { type ContextId, checkKeepAlive, contextMissing, type SearchContexts } from "./contexts.ts";
import type { PointInTime, SearchRequest } from "./request.ts";
import { planned } from "./retrievers/plan.ts";
import { openShards, type SearchedIndex, type SearchOptions, searchShards, slicesOf } from "./search.ts";
import { openShard } from "./shard.ts";

interface Held extends ResolvedIndex {
  readonly snapshot: IndexSnapshot;
}

/** @param filter leaves out indices in which it cannot match */
export async function openPointInTime(
  registry: IndexRegistry,
  contexts: SearchContexts,
  indices: readonly ResolvedIndex[],
  options: { readonly keepAlive: number; readonly filter?: QueryBuilder | undefined },
): Promise<ResponseValue> {
  const ordered = [...indices].sort((a, b) => (a.index.name < b.index.name ? -1 : 1));
  checkEach(ordered, options.keepAlive);
  await Promise.all(ordered.map(({ index }) => index.ready()));
  const wanted = options.filter ? matching(registry, ordered, options.filter) : ordered;
  contexts.checkRoom("pit", wanted.length);
  const held: Held[] = wanted.map((each) => ({ ...each, snapshot: each.index.acquire() }));
  const id = contexts.open({
    kind: "pit",
    indices: held.map(({ index }) => index.name),
    keepAlive: options.keepAlive,
    state: held,
    release: () => {
      for (const { snapshot } of held) snapshot.release();
    },
  });
  const skipped = ordered.length - wanted.length;
  return { id, _shards: { ...shardCounts(ordered.length, []), skipped } };
}

function matching(registry: IndexRegistry, indices: readonly ResolvedIndex[], filter: QueryBuilder) {
  const lookedUp = lookUpTerms(registry, [filter]);
  return indices.filter((each) => {
    const shard = openShard(each, Date.now(), { lookedUp });
    try {
      return !(filter.rewritesToNone?.(shard.context) ?? false);
    } finally {
      shard.snapshot.release();
    }
  });
}

/** Every shard says that it is too long. */
function checkEach(indices: readonly ResolvedIndex[], keepAlive: number): void {
  if (indices.length === 0) return;
  checkAll(
    indices.map(({ index }) => index.name),
    keepAlive,
    "indices:data/read/open_point_in_time",
  );
}

export function checkAll(indices: readonly string[], keepAlive: number, phase = "query"): void {
  try {
    checkKeepAlive(keepAlive);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const own = plain(error);
    throw allShardsFailed(
      indices.map((index) => ({ index, error: own })),
      phase,
    );
  }
}

/** How many shards it held. */
export function closePointInTime(registry: IndexRegistry, contexts: SearchContexts, id: ContextId): [boolean, number] {
  const used = contexts.use<readonly Held[]>(id);
  const held = used?.state.filter(({ index }) => registry.get(index.name)?.uuid === index.uuid).length ?? 0;
  used?.done();
  contexts.free(id);
  return [used !== undefined && held === id.shards.length, held];
}

/** A search on a point in time. */
export async function searchPointInTime(
  registry: IndexRegistry,
  contexts: SearchContexts,
  asked: SearchRequest & { readonly pit: PointInTime },
  options: SearchOptions,
): Promise<ResponseValue> {
  const began = performance.now();
  const request = { ...planned(asked, options.rerankers), pit: asked.pit };
  const { id, keepAlive, text } = request.pit;
  const slices = slicesOf(request, options.signal);
  const names = id.shards.map(([index]) => index);
  if (keepAlive !== undefined && names.length > 0) checkAll(names, keepAlive);
  const used = contexts.use<readonly Held[]>(id);
  if (!used && id.shards.length > 0) {
    throw allShardsFailed(
      id.shards.map(([index, context]) => ({ index, error: contextMissing(context) })),
      "query",
    );
  }
  try {
    if (keepAlive !== undefined) used?.keepAlive(keepAlive);
    const missing: ShardFailure[] = [];
    const there: SearchedIndex[] = [];
    for (const [number, held] of (used?.state ?? []).entries()) {
      if (registry.get(held.index.name)?.uuid === held.index.uuid) there.push({ ...held, number });
      else missing.push({ index: held.index.name, error: noShard() });
    }
    const shards = await openShards(registry, there, request, options);
    const { response } = await searchShards(shards, request, slices, began, missing);
    return { pit_id: text, ...response };
  } finally {
    used?.done();
  }
}

const noShard = () => new EngineError("no_shard_available_action_exception", "", { status: 503, noReason: true });
