/** The reader's errors: where it stands says what Jackson would have complained of, and where. */
import { type EngineError, parsingError } from "../errors.ts";
import { locationAt } from "./location.ts";
import { constraintError, contentError, endOfFile, shown, stringError, syntaxPlaceOf, withPlace } from "./syntax.ts";

const EXPECTED_VALUES = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

/** Where the reader stands. */
export interface Stand {
  readonly text: string;
  /** The input as errors show it: `text`, or all of it where broken bytes end `text` early. */
  readonly source: string;
  pos: number;
  /** Start of the last token. */
  token: number;
  /** The root value is complete. */
  readonly trailing: boolean;
}

export function identifierPart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f ||
    code === 0x24 ||
    (code >= 0x80 && /[\p{ID_Continue}\p{Sc}\p{Pc}]/u.test(String.fromCharCode(code)))
  );
}

/** The bytes broke off inside a sequence, after everything that could be read. */
export function brokenBytes(s: Stand, broken: { message: string; extra: number }, ended: EngineError): EngineError {
  const end = locationAt(s.text, s.text.length);
  const at = { line: end.line, col: end.col + broken.extra };
  const place = syntaxPlaceOf(ended);
  const error =
    ended.type === "json_e_o_f_exception"
      ? stringError(broken.message, s.source, at, false)
      : contentError(broken.message, s.source, at);
  return place === undefined ? error : withPlace(error, place.trailing ? { ...place, token: at } : place);
}

export function trailingToken(s: Stand, name: string): EngineError {
  const error = parsingError(`Unexpected token [${name}] found after the main object.`);
  return withPlace(error, { token: locationAt(s.text, s.pos), trailing: true, extraToken: name });
}

export function placed(s: Stand, error: EngineError): EngineError {
  return withPlace(error, { token: locationAt(s.text, s.token), trailing: s.trailing });
}

export function fail(s: Stand, message: string, offset: number): EngineError {
  const at = locationAt(s.text, offset);
  if (s.trailing) s.token = offset;
  return placed(s, contentError(message, s.source, at));
}

/** The character at an offset as Jackson shows it: it looks at one byte here, and shows what stands for it in Latin-1. */
export function describeCharacter(s: Stand, offset: number): string {
  const code = s.text.charCodeAt(offset);
  if (code < 0x20) return `(CTRL-CHAR, code ${code})`;
  return `'${String.fromCharCode(code)}' (code ${code})`;
}

export function unexpected(s: Stand, expectation: string, latin?: string): EngineError {
  const found = latin === undefined ? describeCharacter(s, s.pos) : `'${latin}' (code ${latin.charCodeAt(0)})`;
  return fail(s, `Unexpected character (${found}): ${expectation}`, s.pos);
}

export function eof(s: Stand, message: string): EngineError {
  return placed(s, endOfFile(message, s.source, locationAt(s.text, s.text.length)));
}

export function isEndOfInput(error: unknown): boolean {
  const type = (error as EngineError).type;
  return type === "x_content_e_o_f_exception" || type === "json_e_o_f_exception";
}

export function closeMarker(s: Stand, kind: "Object" | "Array", start: number): string {
  const at = locationAt(s.text, start);
  return `Unexpected end-of-input: expected close marker for ${kind} (start marker at [Source: (byte[])${shown(s.source)}; line: ${at.line}, column: ${at.col}])`;
}

export function mismatched(s: Stand, kind: "Object" | "Array", expected: string, start: number): EngineError {
  s.token = s.pos;
  const at = locationAt(s.text, start);
  return fail(
    s,
    `Unexpected close marker '${s.text[s.pos]}': expected '${expected}' (for ${kind} starting at [Source: (byte[])${shown(s.source)}; line: ${at.line}, column: ${at.col}])`,
    s.pos,
  );
}

export function unexpectedKey(s: Stand, start: number): EngineError {
  if (s.pos >= s.text.length) return eof(s, closeMarker(s, "Object", start));
  if (s.text.charCodeAt(s.pos) === 0x5d) return mismatched(s, "Object", "}", start);
  return unexpected(s, "was expecting double-quote to start field name");
}

export function unexpectedValue(s: Stand, code: number): EngineError {
  if (code === 0x2b) {
    s.pos++;
    return unexpectedInNumber(
      s,
      "JSON spec does not allow numbers to have plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow",
      s.pos - 1,
    );
  }
  // A comma or a closing brace is none anywhere; a closing bracket is taken for one outside of arrays.
  if (code === 0x2c || code === 0x7d) return unexpected(s, "expected a value");
  if (code >= 0x80) return unexpectedByte(s);
  if (!identifierPart(code) || (code >= 0x30 && code <= 0x39)) {
    return unexpected(s, `expected a valid value ${EXPECTED_VALUES}`);
  }
  return unrecognizedToken(s, s.pos);
}

/**
 * Outside strings Jackson looks at single bytes: it takes the first of a character for Latin-1, and when that is a letter it stumbles over
 * the second.
 */
function unexpectedByte(s: Stand): EngineError {
  const bytes = new TextEncoder().encode(s.text.slice(s.pos, s.pos + 2));
  const first = String.fromCharCode(bytes[0]);
  if (!/\p{L}/u.test(first)) {
    return unexpected(s, `expected a valid value ${EXPECTED_VALUES}`, first);
  }
  const start = locationAt(s.text, s.pos);
  const at = { line: start.line, col: start.col + 2 };
  const error = contentError(`Invalid UTF-8 start byte 0x${bytes[1].toString(16)}`, s.source, at);
  return withPlace(error, { token: s.trailing ? at : locationAt(s.text, s.token), trailing: s.trailing });
}

function unrecognizedToken(s: Stand, from: number): EngineError {
  let end = from;
  while (end < s.text.length && identifierPart(s.text.charCodeAt(end))) end++;
  const word = s.text.slice(from, end);
  // Jackson has consumed the character after the word as well.
  const at = Math.min(end + 1, s.text.length);
  if (word === "NaN" || word === "Infinity") {
    return fail(s, `Non-standard token '${word}': enable \`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS\` to allow`, end);
  }
  return fail(s, `Unrecognized token '${word}': was expecting ${EXPECTED_VALUES}`, at);
}

function unexpectedInNumber(s: Stand, expectation: string, shownAt: number): EngineError {
  return fail(s, `Unexpected character (${describeCharacter(s, shownAt)}) in numeric value: ${expectation}`, s.pos);
}

export function badSign(s: Stand, code: number): EngineError {
  if (s.pos >= s.text.length) return eof(s, "Unexpected end-of-input in a Number value");
  if (code === 0x49 && s.text.startsWith("Infinity", s.pos)) {
    return fail(
      s,
      "Non-standard token '-Infinity': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
      s.pos + 8,
    );
  }
  return unexpectedInNumber(s, "expected digit (0-9) to follow minus sign, for valid numeric value", s.pos);
}

export function badNumber(s: Stand, expectation: string): EngineError {
  if (s.pos >= s.text.length) return eof(s, "Unexpected end-of-input in a Number value");
  return unexpectedInNumber(s, expectation, s.pos);
}

export function nameTooLong(s: Stand, length: number, max: number): EngineError {
  return placed(
    s,
    constraintError(
      `Name length (${length}) exceeds the maximum allowed (${max}, from \`StreamReadConstraints.getMaxNameLength()\`)`,
    ),
  );
}

export function numberTooLong(s: Stand, length: number, max: number): EngineError {
  return placed(
    s,
    constraintError(
      `Number value length (${length}) exceeds the maximum allowed (${max}, from \`StreamReadConstraints.getMaxNumberLength()\`)`,
    ),
  );
}

export function tooDeep(s: Stand, depth: number, max: number): EngineError {
  return placed(
    s,
    constraintError(
      `Document nesting depth (${depth}) exceeds the maximum allowed (${max}, from \`StreamReadConstraints.getMaxNestingDepth()\`)`,
    ),
  );
}

export function brokenString(s: Stand, code: number, isKey: boolean, from: number): EngineError {
  if (s.pos >= s.text.length) {
    if (isKey) return eof(s, "Unexpected end-of-input in field name");
    s.token = from - 1;
    return placed(
      s,
      stringError("Unexpected end-of-input in VALUE_STRING", s.source, locationAt(s.text, s.text.length), true),
    );
  }
  const what = isKey ? "name" : "string value";
  return inString(
    s,
    `Illegal unquoted character (${code < 0x20 ? `(CTRL-CHAR, code ${code})` : describeCharacter(s, s.pos)}): has to be escaped using backslash to be included in ${what}`,
    isKey,
    from,
  );
}

export function inString(s: Stand, message: string, isKey: boolean, from: number): EngineError {
  if (isKey) return fail(s, message, s.pos);
  s.token = from - 1;
  return placed(s, stringError(message, s.source, locationAt(s.text, s.pos), false));
}
