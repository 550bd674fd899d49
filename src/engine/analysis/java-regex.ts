/**
 * Java's regular expressions (java.util.regex), translated to JavaScript's. What JavaScript cannot express, such as possessive
 * quantifiers, is refused.
 */
import { illegalArgument, unsupported } from "../errors.ts";

const LINE_END = "\\n\\r\\u0085\\u2028\\u2029";

/** Escapes that stand for a set, as the inside of a character class. */
const SETS: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "a-zA-Z_0-9",
  s: " \\t\\n\\x0b\\f\\r",
  h: " \\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000",
  v: "\\n\\x0b\\f\\r\\x85\\u2028\\u2029",
};

/** Java's POSIX classes (ASCII only) and properties that have another name in JavaScript. */
const PROPERTIES: Readonly<Record<string, string>> = {
  Lower: "a-z",
  Upper: "A-Z",
  ASCII: "\\x00-\\x7f",
  Alpha: "a-zA-Z",
  Digit: "0-9",
  Alnum: "a-zA-Z0-9",
  Punct: "!-\\/:-@\\[-`\\{-~",
  Graph: "!-~",
  Print: " -~",
  Blank: " \\t",
  Cntrl: "\\x00-\\x1f\\x7f",
  XDigit: "0-9a-fA-F",
  Space: " \\t\\n\\x0b\\f\\r",
  IsAlphabetic: "\\p{Alphabetic}",
  IsIdeographic: "\\p{Ideographic}",
  IsLetter: "\\p{L}",
  IsLowercase: "\\p{Lowercase}",
  IsUppercase: "\\p{Uppercase}",
  IsPunctuation: "\\p{P}",
  IsDigit: "\\p{Nd}",
  IsWhite_Space: "\\p{White_Space}",
};

interface Reader {
  readonly pattern: string;
  at: number;
  ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
  readonly comments: boolean;
}

function invalid(reader: Reader, what: string): Error {
  return illegalArgument(`${what} near index ${reader.at} in the pattern [${reader.pattern}]`);
}

const literal = (codePoint: number) => `\\u{${codePoint.toString(16)}}`;

/** A character with its other case where case does not matter: Java folds ASCII only. */
function cased(reader: Reader, codePoint: number): string {
  const lower = codePoint | 32;
  const letter = codePoint < 128 && lower >= 97 && lower <= 122;
  return reader.ignoreCase && letter ? `${literal(lower)}${literal(lower - 32)}` : literal(codePoint);
}

function hex(reader: Reader, digits: RegExp): number {
  digits.lastIndex = reader.at;
  const match = digits.exec(reader.pattern);
  if (match === null) throw invalid(reader, "Illegal hexadecimal escape sequence");
  reader.at = digits.lastIndex;
  return Number.parseInt(match[1] ?? match[2], 16);
}

function property(reader: Reader, negated: boolean): string {
  const { pattern } = reader;
  let name: string;
  if (pattern[reader.at] === "{") {
    const end = pattern.indexOf("}", reader.at);
    if (end < 0) throw invalid(reader, "Unclosed character family");
    name = pattern.slice(reader.at + 1, end);
    reader.at = end + 1;
  } else name = pattern[reader.at++] ?? "";
  let inside = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined;
  if (inside === undefined) {
    const [, key, value] = /^(?:(script|sc|general_category|gc)=)?(?:Is)?(\w+)$/i.exec(name) ?? [];
    const forms = key === undefined ? [value, `Script=${value}`] : [/^s/i.test(key) ? `Script=${value}` : value];
    inside = forms
      .map((form) => `\\p{${form}}`)
      .find((form) => {
        try {
          return value !== undefined && new RegExp(form, "v") !== undefined;
        } catch {
          return false;
        }
      });
  }
  if (inside === undefined) throw unsupported(`\\p{${name}} in a pattern`);
  return negated ? `[^${inside}]` : `[${inside}]`;
}

/** An escape: a nested class for sets, or a code point. `undefined` for what is neither. */
function escaped(reader: Reader): string | number | undefined {
  const { pattern } = reader;
  const c = pattern[reader.at];
  if (c === undefined) throw invalid(reader, "Unexpected internal error");
  reader.at++;
  if (Object.hasOwn(SETS, c)) return `[${SETS[c]}]`;
  if (Object.hasOwn(SETS, c.toLowerCase()) && c !== c.toLowerCase()) return `[^${SETS[c.toLowerCase()]}]`;
  switch (c) {
    case "p":
    case "P":
      return property(reader, c === "P");
    case "t":
      return 9;
    case "n":
      return 10;
    case "r":
      return 13;
    case "f":
      return 12;
    case "a":
      return 7;
    case "e":
      return 27;
    case "x":
      return hex(reader, /\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})/y);
    case "u":
      return hex(reader, /([0-9a-fA-F]{4})/y);
    case "0": {
      const digits = /^[0-3]?[0-7]{1,2}/.exec(pattern.slice(reader.at));
      if (digits === null) throw invalid(reader, "Illegal octal escape sequence");
      reader.at += digits[0].length;
      return Number.parseInt(digits[0], 8);
    }
    default:
      if (/[a-zA-Z0-9]/.test(c)) return undefined;
      reader.at--;
      return next(reader);
  }
}

function next(reader: Reader): number {
  const c = reader.pattern.codePointAt(reader.at) as number;
  reader.at += c > 0xffff ? 2 : 1;
  return c;
}

/** A range with its other case. */
function range(reader: Reader, from: number, to: number): string {
  let text = `${literal(from)}-${literal(to)}`;
  if (!reader.ignoreCase) return text;
  for (const [start, shift] of [
    [65, 32],
    [97, -32],
  ]) {
    const low = Math.max(from, start);
    const high = Math.min(to, start + 25);
    if (low <= high) text += `${literal(low + shift)}-${literal(high + shift)}`;
  }
  return text;
}

/** A character class, from behind its `[`. */
function characterClass(reader: Reader): string {
  const { pattern } = reader;
  const negated = pattern[reader.at] === "^";
  if (negated) reader.at++;
  const operands: string[] = [];
  let items = "";
  for (let first = true; ; first = false) {
    if (reader.at >= pattern.length) throw invalid(reader, "Unclosed character class");
    const c = pattern[reader.at];
    if (c === "]" && !first) {
      reader.at++;
      break;
    }
    if (c === "[") {
      reader.at++;
      items += characterClass(reader);
      continue;
    }
    if (pattern.startsWith("&&", reader.at)) {
      reader.at += 2;
      operands.push(items);
      items = "";
      continue;
    }
    if (pattern.startsWith("\\Q", reader.at)) {
      const end = pattern.indexOf("\\E", reader.at);
      const quoted = pattern.slice(reader.at + 2, end < 0 ? pattern.length : end);
      for (const q of quoted) items += cased(reader, q.codePointAt(0) as number);
      reader.at = end < 0 ? pattern.length : end + 2;
      continue;
    }
    const single = (): string | number => {
      if (pattern[reader.at] !== "\\") return next(reader);
      reader.at++;
      const value = escaped(reader);
      if (value === undefined) throw invalid(reader, "Illegal/unsupported escape sequence");
      return value;
    };
    const from = single();
    if (typeof from === "string") {
      items += from;
      continue;
    }
    if (pattern[reader.at] === "-" && !/[\][]/.test(pattern[reader.at + 1] ?? "]")) {
      reader.at++;
      const to = single();
      if (typeof to === "string" || to < from) throw invalid(reader, "Illegal character range");
      items += range(reader, from, to);
    } else items += cased(reader, from);
  }
  operands.push(items);
  const inside = operands.length === 1 ? items : operands.map((operand) => `[${operand}]`).join("&&");
  return `[${negated ? "^" : ""}${inside}]`;
}

/** Copies a quantifier; possessive ones have no counterpart. */
function quantifier(reader: Reader): string {
  const match = /^(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?/.exec(reader.pattern.slice(reader.at));
  if (match === null) return "";
  if (match[0].length > 1 && match[0].endsWith("+"))
    throw unsupported(`possessive quantifier ${match[0]} in a pattern`);
  reader.at += match[0].length;
  return match[0];
}

function atom(reader: Reader): string {
  const { pattern } = reader;
  const c = pattern[reader.at];
  switch (c) {
    case ".":
      reader.at++;
      return reader.dotAll ? "[^]" : `[^${LINE_END}]`;
    case "^":
      reader.at++;
      return reader.multiline ? `(?<![^${LINE_END}])(?!(?<=\\r)\\n)` : "(?<![^])";
    case "$":
      reader.at++;
      return reader.multiline
        ? `(?![^${LINE_END}])(?!(?<=\\r)\\n)`
        : `(?=(?:\\r\\n|[${LINE_END}])?(?![^]))(?!(?<=\\r)\\n)`;
    case "[":
      reader.at++;
      return characterClass(reader);
    case "(": {
      const head = /^\((?:\?(?:[:=!]|<[=!]|<[a-zA-Z][a-zA-Z0-9]*>))?/.exec(pattern.slice(reader.at)) as RegExpExecArray;
      if (head[0] === "(" && pattern[reader.at + 1] === "?")
        throw unsupported(`${pattern.slice(reader.at, reader.at + 4)} in a pattern`);
      reader.at += head[0].length;
      return head[0];
    }
    case ")":
    case "|":
      reader.at++;
      return c;
    case "*":
    case "+":
    case "?":
      throw invalid(reader, `Dangling meta character '${c}'`);
    case "\\": {
      reader.at++;
      const kind = pattern[reader.at];
      if (kind === "Q") {
        const end = pattern.indexOf("\\E", reader.at);
        const quoted = [...pattern.slice(reader.at + 1, end < 0 ? pattern.length : end)];
        reader.at = end < 0 ? pattern.length : end + 2;
        return quoted.map((q) => `[${cased(reader, q.codePointAt(0) as number)}]`).join("");
      }
      const zeroWidth = {
        b: "\\b",
        B: "\\B",
        A: "(?<![^])",
        z: "(?![^])",
        Z: `(?=(?:\\r\\n|[${LINE_END}])?(?![^]))`,
      } as Record<string, string>;
      if (kind !== undefined && Object.hasOwn(zeroWidth, kind)) {
        reader.at++;
        return zeroWidth[kind];
      }
      const back = /^(?:[1-9]|k<[a-zA-Z][a-zA-Z0-9]*>)/.exec(pattern.slice(reader.at));
      if (back !== null) {
        if (reader.ignoreCase) throw unsupported("back reference without case in a pattern");
        reader.at += back[0].length;
        return `\\${back[0]}(?:)`;
      }
      if (kind === "R") {
        reader.at++;
        return `(?:\\r\\n|[\\n\\x0b\\f\\r\\x85\\u2028\\u2029])`;
      }
      const value = escaped(reader);
      if (value === undefined) throw unsupported(`\\${kind} in a pattern`);
      return typeof value === "string" ? value : `[${cased(reader, value)}]`;
    }
    default: {
      const codePoint = next(reader);
      return reader.ignoreCase ? `[${cased(reader, codePoint)}]` : literal(codePoint);
    }
  }
}

/**
 * Compiles a Java pattern for global matching.
 *
 * @param flags names of Java's flags joined with `|`, such as `CASE_INSENSITIVE|DOTALL`
 */
export function javaPattern(pattern: string, flags = ""): RegExp {
  const names = new Set(flags.split("|").filter((name) => name !== ""));
  const lead = /^\(\?([imsxu]+)\)/.exec(pattern);
  const letters = lead?.[1] ?? "";
  const known = { CASE_INSENSITIVE: "i", MULTILINE: "m", DOTALL: "s", COMMENTS: "x", UNICODE_CASE: "u" } as Record<
    string,
    string
  >;
  for (const name of names) if (!Object.hasOwn(known, name)) throw unsupported(`pattern flag ${name}`);
  const on = (letter: string) => letters.includes(letter) || [...names].some((name) => known[name] === letter);
  const unicodeCase = on("i") && on("u");
  const reader: Reader = {
    pattern,
    at: lead?.[0].length ?? 0,
    ignoreCase: on("i") && !unicodeCase,
    dotAll: on("s"),
    multiline: on("m"),
    comments: on("x"),
  };
  let translated = "";
  while (reader.at < pattern.length) {
    if (reader.comments) {
      const skipped = /^(?:\s+|#[^\n]*)/.exec(pattern.slice(reader.at));
      if (skipped !== null) {
        reader.at += skipped[0].length;
        continue;
      }
    }
    translated += atom(reader);
    translated += quantifier(reader);
  }
  try {
    return new RegExp(translated, `gv${unicodeCase ? "i" : ""}`);
  } catch (error) {
    throw illegalArgument(`the pattern [${pattern}] is not valid: ${(error as Error).message}`, { cause: error });
  }
}

/** A replacement of Java: `$1`, `${name}`, and `\` before a character that stands for itself. */
export function javaReplacement(replacement: string): (match: RegExpMatchArray) => string {
  const parts: (string | ((match: RegExpMatchArray) => string))[] = [];
  for (let i = 0; i < replacement.length; ) {
    const c = replacement[i];
    if (c === "\\") {
      if (i + 1 >= replacement.length) throw illegalArgument("character to be escaped is missing");
      parts.push(replacement[i + 1]);
      i += 2;
    } else if (c === "$") {
      const named = /^\$\{([a-zA-Z][a-zA-Z0-9]*)\}/.exec(replacement.slice(i));
      const digits = /^\$(\d+)/.exec(replacement.slice(i));
      if (named === null && digits === null) throw illegalArgument("Illegal group reference");
      if (named !== null) {
        parts.push((match) => match.groups?.[named[1]] ?? "");
        i += named[0].length;
      } else {
        // As many digits as there are groups for.
        const number = (digits as RegExpExecArray)[1];
        parts.push((match) => {
          let length = 1;
          while (length < number.length && Number(number.slice(0, length + 1)) < match.length) length++;
          const group = Number(number.slice(0, length));
          if (group >= match.length) throw illegalArgument(`No group ${group}`);
          return (match[group] ?? "") + number.slice(length);
        });
        i += 1 + number.length;
      }
    } else {
      parts.push(c);
      i++;
    }
  }
  return (match) => parts.map((part) => (typeof part === "string" ? part : part(match))).join("");
}
