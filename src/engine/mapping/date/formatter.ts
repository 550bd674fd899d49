/**
 * Date formats as mappings and requests name them: built-in names and Java patterns, several joined by `||`. The first that fits reads a
 * text; the first prints.
 */
import { EngineError, illegalArgument } from "../../errors.ts";
import {
  civilFromDays,
  dayOfWeek,
  daysFromCivil,
  daysFromWeek,
  daysInMonth,
  isLeapYear,
  isoWeek,
  weeksInYear,
} from "./calendar.ts";
import { compilePattern } from "./compile.ts";
import { parseIso } from "./iso.ts";
import { namedFormat } from "./named.ts";
import {
  type DateParts,
  type Element,
  type PrintParts,
  printElements,
  type Resolver,
  readElements,
} from "./pattern.ts";
import { instantOfLocal, UTC, type Zone } from "./zone.ts";

/** A point in time. `nanos` counts from the second, 0 to 999,999,999 (and beyond where a double does not hold the second). */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

export interface ReadDateOptions {
  /** Parts that the text leaves out are the last of their kind (hour 23, second 59), not the first. Months and days stay 1. */
  readonly roundUp?: boolean;
  /** Zone of a text that names none. Default UTC. */
  readonly zone?: Zone;
  /** The zone is the format's own: seconds since the epoch are an instant in it, not a local time. */
  readonly ownZone?: boolean;
}

export interface DateFormatter {
  /** As the mapping has it. */
  readonly pattern: string;
  /** True when it has names of months, days or halves of the day, which depend on the locale. */
  readonly usesNames: boolean;
  /** The instant that a text stands for; undefined when it does not fit the format. */
  read(text: string, options?: ReadDateOptions): Instant | undefined;
  /** The same; throws Elasticsearch's error. */
  parse(text: string, options?: ReadDateOptions): Instant;
  print(instant: Instant, zone?: Zone): string;
}

/** One alternative of a format. */
export interface SingleFormat {
  readonly usesNames?: boolean;
  read(text: string, roundUp: boolean): DateParts | undefined;
  print(instant: Instant, zone: Zone): string;
}

const formatters = new Map<string, DateFormatter>();

/** The formatter of a format. Throws Elasticsearch's error for an invalid one. */
export function dateFormatter(pattern: string): DateFormatter {
  let formatter = formatters.get(pattern);
  if (formatter === undefined) {
    formatter = makeFormatter(pattern);
    formatters.set(pattern, formatter);
  }
  return formatter;
}

export function failedToParse(text: string, pattern: string): EngineError {
  return illegalArgument(`failed to parse date field [${text}] with format [${pattern}]`, {
    cause: new EngineError("date_time_parse_exception", "Failed to parse with all enclosed parsers"),
  });
}

function makeFormatter(pattern: string): DateFormatter {
  if (pattern.length === 0) throw illegalArgument("No date pattern provided");
  const patterns = pattern.split("||");
  if (patterns.includes(""))
    throw illegalArgument(`Cannot have empty element in multi date format pattern: ${pattern}`);
  const formats = patterns.map(singleFormat);
  const read = (text: string, options: ReadDateOptions = {}): Instant | undefined => {
    for (const format of formats) {
      const parts = format.read(text, options.roundUp === true);
      const instant = parts === undefined ? undefined : resolve(parts, options);
      if (instant !== undefined) return instant;
    }
    return undefined;
  };
  return {
    pattern,
    usesNames: formats.some(({ usesNames }) => usesNames === true),
    read,
    parse: (text, options) => {
      if (text === "") throw illegalArgument("cannot parse empty datetime");
      const instant = read(text, options);
      if (instant === undefined) throw failedToParse(text, pattern);
      return instant;
    },
    print: (instant, zone = UTC) => formats[0].print(instant, zone),
  };
}

function singleFormat(pattern: string): SingleFormat {
  if (pattern === "") throw illegalArgument("No date pattern provided");
  if (pattern === "epoch_millis" || pattern === "epoch_second") return epochFormat(pattern === "epoch_millis" ? 3 : 0);
  const named = namedFormat(pattern);
  if (named !== undefined) {
    const print = (instant: Instant, zone: Zone) => printElements(named.printer, partsOf(instant, zone));
    const { iso } = named;
    if (iso !== undefined) return { read: (text) => parseIso(text, iso), print };
    return { read: (text) => readAll(named.parsers, text, named.resolver), print };
  }
  let elements: Element[];
  try {
    elements = compilePattern(pattern);
  } catch (error) {
    if (error instanceof EngineError && error.type !== "unsupported_feature_exception") {
      throw illegalArgument(`Invalid format: [${pattern}]: ${error.message}`, { cause: error });
    }
    throw error;
  }
  return {
    usesNames: hasNames(elements),
    read: (text) => readAll([elements], text),
    print: (instant, zone) => printElements(elements, partsOf(instant, zone)),
  };
}

function hasNames(elements: readonly Element[]): boolean {
  return elements.some(
    (element) => element.kind === "names" || (element.kind === "optional" && hasNames(element.elements)),
  );
}

function readAll(parsers: readonly (readonly Element[])[], text: string, resolver?: Resolver): DateParts | undefined {
  for (const elements of parsers) {
    const parts: DateParts = resolver === undefined ? {} : { resolver };
    if (readElements(elements, text, 0, parts) === text.length) return parts;
  }
  return undefined;
}

/** Seconds or milliseconds since the epoch, with a fraction. `digits` is 0 or 3. */
function epochFormat(digits: 0 | 3): SingleFormat {
  return {
    read: (text, roundUp) => {
      const match = /^(-?)(\d{1,19})(?:\.(\d{0,9}))?$/.exec(text);
      if (match === null) return undefined;
      if (match[2].length > 18 && BigInt(match[2]) > 2n ** 63n - 1n) return undefined;
      // Nanoseconds in exact numbers: seconds fit a double.
      const unit = BigInt(10 ** (9 - digits));
      const fraction = BigInt(((match[3] ?? "") + "0".repeat(9)).slice(0, 9 - digits));
      // Elasticsearch rounds seconds up in time, and milliseconds away from zero.
      const rounding = roundUp && match[3] === undefined ? unit - 1n : 0n;
      const magnitude = BigInt(match[2]) * unit + fraction + (digits === 3 ? rounding : 0n);
      const total = (match[1] === "-" ? -magnitude : magnitude) + (digits === 0 ? rounding : 0n);
      const nano = ((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
      return { epochSecond: Number((total - nano) / 1_000_000_000n), nano: Number(nano) };
    },
    print: ({ seconds, nanos }) => {
      const total = BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
      const unit = BigInt(10 ** (9 - digits));
      const magnitude = total < 0n ? -total : total;
      const fraction = (magnitude % unit)
        .toString()
        .padStart(9 - digits, "0")
        .replace(/0+$/, "");
      return `${total < 0n ? "-" : ""}${magnitude / unit}${fraction === "" ? "" : `.${fraction}`}`;
    },
  };
}

/** The instant of parts; undefined when there is no such day. */
function resolve(parts: DateParts, options: ReadDateOptions): Instant | undefined {
  const { roundUp = false, zone = UTC, ownZone = false } = options;
  if (parts.epochSecond !== undefined) {
    // Java reads them as a local time, to which a zone that the caller names applies.
    const shift =
      zone === UTC || ownZone ? 0 : instantOfLocal(parts.epochSecond * 1000, zone) / 1000 - parts.epochSecond;
    return { seconds: parts.epochSecond + shift, nanos: parts.nano ?? 0 };
  }
  const days = resolveDate(parts, roundUp);
  if (days === undefined) return undefined;
  let hour = parts.hour;
  if (parts.ampm !== undefined) {
    const half = parts.clockHour !== undefined ? parts.clockHour % 12 : parts.hourOfHalf;
    if (half !== undefined) hour = half + 12 * parts.ampm;
  }
  if (hour === 24 && ((parts.minute ?? 0) > 0 || (parts.second ?? 0) > 0 || (parts.nano ?? 0) > 0)) return undefined;
  const time =
    (hour ?? (roundUp ? 23 : 0)) * 3600 +
    (parts.minute ?? (roundUp ? 59 : 0)) * 60 +
    (parts.second ?? (roundUp ? 59 : 0));
  const local = days * 86400 + time;
  const nanos = parts.nano ?? (roundUp ? 999_999_999 : 0);
  return { seconds: instantOfLocal(local * 1000, parts.zone ?? zone) / 1000, nanos };
}

function resolveDate(parts: DateParts, roundUp: boolean): number | undefined {
  const { resolver = "strict" } = parts;
  let days: number;
  if (parts.weekYear !== undefined) {
    let week = parts.week ?? 1;
    if (week > weeksInYear(parts.weekYear)) {
      if (resolver !== "smart") return undefined;
      week = weeksInYear(parts.weekYear);
    }
    days = daysFromWeek(parts.weekYear, week) + (parts.weekday ?? 1) - 1;
    return days;
  }
  const year = parts.year ?? 1970;
  if (parts.dayOfYear !== undefined) {
    if (parts.dayOfYear > (isLeapYear(year) ? 366 : 365)) return undefined;
    return daysFromCivil(year, 1, 1) + parts.dayOfYear - 1;
  }
  // Elasticsearch forgets a year that comes with a time but without a month.
  if (!roundUp && parts.hour !== undefined && parts.year !== undefined && parts.month === undefined) return 0;
  const month = parts.month ?? 1;
  const day = parts.day ?? 1;
  if (resolver === "lenient") {
    const months = year * 12 + month - 1;
    return daysFromCivil(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) + day - 1;
  }
  const lastDay = daysInMonth(year, month);
  if (day > lastDay && resolver === "strict") return undefined;
  days = daysFromCivil(year, month, Math.min(day, lastDay));
  // A day of the week must agree.
  return parts.weekday !== undefined && parts.weekday !== dayOfWeek(days) ? undefined : days;
}

function partsOf({ seconds, nanos }: Instant, zone: Zone): PrintParts {
  const offset = zone.offsetAt(seconds * 1000);
  const local = seconds + offset;
  const days = Math.floor(local / 86400);
  const carried = Math.floor(nanos / 1_000_000_000);
  const time = local - days * 86400 + carried;
  const { year, month, day } = civilFromDays(days);
  const { weekYear, week } = isoWeek(days);
  const hour = Math.floor(time / 3600);
  return {
    year,
    month,
    day,
    dayOfYear: days - daysFromCivil(year, 1, 1) + 1,
    weekYear,
    week,
    weekday: dayOfWeek(days),
    hour,
    clockHour: hour % 12 === 0 ? 12 : hour % 12,
    hourOfHalf: hour % 12,
    ampm: hour < 12 ? 0 : 1,
    minute: Math.floor(time / 60) % 60,
    second: time % 60,
    nano: nanos - carried * 1_000_000_000,
    // Offsets print what holds at this instant; a region prints its name.
    zone: { id: zone.id, fixed: true, offsetAt: () => offset },
  };
}

/** Milliseconds since the epoch, as a `date` field stores an instant. */
export function toMillis(instant: Instant): number | bigint {
  const millis = instant.seconds * 1000 + Math.floor(instant.nanos / 1_000_000);
  if (Number.isSafeInteger(millis)) return millis;
  const exact = BigInt(instant.seconds) * 1000n + BigInt(Math.floor(instant.nanos / 1_000_000));
  if (exact > 2n ** 63n - 1n || exact < -(2n ** 63n)) throw illegalArgument("long overflow");
  return exact;
}

export function fromMillis(millis: number | bigint): Instant {
  if (typeof millis === "bigint") return instantOfNanos(millis * 1_000_000n);
  const seconds = Math.floor(millis / 1000);
  return { seconds, nanos: Math.round(millis - seconds * 1000) * 1_000_000 };
}

const SECOND = 1_000_000_000n;

/** Counted from the second before, also before the epoch. */
export function instantOfNanos(total: bigint): Instant {
  const nanos = ((total % SECOND) + SECOND) % SECOND;
  const whole = (total - nanos) / SECOND;
  // Of the last seconds of a long's milliseconds a double holds the even ones.
  const odd = whole === BigInt(Number(whole)) ? 0n : 1n;
  return { seconds: Number(whole - odd), nanos: Number(odd * SECOND + nanos) };
}
