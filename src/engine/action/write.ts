/** Write requests as Elasticsearch validates them, before anything is written. */
import { EngineError } from "../errors.ts";
import type { UpdateBody } from "./update.ts";

export type VersionType = "internal" | "external" | "external_gte";
export type RefreshPolicy = "none" | "immediate" | "wait";

/** One write to one document. */
export interface WriteRequest {
  readonly action: "index" | "create" | "delete" | "update";
  /** Name of an index or alias. */
  readonly index: string;
  readonly id?: string;
  /** Nobody else has the id: it was drawn for a document that came without one. */
  readonly drawn?: boolean;
  readonly routing?: string | undefined;
  /** The document (index, create). */
  readonly source?: Uint8Array;
  /** What an update does. */
  readonly update?: UpdateBody;
  readonly version?: number;
  readonly versionType?: VersionType;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  readonly requireAlias?: boolean;
  /** Updates: how often to read again when another write came between. Default 0. */
  readonly retryOnConflict?: number;
}

const MAX_ID_BYTES = 512;

export function validationFailed(problems: readonly string[]): EngineError {
  const text = problems.map((problem, at) => `${at + 1}: ${problem};`).join("");
  return new EngineError("action_request_validation_exception", `Validation Failed: ${text}`);
}

export function versionTypeOf(name: string): VersionType {
  if (name === "internal" || name === "external" || name === "external_gte") return name;
  if (name === "external_gt") return "external";
  throw new EngineError("illegal_argument_exception", `No version type match [${name}]`);
}

function compareAndSet(request: WriteRequest): string[] {
  const { version, versionType = "internal", ifSeqNo, ifPrimaryTerm } = request;
  const problems: string[] = [];
  const least = versionType === "internal" ? 1 : 0;
  if (version === undefined ? versionType !== "internal" : version < least) {
    problems.push(`illegal version value [${version ?? -3}] for version type [${versionType.toUpperCase()}]`);
  }
  if (versionType === "internal" && version !== undefined) {
    problems.push(
      "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead",
    );
  }
  if (ifSeqNo !== undefined && (versionType !== "internal" || version !== undefined)) {
    problems.push("compare and write operations can not use versioning");
  }
  if (ifSeqNo !== undefined && (ifPrimaryTerm ?? 0) === 0) problems.push("ifSeqNo is set, but primary term is [0]");
  if (ifSeqNo === undefined && (ifPrimaryTerm ?? 0) !== 0) {
    problems.push(`ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`);
  }
  return problems;
}

function problemsOf(request: WriteRequest): string[] {
  if (request.action === "update") {
    const { update } = request;
    const problems = request.id === undefined || request.id === "" ? ["id is missing"] : [];
    problems.push(...compareAndSet(request), ...tooLong(request.id));
    if (request.ifSeqNo !== undefined) {
      if ((request.retryOnConflict ?? 0) > 0) problems.push("compare and write operations can not be retried");
      if (update?.docAsUpsert) problems.push("compare and write operations can not be used with upsert");
      if (update?.upsert !== undefined)
        problems.push("upsert requests don't support `if_seq_no` and `if_primary_term`");
    }
    if (update?.doc === undefined) problems.push("script or doc is missing");
    if (update?.doc === undefined && update?.docAsUpsert) {
      problems.push("doc must be specified if doc_as_upsert is enabled");
    }
    return problems;
  }
  if (request.action === "delete") {
    const problems = request.id === undefined || request.id === "" ? ["id is missing"] : [];
    return [...problems, ...compareAndSet(request)];
  }
  if (request.action === "create") {
    if ((request.versionType ?? "internal") !== "internal") {
      return ["create operations only support internal versioning. use index instead"];
    }
    if (request.version !== undefined) return ["create operations do not support explicit versions. use index instead"];
    if (request.ifSeqNo !== undefined || (request.ifPrimaryTerm ?? 0) !== 0) {
      return ["create operations do not support compare and set. use index instead"];
    }
  }
  const versioned = request.version !== undefined || (request.versionType ?? "internal") !== "internal";
  const unnamed = request.id === undefined && versioned;
  const problems = unnamed ? ["an id must be provided if version type or value are set"] : [];
  return [...problems, ...compareAndSet(request), ...tooLong(request.id)];
}

function tooLong(id: string | undefined): string[] {
  const bytes = id === undefined || id.length * 3 <= MAX_ID_BYTES ? 0 : new TextEncoder().encode(id).length;
  if (bytes <= MAX_ID_BYTES) return [];
  return [`id [${id}] is too long, must be no longer than ${MAX_ID_BYTES} bytes but was: ${bytes}`];
}

/** @throws action_request_validation_exception that lists everything that is wrong */
export function validateWrites(requests: readonly WriteRequest[]): void {
  const problems = requests.length === 0 ? ["no requests added"] : requests.flatMap(problemsOf);
  if (problems.length > 0) throw validationFailed(problems);
}
