/** Comparing an answer with a recorded one: what is left out, and how near numbers must be. */

export type Json = null | boolean | number | string | Json[] | JsonMap;
export type JsonMap = { [key: string]: Json };

/** float32 arithmetic in another order. */
const SCORE_TOLERANCE = 1e-5;
const NUMBER_TOLERANCE = 1e-9;

/** Different on each run, or on each machine. */
const VOLATILE = new Set(["took", "index_uuid", "stack_trace", "uuid", "_node", "_shard"]);
const VERSIONS = new Set(["_seq_no", "_primary_term", "_version"]);
const HANDLES = new Set(["_scroll_id", "pit_id"]);
const SCORES = new Set(["_score", "max_score", "explanation", "_explanation", "matched_queries"]);

const isMap = (value: Json | undefined): value is JsonMap =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export const shown = (value: Json | undefined): string => {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

/** Name of the first feature that the answer refuses. */
export function isRefusal(body: Json | undefined): string | undefined {
  if (Array.isArray(body)) {
    for (const item of body) {
      const found = isRefusal(item);
      if (found !== undefined) return found;
    }
  }
  if (!isMap(body)) return undefined;
  if (body.type === "unsupported_feature_exception" && typeof body.reason === "string")
    return /\[(.*?)\] is not/.exec(body.reason)?.[1] ?? body.reason;
  for (const [key, value] of Object.entries(body)) {
    if (key === "_source") continue;
    const found = isRefusal(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isErrorObject = (value: Json): value is JsonMap =>
  isMap(value) && typeof value.type === "string" && "reason" in value;

/** Of an error the types count, and the types of its root causes: reasons hold places in the code. */
function errorTypes(error: Json): Json {
  if (!isErrorObject(error)) return "error";
  const roots = Array.isArray(error.root_cause) ? error.root_cause.map((root) => (isMap(root) ? root.type : root)) : [];
  return { type: error.type, roots };
}

/** What is compared of an answer. */
function relevant(value: Json, keep: ReadonlySet<string>, ignore: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => relevant(item, keep, ignore));
  if (!isMap(value)) return value;
  const kept: JsonMap = {};
  for (const [key, inner] of Object.entries(value)) {
    if (VOLATILE.has(key) || ignore.has(key) || (VERSIONS.has(key) && !keep.has(key))) continue;
    if (key === "_source") kept[key] = inner;
    else if (HANDLES.has(key)) kept[key] = "*";
    else if (key === "error") kept[key] = errorTypes(inner);
    else if (key === "_shards") {
      const failures = isMap(inner) && Array.isArray(inner.failures) ? inner.failures : [];
      if (failures.length > 0)
        kept[key] = failures.map((failure) => errorTypes(isMap(failure) ? failure.reason : failure));
    } else kept[key] = relevant(inner, keep, ignore);
  }
  return kept;
}

const near = (a: number, b: number, tolerance: number) =>
  a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));

/** Hits that rank alike may come in another order. */
function reordered(expected: readonly Json[], got: readonly Json[]): readonly Json[] {
  if (expected.length !== got.length || !expected.every(isMap) || !got.every(isMap)) return got;
  const rank = (hit: JsonMap) => (Array.isArray(hit.sort) ? hit.sort : [hit._score]);
  const key = (hit: JsonMap) => JSON.stringify([hit._index, hit._id, hit._nested ?? null]);
  const tied = (a: JsonMap, b: JsonMap) =>
    rank(a).every((value, at) => {
      const other = rank(b)[at];
      const numbers =
        typeof value === "number" && typeof other === "number" && !(Number.isInteger(value) && Number.isInteger(other));
      return value === other || (numbers && near(value, other, SCORE_TOLERANCE));
    });
  const result: Json[] = [];
  for (let from = 0; from < expected.length; ) {
    let to = from + 1;
    while (to < expected.length && tied(expected[to - 1] as JsonMap, expected[to] as JsonMap)) to++;
    const group = new Map((got.slice(from, to) as JsonMap[]).map((hit) => [key(hit), hit]));
    for (; from < to; from++) {
      const hit = group.get(key(expected[from] as JsonMap));
      if (hit === undefined) return got;
      result.push(hit);
    }
  }
  return result;
}

type NumberKind = "score" | "sort" | "plain";

function firstDifference(
  expected: Json | undefined,
  got: Json | undefined,
  path: string,
  kind: NumberKind,
): string | undefined {
  const differs = `${path || "the answer"}: expected ${shown(expected)}, got ${shown(got)}`;
  if (typeof expected === "number" && typeof got === "number") {
    const whole = Number.isSafeInteger(expected) && Number.isSafeInteger(got);
    if (whole && kind !== "score") return expected === got ? undefined : differs;
    return near(expected, got, kind === "plain" ? NUMBER_TOLERANCE : SCORE_TOLERANCE) ? undefined : differs;
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    if (expected.length !== got.length) return differs;
    for (let at = 0; at < expected.length; at++) {
      const found = firstDifference(expected[at], got[at], `${path}[${at}]`, kind);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isMap(expected) || !isMap(got)) return expected === got ? undefined : differs;
  for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const below = path === "" ? key : `${path}.${key}`;
    let inner: NumberKind = kind === "score" && key !== "_source" ? "score" : "plain";
    if (SCORES.has(key) || (path.includes("suggest") && key === "score")) inner = "score";
    else if (key === "sort") inner = "sort";
    const [want, have] = [expected[key], got[key]];
    const ordered = key === "hits" && Array.isArray(want) && Array.isArray(have) ? [...reordered(want, have)] : have;
    const found = firstDifference(want, ordered, below, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Says where an answer differs from the recorded one; undefined when it agrees. */
export function differenceOf(
  step: { method: string; status: number; expected: Json; keep?: readonly string[]; ignore?: readonly string[] },
  answer: { status: number; body: Json },
): string | undefined {
  if (answer.status !== step.status) return `status: expected ${step.status}, got ${answer.status}`;
  if (step.method === "HEAD") return undefined;
  const keep = new Set(step.keep);
  const ignore = new Set(step.ignore);
  return firstDifference(relevant(step.expected, keep, ignore), relevant(answer.body, keep, ignore), "", "plain");
}
