/** Error bodies as Elasticsearch prints them: `root_cause`, type, reason, facts, `caused_by`. */
import { EngineError } from "../errors.ts";
import { causeOf, rootCauses } from "../root-causes.ts";
import type { ResponseValue } from "./types.ts";

/** Status that a thrown value is answered with. */
export function statusOf(error: unknown): number {
  return error instanceof EngineError ? error.status : 500;
}

/** Anything that is not an EngineError is a fault of the engine: status 500, its own name as the type. */
function typeOf(error: unknown): string {
  if (error instanceof EngineError) return error.type;
  const name = error instanceof Error ? error.name : "Error";
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Facts of an error (`index`, `failed_shards`, …); errors among them are described in turn. */
function facts(error: unknown, options: { trace: boolean; causes: boolean }): { [key: string]: ResponseValue } {
  if (!(error instanceof EngineError)) return {};
  const plain = (value: unknown): ResponseValue => {
    if (value instanceof Error) return describeError(value, options);
    if (Array.isArray(value)) return value.map(plain);
    if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
    }
    return value === undefined ? null : (value as ResponseValue);
  };
  return Object.fromEntries(
    Object.entries(error.metadata)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, plain(value)]),
  );
}

/** An error without its root cause, as it stands in bulk items, failures and `caused_by`. */
export function describeError(
  error: unknown,
  options: { trace?: boolean; causes?: boolean } = {},
): { [key: string]: ResponseValue } {
  const { trace = false, causes = true } = options;
  const cause = causeOf(error);
  return {
    type: typeOf(error),
    reason: error instanceof EngineError && error.noReason ? null : reasonOf(error),
    ...facts(error, { trace, causes }),
    ...(causes && cause !== undefined && cause !== error ? { caused_by: describeError(cause, { trace }) } : {}),
    ...(trace && error instanceof Error && error.stack ? { stack_trace: error.stack } : {}),
  };
}

/** The whole object under `error`. */
export function errorObject(error: unknown, trace = false): { [key: string]: ResponseValue } {
  return {
    root_cause: rootCauses(error).map((root) => describeError(root, { trace, causes: false })),
    ...describeError(error, { trace }),
  };
}

/** The body of a failed request. */
export function errorBody(error: unknown, trace = false): ResponseValue {
  return { error: errorObject(error, trace), status: statusOf(error) };
}

/** Thrown by routes that Elasticsearch lists for older clients only: answered as an unknown path. */
export class UnknownRoute extends Error {}
