/** Partial updates: reading the body, and merging a part into a document. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { type Location, locationAt } from "../json/location.ts";
import { emptyObject, positionOf, syntaxPlaceOf } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { writeJson } from "../json/write.ts";
import { hashOrder, inHashOrder, javaText } from "../mapping/java-text.ts";
import { placeOf, readLong } from "../query/dsl/read.ts";
import { suggestion } from "../query/dsl/suggestion.ts";
import { parseMap, withSource } from "./content.ts";
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

/** SequenceNumbers' word for "no number". */
const UNASSIGNED = -2;

/** A sequence number that is asked for; undefined: none is. */
export function sequenceNumber(value: number): number | undefined {
  if (value === UNASSIGNED) return undefined;
  if (value < 0) throw illegalArgument(`sequence numbers must be non negative. got [${value}].`);
  return value;
}

/** A primary term that is asked for; undefined: none is. */
export function primaryTerm(value: number): number | undefined {
  if (value < 0) throw illegalArgument(`primary term must be non negative. got [${value}]`);
  return value === 0 ? undefined : value;
}

/** The parts that Elasticsearch reads into maps of their own: what is wrong with their JSON is wrong with the field. */
const PARTS = ["doc", "upsert"];

function parseBody(body: Uint8Array | string): JsonValue {
  try {
    return parseMap(body);
  } catch (error) {
    const place = syntaxPlaceOf(error);
    if (!(error instanceof EngineError) || place === undefined) throw error;
    const text = typeof body === "string" ? body : new TextDecoder().decode(body);
    const around = keyAround(text, place.token);
    if (around === undefined || !PARTS.includes(around.key)) throw error;
    const { key, isArray } = around;
    const { line, col } = isArray ? around.place : place.token;
    if (isArray) {
      const reason = `[${line}:${col}] [UpdateRequest] ${key} doesn't support values of type: START_ARRAY`;
      throw new EngineError("x_content_parse_exception", reason);
    }
    throw new EngineError(
      "x_content_parse_exception",
      `[${line}:${col}] [UpdateRequest] failed to parse field [${key}]`,
      {
        cause: error.type === "x_content_parse_exception" ? error.cause : error,
      },
    );
  }
}

/** The key of the root whose object or array the token at a place begins or lies in, and where that begins. */
function keyAround(
  text: string,
  { line, col }: Location,
): { key: string; isArray: boolean; place: Location } | undefined {
  let end = col - 1;
  for (let at = 1; at < line; at++) end += text.split("\n", at)[at - 1].length + 1;
  const open: string[] = [];
  let key = "";
  let start = 0;
  for (const { 0: token, index } of text.slice(0, end + 1).matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === "{" || token === "[") {
      if (open.length === 1) start = index;
      open.push(token === "{" ? "}" : "]");
    } else if (token === "}" || token === "]") {
      // One that closes nothing may be the mistake.
      if (open.at(-1) === token) open.pop();
    } else if (open.length === 1) key = token.slice(1, -1);
  }
  return open.length > 1 ? { key, isArray: text[start] === "[", place: locationAt(text, start) } : undefined;
}

/** Reads the body of an update. @throws Elasticsearch's errors with their place in the body */
export function parseUpdate(body: Uint8Array | string): UpdateBody {
  const root = parseBody(body);
  const fail = (
    container: object,
    at: "start" | { key: string } | { value: string },
    message: string,
    cause?: unknown,
  ) => {
    const inside = cause instanceof EngineError ? placeOf(cause) : undefined;
    const place = inside ?? positionOf(container, at) ?? { line: 1, col: 1 };
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
  const whole = (key: string, read: (value: number) => number | undefined) => {
    const value = root[key];
    if (value === undefined) return undefined;
    const token = tokenOf(value);
    if (token !== "VALUE_NUMBER" && token !== "VALUE_STRING")
      throw fail(root, { value: key }, `${key} doesn't support values of type: ${token}`);
    try {
      return read(Number(withSource(body, () => readLong(value, root, key))));
    } catch (error) {
      throw fail(root, { value: key }, `failed to parse field [${key}]`, error);
    }
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
      fetchSource = parseFetchSource(root._source, root);
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
    ifSeqNo: whole("if_seq_no", sequenceNumber),
    ifPrimaryTerm: whole("if_primary_term", primaryTerm),
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
