/** The errors of document parsing: Elasticsearch's texts, with the place in the source. */
import { documentParsing, EngineError, illegalArgument } from "../errors.ts";
import { type Location, syntaxPlaceOf, textOf } from "../json/parse.ts";
import { positionAt } from "../json/position-at.ts";
import { contentError } from "../json/syntax.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { EXPECTED_TEXT, scalarText, ValueError } from "./fields/common.ts";
import { numberPreview } from "./fields/number.ts";
import { isObject } from "./leaf.ts";
import type { LeafNode } from "./model.ts";

export type Path = readonly (string | number)[];

/** Which token of the value an error points at. */
export type Which = "start" | "end" | "key";

/** Where a document error happened: the source's root, and the path to the value. */
export interface DocPlace {
  readonly root: object;
  readonly path: Path;
  /** The last name of the field that the value is copied to. */
  readonly copiedTo?: string;
}

function at({ root, path }: DocPlace, which: Which): string {
  const place: Location = positionAt(root, path, which) ?? { line: -1, col: -1 };
  return `[${place.line}:${place.col}]`;
}

/** An error whose reason starts with its place. */
export function placedError(reason: string, place: DocPlace, which: Which = "start"): EngineError {
  return documentParsing(`${at(place, which)} ${reason}`);
}

/** An alias is another name of a field, not a field to write to. */
export function aliasError(path: string, value: JsonValue, place: DocPlace): EngineError {
  return placedError(`Cannot write to a field alias [${path}].`, place, isVirtual(value) ? "key" : "start");
}

function located(error: EngineError, place: DocPlace, which: Which = "start"): EngineError {
  const { line, col } = positionAt(place.root, place.path, which) ?? { line: -1, col: -1 };
  return new EngineError(error.type, error.message, { status: error.status, metadata: { line, col } });
}

export function strictError(field: string, parent: string, place: DocPlace, which: Which): EngineError {
  return new EngineError(
    "strict_dynamic_mapping_exception",
    `${at(place, which)} mapping set to strict, dynamic introduction of [${field}] within [${parent}] is not allowed`,
  );
}

/** An error from below that is about the document, not about one field. */
export function failedToParse(cause: EngineError, place: DocPlace, which: Which = "start"): EngineError {
  return documentParsing(`${at(place, which)} failed to parse: ${cause.message}`, { cause });
}

/** What a field's own error becomes. */
export function fieldError(error: unknown, leaf: LeafNode, value: JsonValue, place: DocPlace, id: string): unknown {
  if (error instanceof ValueError) {
    if (error.asItIs) return error.error;
    const inner = withId(error.error, id);
    const innerPlace = { ...place, path: [...place.path, ...error.path] };
    if (!error.aboutField) {
      if (inner.message === EXPECTED_TEXT) return failedToParse(notText(value, place), place);
      const cause = error.located ? located(withName(inner, innerPlace), innerPlace, error.which) : inner;
      return failedToParse(cause, innerPlace, error.which);
    }
    const cause = error.placed
      ? placedError(inner.message, innerPlace)
      : error.located
        ? located(inner, innerPlace)
        : inner;
    if (error.anonymous) {
      const reason = `failed to parse field [${leaf.path}] of type [${leaf.fieldType.type}]`;
      return documentParsing(`${at(innerPlace, error.which)} ${reason}`, { cause });
    }
    const shown = error.preview === undefined ? value : error.preview.value;
    return aboutField(cause, leaf, shown, innerPlace, error.which, id);
  }
  if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") return error;
  // Lucene's own error comes after parsing, and speaks for itself.
  const ofLucene = (error.cause as EngineError | undefined)?.type === "max_bytes_length_exceeded_exception";
  if (ofLucene || error.type === "illegal_state_exception") return error;
  return aboutField(
    error.message === EXPECTED_TEXT ? notText(value, place) : error,
    leaf,
    value,
    place,
    isObject(value) ? "end" : "start",
    id,
  );
}

const dotted = new WeakSet<object>();

/** An object that stands for the rest of a dotted name. */
export function dottedObject(name: string, value: JsonValue): JsonObject {
  const object = { [name]: value };
  dotted.add(object);
  return object;
}

const isVirtual = (value: JsonValue) => typeof value === "object" && value !== null && dotted.has(value);

function notText(value: JsonValue, place: DocPlace): EngineError {
  const virtual = isVirtual(value);
  const { line, col } = positionAt(place.root, place.path, virtual ? "key" : "start") ?? { line: -1, col: -1 };
  return virtual
    ? new EngineError("illegal_state_exception", `Can't get text on a START_OBJECT at ${line}:${col}`)
    : illegalArgument(`Expected text at ${line}:${col} but found START_OBJECT`);
}

/** `{name}` is the key that is being read: of a field within `fields` too the document's, and none within a list. */
function withName(error: EngineError, { path, copiedTo }: DocPlace): EngineError {
  const key = path.at(-1);
  const name = copiedTo ?? (typeof key === "string" ? key.slice(key.lastIndexOf(".") + 1) : "null");
  return new EngineError(
    error.type,
    error.message.replace("{name}", () => name),
    { status: error.status },
  );
}

function withId(error: EngineError, id: string): EngineError {
  if (!error.message.includes("{id}")) return error;
  return new EngineError(error.type, error.message.replace("{id}", id), { status: error.status });
}

/**
 * What Jackson says of a token it was asked to read as something else is followed by where it stands then, behind the token, and by the
 * whole document.
 */
function bySource(error: EngineError, value: JsonValue, { root, path }: DocPlace): EngineError {
  if (error.type !== "x_content_parse_exception" || !/^(Numeric value|Current token) \(/.test(error.message))
    return error;
  const text = textOf(root);
  const start = positionAt(root, path, "start");
  if (text === undefined || start === undefined || typeof value === "string") return error;
  const length =
    typeof value === "object" && !(value instanceof JsonNumber) && value !== null ? 1 : tokenLength(value, error);
  const type = error.message.startsWith("Numeric") ? "input_coercion_exception" : "json_parse_exception";
  return contentError(error.message, text, { line: start.line, col: start.col + length }, type);
}

/** The message has a number as it was written. */
function tokenLength(value: JsonValue, { message }: EngineError): number {
  const named = /^Numeric value \(([^)]*)\)/.exec(message)?.[1];
  return (named ?? scalarText(value)).length;
}

function aboutField(
  cause: EngineError,
  leaf: LeafNode,
  value: JsonValue,
  place: DocPlace,
  which: Which,
  id: string,
): EngineError {
  const type = leaf.fieldType.type;
  return documentParsing(
    `${at(place, which)} failed to parse field [${leaf.path}] of type [${type}] in document with id '${id}'. Preview of field's value: '${numberPreview(value, type)}'`,
    { cause: bySource(cause, value, place) },
  );
}

export function metadataError(name: string, value: JsonValue, place: DocPlace, id: string): EngineError {
  const cause = placedError(
    `Field [${name}] is a metadata field and cannot be added inside a document. Use the index API request parameters.`,
    place,
  );
  const which = isObject(value) ? "end" : "start";
  return documentParsing(
    `${at(place, which)} failed to parse field [${name}] of type [${name}] in document with id '${id}'. Preview of field's value: '${numberPreview(value, name)}'`,
    { cause, rootCause: [cause] },
  );
}

export function emptyName(reason: string, place: DocPlace): EngineError {
  return failedToParse(illegalArgument(reason), place, "key");
}

/** What a syntax error of `parseJson` becomes when the text is a document. Other errors come back as they are. */
export function documentSyntaxError(error: unknown): unknown {
  const place = syntaxPlaceOf(error);
  if (place === undefined || !(error instanceof EngineError)) return error;
  if (place.extraToken !== undefined) {
    return illegalArgument(`Malformed content, found extra data after parsing: ${place.extraToken}`);
  }
  const prefix = `[${place.token.line}:${place.token.col}] ${place.trailing ? "" : "failed to parse: "}`;
  return documentParsing(prefix + error.message, { cause: error });
}
