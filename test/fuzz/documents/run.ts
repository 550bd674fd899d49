/** Sequences of operations, sent to both engines step by step. */
import { openEngine } from "../../../src/elasticsearch/engine.ts";
import { refusalOf, shown } from "../compare.ts";
import { INDEX } from "../query-strings.ts";
import type { Json, JsonMap } from "../world.ts";
import type { Step } from "./operations.ts";
import { readExactly, written } from "./raw.ts";

interface Answer {
  readonly status: number;
  readonly body: Json;
}

export type Send = (method: string, path: string, body: string | undefined, type: string) => Promise<Answer>;

export function remote(url: string): Send {
  const base = url.replace(/\/$/, "");
  return async (method, path, body, type) => {
    const answer = await fetch(base + path, {
      method,
      body,
      headers: body === undefined ? {} : { "content-type": type },
    });
    return { status: answer.status, body: readExactly(await answer.text()) };
  };
}

/** What each node draws for itself, or counts, or measures. */
const OWN_KEYS = new Set([
  "took",
  "index_uuid",
  "uuid",
  "creation_date",
  "created",
  "index.uuid",
  "index.creation_date",
  "index.version.created",
  "max_score",
]);

const isMap = (value: Json | undefined): value is JsonMap =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function comparable(value: Json, within = ""): Json {
  if (Array.isArray(value)) return value.map((each) => comparable(each, within));
  if (isMap(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => within === "_source" || !OWN_KEYS.has(key))
        .map(([key, inner]) => [key, comparable(inner, within === "_source" ? within : key)]),
    );
  }
  if (typeof value !== "string" || within === "_source") return value;
  if (within === "_id" && /^[\w-]{20}$/.test(value)) return "drawn";
  return value
    .replace(/\/[\w-]{22}\]/g, "/uuid]")
    .replace(/'[\w-]{20}'/g, "'drawn'")
    .replace(/@[0-9a-f]{5,8}\b/g, "@hash")
    .replace(/must not contain the following characters \[.*\]$/, "must not contain some characters")
    .replace(/available types are \[.*\]$/, "available types are some");
}

/** What Java says of null and of classes: after many of a kind its messages are gone. */
const ofJava = (body: Json): boolean => /"type":"(null_pointer|class_cast)_exception"/.test(shown(body));

/** Types of errors, wherever they stand. */
const typesOf = (body: Json): Json => (shown(body).match(/"type":"\w+"/g) ?? []) as Json[];

/** Values whatever the order of names, but for a document's own. */
function same(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, at) => same(each, b[at]));
  if (!isMap(a) || !isMap(b)) return a === b;
  return (
    Object.keys(a).length === Object.keys(b).length &&
    Object.keys(a).every((key) => (key === "_source" ? shown(a[key]) === shown(b[key]) : same(a[key], b[key])))
  );
}

/** Where two answers are not the same, and what stands there. */
function placeOf(a: Json | undefined, b: Json | undefined, path = ""): string | undefined {
  if (same(a, b)) return undefined;
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    for (const [at, each] of a.entries()) {
      const found = placeOf(each, b[at], `${path}[${at}]`);
      if (found !== undefined) return found;
    }
  if (isMap(a) && isMap(b))
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = placeOf(a[key], b[key], path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
  return `${path}: ${shown(a)?.slice(0, 700)}, got ${shown(b)?.slice(0, 700)}`;
}

/** How two answers differ; undefined when they do not. */
export function differenceBetween(expected: Answer, got: Answer): string | undefined {
  if (expected.status !== got.status) {
    const [a, b] = [expected, got].map(({ body }) => shown(body).slice(0, 700));
    return `status ${expected.status}, got ${got.status}: ${a}, got ${b}`;
  }
  if (ofJava(expected.body) && ofJava(got.body)) return placeOf(typesOf(expected.body), typesOf(got.body));
  return placeOf(comparable(expected.body), comparable(got.body));
}

export interface Difference {
  readonly at: number;
  readonly text: string;
}

export interface Played {
  /** Steps that were compared and the same. */
  readonly same: number;
  readonly refused?: string;
  readonly difference?: Difference;
}

/** Plays steps until one is answered in two ways, or refused here alone: what follows it starts from two states. */
export async function play(node: Send, index: string, steps: readonly Step[]): Promise<Played> {
  const engine = await openEngine();
  const own: Send = async (method, path, body, type) => {
    const answer = await engine.request({
      method,
      path,
      body,
      headers: body === undefined ? {} : { "content-type": type },
    });
    return { status: answer.status, body: readExactly(answer.body) };
  };
  try {
    for (const [at, step] of steps.entries()) {
      const named = (text: string) => text.replaceAll(INDEX, index);
      const body =
        step.lines !== undefined
          ? named(step.lines.map((line) => `${written(line)}\n`).join(""))
          : step.body === undefined
            ? undefined
            : named(written(step.body));
      const type = step.lines === undefined ? "application/json" : "application/x-ndjson";
      const answers = await Promise.all(
        [node, own].map((send) => send(step.method, named(step.path), body === "" ? undefined : body, type)),
      ).catch((error: unknown) => {
        // The node's transport drops connections at times.
        if (error instanceof TypeError) return undefined;
        throw error;
      });
      if (answers === undefined) return { same: at };
      const [expected, got] = answers;
      const refused = refusalOf(got.body);
      if (refused !== undefined && refusalOf(expected.body) === undefined) return { same: at, refused };
      const text = differenceBetween(expected, got);
      if (text !== undefined) return { same: at, difference: { at, text } };
    }
    return { same: steps.length };
  } finally {
    await node("DELETE", `/${index}?ignore_unavailable=true`, undefined, "application/json");
    await engine.close();
  }
}
