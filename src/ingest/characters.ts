/** What sentences, windows and passages ask of single characters. All by UTF-16 unit, so that a loop over a long text stays plain. */

/** A place in a text, in UTF-16 units; `end` is the first one after it. */
export interface Span {
  start: number;
  end: number;
}

/** White space as `trim()` sees it. */
export function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return (
    code === 0xa0 ||
    code === 0xfeff ||
    code === 0x3000 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f
  );
}

export function isLineBreak(code: number): boolean {
  return (code >= 0x0a && code <= 0x0d) || code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** Two columns wide in a terminal: Han, kana, Hangul, full-width forms, and both halves of a surrogate pair together. */
export function isWide(code: number): boolean {
  if (code < 0x1100) return false;
  return (
    code <= 0x115f ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xd800 && code <= 0xdbff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6)
  );
}

export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Whether a cut before `at` would fall into a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return isLowSurrogate(text.charCodeAt(at)) && at > 0 && isHighSurrogate(text.charCodeAt(at - 1));
}

/** The span without white space at its ends; undefined when nothing else is in it. */
export function trimmedSpan(text: string, start: number, end: number): Span | undefined {
  let a = start;
  let b = end;
  while (a < b && isSpace(text.charCodeAt(a))) a++;
  while (b > a && isSpace(text.charCodeAt(b - 1))) b--;
  return a < b ? { start: a, end: b } : undefined;
}
