/**
 * The lossless JSON reader. It accepts what Elasticsearch's reader accepts (comments, a byte order mark, escaped lone surrogates) and
 * refuses what it refuses (duplicate keys, more than 1000 levels), with the same errors. Numbers whose text matters stay `JsonNumber`.
 */
import { type EngineError, parsingError } from "../errors.ts";
import { BareObject, PlacedObject } from "./bare-object.ts";
import { exactDecimal, POWERS_OF_TEN } from "./decimal.ts";
import {
  badNumber,
  badSign,
  brokenBytes,
  brokenString,
  closeMarker,
  eof,
  fail,
  identifierPart,
  isEndOfInput,
  mismatched,
  nameTooLong,
  numberTooLong,
  placed,
  type Stand,
  tooDeep,
  trailingToken,
  unexpected,
  unexpectedKey,
  unexpectedValue,
} from "./errors.ts";
import { escapeEnd, escapeError, unescapeAt } from "./escape.ts";
import { notePlace } from "./positions.ts";
import { endOfValue } from "./skip.ts";
import { shown } from "./syntax.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "./types.ts";
import { type DecodedText, decodeUtf8 } from "./utf8.ts";

export { emptyObject } from "./bare-object.ts";
export type { Location } from "./location.ts";
export { type PositionOf, positionOf } from "./positions.ts";
export { syntaxPlaceOf } from "./syntax.ts";

/** Jackson's limits, which Elasticsearch keeps. */
const MAX_DEPTH = 1000;
const MAX_NAME = 50_000;
const MAX_NUMBER = 1000;

export interface ParseJsonOptions {
  /** Remember where objects, keys and values stand, for `positionOf`. Default false: `positionAt` can still find places by path. */
  readonly positions?: boolean;
  /** Which values are wanted: in place of the others stands null, and they are not checked. Default: all. */
  readonly selection?: Selection;
}

/** What is wanted of the objects at a place of the tree; lists hand it on to their items. Of a key: nothing, all, or a part. */
export type Selection = (key: string) => Selection | boolean;

type MutableObject = { [key: string]: JsonValue };

const texts = new WeakMap<object, string>();

/** The text that a root was read from. */
export function textOf(root: object): string | undefined {
  return texts.get(root);
}

// The state of the one parse that runs; parsing is synchronous.
let text = "";
let source = "";
let pos = 0;
let depth = 0;
let token = 0;
let keepPlaces = false;
let trailing = false;
let selection: Selection | undefined;

function stand(): Stand {
  return { text, source, pos, token, trailing };
}

/**
 * Reads one JSON value.
 *
 * @param input a text, or its bytes in UTF-8
 * @throws EngineError of type `x_content_parse_exception`, `x_content_e_o_f_exception`, `json_parse_exception` or `stream_constraints_exception`
 */
export function parseJson(input: string | Uint8Array, options: ParseJsonOptions = {}): JsonValue {
  const decoded: DecodedText = typeof input === "string" ? { text: input } : decodeUtf8(input);
  text = decoded.text;
  source = text;
  pos = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  depth = 0;
  token = pos;
  keepPlaces = options.positions === true;
  trailing = false;
  selection = options.selection;
  if (decoded.broken !== undefined) source = new TextDecoder().decode(input as Uint8Array);
  try {
    skipSpace();
    if (pos >= text.length) throw placed(stand(), parsingError("Expected [START_OBJECT] but found [null]"));
    token = pos;
    const value = readValue();
    trailing = true;
    skipSpace();
    if (pos < text.length) throw trailingError();
    if (decoded.broken !== undefined) throw eof(stand(), "");
    // Who has a place has a text.
    if (!keepPlaces && typeof value === "object" && value !== null && !(value instanceof JsonNumber))
      texts.set(value, text);
    return value;
  } catch (error) {
    if (decoded.broken !== undefined && isEndOfInput(error))
      throw brokenBytes(stand(), decoded.broken, error as EngineError);
    throw error;
  } finally {
    text = "";
    source = "";
  }
}

function readValue(): JsonValue {
  const code = text.charCodeAt(pos);
  if (code === 0x22) return readString(false);
  if (code === 0x7b) return readObject();
  if (code === 0x5b) return readArray();
  if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return readNumber(code);
  if (code === 0x74 && literal("true")) return true;
  if (code === 0x66 && literal("false")) return false;
  if (code === 0x6e && literal("null")) return null;
  throw unexpectedValue(stand(), code);
}

function readObject(): JsonObject {
  const start = pos++;
  token = start;
  enter();
  const object: MutableObject = keepPlaces ? new PlacedObject({ text, start }) : new BareObject();
  skipSpace();
  if (text.charCodeAt(pos) === 0x7d) {
    leave();
    return object;
  }
  for (;;) {
    // Here stands a key.
    const keyAt = pos;
    if (text.charCodeAt(pos) !== 0x22) throw unexpectedKey(stand(), start);
    const key = readString(true);
    if (object[key] !== undefined) throw fail(stand(), `Duplicate field '${key}'`, pos);
    token = keyAt;
    skipSpace();
    if (text.charCodeAt(pos) !== 0x3a) {
      if (pos >= text.length) throw eof(stand(), closeMarker(stand(), "Object", start));
      throw unexpected(stand(), "was expecting a colon to separate field name and value");
    }
    pos++;
    skipSpace();
    if (pos >= text.length) throw eof(stand(), closeMarker(stand(), "Object", start));
    const valueAt = pos;
    const value = selection === undefined ? readValue() : readSelected(selection, key);
    // After an object or array the last token is its closing bracket.
    token = typeof value === "object" && value !== null ? pos - 1 : valueAt;
    if (value instanceof JsonNumber) token = valueAt;
    object[key] = value;
    skipSpace();
    const code = text.charCodeAt(pos);
    if (code === 0x2c) {
      pos++;
      skipSpace();
      continue;
    }
    if (code === 0x7d) {
      leave();
      return object;
    }
    if (pos >= text.length) throw eof(stand(), closeMarker(stand(), "Object", start));
    if (code === 0x5d) throw mismatched(stand(), "Object", "}", start);
    throw unexpected(stand(), "was expecting comma to separate Object entries");
  }
}

/** A value of an object of which a part is wanted. */
function readSelected(outer: Selection, key: string): JsonValue {
  const wanted = outer(key);
  if (wanted === false) {
    pos = endOfValue(text, pos);
    return null;
  }
  selection = wanted === true ? undefined : wanted;
  const value = readValue();
  selection = outer;
  return value;
}

function readArray(): JsonValue[] {
  const start = pos++;
  token = start;
  enter();
  const array: JsonValue[] = [];
  if (keepPlaces) notePlace(array, text, start);
  skipSpace();
  if (text.charCodeAt(pos) === 0x5d) {
    leave();
    return array;
  }
  for (;;) {
    if (pos >= text.length) throw eof(stand(), closeMarker(stand(), "Array", start));
    token = pos;
    const code = text.charCodeAt(pos);
    if (code === 0x7d)
      throw array.length === 0 ? mismatched(stand(), "Array", "]", start) : unexpected(stand(), "expected a value");
    if (code === 0x2c || code === 0x5d) throw unexpected(stand(), "expected a value");
    array.push(readValue());
    skipSpace();
    const next = text.charCodeAt(pos);
    if (next === 0x2c) {
      pos++;
      skipSpace();
      continue;
    }
    if (next === 0x5d) {
      leave();
      return array;
    }
    if (pos >= text.length) throw eof(stand(), closeMarker(stand(), "Array", start));
    if (next === 0x7d) throw mismatched(stand(), "Array", "]", start);
    throw unexpected(stand(), "was expecting comma to separate Array entries");
  }
}

function enter(): void {
  if (++depth > MAX_DEPTH) throw tooDeep(stand(), depth, MAX_DEPTH);
}

function leave(): void {
  depth--;
  pos++;
}

function readString(isKey: boolean): string {
  const from = ++pos;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === 0x22) {
      const value = text.slice(from, pos++);
      if (isKey && value.length > MAX_NAME) throw nameTooLong(stand(), value.length, MAX_NAME);
      return value;
    }
    if (code === 0x5c) break;
    if (!(code >= 0x20)) throw brokenString(stand(), code, isKey, from);
    pos++;
  }
  const parts: string[] = [text.slice(from, pos)];
  for (;;) {
    // At a backslash.
    const character = unescapeAt(text, pos);
    if (character === undefined) throw escapeError(stand(), isKey, from);
    parts.push(character);
    pos = escapeEnd(text, pos);
    const run = pos;
    let code = text.charCodeAt(pos);
    while (code !== 0x22 && code !== 0x5c) {
      if (!(code >= 0x20)) throw brokenString(stand(), code, isKey, from);
      code = text.charCodeAt(++pos);
    }
    if (pos > run) parts.push(text.slice(run, pos));
    if (code === 0x22) {
      pos++;
      const value = parts.join("");
      if (isKey && value.length > MAX_NAME) throw nameTooLong(stand(), value.length, MAX_NAME);
      return value;
    }
  }
}

function readNumber(first: number): number | JsonNumber {
  const from = pos;
  let code = first;
  if (code === 0x2d) {
    code = text.charCodeAt(++pos);
    if (!(code >= 0x30 && code <= 0x39)) throw badSign(stand(), code);
  }
  let value = code - 0x30;
  const digitsFrom = pos;
  if (code === 0x30) {
    code = text.charCodeAt(++pos);
    if (code >= 0x30 && code <= 0x39) throw fail(stand(), "Invalid numeric value: Leading zeroes not allowed", pos);
  } else {
    for (;;) {
      code = text.charCodeAt(++pos);
      if (!(code >= 0x30 && code <= 0x39)) break;
      value = value * 10 + (code - 0x30);
    }
  }
  const integer = code !== 0x2e && code !== 0x65 && code !== 0x45;
  // Up to 15 digits are exact.
  if (integer && pos - digitsFrom <= 15 && !(value === 0 && first === 0x2d)) return first === 0x2d ? -value : value;
  if (code === 0x2e) {
    const fractionFrom = pos + 1;
    code = text.charCodeAt(++pos);
    if (!(code >= 0x30 && code <= 0x39)) throw badNumber(stand(), "Decimal point not followed by a digit");
    let last = code;
    // Digits beyond fifteen, behind a 1.
    let more = value < 1e15 ? 1 : 1000;
    while (code >= 0x30 && code <= 0x39) {
      if (value < 1e14) value = value * 10 + (code - 0x30);
      else more = more * 10 + (code - 0x30);
      last = code;
      code = text.charCodeAt(++pos);
    }
    const fraction = pos - fractionFrom;
    if (more < 200 && fraction < POWERS_OF_TEN.length && last !== 0x30 && code !== 0x65 && code !== 0x45) {
      // Up to 15 digits, quotient and reprint are exact; JavaScript writes numbers below 1e-6 with an exponent.
      const scale = more < 20 ? 10 : 100;
      const number = more === 1 ? value / POWERS_OF_TEN[fraction] : exactDecimal(value, more - scale, scale, fraction);
      if (number >= 1e-6) return first === 0x2d ? -number : number;
    }
  }
  if (code === 0x65 || code === 0x45) {
    code = text.charCodeAt(++pos);
    if (code === 0x2b || code === 0x2d) code = text.charCodeAt(++pos);
    if (!(code >= 0x30 && code <= 0x39)) throw badNumber(stand(), "Exponent indicator not followed by a digit");
    while (code >= 0x30 && code <= 0x39) code = text.charCodeAt(++pos);
  }
  const written = text.slice(from, pos);
  if (written.length > MAX_NUMBER) {
    const digits = written.replace(/[-+.eE]/g, "").length;
    if (digits > MAX_NUMBER) throw numberTooLong(stand(), digits, MAX_NUMBER);
  }
  const number = Number(written);
  return String(number) === written ? number : new JsonNumber(written);
}

function literal(word: string): boolean {
  if (!text.startsWith(word, pos) || identifierPart(text.charCodeAt(pos + word.length))) return false;
  pos += word.length;
  return true;
}

/** Skips white space and comments, which Elasticsearch allows in both of Java's forms. */
function skipSpace(): void {
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) pos++;
    else if (code === 0x2f) skipComment();
    else if (code < 0x20) {
      throw fail(
        stand(),
        `Illegal character ((CTRL-CHAR, code ${code})): only regular white space (\\r, \\n, \\t) is allowed between tokens`,
        pos + 1,
      );
    } else return;
  }
}

function skipComment(): void {
  const kind = text.charCodeAt(pos + 1);
  if (kind === 0x2f) {
    pos += 2;
    while (pos < text.length && text.charCodeAt(pos) !== 0x0a && text.charCodeAt(pos) !== 0x0d) pos++;
  } else if (kind === 0x2a) {
    const close = text.indexOf("*/", pos + 2);
    if (close < 0) {
      pos = text.length;
      throw eof(stand(), "Unexpected end-of-input in a comment");
    }
    pos = close + 2;
  } else {
    pos++;
    if (pos >= text.length) throw eof(stand(), "Unexpected end-of-input in a comment");
    throw unexpected(stand(), "was expecting either '*' or '/' for a comment");
  }
}

function trailingError(): EngineError {
  const code = text.charCodeAt(pos);
  if (code === 0x5d || code === 0x7d) {
    return fail(
      stand(),
      `Unexpected close marker '${text[pos]}': expected '${code === 0x5d ? "}" : "]"}' (for root starting at [Source: (byte[])${shown(source)}; line: 1, column: 0])`,
      pos,
    );
  }
  if (code === 0x2c) return unexpected(stand(), "expected a value");
  const next = { 123: "START_OBJECT", 91: "START_ARRAY", 34: "VALUE_STRING" }[code];
  if (next !== undefined) return trailingToken(stand(), next);
  if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
    readNumber(code);
    return trailingToken(stand(), "VALUE_NUMBER");
  }
  for (const [word, name] of [
    ["true", "VALUE_BOOLEAN"],
    ["false", "VALUE_BOOLEAN"],
    ["null", "VALUE_NULL"],
  ]) {
    if (literal(word)) return trailingToken(stand(), name);
  }
  return unexpectedValue(stand(), code);
}
