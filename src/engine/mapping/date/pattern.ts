/**
 * Elements of date patterns: they read and print, with the widths, signs and adjacent numbers of java.time.format. `compile.ts` makes
 * them of Java's pattern letters, `named.ts` of the built-in formats.
 */
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

export type NumberField = Exclude<keyof DateParts, "zone" | "ampm" | "epochSecond" | "resolver">;

export type Sign = "never" | "normal" | "exceeds";

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

export function numberElement(field: NumberField, min: number, max = min, sign: Sign = "never"): Element {
  return { kind: "number", field, min, max, sign, reserve: 0 };
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

/** The year before 1 is the first one of the era before. */
const yearOfEra = (year: number): number => (year > 0 ? year : 1 - year);

function printElement(element: Element, parts: PrintParts): string {
  switch (element.kind) {
    case "literal":
      return element.text;
    case "number": {
      const value = element.field === "year" && element.least === 1 ? yearOfEra(parts.year) : parts[element.field];
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
