/** Error bodies as Elasticsearch prints them: `root_cause`, type, reason, facts, `caused_by`. */
import { EngineError } from "../errors.ts";
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

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** Facts of an error (`index`, `failed_shards`, …); errors among them are described in turn. */
function facts(error: unknown, trace: boolean): { [key: string]: ResponseValue } {
  if (!(error instanceof EngineError)) return {};
  const plain = (value: unknown): ResponseValue => {
    if (value instanceof Error) return describeError(value, { trace });
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
    reason: reasonOf(error),
    ...facts(error, trace),
    ...(causes && cause !== undefined && cause !== error ? { caused_by: describeError(cause, { trace }) } : {}),
    ...(trace && error instanceof Error && error.stack ? { stack_trace: error.stack } : {}),
  };
}

/**
 * Types that in Elasticsearch are plain Java exceptions. A root cause is looked for behind Elasticsearch's own exceptions only, and is one
 * of them only: the place in the request matters more to a reader than the number format that failed there.
 */
const PLAIN_JAVA =
  /^(illegal_argument|illegal_state|number_format|null_pointer|class_cast|unsupported_operation|array_index_out_of_bounds|index_out_of_bounds|date_time|date_time_parse|arithmetic|i_o|json_parse|json_e_o_f|stream_constraints|named_object_not_found|x_content_\w+)_exception$/;

const isOwn = (error: unknown) => error instanceof EngineError && !PLAIN_JAVA.test(error.type);
const isContent = (error: unknown) =>
  error instanceof EngineError && /^(x_content_|named_object_not_found_)/.test(error.type);

/** The innermost error that says something of the request (ElasticsearchException.guessRootCauses). */
export function rootCauses(error: unknown): readonly unknown[] {
  if (error instanceof EngineError && error.rootCause.length > 0) return error.rootCause;
  const cause = causeOf(error);
  if (isOwn(error) && isOwn(cause)) return rootCauses(cause);
  if (isContent(error) && (isOwn(cause) || isContent(cause))) return rootCauses(cause);
  return [error];
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
