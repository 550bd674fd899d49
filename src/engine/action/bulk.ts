/**
 * Carrying out writes. A bulk request is cut by index; within an index the order is kept, and as many writes as possible go into one
 * transaction. An update reads its document first: it waits for earlier writes of the same request to the same id.
 */
import { documentParsing, EngineError } from "../errors.ts";
import { idGenerator } from "../index/random-ids.ts";
import type { Index, IndexRegistry, WriteOperation, WriteResult } from "../index/types.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonObject } from "../json/types.ts";
import { checkBlocks } from "./blocks.ts";
import { dateMathName } from "./date-math-names.ts";
import { indexNotFound, resolveWrite } from "./index-names.ts";
import { checkRouting, resolveRouting } from "./routing.ts";
import { encodeSource, merge } from "./update.ts";
import { type RefreshPolicy, validateWrites, type WriteRequest } from "./write.ts";

export interface WriteOutcome {
  readonly request: WriteRequest;
  /** The index written to; the name asked for when there is none. */
  readonly index: Index | undefined;
  readonly error?: unknown;
  readonly result?: Omit<WriteResult, "result"> & { readonly result: WriteResult["result"] | "noop" };
  /** It came to no write: there was nothing to change, or a mistake. */
  readonly idle?: boolean;
  /** Updates: the new source. */
  readonly source?: Uint8Array;
}

export interface WriteOptions {
  readonly refresh: RefreshPolicy;
  readonly signal?: AbortSignal;
  /** An update of its own refreshes only what it has written. */
  readonly alone?: boolean;
}

/** A new index where a write names none that exists. Deletes make none, unless their version comes from outside. */
async function target(registry: IndexRegistry, request: WriteRequest): Promise<Index> {
  const found = resolveWrite(registry, request.index, request.requireAlias ?? false);
  if (found !== undefined) {
    checkBlocks([found], "write");
    return found;
  }
  if (request.action === "delete" && (request.versionType ?? "internal") === "internal")
    throw indexNotFound(request.index);
  try {
    return await registry.create(request.index, {});
  } catch (error) {
    const madeByAnother = registry.get(request.index);
    if (madeByAnother !== undefined) return madeByAnother;
    throw error;
  }
}

/** The write that an update amounts to; `undefined` when it changes nothing. */
function planUpdate(
  index: Index,
  request: WriteRequest,
): { operation?: WriteOperation; outcome?: WriteOutcome; source: Uint8Array } {
  const { update, id } = request;
  if (update === undefined || id === undefined) throw new Error("an update needs an id and a body");
  const stored = index.get(id);
  if (stored === undefined) {
    const made = update.docAsUpsert ? update.doc : update.upsert;
    if (made === undefined) {
      throw new EngineError("document_missing_exception", `[${id}]: document missing`, {
        status: 404,
        metadata: { index_uuid: index.uuid, shard: "0", index: index.name },
      });
    }
    const source = encodeSource(made);
    return { operation: { kind: "create", id, source, routing: request.routing }, source };
  }
  if (stored.source === undefined) {
    throw new EngineError("document_source_missing_exception", `[${id}]: document source missing`, {
      metadata: { index_uuid: index.uuid, shard: "0", index: index.name },
    });
  }
  const ifSeqNo = request.ifSeqNo ?? update.ifSeqNo;
  const ifPrimaryTerm = request.ifPrimaryTerm ?? update.ifPrimaryTerm;
  const { merged, changed } = merge(parseJson(stored.source) as JsonObject, update.doc ?? {});
  const expected = { ifSeqNo: ifSeqNo ?? stored.seqNo, ifPrimaryTerm: ifPrimaryTerm ?? stored.primaryTerm };
  const conflicts = expected.ifSeqNo !== stored.seqNo || expected.ifPrimaryTerm !== stored.primaryTerm;
  if (changed || !update.detectNoop || conflicts) {
    const source = encodeSource(merged);
    // A document keeps its routing where the update names none.
    const routing = request.routing ?? stored.routing;
    return { operation: { kind: "index", id, source, routing, ...expected }, source };
  }
  const { version, seqNo, primaryTerm } = stored;
  const result = { id, result: "noop" as const, version, seqNo, primaryTerm };
  return { outcome: { request, index, result, source: stored.source }, source: stored.source };
}

function plainOperation(request: WriteRequest): WriteOperation {
  const { id, drawn, version, versionType, ifSeqNo, ifPrimaryTerm } = request;
  const conditions = { version, versionType, ifSeqNo, ifPrimaryTerm };
  if (request.action === "delete") return { kind: "delete", id: id!, ...conditions };
  if (id === "") throw new EngineError("illegal_argument_exception", "if _id is specified it must not be empty");
  const source = request.source ?? new Uint8Array();
  if (source.length === 0) throw documentParsing("[0:0] failed to parse, document is empty");
  const kind = request.action === "create" ? "create" : "index";
  return { kind, id, drawn, source, routing: request.routing, ...conditions };
}

const isConflict = (error: unknown) =>
  error instanceof EngineError && error.type === "version_conflict_engine_exception";

async function writeTo(
  index: Index,
  entries: readonly { at: number; request: WriteRequest }[],
  outcomes: WriteOutcome[],
  signal: AbortSignal | undefined,
): Promise<void> {
  type Pending = { at: number; request: WriteRequest; operation: WriteOperation; source?: Uint8Array; tries: number };
  let pending: Pending[] = [];
  const ids = new Set<string>();
  const flush = async () => {
    let round = pending;
    pending = [];
    ids.clear();
    while (round.length > 0) {
      let results: (WriteResult | Error)[];
      try {
        results = await index.write(
          round.map((entry) => entry.operation),
          { signal },
        );
      } catch (error) {
        // Nothing of this transaction is acknowledged; what earlier ones wrote is.
        for (const { at, request } of round) outcomes[at] = { request, index, error };
        return;
      }
      const again: Pending[] = [];
      round.forEach((entry, place) => {
        const { at, request, source } = entry;
        const result = results[place];
        if (!(result instanceof Error)) outcomes[at] = { request, index, result, source };
        else if (request.action === "update" && isConflict(result) && entry.tries < (request.retryOnConflict ?? 0))
          again.push(entry);
        else outcomes[at] = { request, index, error: result };
      });
      round = [];
      for (const entry of again) {
        const planned = attempt(entry.at, entry.request, entry.tries + 1);
        if (planned !== undefined) round.push(planned);
      }
    }
  };
  const attempt = (at: number, request: WriteRequest, tries: number): Pending | undefined => {
    try {
      if (request.action !== "update") return { at, request, operation: plainOperation(request), tries };
      const { operation, outcome, source } = planUpdate(index, request);
      if (operation !== undefined) return { at, request, operation, source, tries };
      outcomes[at] = { ...outcome!, idle: true };
    } catch (error) {
      outcomes[at] = { request, index, error, idle: true };
    }
    return undefined;
  };
  for (const { at, request } of entries) {
    if (request.action === "update" && ids.has(request.id!)) await flush();
    const planned = attempt(at, request, 0);
    if (planned === undefined) continue;
    pending.push(planned);
    if (request.id !== undefined) ids.add(request.id);
  }
  await flush();
}

/** Ids of documents that bring none: also what goes wrong with such a document names it. */
const generateId = idGenerator();

/** Carries out writes; each has its own outcome. @throws action_request_validation_exception for the whole request */
export async function bulk(
  registry: IndexRegistry,
  given: readonly WriteRequest[],
  options: WriteOptions,
): Promise<WriteOutcome[]> {
  validateWrites(given);
  // A name that cannot be read fails the whole request.
  const requests = given.map((request) => {
    const index = dateMathName(request.index);
    return index === request.index ? request : { ...request, index };
  });
  const outcomes: WriteOutcome[] = new Array(requests.length);
  const targets = new Map<string, Promise<Index>>();
  const groups = new Map<Index, { at: number; request: WriteRequest }[]>();
  for (let at = 0; at < requests.length; at++) {
    let request = requests[at];
    const key = `${request.action === "delete"}/${request.versionType ?? ""}/${request.requireAlias ?? false}/${request.index}`;
    let found = targets.get(key);
    if (found === undefined) targets.set(key, (found = target(registry, request)));
    try {
      const index = await found;
      request = { ...request, routing: resolveRouting(registry, request.index, request.routing) };
      const { action } = request;
      if (request.id === undefined && (action === "index" || action === "create"))
        request = { ...request, id: generateId(), drawn: true };
      checkRouting(index, request.id!, request.routing);
      const group = groups.get(index);
      if (group === undefined) groups.set(index, [{ at, request }]);
      else group.push({ at, request });
    } catch (error) {
      outcomes[at] = { request, index: undefined, error };
    }
  }
  for (const [index, entries] of groups) {
    await writeTo(index, entries, outcomes, options.signal);
    const [{ at, request }] = entries;
    const unwritten = options.alone === true && request.action === "update" && outcomes[at].idle === true;
    if (options.refresh !== "none" && !unwritten) await index.refresh();
  }
  return outcomes;
}

/** One write, whose error is thrown. */
export async function writeOne(
  registry: IndexRegistry,
  request: WriteRequest,
  options: WriteOptions,
): Promise<WriteOutcome> {
  const [outcome] = await bulk(registry, [request], { ...options, alone: true });
  if (outcome.error !== undefined) throw outcome.error;
  return outcome;
}
