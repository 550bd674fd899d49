/**
 * Date patterns in Java's letters: compiled to elements that read and print, with the widths, signs and adjacent numbers of
 * java.time.format.DateTimeFormatterBuilder.
 */
import { illegalArgument, unsupported } from "../../errors.ts";
import { fixedZone, offsetId, parseZone, UTC, type Zone } from "./zone.ts";

/**
 * Java's resolver styles: `strict` refuses a day that does not exist, `smart` takes the last day of the month or the last week, and the
 * hour 24 for the next day; `lenient` carries over into the next larger field.
 */
export type Resolver = "strict" | "smart" | "lenient";

/** Parts of a date that a text gave. */
export interface DateParts {
  year?: number;
  month?: number;
  day?: number;
  dayOfYear?: number;
  weekYear?: number;
  week?: number;
  weekday?: number;
  hour?: number;
  /** 1 to 12 and 0 to 11, with `ampm`. */
  clockHour?: number;
  hourOfHalf?: number;
  ampm?: number;
  minute?: number;
  second?: number;
  nano?: number;
  zone?: Zone;
  /** Instants: seconds since the epoch; `nano` completes them. */
  epochSecond?: number;
  /** What happens to values beyond their ranges; see `Resolver`. */
  resolver?: Resolver;
}

/** All parts of an instant, for printing. */
export type PrintParts = Required<Omit<DateParts, "epochSecond" | "resolver">>;

type NumberField = Exclude<keyof DateParts, "zone" | "ampm" | "epochSecond" | "resolver">;

type Sign = "never" | "normal" | "exceeds";

export type Element =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "number";
      readonly field: NumberField;
      readonly min: number;
      readonly max: number;
      readonly sign: Sign;
      reserve: number;
      /** Smallest value, where it is not the field's. */
      readonly least?: number;
    }
  | { readonly kind: "reducedYear"; readonly field: "year" | "weekYear" }
  | { readonly kind: "fraction"; readonly min: number; readonly max: number; readonly point: "." | "," | "" }
  | {
      readonly kind: "names";
      readonly field: "month" | "weekday" | "ampm";
      readonly names: readonly string[];
      readonly from: number;
    }
  | {
      readonly kind: "offset";
      readonly colon: "yes" | "no" | "either";
      readonly minutes: "optional" | "required";
      readonly seconds: boolean;
      readonly zero: string;
    }
  | { readonly kind: "zoneId"; readonly bareOffset: boolean; readonly noPrefix?: boolean }
  | { readonly kind: "optional"; readonly elements: readonly Element[] };

/** Java's names of months and days for the root locale. */
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const RANGES: { readonly [field in NumberField]: readonly [number, number] } = {
  year: [-999_999_999, 999_999_999],
  month: [1, 12],
  day: [1, 31],
  dayOfYear: [1, 366],
  weekYear: [-999_999_999, 999_999_999],
  week: [1, 53],
  weekday: [1, 7],
  hour: [0, 23],
  clockHour: [1, 12],
  hourOfHalf: [0, 11],
  minute: [0, 59],
  second: [0, 59],
  nano: [0, 999_999_999],
};

export function compilePattern(pattern: string): Element[] {
  const stack: Element[][] = [[]];
  let i = 0;
  while (i < pattern.length) {
    const c = pattern[i];
    if (/[A-Za-z]/.test(c)) {
      let count = 1;
      while (pattern[i + count] === c) count++;
      stack[stack.length - 1].push(...letters(c, count));
      i += count;
    } else if (c === "'") {
      let text = "";
      let j = i + 1;
      for (; ; j++) {
        if (j >= pattern.length) throw illegalArgument(`Pattern ends with an incomplete string literal: ${pattern}`);
        if (pattern[j] !== "'") text += pattern[j];
        else if (pattern[j + 1] === "'") {
          text += "'";
          j++;
        } else break;
      }
      stack[stack.length - 1].push({ kind: "literal", text: j === i + 1 ? "'" : text });
      i = j + 1;
    } else if (c === "[") {
      stack.push([]);
      i++;
    } else if (c === "]") {
      const elements = stack.pop() as Element[];
      if (stack.length === 0) throw illegalArgument("Pattern invalid as it contains ] without previous [");
      stack[stack.length - 1].push({ kind: "optional", elements: reserveWidths(elements) });
      i++;
    } else if (c === "{" || c === "}" || c === "#") {
      throw illegalArgument(`Pattern includes reserved character: '${c}'`);
    } else {
      stack[stack.length - 1].push({ kind: "literal", text: c });
      i++;
    }
  }
  while (stack.length > 1) {
    const elements = stack.pop() as Element[];
    stack[stack.length - 1].push({ kind: "optional", elements: reserveWidths(elements) });
  }
  return reserveWidths(stack[0]);
}

/** Adjacent value parsing: a number of variable width leaves the digits that the fixed numbers right after it need. */
function reserveWidths(elements: Element[]): Element[] {
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i];
    if (element.kind !== "number") continue;
    for (let j = i + 1; j < elements.length; j++) {
      const next = elements[j];
      const width = next.kind === "number" && next.min === next.max ? next.max : next.kind === "reducedYear" ? 2 : 0;
      if (width === 0) break;
      element.reserve += width;
    }
    if (element.min === element.max) element.reserve = 0;
  }
  return elements;
}

export function numberElement(field: NumberField, min: number, max = min, sign: Sign = "never"): Element {
  return { kind: "number", field, min, max, sign, reserve: 0 };
}

function oneOrTwo(field: NumberField, letter: string, count: number): Element[] {
  if (count === 1) return [numberElement(field, 1, 19, "normal")];
  if (count === 2) return [numberElement(field, 2)];
  throw illegalArgument(`Too many pattern letters: ${letter}`);
}

/** The year of an era (`y`) begins with 1. */
function yearElement(field: "year" | "weekYear", count: number, ofEra: boolean): Element {
  if (count === 2) return { kind: "reducedYear", field };
  return {
    ...numberElement(field, count, 19, count < 4 ? "normal" : "exceeds"),
    least: ofEra ? 1 : undefined,
  } as Element;
}

function letters(letter: string, count: number): Element[] {
  switch (letter) {
    case "y":
    case "u":
      return [yearElement("year", count, letter === "y")];
    case "M":
    case "L":
      if (count <= 2) return oneOrTwo("month", letter, count);
      if (count === 3)
        return [{ kind: "names", field: "month", names: MONTHS.map((name) => name.slice(0, 3)), from: 1 }];
      if (count === 4) return [{ kind: "names", field: "month", names: MONTHS, from: 1 }];
      break;
    case "d":
      return oneOrTwo("day", letter, count);
    case "D":
      if (count === 1) return [numberElement("dayOfYear", 1, 19, "normal")];
      if (count <= 3) return [numberElement("dayOfYear", count, 3)];
      throw illegalArgument("Too many pattern letters: D");
    case "H":
      return oneOrTwo("hour", letter, count);
    case "h":
      return oneOrTwo("clockHour", letter, count);
    case "K":
      return oneOrTwo("hourOfHalf", letter, count);
    case "m":
      return oneOrTwo("minute", letter, count);
    case "s":
      return oneOrTwo("second", letter, count);
    case "S":
      if (count > 9) throw illegalArgument(`The minimum width must be from 0 to 9 inclusive but was ${count}`);
      return [{ kind: "fraction", min: count, max: count, point: "" }];
    case "n":
      return [numberElement("nano", count, 19, count === 1 ? "normal" : "never")];
    case "a":
      if (count === 1) return [{ kind: "names", field: "ampm", names: ["AM", "PM"], from: 0 }];
      throw illegalArgument("Too many pattern letters: a");
    case "E":
      if (count <= 3)
        return [{ kind: "names", field: "weekday", names: DAYS.map((name) => name.slice(0, 3)), from: 1 }];
      if (count === 4) return [{ kind: "names", field: "weekday", names: DAYS, from: 1 }];
      break;
    case "X":
    case "x": {
      if (count > 5) throw illegalArgument(`Too many pattern letters: ${letter}`);
      const zero = letter === "X" ? "Z" : ["", "+00", "+0000", "+00:00", "+0000", "+00:00"][count];
      return [
        {
          kind: "offset",
          colon: count === 3 || count === 5 ? "yes" : "no",
          minutes: count === 1 ? "optional" : "required",
          seconds: count > 3,
          zero,
        },
      ];
    }
    case "Z":
      if (count <= 3) return [{ kind: "offset", colon: "no", minutes: "required", seconds: false, zero: "+0000" }];
      if (count === 5) return [{ kind: "offset", colon: "yes", minutes: "required", seconds: true, zero: "Z" }];
      if (count > 5) throw illegalArgument("Too many pattern letters: Z");
      break;
    case "V":
      if (count === 2) return [{ kind: "zoneId", bareOffset: false }];
      throw illegalArgument(`Pattern letter count must be 2: V`);
    case "z":
    case "v":
    case "O":
    case "G":
    case "Q":
    case "q":
    case "Y":
    case "w":
    case "W":
    case "e":
    case "c":
    case "k":
    case "A":
    case "N":
    case "F":
    case "p":
    case "B":
    case "g":
      break;
    default:
      throw illegalArgument(`Unknown pattern letter: ${letter}`);
  }
  throw unsupported(`date format letters [${letter.repeat(count)}]`);
}

/** Reads a text from a position; returns the position after it, or -1. */
export function readElements(elements: readonly Element[], text: string, start: number, parts: DateParts): number {
  let at = start;
  for (const element of elements) {
    at = readElement(element, text, at, parts);
    if (at < 0) return -1;
  }
  return at;
}

function readElement(element: Element, text: string, at: number, parts: DateParts): number {
  switch (element.kind) {
    case "literal":
      return text.startsWith(element.text, at) ? at + element.text.length : -1;
    case "number":
      return readNumber(element, text, at, parts);
    case "reducedYear": {
      if (!/^\d\d$/.test(text.slice(at, at + 2))) return -1;
      parts[element.field] = 2000 + Number(text.slice(at, at + 2));
      return at + 2;
    }
    case "fraction":
      return readFraction(element, text, at, parts);
    case "names": {
      // The longest name first: May and March do not start one another, but a full name starts with its short form.
      for (let i = 0; i < element.names.length; i++) {
        if (!text.startsWith(element.names[i], at)) continue;
        parts[element.field] = i + element.from;
        return at + element.names[i].length;
      }
      return -1;
    }
    case "offset":
      return readOffset(element, text, at, parts);
    case "zoneId":
      return readZoneId(element, text, at, parts);
    case "optional": {
      const attempt: DateParts = { ...parts };
      const end = readElements(element.elements, text, at, attempt);
      if (end < 0) return at;
      Object.assign(parts, attempt);
      return end;
    }
  }
}

function digitsAt(text: string, at: number, limit: number): number {
  let end = at;
  while (end < text.length && end - at < limit && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  return end;
}

function readNumber(element: Extract<Element, { kind: "number" }>, text: string, at: number, parts: DateParts): number {
  let start = at;
  let negative = false;
  let positive = false;
  if (element.sign !== "never" && (text[at] === "-" || text[at] === "+")) {
    negative = text[at] === "-";
    positive = !negative;
    // A plus is read only where it is printed.
    if (positive && element.sign === "normal") return -1;
    start++;
  }
  let end = digitsAt(text, start, element.max + element.reserve);
  if (element.reserve > 0) end = digitsAt(text, start, Math.max(element.min, end - start - element.reserve));
  const width = end - start;
  if (width < element.min || width > 15) return -1;
  if (element.sign === "exceeds" && !negative && (positive ? width <= element.min : width > element.min)) return -1;
  const value = Number(text.slice(start, end)) * (negative ? -1 : 1);
  if (negative && value === 0) return -1;
  const [low, high] = RANGES[element.field];
  const most = element.field === "hour" && parts.resolver === "smart" ? 24 : high;
  if (parts.resolver !== "lenient" && (value < (element.least ?? low) || value > most)) return -1;
  if (parts[element.field] !== undefined && parts[element.field] !== value) return -1;
  parts[element.field] = value;
  return end;
}

function readFraction(
  element: Extract<Element, { kind: "fraction" }>,
  text: string,
  at: number,
  parts: DateParts,
): number {
  let start = at;
  if (element.point !== "") {
    if (text[at] !== element.point) return element.min === 0 ? at : -1;
    start++;
  }
  const end = digitsAt(text, start, element.max);
  if (end - start < element.min) return -1;
  parts.nano = Number(text.slice(start, end).padEnd(9, "0"));
  return end;
}

function readOffset(element: Extract<Element, { kind: "offset" }>, text: string, at: number, parts: DateParts): number {
  if (element.zero !== "" && element.zero === "Z" && text[at] === "Z") {
    parts.zone = UTC;
    return at + 1;
  }
  const separator = element.colon === "yes" ? ":" : element.colon === "no" ? "" : ":?";
  const seconds = element.seconds ? `(?:${separator}(\\d\\d))?` : "";
  const minutes = element.minutes === "required" ? `${separator}(\\d\\d)` : `(?:${separator}(\\d\\d))?`;
  const match = new RegExp(`^([-+])(\\d\\d)${minutes}${seconds}`).exec(text.slice(at));
  if (match === null) return -1;
  const [hours, mins, secs] = [Number(match[2]), Number(match[3] ?? 0), Number(match[4] ?? 0)];
  if (hours > 18 || mins > 59 || secs > 59) return -1;
  const total = hours * 3600 + mins * 60 + secs;
  if (total > 18 * 3600) return -1;
  parts.zone = fixedZone(match[1] === "-" ? -total : total);
  return at + match[0].length;
}

/** `Z`, `+01:00`, a region, `UTC+1` unless `noPrefix`; `+0100` only where it may stand without a colon. */
function readZoneId(
  { bareOffset, noPrefix }: { bareOffset: boolean; noPrefix?: boolean },
  text: string,
  at: number,
  parts: DateParts,
): number {
  const match = /^(?:Z|[-+]\d\d(?::\d\d(?::\d\d)?)?|[A-Z][-+A-Za-z0-9_/:]*)/.exec(text.slice(at));
  const bare = bareOffset ? /^[-+]\d{4}/.exec(text.slice(at)) : null;
  const id = (bare ?? match)?.[0];
  if (id === undefined || (noPrefix === true && /^(?:UTC|GMT|UT)[-+]\d{1,2}$/.test(id))) return -1;
  try {
    parts.zone = parseZone(id);
  } catch {
    return -1;
  }
  return at + id.length;
}

/** Prints parts that are complete. */
export function printElements(elements: readonly Element[], parts: PrintParts): string {
  let out = "";
  for (const element of elements) out += printElement(element, parts);
  return out;
}

function printElement(element: Element, parts: PrintParts): string {
  switch (element.kind) {
    case "literal":
      return element.text;
    case "number": {
      const value = parts[element.field];
      const digits = String(Math.abs(value)).padStart(element.min, "0");
      if (value < 0) return `-${digits}`;
      return element.sign === "exceeds" && digits.length > element.min ? `+${digits}` : digits;
    }
    case "reducedYear":
      return String(Math.abs(parts[element.field]) % 100).padStart(2, "0");
    case "fraction": {
      const digits = String(parts.nano).padStart(9, "0").slice(0, element.max);
      const kept = digits.slice(0, Math.max(element.min, digits.replace(/0+$/, "").length));
      return kept === "" ? "" : element.point + kept;
    }
    case "names":
      return element.names[parts[element.field] - element.from];
    case "offset": {
      const id = offsetId(parts.zone.offsetAt(0));
      if (id === "Z") return element.zero;
      let [, body, secs] = /^(.{6})(:\d\d)?$/.exec(id) as unknown as [string, string, string | undefined];
      if (element.minutes === "optional" && body.endsWith(":00")) body = body.slice(0, 3);
      const full = body + (element.seconds && secs !== undefined ? secs : "");
      return element.colon === "no" ? full.replaceAll(":", "") : full;
    }
    case "zoneId":
      return element.bareOffset ? offsetId(parts.zone.offsetAt(0)) : parts.zone.id;
    case "optional":
      return printElements(element.elements, parts);
  }
}
