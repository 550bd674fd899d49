/** Scrolls: searches whose snapshots stay open, and which go on behind the last hit that was shown of each shard. */
import { EngineError, unsupported } from "../../errors.ts";
import type { IndexRegistry } from "../../index/types.ts";
import { matchesAll } from "../../query/lucene/constant.ts";
import type { Slices } from "../../slices.ts";
import { createSlices } from "../../slices.ts";
import type { ResolvedIndex } from "../index-names.ts";
import { printScore } from "../print-score.ts";
import type { ResponseValue } from "../response-value.ts";
import { eachShard, plain } from "../shard-failures.ts";
import { type ContextId, checkKeepAlive, contextMissing, type SearchContexts } from "./contexts.ts";
import { fetchPhase } from "./fetch-phase.ts";
import { checkAll } from "./point-in-time.ts";
import { bestHits, type ShardResult } from "./query-phase.ts";
import type { SearchRequest } from "./request.ts";
import { openShards, printTotal, type SearchOptions, searchShards, slicesOf } from "./search.ts";
import { closeShards, type Shard, type ShardHit } from "./shard.ts";
import { mergeHits } from "./sorting.ts";
import { before, behind } from "./termination.ts";

interface ScrolledShard {
  readonly shard: Shard;
  readonly result: ShardResult;
  /** The last hit of it that was shown. */
  last: ShardHit | undefined;
}

interface Scroll {
  readonly request: SearchRequest;
  readonly shards: readonly ScrolledShard[];
  readonly best: number | undefined;
  /** Requests that go on with it come one after the other. */
  queue: Promise<unknown>;
}

/** The first page. */
export async function startScroll(
  registry: IndexRegistry,
  contexts: SearchContexts,
  indices: readonly ResolvedIndex[],
  request: SearchRequest & { readonly scroll: number },
  options: SearchOptions,
): Promise<ResponseValue> {
  const began = performance.now();
  const slices = slicesOf(request, options.signal);
  if (request.terminateAfter > 0 && request.sorts[0]?.name === "_doc")
    throw unsupported("terminate_after in a scroll in the order of documents");
  const names = indices.map(({ index }) => index.name).sort();
  if (names.length > 0) checkAll(names, request.scroll);
  // A scroll counts all its hits.
  const counted = { ...request, trackTotalHits: Number.POSITIVE_INFINITY };
  const shards = await openShards(registry, indices, counted, options);
  let kept = false;
  try {
    await eachShard(shards, "query", async () => contexts.checkRoom("scroll", shards.length));
    const { response, results, hits, best } = await searchShards(shards, counted, slices, began);
    const scroll: Scroll = {
      request: counted,
      best,
      shards: results.map(({ shard, result }) => ({ shard, result, last: lastOf(hits, shard) })),
      queue: Promise.resolve(),
    };
    const id = contexts.open({
      kind: "scroll",
      indices: results.map(({ shard }) => shard.index.name),
      keepAlive: request.scroll,
      state: scroll,
      release: () => closeShards(shards),
    });
    kept = results.length > 0;
    return { _scroll_id: id, ...response };
  } finally {
    if (!kept) closeShards(shards);
  }
}

const lastOf = (hits: readonly ShardHit[], shard: Shard) => hits.findLast((hit) => hit.shard === shard);

export interface NextPage {
  readonly id: ContextId;
  /** As it was given. */
  readonly text: string;
  /** Milliseconds; undefined: it ends with this page. */
  readonly keepAlive: number | undefined;
  readonly totalAsInt: boolean;
  readonly signal?: AbortSignal | undefined;
}

export async function nextPage(
  registry: IndexRegistry,
  contexts: SearchContexts,
  next: NextPage,
): Promise<ResponseValue> {
  const { id, keepAlive } = next;
  const began = performance.now();
  const slices = createSlices(next.signal ? { signal: next.signal } : {});
  slices.check();
  if (keepAlive !== undefined && id.shards.length > 0) checkTime(id, keepAlive);
  const used = contexts.use<Scroll>(id);
  if (!used && id.shards.length > 0) throw allMissing(id);
  try {
    if (keepAlive !== undefined) used?.keepAlive(keepAlive);
    const page = used ? await inTurn(used.state, () => goOn(registry, used.state, next, slices)) : emptyPage(next);
    const took = Math.round(performance.now() - began);
    return { ...(keepAlive === undefined ? {} : { _scroll_id: next.text }), took, ...page };
  } finally {
    if (keepAlive === undefined) contexts.free(id);
    used?.done();
  }
}

function inTurn<T>(scroll: Scroll, work: () => Promise<T>): Promise<T> {
  const turn = scroll.queue.then(work);
  scroll.queue = turn.catch(() => undefined);
  return turn;
}

async function goOn(registry: IndexRegistry, scroll: Scroll, { id, totalAsInt }: NextPage, slices: Slices) {
  const { request, shards } = scroll;
  const isThere = ({ shard: { index } }: ScrolledShard) => registry.get(index.name)?.uuid === index.uuid;
  const missing = shards.flatMap((each, i) => (isThere(each) ? [] : [id.shards[i][1]]));
  const there = shards.filter(isThere);
  if (missing.length > 0 && there.length === 0) throw allMissing(id);
  const tops = [];
  for (const each of there) tops.push({ shard: each.shard, result: await following(each, request, slices) });
  const hits = mergeHits(tops, 0, request.size);
  const queries = new Map(there.map(({ shard, result }) => [shard, result.query]));
  const rescored = new Map(there.map(({ shard, result }) => [shard, result.rescored]));
  const page = await fetchPhase(hits, request, { queries, rescored }, slices, there.length);
  for (const each of there) each.last = lastOf(hits, each.shard) ?? each.last;
  const total = there.reduce((sum, { result }) => sum + result.top.total, 0);
  return {
    timed_out: false,
    ...(request.terminateAfter > 0 ? { terminated_early: shards.some(({ result }) => result.end !== undefined) } : {}),
    _shards: {
      total: shards.length,
      successful: there.length,
      skipped: 0,
      failed: missing.length,
      ...(missing.length > 0 ? { failures: missing.map((context) => failure(contextMissing(context))) } : {}),
    },
    hits: {
      ...printTotal({ value: total, relation: "eq" }, { totalAsInt }),
      max_score: scroll.best === undefined ? null : printScore(scroll.best),
      hits: page.hits,
    },
  };
}

/** The hits of a shard behind the last one that was shown. */
async function following({ shard, result, last }: ScrolledShard, request: SearchRequest, slices: Slices) {
  const { keys, end } = result;
  const wanted = end === undefined ? result.wanted : before(result.wanted, end);
  const { minScore, trackScores } = request;
  const k = Math.min(request.size, shard.snapshot.docCount);
  // Where all hits score the same, they come in the order of their documents.
  const inOrder = last !== undefined && !keys && matchesAll(wanted);
  const top = await bestHits(shard, inOrder ? behind(wanted, last.doc) : wanted, keys, {
    k,
    totalHitsThreshold: 0,
    minScore,
    trackScores,
    after: last,
    slices,
  });
  return { top, keys };
}

function emptyPage({ totalAsInt }: NextPage) {
  return {
    timed_out: false,
    _shards: { total: 0, successful: 0, skipped: 0, failed: 0 },
    hits: { ...printTotal({ value: 0, relation: "eq" }, { totalAsInt }), max_score: 0, hits: [] },
  };
}

/** How many shards a scroll held of indices that are still there. */
export function freeScroll(registry: IndexRegistry, contexts: SearchContexts, id: ContextId): number {
  const used = contexts.use<Scroll>(id);
  if (!used) return 0;
  const there = used.state.shards.filter(({ shard: { index } }) => registry.get(index.name)?.uuid === index.uuid);
  used.done();
  contexts.free(id);
  return there.length;
}

/** Going on with a scroll Elasticsearch does not know which index a failure is of. */
function failure({ type, reason }: EngineError): { [key: string]: ResponseValue } {
  return { shard: -1, index: null, reason: { type, reason } };
}

function allFailed(causes: readonly EngineError[]): EngineError {
  return new EngineError("search_phase_execution_exception", "all shards failed", {
    status: causes[0].status,
    metadata: { phase: "query", grouped: true, failed_shards: causes.map(failure) },
    rootCause: causes,
    cause: causes[0],
  });
}

const allMissing = (id: ContextId) => allFailed(id.shards.map(([, context]) => contextMissing(context)));

function checkTime(id: ContextId, keepAlive: number): void {
  try {
    checkKeepAlive(keepAlive);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const own = plain(error);
    throw allFailed(id.shards.map(() => own));
  }
}
