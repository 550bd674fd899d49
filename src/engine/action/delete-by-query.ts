/** `_delete_by_query`: documents of a snapshot that match, deleted in batches; what changed since the snapshot is a conflict. */
import { EngineError } from "../errors.ts";
import type { IndexRegistry, WriteOperation } from "../index/types.ts";
import type { QueryBuilder } from "../query/dsl/index.ts";
import { constantScoreQuery } from "../query/lucene/constant.ts";
import { createSlices } from "../slices.ts";
import type { ResolvedIndex } from "./index-names.ts";
import { openShard, type Shard, shardQuery, topDocs } from "./search/index.ts";
import { eachShard } from "./shard-failures.ts";
import { lookUpTerms } from "./terms-lookup.ts";

export interface DeleteByQuery {
  readonly query: QueryBuilder;
  readonly maxDocs: number | undefined;
  /** Documents of one batch. */
  readonly batch: number;
  /** Whether to go on after a conflict. */
  readonly proceed: boolean;
  readonly refresh: boolean;
  readonly signal?: AbortSignal;
}

export interface Deleted {
  readonly total: number;
  readonly deleted: number;
  readonly batches: number;
  readonly versionConflicts: number;
  readonly failures: readonly { readonly index: string; readonly id: string; readonly cause: EngineError }[];
}

const PRIMARY_TERM = 1;

/** The deletions of a shard's matches, in the order of its documents. */
function deletionsOf(shard: Shard, docs: Int32Array | readonly number[]): WriteOperation[] {
  const { leaves } = shard.snapshot;
  return Array.from(docs)
    .sort((a, b) => a - b)
    .map((doc) => {
      const leaf = leaves.findLast(({ docBase }) => docBase <= doc)!;
      const local = doc - leaf.docBase;
      const { segment } = leaf;
      return {
        kind: "delete",
        id: segment.id(local),
        ifSeqNo: segment.seqNo(local),
        ifPrimaryTerm: PRIMARY_TERM,
      };
    });
}

export async function deleteByQuery(
  registry: IndexRegistry,
  indices: readonly ResolvedIndex[],
  request: DeleteByQuery,
): Promise<Deleted> {
  const { query, maxDocs = Number.POSITIVE_INFINITY, batch, proceed, signal } = request;
  const slices = createSlices(signal ? { signal } : {});
  slices.check();
  const lookedUp = lookUpTerms(registry, [query]);
  await Promise.all(indices.map(({ index }) => index.ready()));
  const shards = indices.map((index) => openShard(index, Date.now(), { lookedUp }));
  const found: { shard: Shard; operation: WriteOperation }[] = [];
  try {
    const { results } = await eachShard(shards, "query", (shard) =>
      topDocs(shard, constantScoreQuery(shardQuery(shard, query)), {
        k: shard.snapshot.docCount,
        totalHitsThreshold: Number.POSITIVE_INFINITY,
        slices,
      }),
    );
    for (const { shard, result } of results) {
      for (const operation of deletionsOf(shard, result.docs)) found.push({ shard, operation });
    }
  } finally {
    for (const { snapshot } of shards) snapshot.release();
  }
  const wanted = found.slice(0, maxDocs);
  const failures: { index: string; id: string; cause: EngineError }[] = [];
  let [deleted, batches, versionConflicts] = [0, 0, 0];
  for (let at = 0; at < wanted.length && failures.length === 0; at += batch) {
    slices.check();
    const part = wanted.slice(at, at + batch);
    batches++;
    for (const shard of new Set(part.map((each) => each.shard))) {
      const operations = part.filter((each) => each.shard === shard).map(({ operation }) => operation);
      const results = await shard.index.write(operations, { signal });
      results.forEach((result, i) => {
        if (!(result instanceof Error)) {
          deleted++;
          return;
        }
        if (!(result instanceof EngineError)) throw result;
        const conflict = result.type === "version_conflict_engine_exception";
        if (conflict) versionConflicts++;
        if (!conflict || !proceed) failures.push({ index: shard.index.name, id: operations[i].id!, cause: result });
      });
    }
  }
  if (request.refresh) for (const { index } of indices) await index.refresh();
  return { total: wanted.length, deleted, batches, versionConflicts, failures };
}
