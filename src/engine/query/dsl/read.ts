/** Reading of the DSL's objects: values as Elasticsearch converts them, errors with the place where it stopped. */
import { EngineError, illegalArgument, parsingError, unsupported } from "../../errors.ts";
import { type Location, type PositionOf, positionOf } from "../../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import { LONG_MAX, LONG_MIN, parseDecimal, parseJavaDouble } from "../../mapping/java-numbers.ts";
import { suggestion } from "./suggestion.ts";

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const places = new WeakMap<EngineError, Location>();

function placeIn(container: JsonValue | undefined, at: PositionOf): Location | undefined {
  return typeof container === "object" && container !== null ? positionOf(container, at) : undefined;
}

/** Notes where the reader stood when an error was thrown that does not print it. */
export function located(error: EngineError, container: JsonValue | undefined, at: PositionOf): EngineError {
  const place = placeIn(container, at);
  if (place) places.set(error, place);
  return error;
}

/** The same for a place that is known already. */
export function locatedAt(error: EngineError, place: Location): EngineError {
  places.set(error, place);
  return error;
}

/** Where the reader stood when an error was thrown: the errors around it name the same place. */
export function placeOf(error: EngineError): Location | undefined {
  return places.get(error);
}

/** A parsing_exception with the line and column of a place within a container. */
export function errorAt(container: JsonValue | undefined, at: PositionOf, reason: string): EngineError {
  const place = placeIn(container, at);
  const error = parsingError(reason, place ? { metadata: { line: place.line, col: place.col } } : {});
  return located(error, container, at);
}

/** `[1:20] ` before the reason of an x_content_parse_exception. */
export function contentError(container: JsonValue, at: PositionOf, reason: string): EngineError {
  return contentErrorAt(placeIn(container, at), reason);
}

/** A key that an ObjectParser does not know: it names the key's place, and the reader stands at the value. */
export function unknownKey(parser: string, json: JsonObject, key: string, known: readonly string[]): EngineError {
  const reason = `[${parser}] unknown field [${key}]${suggestion(key, known)}`;
  return located(contentError(json, { key }, reason), json, { value: key });
}

function contentErrorAt(place: Location | undefined, reason: string, cause?: EngineError): EngineError {
  const error = new EngineError(
    "x_content_parse_exception",
    place ? `[${place.line}:${place.col}] ${reason}` : reason,
    cause ? { cause } : {},
  );
  if (place) places.set(error, place);
  return error;
}

/** ObjectParser's wrapping of what fails in a field's value. */
export function inField<T>(query: string, json: JsonObject, key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    const place = placeOf(error) ?? placeIn(json, { value: key });
    throw contentErrorAt(place, `[${query}] failed to parse field [${key}]`, error);
  }
}

/** The error of a query read by an ObjectParser: parsing_exception around x_content_parse_exception, at the same place. */
export function asParsingError(error: EngineError): EngineError {
  const place = placeOf(error);
  const parsing = new EngineError("parsing_exception", error.reason, {
    cause: error,
    ...(place ? { metadata: { line: place.line, col: place.col } } : {}),
  });
  return place ? locatedAt(parsing, place) : parsing;
}

/** `inField` for a query read by an ObjectParser. */
export function objectField<T>(query: string, json: JsonObject, key: string, read: () => T): T {
  try {
    return inField(query, json, key, read);
  } catch (error) {
    throw error instanceof EngineError && error.type === "x_content_parse_exception" ? asParsingError(error) : error;
  }
}

/** Reads the value of an option; what fails there is located there. */
export function atOption<T>(json: JsonObject, key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof EngineError && !placeOf(error) ? located(error, json, { value: key }) : error;
  }
}

/** ObjectParser's word for a value of a kind that a field does not take. */
export function wrongKind(query: string, json: JsonObject, key: string): EngineError {
  const reason = `[${query}] ${key} doesn't support values of type: ${tokenName(json[key])}`;
  return contentError(json, { value: key }, reason);
}

/** What the tokens of Elasticsearch's reader are called. */
export function tokenName(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "VALUE_NULL";
  if (typeof value === "boolean") return "VALUE_BOOLEAN";
  if (typeof value === "string") return "VALUE_STRING";
  if (typeof value === "number" || value instanceof JsonNumber) return "VALUE_NUMBER";
  return Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
}

/** Jackson's name of a token, which tells integers, fractions and the two booleans apart. */
function javaToken(value: JsonValue): string {
  if (typeof value === "boolean") return value ? "VALUE_TRUE" : "VALUE_FALSE";
  if (typeof value === "number" || value instanceof JsonNumber)
    return /^-?\d+$/.test(String(value)) ? "VALUE_NUMBER_INT" : "VALUE_NUMBER_FLOAT";
  return tokenName(value);
}

/** A scalar's text, as `parser.text()` has it; undefined for null and structures. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || value instanceof JsonNumber) return String(value);
  return undefined;
}

/** An object, or a list whose keys are places. */
type Container = JsonObject | readonly JsonValue[];

/** What Jackson says of a token that it cannot read as asked, with Elasticsearch's exception around it. */
function jacksonError(type: string, reason: string, container?: Container, key?: string | number): EngineError {
  const place = key === undefined ? undefined : placeIn(container, { value: key });
  if (!place || key === undefined) return contentErrorAt(undefined, reason, new EngineError(type, reason));
  // The reader stands behind the token.
  const value = (container as JsonObject)[key];
  const width = value === null ? 4 : (textOf(value) ?? "{").length;
  const error = contentErrorAt({ ...place, col: place.col + width }, reason, new EngineError(type, reason));
  places.set(error, place);
  return error;
}

function notNumeric(value: JsonValue, container?: Container, key?: string | number): EngineError {
  const reason = `Current token (${javaToken(value)}) not numeric, can not use numeric value accessors`;
  return jacksonError("json_parse_exception", reason, container, key);
}

/** A double (`parser.doubleValue()`). */
export function readDouble(value: JsonValue, container: Container, key: string | number): number {
  const text = textOf(value);
  if (text === undefined || typeof value === "boolean") throw notNumeric(value, container, key);
  return parseJavaDouble(text);
}

/** A float (`parser.floatValue()`). */
export function readFloat(value: JsonValue, container: JsonObject, key: string): number {
  return Math.fround(readDouble(value, container, key));
}

/** A text (`parser.text()`): of a scalar. */
export function readText<C extends JsonObject | readonly JsonValue[]>(
  json: C,
  key: keyof C & (string | number),
): string {
  const value = json[key] as JsonValue;
  const text = textOf(value);
  if (text !== undefined) return text;
  const place = placeIn(json, { value: key });
  const at = place ? ` at ${place.line}:${place.col}` : "";
  throw located(illegalArgument(`Expected text${at} but found ${tokenName(value)}`), json, { value: key });
}

/** An int; strings are read and fractions cut, as `parser.intValue()` does. */
export function readInt(value: JsonValue, container?: JsonObject, key?: string): number {
  const text = textOf(value);
  if (text === undefined || typeof value === "boolean") throw notNumeric(value, container, key);
  const number = parseJavaDouble(text);
  if (number < -(2 ** 31) || number > 2 ** 31 - 1) {
    if (typeof value === "string") throw illegalArgument(`Value [${text}] is out of range for an integer`);
    throw jacksonError(
      "input_coercion_exception",
      `Numeric value (${text}) out of range of int (-2147483648 - 2147483647)`,
      container,
      key,
    );
  }
  return Number.isNaN(number) ? 0 : Math.trunc(number);
}

/** A long written as a number; fractions are cut, as `parser.longValue()` does. */
export function readLong(value: JsonValue, container: JsonObject, key: string): bigint {
  const text = textOf(value);
  if (text === undefined || typeof value === "boolean") throw notNumeric(value, container, key);
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw illegalArgument(`For input string: "${text}"`);
  if (decimal !== "huge" && decimal.whole >= LONG_MIN && decimal.whole <= LONG_MAX) return decimal.whole;
  const reason = `Numeric value (${text}) out of range of long (${LONG_MIN} - ${LONG_MAX})`;
  throw jacksonError("input_coercion_exception", reason, container, key);
}

/** A boolean, or one written as a string. */
export function readBoolean(value: JsonValue, container?: JsonObject, key?: string): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true") return true;
  if (value === "false" || value === "") return false;
  if (typeof value !== "string")
    throw jacksonError(
      "json_parse_exception",
      `Current token (${javaToken(value)}) not of boolean type`,
      container,
      key,
    );
  throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
}

/**
 * The values under a key for a reader that steps over brackets and nulls, as some of Elasticsearch's do: a list's items one by one. Each
 * comes in an object with that key.
 */
export function throughBrackets(json: JsonObject, key: string): JsonObject[] {
  const value = json[key];
  if (value === null) return [];
  return isArray(value) ? value.flatMap((item) => throughBrackets({ [key]: item }, key)) : [json];
}

/** The name of the field that a query is about. A second one is an error. */
export function onlyField(query: string, json: JsonObject, key: string, known: string | undefined): string {
  if (known === undefined) return key;
  throw secondField(query, json, key, known);
}

/** The error of a name where one has been read. */
export function secondField(query: string, json: JsonObject, key: string, known: string): EngineError {
  const reason = `[${query}] query doesn't support multiple fields, found [${known}] and [${key}]`;
  return errorAt(json, { value: key }, reason);
}

/**
 * Some readers take an opening brace for a value. They go on within the object, whose end they take for the end of what is around it, and
 * so on outward: errors that are found at once are reported, and the rest is refused.
 *
 * @param around the object that has the brace as its `option`, itself `outer[key]`
 * @param read reads the options within @param next the error of a key that is met one level too high
 */
export function throughBrace(
  query: string,
  [outer, key, around, option]: readonly [outer: JsonObject, key: string, around: JsonObject, option: string],
  read: (within: JsonObject) => void,
  next: (key: string) => EngineError,
): EngineError {
  const following = (json: JsonObject, name: string) => {
    const names = Object.keys(json);
    return names[names.indexOf(name) + 1] as string | undefined;
  };
  read(around[option] as JsonObject);
  const behind = following(around, option);
  if (behind !== undefined) return next(behind);
  const malformed = following(outer, key);
  if (malformed === undefined) return unsupported(`an object as ${query}.${option}`);
  return errorAt(outer, { key: malformed }, `[${query}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
}
