/** From operations to records: everything that can fail about a write happens here, before its transaction. */

import { EngineError } from "../errors.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonObject } from "../json/types.ts";
import { wellFormed } from "../json/utf8.ts";
import { documentSyntaxError } from "../mapping/index.ts";
import type { Mapping } from "../mapping/types.ts";
import type { DocBlock } from "../segment/types.ts";
import type { Slices } from "../slices.ts";
import type { StorageWrite } from "../storage/types.ts";
import {
  EMPTY,
  encodeDocState,
  encodeLogEntry,
  encodeText,
  idKey,
  logKey,
  routingKey,
  sourceKey,
  tombstoneKey,
} from "./records.ts";
import type { WriteOperation, WriteResult } from "./types.ts";
import { checkOperation, type DocState, PRIMARY_TERM, planVersion } from "./versions.ts";

/** An operation that will be applied once its transaction is on disk. */
export interface PlannedOperation {
  readonly id: string;
  readonly seqNo: number;
  /** The document; undefined for deletes. */
  readonly block: DocBlock | undefined;
  /** Sequence number of the live document that goes, -1 when there is none. */
  readonly replaced: number;
}

export interface PlanContext {
  readonly index: { readonly name: string; readonly uuid: string };
  /** Newest state of an id on disk; undefined also for a deletion that is forgotten. */
  readState(id: string): DocState | undefined;
  generateId(): string;
  now(): number;
}

/** The state that planning changes; what was planned for a call that is given up is taken back. */
export interface PlanState {
  nextSeqNo: number;
  mapping: Mapping;
  /** Ids that this transaction changes. */
  readonly states: Map<string, DocState>;
  writes: StorageWrite[];
  operations: PlannedOperation[];
}

/** Plans operations in order. Errors of one do not touch the others; an aborted signal takes all of them back and throws. */
export async function planOperations(
  context: PlanContext,
  state: PlanState,
  operations: readonly WriteOperation[],
  slices: Slices,
): Promise<(WriteResult | Error)[]> {
  const { nextSeqNo, mapping } = state;
  const writeCount = state.writes.length;
  const operationCount = state.operations.length;
  const before = new Map<string, DocState | undefined>();
  try {
    slices.check();
    const results: (WriteResult | Error)[] = [];
    for (const operation of operations) {
      if (slices.due()) await slices.pause();
      try {
        results.push(planOperation(context, state, operation, before));
      } catch (error) {
        results.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
    slices.check();
    return results;
  } catch (error) {
    state.nextSeqNo = nextSeqNo;
    state.mapping = mapping;
    state.writes.length = writeCount;
    state.operations.length = operationCount;
    for (const [id, known] of before) {
      if (known === undefined) state.states.delete(id);
      else state.states.set(id, known);
    }
    throw error;
  }
}

function planOperation(
  context: PlanContext,
  state: PlanState,
  operation: WriteOperation,
  before: Map<string, DocState | undefined>,
): WriteResult {
  const { uuid } = context.index;
  checkOperation(operation);
  const id = operation.id === undefined ? context.generateId() : wellFormed(operation.id);
  const pending = state.states.get(id);
  const fresh = operation.id === undefined || (operation.kind !== "delete" && operation.drawn === true);
  const current = pending ?? (fresh ? undefined : context.readState(id));
  const planned = planVersion(operation, id, current, context.index);
  const seqNo = state.nextSeqNo;
  let block: DocBlock | undefined;
  if (operation.kind !== "delete") {
    // Elasticsearch parses before it looks at versions: a document that does not fit says so first, and leaves its new fields in the mapping.
    const version = "version" in planned ? planned.version : 0;
    const { routing } = operation;
    const parsed = state.mapping.parse({ id, source: parseSource(operation.source), seqNo, version, routing });
    block = parsed.block;
    state.mapping = parsed.mapping;
  }
  if ("conflict" in planned) throw planned.conflict;
  const { version } = planned;
  const exists = current !== undefined && current.deletedAt === 0;
  const replaced = exists ? current.seqNo : -1;
  const next: DocState = { seqNo, version, deletedAt: block === undefined ? context.now() : 0 };
  state.nextSeqNo++;
  if (!before.has(id)) before.set(id, pending);
  state.states.set(id, next);
  state.operations.push({ id, seqNo, block, replaced });
  state.writes.push(
    { put: idKey(uuid, id), value: encodeDocState(next) },
    { put: logKey(uuid, seqNo), value: encodeLogEntry({ id, version, deletes: block === undefined, replaced }) },
  );
  if (operation.kind === "delete") state.writes.push({ put: tombstoneKey(uuid, seqNo), value: encodeText(id) });
  else {
    state.writes.push({ put: sourceKey(uuid, seqNo), value: operation.source.length === 0 ? EMPTY : operation.source });
    if (operation.routing !== undefined)
      state.writes.push({ put: routingKey(uuid, seqNo), value: encodeText(operation.routing) });
  }
  const result = block === undefined ? (exists ? "deleted" : "not_found") : exists ? "updated" : "created";
  return { id, result, version, seqNo, primaryTerm: PRIMARY_TERM };
}

/** The object in a document's bytes, with the errors that Elasticsearch has for bytes that hold none. */
export function parseSource(bytes: Uint8Array): JsonObject {
  // Elasticsearch looks for an object's brace before it reads.
  let first = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[first] === 0x20 || (bytes[first] >= 0x09 && bytes[first] <= 0x0d)) first++;
  if (bytes[first] !== 0x7b) {
    throw new EngineError(
      "not_x_content_exception",
      "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes",
      { status: 500 },
    );
  }
  try {
    return parseJson(bytes) as JsonObject;
  } catch (error) {
    throw documentSyntaxError(error);
  }
}
