/** What is compared of an answer: hits and scores, or the types of its errors. */

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Body = any;

export interface Answer {
  readonly status: number;
  readonly total?: unknown;
  readonly max?: number | null;
  readonly hits?: readonly (readonly [index: string, id: string, score: number | null, matched?: unknown])[];
  /** Types of an error and its causes, of its root causes, and of the shards' failures. */
  readonly error?: string;
}

/** Without the part of the name that keeps recordings apart from other indices. */
const shortIndex = (name: string) => name.replace("querytests-", "");

function types(error: Body): string {
  if (error === undefined || error === null) return "";
  return `${error.type}${error.caused_by ? ` > ${types(error.caused_by)}` : ""}`;
}

export function answerOf(status: number, body: Body): Answer {
  if (body?.error !== undefined) {
    const { error } = body;
    const roots = (error.root_cause ?? []).map((root: Body) => root.type);
    const failed = (error.failed_shards ?? []).map((failure: Body) => types(failure.reason));
    return {
      status,
      error: [types(error), `root ${roots}`, ...(failed.length > 0 ? [`shards ${failed}`] : [])].join("; "),
    };
  }
  const failures = (body._shards?.failures ?? []).map((failure: Body) => types(failure.reason));
  return {
    status,
    total: body.hits.total?.value ?? body.hits.total,
    max: body.hits.max_score,
    hits: body.hits.hits.map((hit: Body) => [
      shortIndex(hit._index),
      hit._id,
      hit._score,
      ...(hit.matched_queries ? [hit.matched_queries] : []),
    ]),
    ...(failures.length > 0 ? { error: `shards ${failures}` } : {}),
  };
}
