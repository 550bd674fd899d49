/**
 * Copying an index from one place to another: mapping, settings and documents. Documents are read in the order in which they were written (by
 * sequence number) and written under their ids, and how far the copy is stands in its mapping: so that after whatever cut it short the next
 * run goes on, and nothing is there twice. At the end both are counted, and where they differ compared id by id.
 */
import { type Client, errors } from "@elastic/elasticsearch";
import { type CallOptions, HuiliuError } from "../schema/index.ts";
import { type BulkOperation, type BulkOptions, pause, sendBulk } from "./bulk.ts";
import { ClusterError } from "./cluster-errors.ts";
import { CopyError, type Mark, makeCopy, markOf, type Original, originalOf, setMark } from "./copy-index.ts";
import { type LosslessHit, losslessSearch } from "./lossless.ts";

/** An index somewhere: a client, and the index's name. */
export interface IndexPlace {
  client: Client;
  index: string;
}

/** What `copyIndex` takes: from where, to where, progress and an abort signal. */
export interface CopyOptions extends CallOptions {
  from: IndexPlace;
  to: IndexPlace;
  /** Whether the copy keeps a second copy of its own where there are several nodes. Default false. */
  replicas?: boolean;
  /** `done` and `total` count documents. */
  onProgress?: (progress: { done: number; total: number }) => void;
  /** Told before each wait for a busy or missing place. */
  onRetry?: BulkOptions["onRetry"];
  /** Documents that are read at once. Default 200, fewer where they are large. */
  pageSize?: number;
  /** Before the first wait. Default half a second. */
  firstWaitMs?: number;
}

/** What copying an index did: documents that are there now, and settings that were left behind. */
export interface CopyResult {
  index: string;
  /** Documents that the copy has. */
  documents: number;
  /** Documents that this run wrote. */
  copied: number;
  /** Documents that are gone from the original, and that this run removed. */
  removed: number;
  /** Whether it went on from an earlier run. */
  resumed: boolean;
  /** True when the signal stopped it. The next run goes on from there. */
  aborted: boolean;
  /** Settings of the original that the copy does not have: blocks, pipelines, lifecycles. */
  settingsLeftOut: string[];
}

/** A page of documents is read again smaller, or larger, when it is far from this. */
const PAGE_BYTES = 4_000_000;
const PAGE_SIZE = 200;
const KEEP_ALIVE = "5m";
const RETRIES = 6;
/** Runs over what was written meanwhile, before it is given up to catch up. */
const ROUNDS = 5;

/**
 * Copies an index, or goes on with a copy that was cut short.
 *
 * @throws CopyError when the target has another index of that name, a document is refused, or the original changes all the time
 * @example await copyIndex({ from: { client: engine.client(), index: "books" }, to: { client: cluster, index: "books" } })
 */
export async function copyIndex(options: CopyOptions): Promise<CopyResult> {
  const { from, to, signal } = options;
  const call = signal ? { signal } : {};
  const original = await originalOf(from.client, from.index, call);
  const { mark: begun, resumed } = await prepareCopy(options, original);
  const result: CopyResult = {
    index: to.index,
    documents: 0,
    copied: 0,
    removed: 0,
    resumed,
    aborted: false,
    settingsLeftOut: original.leftOut,
  };
  const run: Run = { options, original, mark: begun, result, done: 0, total: 0 };
  try {
    await refresh(from);
    await refresh(to);
    run.total = await count(from, call);
    run.done = resumed ? Math.min(await count(to, call), run.total) : 0;
    if (begun.state === "complete") await refuseChanged(run);
    options.onProgress?.({ done: run.done, total: run.total });
    for (let round = 0; round < ROUNDS; round++) {
      const before = result.copied;
      await copyNew(run);
      await refresh(from);
      await refresh(to);
      if (result.copied === before) break;
    }
    result.documents = await verified(run);
    if (run.mark.state !== "complete") await saveMark(run, { ...run.mark, state: "complete" });
    return result;
  } catch (error) {
    if (!signal?.aborted || error instanceof CopyError) throw error;
    return { ...result, documents: await count(to, {}).catch(() => run.done), aborted: true };
  }
}

interface Run {
  options: CopyOptions;
  original: Original;
  mark: Mark;
  result: CopyResult;
  done: number;
  total: number;
}

/** Makes the copy's index, or finds the one of an earlier run. */
export async function prepareCopy(
  { from, to, replicas = false, signal }: CopyOptions,
  given?: Original,
): Promise<{ mark: Mark; resumed: boolean }> {
  const call = signal ? { signal } : {};
  const original = given ?? (await originalOf(from.client, from.index, call));
  const { exists, mark } = await markOf(to.client, to.index, call);
  if (!exists) return { mark: await makeCopy(to.client, to.index, original, replicas, call), resumed: false };
  if (mark?.source === original.uuid) return { mark, resumed: true };
  throw new CopyError(
    to.index,
    mark
      ? "there is a copy of another index under this name: choose another name, or remove it first"
      : "there is an index of this name already: choose another name, or remove it first",
  );
}

/** A copy that was finished is a place of its own: what either has got since would be lost in the other. */
async function refuseChanged(run: Run): Promise<void> {
  const { from, to, signal } = run.options;
  const { client, index } = from;
  const newer = await client.count(
    { index, query: { range: { _seq_no: { gt: run.mark.cursor } } } },
    signal ? { signal } : {},
  );
  if (newer.count === 0 && (await count(to, signal ? { signal } : {})) === run.total) return;
  throw new CopyError(
    to.index,
    "it was copied before, and one of the two has changed since: copy to another name, or remove this one first",
  );
}

async function copyNew(run: Run): Promise<void> {
  const { to } = run.options;
  const start = run.mark.cursor;
  for await (const page of pages(run, { from: start, source: true })) {
    const operations = page.map((hit) => operation(hit, to.index));
    // With the last one of the run before there may be others of its number, of other shards.
    const again = page.filter((hit) => Number(hit.sort[0]) === start).length;
    await write(run, operations, again);
    const cursor = Number(page.at(-1)!.sort[0]);
    await saveMark(run, { ...run.mark, cursor: Math.max(cursor, run.mark.cursor) });
  }
}

function operation({ id, routing, source }: LosslessHit, index: string): BulkOperation {
  if (source === undefined)
    throw new CopyError(index, `the document ${id} has no _source, so that it cannot be copied`);
  return { index, id, source, ...(routing === undefined ? {} : { routing }) };
}

async function write(run: Run, operations: BulkOperation[], again = 0): Promise<void> {
  const { to, signal, onRetry, firstWaitMs, onProgress } = run.options;
  const fates = await sendBulk(to.client, operations, {
    pipeline: "_none",
    ...(signal ? { signal } : {}),
    ...(onRetry ? { onRetry } : {}),
    ...(firstWaitMs === undefined ? {} : { firstWaitMs }),
  });
  signal?.throwIfAborted();
  const refused = fates.findIndex((fate) => fate !== undefined);
  if (refused >= 0) {
    const { type, reason } = fates[refused]!;
    const others = fates.filter((fate) => fate !== undefined).length - 1;
    const more = others > 0 ? ` (and ${others} more of ${fates.length})` : "";
    throw new CopyError(to.index, `the document ${operations[refused]!.id} was refused${more}: ${type}: ${reason}`);
  }
  const sources = operations.filter(({ source }) => source !== undefined).length;
  const written = sources - again;
  run.result.copied += written;
  run.result.removed += operations.length - sources;
  run.done = Math.min(run.total, run.done + written);
  onProgress?.({ done: run.done, total: run.total });
}

/** Once more than a lost connection is mended by: the next run would go on from before. */
async function saveMark(run: Run, mark: Mark): Promise<void> {
  const { to } = run.options;
  if (mark.cursor === run.mark.cursor && mark.state === run.mark.state) return;
  await patiently(run, () => setMark(to.client, to.index, run.original, mark));
  run.mark = mark;
}

/**
 * Documents in the order of their sequence numbers, from one on (with it: shards number on their own). The snapshot that is read from may be lost
 * with the node that has it; another is taken then.
 */
async function* pages(
  run: Run,
  what: { from: number; source: boolean; place?: IndexPlace },
): AsyncGenerator<LosslessHit[]> {
  const { pageSize = PAGE_SIZE, signal } = run.options;
  const { client, index } = what.place ?? run.options.from;
  const call = signal ? { signal } : {};
  let size = Math.max(1, pageSize);
  let first = what.from;
  let after: LosslessHit["sort"] | undefined;
  let pit: string | undefined;
  try {
    for (;;) {
      const { hits, pit: next } = await patiently(run, async () => {
        signal?.throwIfAborted();
        pit ??= (await client.openPointInTime({ index, keep_alive: KEEP_ALIVE }, call)).id;
        const query = { range: { _seq_no: { gte: Math.max(0, first) } } };
        const body = {
          pit: { id: pit, keep_alive: KEEP_ALIVE },
          size,
          query,
          sort: [{ _seq_no: "asc" }],
          track_total_hits: false,
          _source: what.source,
          ...(after ? { search_after: after } : {}),
        };
        try {
          return await losslessSearch(client, body, call);
        } catch (error) {
          if (!isLostSnapshot(error)) throw error;
          pit = undefined;
          after = undefined;
          throw new SnapshotLost(error);
        }
      });
      if (next) pit = next;
      if (hits.length === 0) return;
      yield hits;
      const last = hits.at(-1)!;
      after = last.sort;
      first = Number(last.sort[0]);
      const bytes = hits.reduce((sum, { source }) => sum + (source?.length ?? 0), 0);
      if (bytes > 2 * PAGE_BYTES) size = Math.max(1, size >> 1);
      else if (bytes < PAGE_BYTES / 4 && size < 1000) size = Math.min(1000, size * 2);
    }
  } finally {
    if (pit) await client.closePointInTime({ id: pit }).catch(() => undefined);
  }
}

/** The point in time is gone: with the node that had it, or after too long a wait. */
class SnapshotLost extends HuiliuError {
  constructor(cause: unknown) {
    super("SNAPSHOT_LOST", "the snapshot that was read from is gone", { cause });
  }
}

function isLostSnapshot(error: unknown): boolean {
  return error instanceof errors.ResponseError && (error.statusCode === 404 || error.statusCode === 503);
}

/** Does again what a place could not do for now. */
async function patiently<T>(run: Run, work: () => Promise<T>): Promise<T> {
  const { signal, onRetry, firstWaitMs = 500 } = run.options;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const forNow =
        error instanceof SnapshotLost ||
        (error instanceof errors.ResponseError && [429, 502, 503, 504].includes(error.statusCode ?? 0)) ||
        (error instanceof ClusterError &&
          ["CLUSTER_UNREACHABLE", "CLUSTER_TIMEOUT", "CLUSTER_OVERLOADED"].includes(error.code));
      if (!forNow || attempt >= RETRIES || signal?.aborted) throw error instanceof SnapshotLost ? error.cause : error;
      const ms = firstWaitMs * 2 ** attempt;
      onRetry?.({ operations: 0, ms, reason: (error as Error).message });
      await pause(ms, signal);
    }
  }
}

/** Counts both; where they differ, what one of them lacks is copied or removed. @returns how many documents both have */
async function verified(run: Run): Promise<number> {
  const { from, to, signal } = run.options;
  const call = signal ? { signal } : {};
  for (let round = 0; ; round++) {
    const [there, here] = [await count(from, call), await count(to, call)];
    if (there === here) return here;
    if (round === 2) {
      throw new CopyError(
        to.index,
        `the original has ${there} documents and the copy ${here}: one of them changes while it is copied; run the copy again when nothing writes to them`,
      );
    }
    await compare(run);
    await refresh(from);
    await refresh(to);
  }
}

async function compare(run: Run): Promise<void> {
  const { from, to } = run.options;
  for await (const page of pages(run, { from: 0, source: true })) {
    const missing = await absent(to, page);
    if (missing.length > 0)
      await write(
        run,
        missing.map((hit) => operation(hit, to.index)),
      );
  }
  for await (const page of pages(run, { from: 0, source: false, place: to })) {
    const gone = await absent(from, page);
    if (gone.length > 0)
      await write(
        run,
        gone.map(({ id, routing }) => ({ index: to.index, id, ...(routing === undefined ? {} : { routing }) })),
      );
  }
}

async function absent({ client, index }: IndexPlace, hits: LosslessHit[]): Promise<LosslessHit[]> {
  const docs = hits.map(({ id, routing }) => ({
    _id: id,
    _source: false,
    ...(routing === undefined ? {} : { routing }),
  }));
  const answer = await client.mget({ index, docs });
  return hits.filter((_, i) => {
    const doc = answer.docs[i]!;
    if ("error" in doc) throw new CopyError(index, `${doc._id}: ${doc.error.reason ?? doc.error.type}`);
    return !("found" in doc && doc.found);
  });
}

async function count({ client, index }: IndexPlace, call: CallOptions): Promise<number> {
  return (await client.count({ index }, call.signal ? { signal: call.signal } : {})).count;
}

/** Whoever may only read, or has a folder open for reading, sees what was refreshed last. */
async function refresh({ client, index }: IndexPlace): Promise<void> {
  try {
    await client.indices.refresh({ index });
  } catch (error) {
    if (error instanceof ClusterError && error.code === "CLUSTER_FORBIDDEN") return;
    if (error instanceof errors.ResponseError && error.statusCode === 403) return;
    throw error;
  }
}
