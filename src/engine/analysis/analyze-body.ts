/** The body of an `_analyze` request. */
import { EngineError, illegalArgument } from "../errors.ts";
import { type PositionOf, positionOf } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { isObject } from "./settings.ts";

export interface AnalyzeBody {
  analyzer?: string;
  normalizer?: string;
  field?: string;
  texts: string[];
  tokenizer?: string | JsonObject;
  filters: (string | JsonObject)[];
  charFilters: (string | JsonObject)[];
  explain: boolean;
  /** Attributes that `explain` shows, in lower case; empty for all. */
  attributes: Set<string>;
}

function tokenName(value: JsonValue): string {
  if (value === null) return "VALUE_NULL";
  if (typeof value === "string") return "VALUE_STRING";
  if (typeof value === "boolean") return "VALUE_BOOLEAN";
  if (typeof value === "number" || value instanceof JsonNumber) return "VALUE_NUMBER";
  return Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
}

/** Where a value stands, as `1:20`; nothing for a body that was not read from a text. */
function placeOf(container: object, at: PositionOf): string | undefined {
  const place = positionOf(container, at);
  return place === undefined ? undefined : `${place.line}:${place.col}`;
}

function parseError(place: string | undefined, reason: string, cause?: EngineError, rootCause?: EngineError[]) {
  return new EngineError("x_content_parse_exception", place === undefined ? reason : `[${place}] ${reason}`, {
    cause,
    ...(rootCause === undefined ? {} : { rootCause }),
  });
}

function unfit(body: JsonObject, key: string): EngineError {
  const reason = `[analyze_request] ${key} doesn't support values of type: ${tokenName(body[key])}`;
  return parseError(placeOf(body, { value: key }), reason);
}

function stringOf(body: JsonObject, key: string): string {
  const value = body[key];
  if (typeof value !== "string") throw unfit(body, key);
  return value;
}

/** A value of a list that cannot be one. */
function unfitElement(key: string, list: readonly JsonValue[], index: number, cause: EngineError): EngineError {
  return parseError(placeOf(list, { value: index }), `[analyze_request] failed to parse field [${key}]`, cause);
}

const nested = (element: JsonValue) =>
  new EngineError("illegal_state_exception", `expected value but got [${tokenName(element)}]`);

/** A string or a list of scalars. */
function stringsOf(body: JsonObject, key: string): string[] {
  const value = body[key];
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) throw unfit(body, key);
  return value.map((element: JsonValue, index) => {
    if (element instanceof JsonNumber) return element.text;
    if (element !== null && typeof element !== "object") return String(element);
    if (Array.isArray(element)) throw unfitElement(key, value, index, nested(element));
    const place = placeOf(value, { value: index });
    const cause = illegalArgument(
      `Expected text${place === undefined ? "" : ` at ${place}`} but found ${tokenName(element)}`,
    );
    throw unfitElement(key, value, index, cause);
  });
}

/** Names and inline definitions. */
function partsOf(body: JsonObject, key: string): (string | JsonObject)[] {
  const value = body[key];
  if (isObject(value)) return [value];
  if (!Array.isArray(value)) throw unfit(body, key);
  return value.map((element: JsonValue, index) => {
    if (typeof element === "string" || isObject(element)) return element;
    if (Array.isArray(element)) throw unfitElement(key, value, index, nested(element));
    const place = placeOf(value, { value: index });
    const cause = parseError(place, `Expected [VALUE_STRING] or [START_OBJECT], got ${tokenName(element)}`);
    throw parseError(place, `[analyze_request] failed to parse field [${key}]`, cause, [cause]);
  });
}

function booleanOf(body: JsonObject, key: string): boolean {
  const value = body[key];
  if (value === true || value === "true") return true;
  if (value === false || value === "false" || value === "") return false;
  if (typeof value !== "string") throw unfit(body, key);
  throw parseError(
    placeOf(body, { value: key }),
    `[analyze_request] failed to parse field [${key}]`,
    illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`),
  );
}

const KEYS = ["analyzer", "text", "field", "tokenizer", "filter", "char_filter", "explain", "attributes", "normalizer"];

/** @throws x_content_parse_exception with the place of what cannot be read */
export function parseAnalyzeBody(
  body: JsonValue,
  suggestion: (name: string, known: readonly string[]) => string = () => "",
): AnalyzeBody {
  if (!isObject(body)) {
    throw parseError("1:1", `[analyze_request] Expected START_OBJECT but was: ${tokenName(body)}`);
  }
  const request: AnalyzeBody = { texts: [], filters: [], charFilters: [], explain: false, attributes: new Set() };
  for (const [key, value] of Object.entries(body)) {
    switch (key) {
      case "analyzer":
      case "normalizer":
      case "field":
        request[key] = stringOf(body, key);
        break;
      case "text":
        request.texts = stringsOf(body, key);
        break;
      case "tokenizer":
        if (typeof value !== "string" && !isObject(value)) throw unfit(body, key);
        request.tokenizer = value;
        break;
      case "filter":
        request.filters = partsOf(body, key);
        break;
      case "char_filter":
        request.charFilters = partsOf(body, key);
        break;
      case "explain":
        request.explain = booleanOf(body, key);
        break;
      case "attributes":
        request.attributes = new Set(stringsOf(body, key).map((name) => name.toLowerCase()));
        break;
      default:
        throw parseError(placeOf(body, { key }), `[analyze_request] unknown field [${key}]${suggestion(key, KEYS)}`);
    }
  }
  return request;
}
