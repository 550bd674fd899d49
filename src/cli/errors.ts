/** Errors as people read them: one sentence that says what is wrong and what to do; the stack only where it is asked for. */
import { oneLine } from "./terminal/text.ts";

/** Faults of the environment by the code that Node gives them. */
const REMEDIES: Record<string, string> = {
  ENOSPC: "the disk is full: make room and run the command again; what was indexed before is kept",
  EACCES: "permission denied: check who owns the folder, or choose another with --data",
  EPERM: "not permitted: check who owns the folder, or choose another with --data",
  EROFS: "the file system is read-only: choose another folder with --data",
  ENOTDIR: "a part of this path is a file: choose another folder with --data",
  EADDRINUSE: "the port is taken: choose another with --port",
  ECONNREFUSED: "nothing answers at that address: check that the server runs, and its address",
  ENOTFOUND: "there is no server of that name: check the address",
};

/** Codes whose errors are the user's to mend in the command itself. */
const USAGE_CODES = new Set(["INVALID_ARGUMENT", "INVALID_FILTER"]);

interface Facts {
  code?: unknown;
  cause?: unknown;
  path?: unknown;
}

/** One line for an error. */
export function errorSentence(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const { code, path } = error as Facts;
  const remedy = typeof code === "string" && Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined;
  if (remedy) return oneLine(typeof path === "string" ? `${path}: ${remedy}` : remedy);
  const reason = requestReason(error);
  if (reason !== undefined) return oneLine(reason);
  return oneLine(error.message === "" ? error.name : error.message);
}

/** Why Elasticsearch, or the engine, refused a request: the reason in the error's body. */
function requestReason(error: Error): string | undefined {
  const { meta } = error as { meta?: { body?: { error?: { reason?: unknown; root_cause?: { reason?: unknown }[] } } } };
  const { reason, root_cause: causes } = meta?.body?.error ?? {};
  return [causes?.[0]?.reason, reason].find((text) => typeof text === "string");
}

/** True for what commander's own errors mean too: the command was not well formed. */
export function isUsageError(error: unknown): boolean {
  return error instanceof Error && USAGE_CODES.has(String((error as Facts).code));
}

/** Whether an error is the consequence of an abort signal. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "RequestAbortedError");
}

/** Whether a cluster failed, and not what was asked of it. */
export function isClusterError(error: unknown): boolean {
  return error instanceof Error && /^(CLUSTER_|BULK_FAILED$)/.test(String((error as Facts).code));
}
