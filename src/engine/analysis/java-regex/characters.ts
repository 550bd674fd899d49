/** Characters and classes of Java's patterns, as the inside of JavaScript's. */
import { EngineError, unsupported } from "../../errors.ts";

export const LINE_END = "\\n\\r\\u0085\\u2028\\u2029";

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
  LC: "\\p{Lu}\\p{Ll}\\p{Lt}",
  IsCased: "\\p{Lowercase}\\p{Uppercase}\\p{Lt}",
};

/** What properties of case become where case does not matter. */
const WITHOUT_CASE: Readonly<Record<string, string>> = {
  Lu: "LC",
  Ll: "LC",
  Lt: "LC",
  IsLu: "LC",
  IsLl: "LC",
  Lower: "Alpha",
  Upper: "Alpha",
  IsLowercase: "IsCased",
  IsUppercase: "IsCased",
};

export interface Reader {
  readonly pattern: string;
  at: number;
  ignoreCase: boolean;
  dotAll: boolean;
  multiline: boolean;
  comments: boolean;
}

/** Java's PatternSyntaxException: the pattern, and a mark below the place where that is within it. */
export function invalid(pattern: string, what: string, at: number): EngineError {
  // Java counts code points.
  const index = at - (pattern.slice(0, Math.max(at, 0)).match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
  const place = index < 0 ? "" : ` near index ${index}`;
  const mark = index >= 0 && index < pattern.length ? `\n${" ".repeat(index)}^` : "";
  return new EngineError("pattern_syntax_exception", `${what}${place}\n${pattern}${mark}`);
}

export const literal = (codePoint: number) => `\\u{${codePoint.toString(16)}}`;

/** A character with its other case where case does not matter: Java folds ASCII only. */
export function cased(reader: Reader, codePoint: number): string {
  const lower = codePoint | 32;
  const letter = codePoint < 128 && lower >= 97 && lower <= 122;
  return reader.ignoreCase && letter ? `${literal(lower)}${literal(lower - 32)}` : literal(codePoint);
}

function hex(reader: Reader, digits: RegExp, what: string): number {
  digits.lastIndex = reader.at;
  const match = digits.exec(reader.pattern);
  if (match === null) {
    const bad = /^[0-9a-fA-F]*/.exec(reader.pattern.slice(reader.at)) as RegExpExecArray;
    throw invalid(reader.pattern, what, reader.at + bad[0].length);
  }
  reader.at = digits.lastIndex;
  return Number.parseInt(match[1] ?? match[2], 16);
}

function property(reader: Reader, negated: boolean): string {
  const { pattern } = reader;
  let name: string;
  if (pattern[reader.at] === "{") {
    const end = pattern.indexOf("}", reader.at);
    if (end < 0) throw invalid(pattern, "Unclosed character family", pattern.length - 1);
    name = pattern.slice(reader.at + 1, end);
    reader.at = end + 1;
  } else name = pattern[reader.at++] ?? "";
  if (reader.ignoreCase && Object.hasOwn(WITHOUT_CASE, name)) name = WITHOUT_CASE[name];
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
  if (inside === undefined) {
    if (/^(?:in|java|blk=|block=)/i.test(name)) throw unsupported(`\\p{${name}} in a pattern`);
    throw invalid(pattern, `Unknown character property name {${name}}`, reader.at - 1);
  }
  return negated ? `[^${inside}]` : `[${inside}]`;
}

/** An escape: a nested class for sets, or a code point. `undefined` for what is neither. */
export function escaped(reader: Reader): string | number | undefined {
  const { pattern } = reader;
  const c = pattern[reader.at];
  if (c === undefined) throw invalid(pattern, "Unexpected internal error", pattern.length);
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
      return hex(reader, /\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})/y, "Illegal hexadecimal escape sequence");
    case "u":
      return hex(reader, /([0-9a-fA-F]{4})/y, "Illegal Unicode escape sequence");
    case "0": {
      const digits = /^[0-3]?[0-7]{1,2}/.exec(pattern.slice(reader.at));
      if (digits === null) throw invalid(pattern, "Illegal octal escape sequence", reader.at);
      reader.at += digits[0].length;
      return Number.parseInt(digits[0], 8);
    }
    default:
      if (/[a-zA-Z0-9]/.test(c)) return undefined;
      reader.at--;
      return next(reader);
  }
}

export function next(reader: Reader): number {
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
export function characterClass(reader: Reader): string {
  const { pattern } = reader;
  const negated = pattern[reader.at] === "^";
  if (negated) reader.at++;
  const operands: string[] = [];
  let items = "";
  for (let first = true; ; first = false) {
    if (reader.at >= pattern.length) throw invalid(pattern, "Unclosed character class", pattern.length - 1);
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
      if (value === undefined) throw invalid(pattern, "Illegal/unsupported escape sequence", reader.at - 1);
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
      if (typeof to === "string" || to < from) throw invalid(pattern, "Illegal character range", reader.at - 1);
      items += range(reader, from, to);
    } else items += cased(reader, from);
  }
  operands.push(items);
  const inside = operands.length === 1 ? items : operands.map((operand) => `[${operand}]`).join("&&");
  return `[${negated ? "^" : ""}${inside}]`;
}
