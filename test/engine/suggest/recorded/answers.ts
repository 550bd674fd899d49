/** What is kept of an answer. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type Kept = { readonly status: number; readonly [key: string]: Json };

/** Floats with as many digits as both sides have in common. */
const rounded = (value: Json): Json => {
  if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(6));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
  }
  return value;
};

/** @param plain the text of an answer with indices under their own names */
export function kept(status: number, plain: string): Kept {
  const { error, hits, suggest, terminated_early: early } = JSON.parse(plain);
  if (error) return keptError(status, plain);
  const found = {
    total: hits.total ?? null,
    max: hits.max_score,
    ids: hits.hits.map((hit: { _id: string }) => hit._id),
  };
  return JSON.parse(JSON.stringify(rounded({ status, hits: found, suggest, early } as unknown as Json)));
}

/** Of an answer that may be an error. */
export function keptError(status: number, plain: string): Kept {
  const { error } = JSON.parse(plain);
  if (!error) return { status };
  const shown = ({ type, reason, line, col }: { [key: string]: Json }) => ({ type, reason, line, col });
  const cause = error.caused_by ? { caused_by: shown(error.caused_by) } : {};
  return JSON.parse(
    JSON.stringify({ status, error: { ...shown(error), roots: error.root_cause.map(shown), ...cause } }),
  );
}
