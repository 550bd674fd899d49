/** Versions and sequence numbers: which write goes through, and what version it makes (Elasticsearch's InternalEngine and VersionType). */
import { EngineError } from "../errors.ts";
import type { WriteOperation } from "./types.ts";

export const PRIMARY_TERM = 1;
export const MAX_ID_BYTES = 512;

/** What is known of an id: its newest version, alive or deleted. */
export interface DocState {
  readonly seqNo: number;
  readonly version: number;
  /** Time of the deletion in milliseconds, 0 for a document that is alive. */
  readonly deletedAt: number;
}

/** The state of a document that is alive, undefined otherwise. */
const living = (state: DocState | undefined): DocState | undefined => (state?.deletedAt === 0 ? state : undefined);

function invalid(...problems: string[]): EngineError {
  const text = problems.map((problem, i) => ` ${i + 1}: ${problem};`).join("");
  return new EngineError("action_request_validation_exception", `Validation Failed:${text}`);
}

/** Refuses what no state of the index could accept, as IndexRequest and DeleteRequest validate themselves. */
export function checkOperation(operation: WriteOperation): void {
  const { id, kind, version, ifSeqNo, ifPrimaryTerm } = operation;
  const versionType = operation.versionType ?? "internal";
  const conditional = ifSeqNo !== undefined || ifPrimaryTerm !== undefined;
  const problems: string[] = [];
  const external = versionType !== "internal";
  const creates = kind === "create" || id === undefined;
  if (creates && (external || version !== undefined)) {
    throw invalid("create operations only support internal versioning. use index instead");
  }
  if (creates && conditional) {
    throw invalid("create operations do not support compare and set. use index instead");
  }
  if (external && (version === undefined || !Number.isSafeInteger(version) || version < 0)) {
    problems.push(`illegal version value [${version ?? -3}] for version type [${versionType.toUpperCase()}]`);
  }
  if (!external && version !== undefined) {
    problems.push(
      "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead",
    );
  }
  if (conditional && external) problems.push("compare and write operations can not use versioning");
  if (ifSeqNo !== undefined && (ifPrimaryTerm ?? 0) === 0)
    problems.push(`ifSeqNo is set, but primary term is [${ifPrimaryTerm ?? 0}]`);
  if (ifSeqNo === undefined && ifPrimaryTerm !== undefined && ifPrimaryTerm !== 0) {
    problems.push(`ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`);
  }
  if (id !== undefined) {
    const bytes = new TextEncoder().encode(id).length;
    if (bytes > MAX_ID_BYTES) {
      problems.push(`id [${id}] is too long, must be no longer than ${MAX_ID_BYTES} bytes but was: ${bytes}`);
    }
    if (id === "") problems.push("id is missing");
  }
  if (problems.length > 0) throw invalid(...problems);
}

/**
 * The version that a write makes, or the conflict that stops it.
 * @param current newest state of the id; undefined when there never was one, or its deletion is forgotten
 */
export function planVersion(
  operation: WriteOperation,
  id: string,
  current: DocState | undefined,
  index: { readonly name: string; readonly uuid: string },
): { version: number } | { conflict: EngineError } {
  const conflict = (why: string) => ({
    conflict: new EngineError("version_conflict_engine_exception", `[${id}]: version conflict, ${why}`, {
      status: 409,
      metadata: { index_uuid: index.uuid, shard: "0", index: index.name },
    }),
  });
  if (operation.ifSeqNo !== undefined) {
    const required = `required seqNo [${operation.ifSeqNo}], primary term [${operation.ifPrimaryTerm}].`;
    const document = living(current);
    if (document === undefined) return conflict(`${required} but no document was found`);
    if (document.seqNo !== operation.ifSeqNo || operation.ifPrimaryTerm !== PRIMARY_TERM) {
      return conflict(`${required} current document has seqNo [${document.seqNo}] and primary term [${PRIMARY_TERM}]`);
    }
  }
  if (operation.kind === "create") {
    const document = living(current);
    if (document !== undefined) return conflict(`document already exists (current version [${document.version}])`);
    return { version: (current?.version ?? 0) + 1 };
  }
  const given = operation.version;
  switch (operation.versionType ?? "internal") {
    case "internal":
      return { version: (current?.version ?? 0) + 1 };
    case "external":
      if (current !== undefined && current.version >= (given as number)) {
        return conflict(`current version [${current.version}] is higher or equal to the one provided [${given}]`);
      }
      return { version: given as number };
    case "external_gte":
      if (current !== undefined && current.version > (given as number)) {
        return conflict(`current version [${current.version}] is higher than the one provided [${given}]`);
      }
      return { version: given as number };
  }
}
