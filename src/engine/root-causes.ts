/** Which of several nested errors a reader should look at first: Elasticsearch's `root_cause`. */
import { EngineError } from "./errors.ts";

export const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/**
 * Types that in Elasticsearch are plain Java exceptions. A root cause is looked for behind Elasticsearch's own exceptions only, and is one
 * of them only: the place in the request matters more to a reader than the number format that failed there.
 */
const PLAIN_JAVA =
  /^(illegal_argument|illegal_state|number_format|null_pointer|no_such_element|negative_array_size|class_cast|unsupported_operation|array_index_out_of_bounds|(string_)?index_out_of_bounds|zone_rules|date_time|date_time_parse|arithmetic|i_o|json_parse|json_e_o_f|input_coercion|stream_constraints|named_object_not_found|x_content_\w+)_exception$|^too_many_clauses$|^(too_complex_to_determinize|query_validation)_exception$/;

/** True for Elasticsearch's own exceptions, as against those of plain Java. */
export const isOwn = (error: unknown): boolean => error instanceof EngineError && !PLAIN_JAVA.test(error.type);
const isContent = (error: unknown) =>
  error instanceof EngineError && /^(x_content_|named_object_not_found_)/.test(error.type);

/** The innermost error that says something of the request (ElasticsearchException.guessRootCauses). */
export function rootCauses(error: unknown): readonly unknown[] {
  if (error instanceof EngineError && error.rootCause !== undefined) return error.rootCause;
  const cause = causeOf(error);
  if (isOwn(error) && isOwn(cause)) return rootCauses(cause);
  if (isContent(error) && (isOwn(cause) || isContent(cause))) return rootCauses(cause);
  return [error];
}
