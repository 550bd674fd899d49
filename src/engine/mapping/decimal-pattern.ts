/** Reading of DecimalFormat's patterns, by the rules of Java's `applyPattern`. */
import { illegalArgument } from "../errors.ts";

type Affixes = readonly [prefix: string, suffix: string];

export interface DecimalPattern {
  readonly positive: Affixes;
  readonly negative: Affixes;
  readonly multiplier: number;
  readonly minInteger: number;
  readonly maxInteger: number;
  readonly minFraction: number;
  readonly maxFraction: number;
  /** Digits of a group; 0: none. */
  readonly grouping: number;
  /** The point is printed without a fraction too. */
  readonly decimalAlways: boolean;
  /** Digits that an exponent has at least; undefined: none is printed. */
  readonly exponent: number | undefined;
}

/** No double has more digits before or behind its point. */
const MOST_DIGITS = 340;

/** One of the two parts of a pattern. */
interface Part {
  prefix: string;
  suffix: string;
  multiplier: number;
  decimal: number;
  left: number;
  zeros: number;
  right: number;
  grouping: number;
  exponent: number | undefined;
  /** Where the next part begins. */
  end: number;
}

const isDigitSymbol = (symbol: string) => symbol !== "" && "#0,.".includes(symbol);

export function parseDecimalPattern(pattern: string): DecimalPattern {
  if (pattern === "") {
    const anything = { minInteger: 0, maxInteger: MOST_DIGITS, minFraction: 0, maxFraction: MOST_DIGITS };
    const affixes = { positive: ["", ""] as const, negative: ["-", ""] as const };
    return { ...anything, ...affixes, multiplier: 1, grouping: 3, decimalAlways: false, exponent: undefined };
  }
  const first = readPart(pattern, 0, false);
  const second = first.end < pattern.length ? readPart(pattern, first.end, true) : undefined;
  const { prefix, suffix, decimal, left, zeros, right, grouping, exponent } = first;
  const total = left + zeros + right;
  const point = decimal >= 0 ? decimal : total;
  const minInteger = point - left;
  const same = second === undefined || (second.prefix === prefix && second.suffix === suffix);
  return {
    positive: [prefix, suffix],
    negative: same ? [`-${prefix}`, suffix] : [second.prefix, second.suffix],
    multiplier: second?.multiplier ?? first.multiplier,
    minInteger,
    maxInteger: exponent === undefined ? MOST_DIGITS : left + minInteger,
    minFraction: decimal >= 0 ? left + zeros - decimal : 0,
    maxFraction: decimal >= 0 ? total - decimal : 0,
    grouping: Math.max(grouping, 0),
    decimalAlways: decimal === 0 || decimal === total,
    exponent,
  };
}

function readPart(pattern: string, start: number, negative: boolean): Part {
  const part: Part = {
    prefix: "",
    suffix: "",
    multiplier: 1,
    decimal: -1,
    left: 0,
    zeros: 0,
    right: 0,
    grouping: -1,
    exponent: undefined,
    end: pattern.length,
  };
  let affix: "prefix" | "suffix" = "prefix";
  let inQuote = false;
  let at = start;
  while (at < pattern.length) {
    const symbol = pattern[at];
    if (symbol === "'") {
      // A doubled one stands for itself.
      if (pattern[at + 1] === "'") {
        part[affix] += "'";
        at += 2;
        continue;
      }
      inQuote = !inQuote;
    } else if (inQuote) part[affix] += symbol;
    else if (isDigitSymbol(symbol)) {
      at = negative ? skipDigits(pattern, at) : readDigits(pattern, at, part);
      affix = "suffix";
      continue;
    } else if (symbol === "¤") {
      part[affix] += pattern[at + 1] === "¤" ? "XXX" : "¤";
      if (pattern[at + 1] === "¤") at++;
    } else if (symbol === ";") {
      if (affix === "prefix" || negative) {
        throw illegalArgument(`Unquoted special character '${symbol}' in pattern "${pattern}"`);
      }
      part.end = at + 1;
      break;
    } else if (symbol === "%" || symbol === "‰") {
      if (part.multiplier !== 1) {
        throw illegalArgument(`Too many percent/per mille characters in pattern "${pattern}"`);
      }
      part.multiplier = symbol === "%" ? 100 : 1000;
      part[affix] += symbol;
    } else part[affix] += symbol;
    at++;
  }
  checkPart(part, pattern, inQuote);
  return part;
}

/** The negative part's digits say nothing. */
function skipDigits(pattern: string, start: number): number {
  let at = start;
  while (isDigitSymbol(pattern[at] ?? "") || pattern[at] === "E") at++;
  return at;
}

function readDigits(pattern: string, start: number, part: Part): number {
  let at = start;
  const fail = (what: string) => illegalArgument(`${what} in pattern "${pattern}"`);
  for (; at < pattern.length; at++) {
    const symbol = pattern[at];
    if (symbol === "#" || symbol === "0") {
      if (symbol === "0") {
        if (part.right > 0) throw fail("Unexpected '0'");
        part.zeros++;
      } else if (part.zeros > 0) part.right++;
      else part.left++;
      if (part.grouping >= 0 && part.decimal < 0) part.grouping++;
    } else if (symbol === ",") part.grouping = 0;
    else if (symbol === ".") {
      if (part.decimal >= 0) throw fail("Multiple decimal separators");
      part.decimal = part.left + part.zeros + part.right;
    } else if (symbol === "E") {
      if (part.exponent !== undefined) throw fail("Multiple exponential symbols");
      const digits = /^0*/.exec(pattern.slice(at + 1))?.[0].length ?? 0;
      if (part.left + part.zeros < 1 || digits < 1) {
        throw illegalArgument(`Malformed exponential pattern "${pattern}"`);
      }
      part.exponent = digits;
      return at + 1 + digits;
    } else break;
  }
  return at;
}

function checkPart(part: Part, pattern: string, inQuote: boolean): void {
  // Without any 0: `###.###` and `.###` have one before their point or behind it.
  if (part.zeros === 0 && part.left > 0 && part.decimal >= 0) {
    const before = part.decimal === 0 ? 1 : part.decimal;
    part.right = part.left - before;
    part.left = before - 1;
    part.zeros = 1;
  }
  const { decimal, left, zeros, right, grouping } = part;
  const misplaced = decimal >= 0 ? decimal < left || decimal > left + zeros : right > 0;
  if (misplaced || grouping === 0 || inQuote) throw illegalArgument(`Malformed pattern "${pattern}"`);
}
