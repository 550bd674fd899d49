/** Letter case, character by character as Java's Character.toLowerCase and toUpperCase: no special casing, no context. */
import { mapFilter, type TokenFilter } from "../chain.ts";

/** The two letters that JavaScript's `toLowerCase` treats otherwise: İ (becomes two characters) and Σ (final form). */
const SPECIAL_LOWER = /[\u0130\u03a3]/;

export function lowerCase(term: string): string {
  const length = term.length;
  for (let i = 0; i < length; i++) {
    const code = term.charCodeAt(i);
    if (code < 0x80 ? code >= 65 && code <= 90 : code < 0x3040 || code > 0x9fff) {
      if (!SPECIAL_LOWER.test(term)) return term.toLowerCase();
      let lower = "";
      for (const c of term) lower += c === "\u0130" ? "i" : c.toLowerCase();
      return lower;
    }
  }
  return term;
}

/** Upper case of one character; characters whose upper case is several (ß) stay. */
export function upperCase(term: string): string {
  let upper = "";
  for (const c of term) {
    const mapped = c.toUpperCase();
    // Java maps to one character or not at all; Greek letters with iota below have a title case that stands for it.
    upper += [...mapped].length === 1 ? mapped : (TITLE_UPPER.get(c) ?? c);
  }
  return upper;
}

/** Letters with a ypogegrammeni: their simple upper case is the one with a prosgegrammeni. */
const TITLE_UPPER = new Map<string, string>();
for (const base of [0x1f80, 0x1f90, 0x1fa0])
  for (let i = 0; i < 8; i++) TITLE_UPPER.set(String.fromCharCode(base + i), String.fromCharCode(base + 8 + i));
for (const [lower, upper] of [
  [0x1fb3, 0x1fbc],
  [0x1fc3, 0x1fcc],
  [0x1ff3, 0x1ffc],
])
  TITLE_UPPER.set(String.fromCharCode(lower), String.fromCharCode(upper));

export const lowercaseFilter = (name = "lowercase"): TokenFilter => mapFilter(name, lowerCase, { normalizing: true });
export const uppercaseFilter = (name = "uppercase"): TokenFilter => mapFilter(name, upperCase, { normalizing: true });
