/** Going past JSON that nobody wants to read. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;

/** Where a value ends, in a text that was read before: nothing is checked, only brackets, strings and comments are told apart. */
export function endOfValue(text: string, start: number): number {
  let at = start;
  let depth = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (code === SLASH) {
      // After a bare number or word a comment can only follow its end.
      if (depth === 0) return at;
      at = endOfComment(text, at);
      continue;
    }
    if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      // The bracket of the object around a number or a word.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (code === 0x2c || code <= 0x20)) return at;
    at++;
  }
  return at;
}

/** Where white space and comments end. */
export function endOfSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) at++;
    else if (code === SLASH) at = endOfComment(text, at);
    else return at;
  }
}

function endOfString(text: string, start: number): number {
  let close = start;
  for (;;) {
    close = text.indexOf('"', close + 1);
    if (close < 0) return text.length;
    let before = close;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((close - before) % 2 === 0) return close + 1;
  }
}

function endOfComment(text: string, start: number): number {
  if (text.charCodeAt(start + 1) === 0x2a) {
    const close = text.indexOf("*/", start + 2);
    return close < 0 ? text.length : close + 2;
  }
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== 0x0a && text.charCodeAt(at) !== 0x0d) at++;
  return at;
}
