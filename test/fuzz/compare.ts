/** Comparing the answers of two engines to one request. */
import type { Json, JsonMap } from "./world.ts";

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

const TOLERANCE = 1e-5;

const isMap = (value: Json | undefined): value is JsonMap =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const near = (a: number, b: number) => a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
export const shown = (value: Json | undefined) => (value === undefined ? "nothing" : JSON.stringify(value));

/** Name of a feature that an answer refuses. */
export function refusalOf(value: Json | undefined): string | undefined {
  if (Array.isArray(value)) {
    for (const inner of value) {
      const found = refusalOf(inner);
      if (found !== undefined) return found;
    }
  }
  if (!isMap(value)) return undefined;
  if (value.type === "unsupported_feature_exception") return String(value.reason);
  for (const [key, inner] of Object.entries(value)) {
    const found = key === "_source" ? undefined : refusalOf(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

const errorTypes = (error: Json | undefined): Json => {
  if (!isMap(error)) return typeof error === "string" ? "text" : (error ?? null);
  const roots = Array.isArray(error.root_cause) ? error.root_cause : [];
  return [error.type ?? null, ...roots.map((root) => (isMap(root) ? (root.type ?? null) : root))];
};

type Equal = (a: number, b: number) => boolean;

/** Numbers as doubles, objects whatever the order of their keys. */
function same(a: Json | undefined, b: Json | undefined, equal: Equal = (a, b) => a === b): boolean {
  if (typeof a === "number" && typeof b === "number") return equal(a, b);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((inner, at) => same(inner, b[at], equal));
  if (isMap(a) && isMap(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => same(a[key], b[key], equal));
  }
  return a === b;
}

/** Where two values differ first, and how. */
function placeOfDifference(a: Json | undefined, b: Json | undefined, path = ""): string {
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    const at = a.findIndex((inner, place) => !same(inner, b[place]));
    if (at >= 0) return placeOfDifference(a[at], b[at], `${path}[${at}]`);
  }
  if (isMap(a) && isMap(b)) {
    const key = [...new Set([...Object.keys(a), ...Object.keys(b)])].find((each) => !same(a[each], b[each]));
    if (key !== undefined) return placeOfDifference(a[key], b[key], path === "" ? key : `${path}.${key}`);
  }
  return `${path}: ${shown(a)}, got ${shown(b)}`;
}

interface Page {
  readonly total: Json | undefined;
  readonly maxScore: Json | undefined;
  readonly hits: JsonMap[];
}

function pageOf(body: Json): Page | undefined {
  if (!isMap(body) || !isMap(body.hits) || !Array.isArray(body.hits.hits)) return undefined;
  return { total: body.hits.total, maxScore: body.hits.max_score, hits: body.hits.hits as JsonMap[] };
}

/** The values of two explanations; their words only where a term is scored, which every tree has at its leaves. */
function explanationDiffers(expected: Json | undefined, got: Json | undefined): string | undefined {
  if (!isMap(expected) || !isMap(got)) return expected === got ? undefined : `${shown(expected)}, got ${shown(got)}`;
  if (!near(Number(expected.value), Number(got.value))) return `${shown(expected)}, got ${shown(got)}`;
  const scored = String(expected.description).startsWith("weight(");
  if (!scored || !Array.isArray(expected.details) || !Array.isArray(got.details)) return undefined;
  return explanationDiffers(expected.details[0], got.details[0]);
}

/** What a hit shows beside its source: fields, sort values, and the hits within it. */
function partsDiffer(expected: JsonMap, got: JsonMap): string | undefined {
  for (const part of ["fields", "ignored_field_values", "matched_queries", "_nested", "_version"]) {
    if (!same(expected[part], got[part])) return `${part}: ${shown(expected[part])}, got ${shown(got[part])}`;
  }
  const [a, b] = [expected.inner_hits, got.inner_hits];
  if (!isMap(a) || !isMap(b)) return same(a, b) ? undefined : `inner_hits: ${shown(a)}, got ${shown(b)}`;
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [left, right] = [pageOf(a[name]), pageOf(b[name])];
    if (left === undefined || right === undefined)
      return `inner_hits [${name}]: ${shown(a[name])}, got ${shown(b[name])}`;
    if (!same(left.total, right.total)) return `inner total: ${shown(left.total)}, got ${shown(right.total)}`;
    const found = hitsDiffer(left.hits, right.hits);
    if (found !== undefined) return `inner_hits [${name}]: ${found}`;
  }
  return undefined;
}

/** What hits were sorted by, and equal ones in their order. */
function sortedHitsDiffer(expected: readonly JsonMap[], got: readonly JsonMap[]): string | undefined {
  for (const [at, hit] of expected.entries()) {
    if (!sameSort(hit.sort, got[at].sort)) {
      return `hit ${at}: sort ${shown(hit.sort)} of ${shown(hit._id)}, got ${shown(got[at].sort)} of ${shown(got[at]._id)}`;
    }
    if (hit._id !== got[at]._id) return `hit ${at}: ${shown(hit._id)}, got ${shown(got[at]._id)}`;
    const within = partsDiffer(hit, got[at]);
    if (within !== undefined) return `${within} of ${shown(hit._id)}`;
  }
  return undefined;
}

/** Scores among them may differ in their last digits. */
function sameSort(a: Json | undefined, b: Json | undefined): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.every((value, i) => {
    const other = b[i];
    return typeof value === "number" && typeof other === "number" ? near(value, other) : value === other;
  });
}

/** Hits within a hit share its id, and so may those of two indices. */
const placeOf = ({ _id, _index, _nested }: JsonMap) => `${shown(_index)} ${shown(_id)} ${shown(_nested)}`;

/** Hits with one score may come in any order, and at the ends of a page be others of that score. */
function hitsDiffer(expected: readonly JsonMap[], got: readonly JsonMap[]): string | undefined {
  if (expected.length !== got.length)
    return `${expected.length} hits, got ${got.length}: ${shown(expected.map((hit) => hit._id))} and ${shown(got.map((hit) => hit._id))}`;
  for (let at = 0; at < expected.length; at++) {
    const [a, b] = [expected[at]._score, got[at]._score];
    const equal = typeof a === "number" && typeof b === "number" ? near(a, b) : a === b;
    if (!equal)
      return `hit ${at}: score ${shown(a)} of ${shown(expected[at]._id)}, got ${shown(b)} of ${shown(got[at]._id)}`;
  }
  // Equal scores among other keys may be told apart in another way.
  if (expected.some((hit) => hit.sort !== undefined)) return sortedHitsDiffer(expected, got);
  for (let from = 0; from < expected.length; ) {
    let to = from + 1;
    while (to < expected.length && near(Number(expected[to - 1]._score), Number(expected[to]._score))) to++;
    const open = from === 0 || to === expected.length;
    const byId = new Map(got.slice(from, to).map((hit) => [placeOf(hit), hit]));
    for (const hit of expected.slice(from, to)) {
      const other = byId.get(placeOf(hit));
      if (other === undefined) {
        if (open) continue;
        return `hit ${from}: expected ${shown(hit._id)} among ${shown([...byId.keys()])}`;
      }
      const explained = explanationDiffers(hit._explanation, other._explanation);
      if (explained !== undefined) return `explanation of ${shown(hit._id)}: ${explained}`;
      if (!same(hit.highlight, other.highlight))
        return `highlight of ${shown(hit._id)}: ${shown(hit.highlight)}, got ${shown(other.highlight)}`;
      const within = partsDiffer(hit, other);
      if (within !== undefined) return `${within} of ${shown(hit._id)}`;
      if (!same(hit._source, other._source))
        return `source of ${shown(hit._id)}: ${shown(hit._source)}, got ${shown(other._source)}`;
    }
    from = to;
  }
  return undefined;
}

function wordsOf(value: Json | undefined): Json {
  if (typeof value !== "string") return value ?? null;
  const told = value
    .replace(/MatchNoDocsQuery\(".*?"\)(?=[\s()^#,]|$)/g, "nothing")
    .replace(/\/[\w-]{22}\]/g, "]")
    .replace(/@[0-9a-f]+/g, "");
  return told.split(/[\s()|{}]+/).sort();
}

/**
 * What `_validate/query` says, each explanation as the bag of its words: sets of terms and the alternatives of a disjunction stand in the order of their
 * hash codes, and all that match nothing are one query to Lucene, whose words are those of whichever came first.
 */
function validityOf({ valid, explanations }: JsonMap): Json {
  const all = Array.isArray(explanations) ? (explanations as JsonMap[]) : [];
  return [
    valid,
    ...all.map(({ index, valid, error, explanation }) => [index, valid, wordsOf(error), wordsOf(explanation)]),
  ];
}

/** How many shards answered, and why others did not. */
function shardsOf({ _shards: shards }: JsonMap): Json {
  if (!isMap(shards)) return shards ?? null;
  const failures = Array.isArray(shards.failures) ? (shards.failures as JsonMap[]) : [];
  const types = failures.map(({ index, reason }) => [index ?? null, errorTypes({ ...(reason as JsonMap) })]);
  return [shards.total, shards.successful, shards.skipped, shards.failed, types];
}

/** Results without the node and the shard that hits within them are from, and how those are explained. */
function anywhere(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(anywhere);
  if (!isMap(value)) return value ?? null;
  const kept = Object.entries(value).filter(([key]) => !["_node", "_shard", "_explanation"].includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, key === "_source" ? inner : anywhere(inner)]));
}

/** Left out of a profile: what is measured, and names of nodes. */
const MEASURED = new Set(["id", "node_id", "breakdown", "cluster", "debug", "time"]);

/**
 * What a profile names, without what is measured. Sets of terms, fields and alternatives stand in the order of their hash codes, so a description
 * is the bag of its words, and children come in their order.
 */
function profileOf(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(profileOf);
  if (!isMap(value)) return value ?? null;
  const kept = Object.entries(value).filter(([key, inner]) => typeof inner !== "number" && !MEASURED.has(key));
  return Object.fromEntries(
    kept.map(([key, inner]): [string, Json] => {
      if (key === "description") return [key, wordsOf(inner)];
      const named = profileOf(inner);
      if (key !== "children" || !Array.isArray(named)) return [key, named];
      return [
        key,
        named
          .map((child) => [JSON.stringify(child), child] as const)
          .sort((a, b) => (a[0] < b[0] ? -1 : 1))
          .map(([, child]) => child),
      ];
    }),
  );
}

/** @returns how the answers differ, or undefined */
export function differenceOf(expected: Answer, got: Answer): string | undefined {
  if (expected.status !== got.status)
    return `status ${expected.status}, got ${got.status}: ${shown(expected.body).slice(0, 400)} and ${shown(got.body).slice(0, 400)}`;
  const [a, b] = [expected.body, got.body];
  if (isMap(a) && isMap(b) && (a.error !== undefined || b.error !== undefined)) {
    return same(errorTypes(a.error), errorTypes(b.error))
      ? undefined
      : `error ${shown(a.error)}, got ${shown(b.error)}`;
  }
  if (isMap(a) && isMap(b) && Array.isArray(a.responses) && Array.isArray(b.responses)) {
    const [left, right] = [a.responses as JsonMap[], b.responses as JsonMap[]];
    if (left.length !== right.length) return `${left.length} responses, got ${right.length}`;
    for (const [at, body] of left.entries()) {
      const found = differenceOf(
        { status: Number(body.status), body },
        { status: Number(right[at].status), body: right[at] },
      );
      if (found !== undefined) return `response ${at}: ${found}`;
    }
    return undefined;
  }
  const [left, right] = [pageOf(a), pageOf(b)];
  if (left !== undefined && right !== undefined) {
    if (!same(left.total, right.total)) return `total ${shown(left.total)}, got ${shown(right.total)}`;
    const scores =
      typeof left.maxScore === "number" && typeof right.maxScore === "number"
        ? near(left.maxScore, right.maxScore)
        : left.maxScore === right.maxScore;
    if (!scores) return `max_score ${shown(left.maxScore)}, got ${shown(right.maxScore)}`;
    const hits = hitsDiffer(left.hits, right.hits);
    if (hits !== undefined || !isMap(a) || !isMap(b)) return hits;
    for (const part of ["timed_out", "terminated_early"])
      if (!same(a[part], b[part])) return `${part} ${shown(a[part])}, got ${shown(b[part])}`;
    if (!same(shardsOf(a), shardsOf(b))) return `_shards ${shown(a._shards)}, got ${shown(b._shards)}`;
    if (!same(profileOf(a.profile), profileOf(b.profile)))
      return `profile ${placeOfDifference(profileOf(a.profile), profileOf(b.profile))}`;
    if (!same(anywhere(a.suggest), anywhere(b.suggest), near))
      return `suggest ${shown(a.suggest)}, got ${shown(b.suggest)}`;
    if (same(anywhere(a.aggregations), anywhere(b.aggregations), near)) return undefined;
    return `aggregations ${placeOfDifference(anywhere(a.aggregations), anywhere(b.aggregations))}`;
  }
  if (isMap(a) && isMap(b) && ("count" in a || "tokens" in a)) {
    const key = "count" in a ? "count" : "tokens";
    return same(a[key], b[key]) ? undefined : `${key} ${shown(a[key])}, got ${shown(b[key])}`;
  }
  if (isMap(a) && isMap(b) && "matched" in a) {
    if (a.matched !== b.matched) return `matched ${shown(a.matched)}, got ${shown(b.matched)}`;
    return explanationDiffers(a.explanation, b.explanation);
  }
  if (isMap(a) && "acknowledged" in a) return undefined;
  if (isMap(a) && isMap(b) && "valid" in a) {
    return same(validityOf(a), validityOf(b)) ? undefined : `${shown(a)}, got ${shown(b)}`;
  }
  return same(a, b) ? undefined : placeOfDifference(a, b);
}

/** Outcomes of the items of a bulk request. */
export function bulkDifference(expected: Json, got: Json): { at: number; text: string } | undefined {
  const items = (body: Json) => (isMap(body) && Array.isArray(body.items) ? (body.items as JsonMap[]) : []);
  const brief = (item: JsonMap): Json => {
    const [inner] = Object.values(item) as JsonMap[];
    return [
      inner.status ?? null,
      inner.result ?? null,
      inner._version ?? null,
      isMap(inner.error) ? (inner.error.type ?? null) : null,
    ];
  };
  const [a, b] = [items(expected), items(got)];
  if (a.length !== b.length)
    return { at: -1, text: `${shown(expected).slice(0, 300)}, got ${shown(got).slice(0, 300)}` };
  const at = a.findIndex((item, place) => !same(brief(item), brief(b[place])));
  return at < 0 ? undefined : { at, text: `${shown(a[at])}, got ${shown(b[at])}` };
}
