/** Sorting in a search: the keys of a shard, the values behind which hits are wanted, and the hits of all shards in one order. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import { shardError } from "../../query/dsl/index.ts";
import {
  compareRows,
  namedSort,
  type SortBuilder,
  type SortedDocs,
  type SortKey,
  type SortValue,
} from "../../search/sort/index.ts";
import type { TopDocs } from "../../search/top-docs.ts";
import type { SearchRequest } from "./request.ts";
import type { Shard, ShardHit } from "./shard.ts";

/** By the score alone is no sorting (SortBuilder.buildSort). */
export function byScore(sorts: readonly SortBuilder[]): boolean {
  return sorts.length === 0 || (sorts.length === 1 && sorts[0].name === "_score" && sorts[0].descending);
}

/** The keys of a shard; undefined: hits come by score. */
export function sortKeysOf(
  request: Pick<SearchRequest, "sorts" | "pit" | "searchAfter">,
  shard: Shard,
): readonly SortKey[] | undefined {
  const sorts = withTieBreak(request);
  if (byScore(sorts)) return undefined;
  const context = { query: shard.context, searcher: shard.searcher, shardIndex: shard.number };
  return sorts.map((sort) => sort.build(context));
}

/** At a point in time, equal hits come by their places, which `search_after` may leave out. */
function withTieBreak({ pit, sorts, searchAfter }: Parameters<typeof sortKeysOf>[0]): readonly SortBuilder[] {
  if (!pit || sorts.length === 0 || sorts.some(({ name }) => name === "_shard_doc")) return sorts;
  if (searchAfter && searchAfter.length !== sorts.length + 1) return sorts;
  return [...sorts, namedSort("_shard_doc", false)];
}

/** `search_after` read by the keys that it is for. */
export function afterValues(
  { searchAfter }: SearchRequest,
  keys: readonly SortKey[] | undefined,
): readonly SortValue[] | undefined {
  if (!searchAfter) return undefined;
  if (!keys) throw shardError(illegalArgument("Sort must contain at least one field."));
  if (searchAfter.length !== keys.length) {
    const reason = `search_after has ${searchAfter.length} value(s) but sort has ${keys.length}.`;
    throw shardError(illegalArgument(reason));
  }
  return keys.map((key, i) => readAfter(key, searchAfter[i]));
}

function readAfter(key: SortKey, value: JsonValue): SortValue {
  try {
    return key.read(value);
  } catch (error) {
    throw error instanceof EngineError && error.type !== "unsupported_feature_exception" ? shardError(error) : error;
  }
}

export interface ShardTop {
  readonly shard: Shard;
  readonly result: { readonly top: TopDocs | SortedDocs; readonly keys: readonly SortKey[] | undefined };
}

/**
 * The hits of all shards; equal ones stay in the order of the shards and their documents.
 *
 * @param keep leaves out some of the sorted hits
 */
export function mergeHits(
  results: readonly ShardTop[],
  from: number,
  size: number,
  keep?: (hits: ShardHit[]) => ShardHit[],
): ShardHit[] {
  const sorted = results.filter(({ result }) => result.keys !== undefined);
  if (sorted.length === 0) {
    const hits: ShardHit[] = [];
    for (const { shard, result } of results) {
      const { docs, scores } = result.top;
      for (let i = 0; i < docs.length; i++) hits.push({ shard, doc: docs[i], score: scores[i] });
    }
    // Those of a shard are in their order.
    if (results.length > 1) hits.sort((a, b) => b.score - a.score);
    return (keep?.(hits) ?? hits).slice(from, from + size);
  }
  // Where nothing was found there is nothing to compare.
  checkTypes(sorted.filter(({ result }) => result.top.docs.length > 0).map(({ result }) => result.keys!));
  const keys = sorted[0].result.keys!;
  const rows = sorted.flatMap(({ shard, result: { top, keys: own } }) =>
    "values" in top
      ? top.values.map((values, i) => ({ shard, doc: top.docs[i], score: top.scores[i], values, keys: own! }))
      : [],
  );
  rows.sort((a, b) => compareRows(keys, a.values, b.values));
  // Groups by the score alone do not show it again.
  const shown = !(keep && keys.length === 1 && keys[0].type === "SCORE");
  const hits = rows.map(
    ({ keys: own, ...hit }): ShardHit =>
      shown
        ? {
            ...hit,
            sort: told(
              () => print(own, hit.values),
              (error) => mergeFailed(error, "fetch"),
            ),
          }
        : hit,
  );
  return (keep?.(hits) ?? hits).slice(from, from + size);
}

/** The last of as many hits as were asked for is printed on its shard already (BottomSortValuesCollector). */
export function printBottom(top: TopDocs | SortedDocs, keys: readonly SortKey[] | undefined, wanted: number): void {
  if (keys === undefined || !("values" in top) || top.values.length === 0 || top.values.length < wanted) return;
  told(() => print(keys, top.values[top.values.length - 1]), shardError);
}

function told<T>(run: () => T, as: (error: EngineError) => EngineError): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof EngineError && error.type !== "unsupported_feature_exception" ? as(error) : error;
  }
}

const print = (keys: readonly SortKey[], values: readonly SortValue[]) => keys.map((key, i) => key.print(values[i]));

/** Values of several types have no order (SearchPhaseController.checkSameSortTypes). */
function checkTypes(shards: readonly (readonly SortKey[])[]): void {
  const [first, ...others] = shards;
  for (const keys of others) {
    for (const [i, key] of keys.entries()) {
      if (key.type !== first[i].type) throw mergeFailed(incompatible(key, first[i]));
      if (key.shape !== first[i].shape) {
        throw unsupported(`sort by [${key.field}], which is shown in several ways in several indices`);
      }
    }
  }
}

function incompatible(key: SortKey, first: SortKey): EngineError {
  return illegalArgument(
    `Can't sort on field [${key.field}]; the field has incompatible sort types: [${first.type}] and [${key.type}] across shards!`,
  );
}

/** What fails when all shards have answered. */
export function mergeFailed(cause: EngineError, phase = "rank-feature"): EngineError {
  return new EngineError("search_phase_execution_exception", "", {
    status: cause.status,
    metadata: { phase, grouped: true, failed_shards: [] },
    cause,
    rootCause: [],
  });
}
