/** Failures of single indices in a search: kept aside while others answer, and Elasticsearch's error when none does. */
import { EngineError } from "../errors.ts";
import { isShardError } from "../query/dsl/index.ts";
import { causeOf, isOwn, rootCauses } from "../root-causes.ts";
import type { ResponseValue } from "./response-value.ts";

export interface ShardFailure {
  readonly index: string;
  readonly error: EngineError;
}

export interface ShardsBefore {
  /** Failures of the phases before. */
  readonly failed?: readonly ShardFailure[];
  /** Shards that answer without being asked. */
  readonly skipped?: number;
}

/** Runs for each shard; a shard's own failure is kept aside, unless all fail, those of phases before included. */
export async function eachShard<S extends { readonly index: { readonly name: string } }, T>(
  shards: readonly S[],
  phase: string,
  run: (shard: S) => Promise<T>,
  { failed = [], skipped = 0 }: ShardsBefore = {},
): Promise<{ results: { shard: S; result: T }[]; failures: ShardFailure[] }> {
  const results: { shard: S; result: T }[] = [];
  const failures: ShardFailure[] = [];
  for (const shard of shards) {
    try {
      results.push({ shard, result: await run(shard) });
    } catch (error) {
      if (!isShardError(error) && !(error instanceof EngineError && error.type === "query_shard_exception"))
        throw error;
      failures.push({ index: shard.index.name, error: plain(error as EngineError) });
    }
  }
  if (failures.length > 0 && results.length + skipped === 0)
    throw allShardsFailed(inOrder([...failed, ...failures]), phase);
  return { results, failures };
}

/** Failures of several phases in the order of the shards. */
export const inOrder = (failures: readonly ShardFailure[]): readonly ShardFailure[] =>
  [...failures].sort((a, b) => (a.index < b.index ? -1 : a.index > b.index ? 1 : 0));

/** Without the mark that says whose error it is. */
export function plain(error: EngineError): EngineError {
  const { phase: _phase, ...metadata } = error.metadata;
  const { status, cause, rootCause, noReason } = error;
  return new EngineError(error.type, error.reason, { status, metadata, cause, rootCause, noReason });
}

/** The error of a search that no shard answers. */
export function allShardsFailed(failures: readonly ShardFailure[], phase: string): EngineError {
  const failed = failures.map(({ index, error }) => ({ shard: 0, index, node: "huiliu", reason: error }));
  return new EngineError("search_phase_execution_exception", "all shards failed", {
    status: statusOf(failures),
    metadata: { phase, grouped: true, failed_shards: failed },
    rootCause: distinctRootCauses(failures),
    ...cause(failures[0].error),
  });
}

/** The error of a search that some shards do not answer, where all are wanted. */
export function partialFailure(failures: readonly ShardFailure[], phase: string): EngineError {
  const { type, status, metadata, rootCause } = allShardsFailed(failures, phase);
  return new EngineError(type, "Partial shards failure", { status, metadata, rootCause });
}

/** The first failure's, unless a later one is the server's own fault: then the last such (SearchPhaseExecutionException.status). */
function statusOf(failures: readonly ShardFailure[]): number {
  const own = failures.slice(1).findLast(({ error }) => error.status >= 500);
  return (own ?? failures[0]).error.status;
}

/** The root cause of the first failure, unless that is the failure itself; a plain Java exception comes in one of Elasticsearch's. */
function cause(error: EngineError): { cause?: EngineError } {
  const [root] = rootCauses(error);
  if (!(root instanceof EngineError)) return {};
  if (!isOwn(root)) {
    return { cause: new EngineError(root.type, root.reason, { cause: root, noReason: root.noReason }) };
  }
  return root === error ? {} : { cause: root };
}

/** The root causes of all failures, each once for an index. */
function distinctRootCauses(failures: readonly ShardFailure[]): EngineError[] {
  const causes = new Map<string, EngineError>();
  for (const { index, error } of failures) {
    for (const root of rootCauses(error) as EngineError[]) causes.set(`${index}\u0000${root.message}`, root);
  }
  return [...causes.values()];
}

function described(error: EngineError): { [key: string]: ResponseValue } {
  const inner = causeOf(error);
  return {
    type: error.type,
    reason: error.noReason ? null : error.reason,
    ...(error.metadata as { [key: string]: ResponseValue }),
    ...(inner instanceof EngineError ? { caused_by: described(inner) } : {}),
  };
}

/** `_shards` of an answer. */
export function shardCounts(total: number, failures: readonly ShardFailure[]): { [key: string]: ResponseValue } {
  const failed = failures.map(({ index, error }) => ({ shard: 0, index, node: "huiliu", reason: described(error) }));
  return {
    total,
    successful: total - failures.length,
    skipped: 0,
    failed: failures.length,
    ...(failures.length > 0 ? { failures: failed } : {}),
  };
}
