/** Errors of providers, told in one way: which model, which status, and what to do. */

import { HuiliuError, ModelError } from "../schema/errors.ts";

const REMEDIES: Record<number, string> = {
  401: "check the API key",
  403: "check what the API key may do",
  404: "check the model's name and the base URL",
  413: "send less text at a time",
  429: "wait, or raise the quota",
};

interface Facts {
  message: string;
  statusCode?: number;
  url?: string;
  lastError?: unknown;
  cause?: unknown;
}

/**
 * A provider's error as a `ModelError`. Once `signal` is aborted its reason is returned, whatever the provider made of
 * it; this library's own errors are returned as they are.
 */
export function modelError(model: string, error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof HuiliuError) return error;
  const facts = lastOf(error);
  const status = facts.statusCode;
  const where = facts.url ? ` at ${new URL(facts.url).origin}` : "";
  if (status === undefined) {
    const remedy = connectionFailed(facts) ? `: is the server${where || " that it names"} running and reachable?` : "";
    return new ModelError(model, `${model} failed: ${facts.message}${remedy}`, { cause: error });
  }
  const remedy = REMEDIES[status] ?? (status >= 500 ? "the provider has a fault; try again later" : "");
  const message = `${model} answered ${status}${where}: ${facts.message}${remedy && ` (${remedy})`}`;
  return new ModelError(model, message, { status, cause: error });
}

/** A retry error tells of all attempts; the last one says most. */
function lastOf(error: unknown): Facts {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const facts = error as Facts;
  return facts.lastError ? lastOf(facts.lastError) : facts;
}

function connectionFailed(facts: Facts): boolean {
  const code = (facts.cause as { code?: string } | undefined)?.code;
  return /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ECONNRESET|Cannot connect|fetch failed/.test(`${code} ${facts.message}`);
}
