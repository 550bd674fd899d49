/** Errors of providers, told in one way: which model, which status, why, and what to do. */

import { HuiliuError, ModelError, type ModelFailure } from "../schema/errors.ts";

const REMEDIES: Record<ModelFailure, string> = {
  rate_limit: "wait, make fewer calls at the same time, or ask the provider for more",
  quota: "the account has nothing left: pay, or raise the quota",
  inspection: "the provider's content inspection refused the text: leave it out, or use another provider",
  api_key: "check the API key",
  access: "check what the API key may do, and whether the model is activated for the account",
  not_found: "check the model's name and the base URL",
  too_long: "send less text at a time",
  invalid_request: "",
  server: "the provider has a fault; try again later",
  network: "",
};

/** What may go well the next time. */
const RETRYABLE: ReadonlySet<ModelFailure> = new Set(["rate_limit", "server", "network"]);

/** Codes of providers, of which several send the same status for different reasons. DashScope's native codes, then those of OpenAI's API. */
const CODES: [RegExp, ModelFailure][] = [
  [
    /^AllocationQuota\.FreeTierOnly|^Arrearage$|^insufficient_quota$|^PrepaidBillOverdue|^PostpaidBillOverdue/i,
    "quota",
  ],
  [/^Throttling|^limit_(requests|burst_rate)|^rate_limit|^LimitRequests/i, "rate_limit"],
  [/data_?inspection|^content_filter$/i, "inspection"],
  [/^invalid_?api_?key$|^NOT AUTHORIZED$/i, "api_key"],
  [/^(Model\.)?AccessDenied|^access_denied|^WorkSpace\.AccessDenied/i, "access"],
  [/^Model\.?_?NotFound|^model_not_found$|^InvalidModel$|^ModelNotExist/i, "not_found"],
  [/TooLarge|^context_length_exceeded$/i, "too_long"],
  [
    /^(RequestTimeOut|InternalError|SystemError|ModelUnavailable|ModelServiceFailed|ServiceUnavailable|internal_error)(\.(?!Algo\.InvalidParameter)|$)/i,
    "server",
  ],
];

/** What DashScope says about a text that is too long. */
const TOO_LONG = /Range of input length|maximum context length|input is too long|Total message token length/i;

interface Facts {
  message: string;
  statusCode?: number;
  url?: string;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
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
  const where = facts.url ? ` at ${new URL(facts.url).origin}` : "";
  if (facts.statusCode === undefined) {
    const failed = connectionFailed(facts);
    const remedy = failed ? `: is the server${where || " that it names"} running and reachable?` : "";
    return new ModelError(model, `${model} failed: ${facts.message}${remedy}`, {
      ...(failed ? { reason: "network", retryable: true } : {}),
      cause: error,
    });
  }
  return answeredError(model, {
    status: facts.statusCode,
    where,
    message: facts.message,
    body: facts.responseBody,
    header: (name) => facts.responseHeaders?.[name],
    cause: error,
  });
}

/** The error for an answer with a status that is none of success. */
export function answeredError(
  model: string,
  answer: {
    status: number;
    where: string;
    message?: string;
    body: string | undefined;
    header: (name: string) => string | null | undefined;
    cause?: unknown;
  },
): ModelError {
  const { status, where, header, cause } = answer;
  const told = bodyFacts(answer.body);
  const text = told.message ?? (answer.message || "no reason given");
  const reason = failureOf(status, told.code, text);
  const remedy = reason === undefined ? "" : REMEDIES[reason];
  const retryAfterMs = retryAfter(header);
  const code = told.code === undefined || text.includes(told.code) ? "" : `${told.code}: `;
  const requestId = told.requestId ?? header("x-request-id") ?? undefined;
  return new ModelError(model, `${model} answered ${status}${where}: ${code}${text}${remedy && ` (${remedy})`}`, {
    status,
    ...(reason === undefined ? {} : { reason, retryable: RETRYABLE.has(reason) }),
    ...(told.code === undefined ? {} : { providerCode: told.code }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(cause === undefined ? {} : { cause }),
  });
}

function failureOf(status: number, code: string | undefined, message: string): ModelFailure | undefined {
  const known = code === undefined ? undefined : CODES.find(([pattern]) => pattern.test(code))?.[1];
  if (known) return known;
  if (TOO_LONG.test(message)) return "too_long";
  if (status === 401) return "api_key";
  if (status === 403) return "access";
  if (status === 404) return "not_found";
  if (status === 413) return "too_long";
  if (status === 429) return "rate_limit";
  if (status === 408 || status === 409 || status >= 500) return "server";
  return status >= 400 ? "invalid_request" : undefined;
}

/** Code, message and id of an error's body: DashScope's own shape, or that of OpenAI's API with everything under `error`. */
function bodyFacts(body: string | undefined): { code?: string; message?: string; requestId?: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body ?? "");
  } catch {
    return {};
  }
  const outer = record(parsed);
  const inner = outer && record(outer["error"]);
  const code = string(inner?.["code"]) ?? string(outer?.["code"]) ?? string(inner?.["type"]);
  const message = string(inner?.["message"]) ?? string(outer?.["message"]) ?? string(outer?.["error"]);
  const requestId = string(outer?.["request_id"]);
  return {
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function string(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** `Retry-After` in milliseconds: seconds, or a date; some providers send `retry-after-ms` as well. */
export function retryAfter(
  header: (name: string) => string | null | undefined,
  now: number = Date.now(),
): number | undefined {
  const exact = Number(header("retry-after-ms") || Number.NaN);
  if (exact >= 0) return exact;
  const value = header("retry-after")?.trim();
  if (!value) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** A retry error tells of all attempts; the last one says most. */
function lastOf(error: unknown): Facts {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const facts = error as Facts;
  return facts.lastError ? lastOf(facts.lastError) : facts;
}

function connectionFailed(facts: Facts): boolean {
  const code = (facts.cause as { code?: string } | undefined)?.code;
  return /ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ECONNRESET|EAI_AGAIN|EPIPE|UND_ERR|Cannot connect|fetch failed|terminated/.test(
    `${code} ${facts.message}`,
  );
}
