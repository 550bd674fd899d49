/** Partial updates: reading the body, and merging a part into a document. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { emptyObject, positionOf } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { writeJson } from "../json/write.ts";
import { hashOrder, inHashOrder, javaText } from "../mapping/java-text.ts";
import { suggestion } from "../query/dsl/suggestion.ts";
import { parseMap } from "./content.ts";
import { type FetchSource, parseFetchSource } from "./fetch-source.ts";

export interface UpdateBody {
  readonly doc?: JsonObject;
  /** The document where there is none yet. */
  readonly upsert?: JsonObject;
  readonly docAsUpsert: boolean;
  /** Writes nothing when the merge changes nothing. */
  readonly detectNoop: boolean;
  /** Source to return. */
  readonly fetchSource?: FetchSource;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof JsonNumber);

/** Name of the token that a value begins with, as Elasticsearch's errors name it. */
export function tokenOf(value: JsonValue): string {
  if (value === null) return "VALUE_NULL";
  if (typeof value === "string") return "VALUE_STRING";
  if (typeof value === "boolean") return "VALUE_BOOLEAN";
  if (typeof value === "number" || value instanceof JsonNumber) return "VALUE_NUMBER";
  return Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
}

const FIELDS = [
  "script",
  "scripted_upsert",
  "upsert",
  "doc",
  "doc_as_upsert",
  "detect_noop",
  "_source",
  "if_seq_no",
  "if_primary_term",
];

/** Reads the body of an update. @throws Elasticsearch's errors with their place in the body */
export function parseUpdate(body: Uint8Array | string): UpdateBody {
  const root = parseMap(body);
  const fail = (
    container: object,
    at: "start" | { key: string } | { value: string },
    message: string,
    cause?: unknown,
  ) => {
    const place = positionOf(container, at) ?? { line: 1, col: 1 };
    return new EngineError("x_content_parse_exception", `[${place.line}:${place.col}] [UpdateRequest] ${message}`, {
      cause,
    });
  };
  if (!isObject(root)) {
    throw new EngineError(
      "x_content_parse_exception",
      `[1:1] [UpdateRequest] Expected START_OBJECT but was: ${tokenOf(root)}`,
    );
  }
  for (const key of Object.keys(root)) {
    if (FIELDS.includes(key)) continue;
    throw fail(root, { key }, `unknown field [${key}]${suggestion(key, FIELDS)}`);
  }
  const object = (key: string) => {
    const value = root[key];
    if (value === undefined || isObject(value)) return value;
    throw fail(root, { value: key }, `${key} doesn't support values of type: ${tokenOf(value)}`);
  };
  const flag = (key: string, fallback: boolean) => {
    const value = root[key];
    if (value === undefined) return fallback;
    if (typeof value === "boolean") return value;
    if (value === "true" || value === "false") return value === "true";
    if (typeof value !== "string")
      throw fail(root, { value: key }, `${key} doesn't support values of type: ${tokenOf(value)}`);
    const cause = illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
    throw fail(root, { value: key }, `failed to parse field [${key}]`, cause);
  };
  const whole = (key: string) => {
    const value = root[key];
    if (value === undefined) return undefined;
    const number = Number(typeof value === "string" || value instanceof JsonNumber ? String(value) : value);
    if (Number.isFinite(number) && typeof value !== "boolean" && value !== null) return Math.trunc(number);
    throw fail(root, { value: key }, `failed to parse field [${key}]`);
  };
  if (root.script !== undefined) throw unsupported("script");
  if (flag("scripted_upsert", false) && root.upsert !== undefined && root.doc === undefined)
    throw unsupported("scripted_upsert");
  let fetchSource: FetchSource | undefined;
  if (root._source !== undefined) {
    if (typeof root._source === "number" || root._source === null || root._source instanceof JsonNumber) {
      throw fail(root, { value: "_source" }, `_source doesn't support values of type: ${tokenOf(root._source)}`);
    }
    try {
      fetchSource = parseFetchSource(root._source);
    } catch (error) {
      throw fail(root, { value: "_source" }, "failed to parse field [_source]", error);
    }
  }
  return {
    doc: object("doc"),
    upsert: object("upsert"),
    docAsUpsert: flag("doc_as_upsert", false),
    detectNoop: flag("detect_noop", true),
    fetchSource,
    ifSeqNo: whole("if_seq_no"),
    ifPrimaryTerm: whole("if_primary_term"),
  };
}

/** Equality of values as Java's maps have it: `1` and `1.0` differ, `1.0` and `1.00` do not, the order of keys does not count. */
function same(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  const numeric = (value: JsonValue) => typeof value === "number" || value instanceof JsonNumber;
  if (numeric(a) && numeric(b)) {
    const whole = (value: JsonValue) => (value instanceof JsonNumber ? value.integer : Number.isInteger(value));
    if (whole(a) !== whole(b)) return false;
    return whole(a) ? BigInt(String(a)) === BigInt(String(b)) : Number(a) === Number(b);
  }
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => b[key] !== undefined && same(a[key], b[key]));
}

/**
 * Puts `change` into `source`, objects key by key, everything else as a whole (XContentHelper.update). The change was read into hash maps, in
 * whose order new keys are added.
 */
export function merge(source: JsonObject, change: JsonObject): { merged: JsonObject; changed: boolean } {
  const merged = emptyObject();
  for (const key of Object.keys(source)) merged[key] = source[key];
  let changed = false;
  for (const key of hashOrder(Object.keys(change))) {
    const before = source[key];
    const after = change[key];
    if (isObject(before) && isObject(after)) {
      const inner = merge(before, after);
      merged[key] = inner.merged;
      changed ||= inner.changed;
    } else {
      merged[key] = inHashOrder(after);
      changed ||= before === undefined || !same(before, after);
    }
  }
  return { merged, changed };
}

/** The bytes under which a merged document is stored: written anew from Java's values, so that `1e+30` becomes `1.0E30`. */
export function encodeSource(source: JsonObject): Uint8Array {
  return new TextEncoder().encode(writeJson(asJavaWrites(source)));
}

function asJavaWrites<T extends JsonValue>(value: T): T {
  if (typeof value === "number" || value instanceof JsonNumber) {
    const text = javaText(value);
    return (text === String(value) ? value : new JsonNumber(text)) as T;
  }
  if (Array.isArray(value)) return value.map(asJavaWrites) as unknown as T;
  if (!isObject(value)) return value;
  const written = emptyObject();
  for (const key of Object.keys(value)) written[key] = asJavaWrites(value[key]);
  return written as unknown as T;
}
