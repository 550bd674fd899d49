/** Answers as one line each: hits with their scores, or an error with its causes. */

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Body = any;

/** Without what Jackson says of the place, which is no part of a promise. */
const reason = (text: string) =>
  text
    .replace(/\n at \[Source.*$/s, "")
    .replace(/\nWas expecting.*$/s, "")
    .replace(/^\[\d+:\d+\] /, "");

function causes(error: Body): string {
  const place = error.line === undefined ? "" : ` at ${error.line}:${error.col}`;
  const cause = error.caused_by === undefined ? "" : ` <- ${causes(error.caused_by)}`;
  return `${error.type}${place}: ${reason(String(error.reason))}${cause}`;
}

/** Scores with six digits: their last ones depend on the order of additions. */
const score = (value: number | null) => (value === null ? "null" : String(Number(value.toPrecision(6))));

export function lineOf(status: number, body: Body): string {
  if (body.error === undefined) {
    const hits = body.hits.hits.map((hit: Body) => `${hit._id} ${score(hit._score)}`);
    return `${body.hits.total.value}: ${hits.join(", ")}`;
  }
  const failed: Body[] = body.error.failed_shards ?? [];
  const errors = failed.length > 0 ? failed.map((failure) => causes(failure.reason)) : [causes(body.error)];
  return `${status} ${errors.join("; ")}`;
}
