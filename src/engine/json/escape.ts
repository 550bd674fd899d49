/** Escape sequences in strings. */
import type { EngineError } from "../errors.ts";
import { brokenString, describeCharacter, inString, type Stand } from "./errors.ts";

const SHORT: Readonly<Record<number, string>> = {
  34: '"',
  92: "\\",
  47: "/",
  98: "\b",
  102: "\f",
  110: "\n",
  114: "\r",
  116: "\t",
};

/** What the sequence stands for whose backslash is at an offset; undefined when it is none. It ends at `escapeEnd`. */
export function unescapeAt(text: string, at: number): string | undefined {
  const code = text.charCodeAt(at + 1);
  if (code !== 0x75) return SHORT[code];
  let unit = 0;
  for (let k = 2; k < 6; k++) {
    const digit = hexDigit(text.charCodeAt(at + k));
    if (digit < 0) return undefined;
    unit = unit * 16 + digit;
  }
  return String.fromCharCode(unit);
}

export function escapeEnd(text: string, at: number): number {
  return text.charCodeAt(at + 1) === 0x75 ? at + 6 : at + 2;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The error of a sequence that is none. @param s stands at its backslash */
export function escapeError(s: Stand, isKey: boolean, from: number): EngineError {
  const code = s.text.charCodeAt(++s.pos);
  if (Number.isNaN(code)) return brokenString(s, code, isKey, from);
  if (code !== 0x75) {
    return inString(s, `Unrecognized character escape ${describeCharacter(s, s.pos)}`, isKey, from);
  }
  do s.pos++;
  while (hexDigit(s.text.charCodeAt(s.pos)) >= 0);
  if (s.pos >= s.text.length) return brokenString(s, Number.NaN, isKey, from);
  const shown = describeCharacter(s, s.pos);
  return inString(
    s,
    `Unexpected character (${shown}): expected a hex-digit for character escape sequence`,
    isKey,
    from,
  );
}
