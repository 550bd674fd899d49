/**
 * The built-in formats. Each has the patterns it reads, tried in order, and the one it prints. A pattern is written in pieces: letters with
 * their widths as in Java's patterns, where `1..2` after a field says that fewer digits are read (the formats without `strict_`).
 */
import type { IsoOptions } from "./iso.ts";
import type { Element, Resolver } from "./pattern.ts";
import { numberElement } from "./pattern.ts";

export interface NamedFormat {
  readonly parsers: readonly (readonly Element[])[];
  readonly printer: readonly Element[];
  /** Read by the hand-written ISO reader. */
  readonly iso?: IsoOptions;
  /** Default strict. */
  readonly resolver?: Resolver;
}

type Piece = Element | readonly Element[];

function sequence(...pieces: readonly Piece[]): Element[] {
  return pieces.flat() as Element[];
}

const literal = (text: string): Element => ({ kind: "literal", text });
const optional = (...pieces: readonly Piece[]): Element => ({ kind: "optional", elements: sequence(...pieces) });
const fraction = (min: number, max: number): Element => ({ kind: "fraction", min, max, point: "." });
const commaFraction = (min: number, max: number): Element => ({ kind: "fraction", min, max, point: "," });
interface Numbers {
  readonly year: Element;
  readonly weekYear: Element;
  readonly month: Element;
  readonly day: Element;
  readonly dayOfYear: Element;
  readonly week: Element;
  readonly hour: Element;
  readonly minute: Element;
  readonly second: Element;
}

const STRICT: Numbers = {
  year: numberElement("year", 4, 10, "exceeds"),
  weekYear: numberElement("weekYear", 4, 10, "exceeds"),
  month: numberElement("month", 2),
  day: numberElement("day", 2),
  dayOfYear: numberElement("dayOfYear", 3),
  week: numberElement("week", 2),
  hour: numberElement("hour", 2),
  minute: numberElement("minute", 2),
  second: numberElement("second", 2),
};

const LENIENT: Numbers = {
  year: numberElement("year", 1, 9, "normal"),
  weekYear: numberElement("weekYear", 1, 9, "normal"),
  month: numberElement("month", 1, 2),
  day: numberElement("day", 1, 2),
  dayOfYear: numberElement("dayOfYear", 1, 3),
  week: numberElement("week", 1, 2),
  hour: numberElement("hour", 1, 2),
  minute: numberElement("minute", 1, 2),
  second: numberElement("second", 1, 2),
};

const weekday = numberElement("weekday", 1);
const T = literal("T");
const colon = literal(":");
const dash = literal("-");

/** Zones are printed as `Z` or `+08:00`; regions and `+0800` are read as well. */
const zone: Element = { kind: "zoneId", bareOffset: true };
/** Without forms such as `UTC+1`. */
const plainZone: Element = { kind: "zoneId", bareOffset: true, noPrefix: true };
/** Numbers only. */
const offset: Element = { kind: "offset", colon: "either", minutes: "optional", seconds: true, zero: "Z" };

function entry(parsers: readonly (readonly Element[])[], printer: readonly Element[]): NamedFormat {
  return { parsers, printer };
}

function same(...pieces: readonly Piece[]): NamedFormat {
  const elements = sequence(...pieces);
  return entry([elements], elements);
}

/** The formats that exist both strict and lenient. */
function family(n: Numbers): { [name: string]: NamedFormat } {
  const isLenient = n === LENIENT;
  // Without `strict_`, months and days may be left out.
  const date = isLenient
    ? [n.year, optional(dash, n.month, optional(dash, n.day))]
    : [n.year, dash, n.month, dash, n.day];
  const printedDate = [STRICT.year, dash, STRICT.month, dash, STRICT.day];
  const hm = [n.hour, colon, n.minute];
  const hms = [...hm, colon, n.second];
  const printedTime = [STRICT.hour, colon, STRICT.minute, colon, STRICT.second];
  const millis = fraction(1, 9);
  const printedMillis = fraction(3, 3);
  const printedNanos = fraction(3, 9);
  const ordinal = [n.year, dash, n.dayOfYear];
  const printedOrdinal = [STRICT.year, dash, STRICT.dayOfYear];
  const week = [n.weekYear, literal("-W"), n.week, dash, weekday];
  const printedWeek = [STRICT.weekYear, literal("-W"), STRICT.week, dash, weekday];
  const pair = (parsed: readonly Piece[], printed: readonly Piece[]) =>
    entry([sequence(...parsed)], sequence(...printed));
  return {
    date: { ...pair(date, printedDate), resolver: isLenient ? undefined : "lenient" },
    date_hour: pair([...date, T, n.hour], [...printedDate, T, STRICT.hour]),
    date_hour_minute: {
      ...pair([...date, T, ...hm], [...printedDate, T, STRICT.hour, colon, STRICT.minute]),
      resolver: isLenient ? undefined : "smart",
    },
    date_hour_minute_second: pair([...date, T, ...hms], [...printedDate, T, ...printedTime]),
    date_hour_minute_second_fraction: pair(
      [...date, T, ...hms, millis],
      [...printedDate, T, ...printedTime, printedMillis],
    ),
    date_hour_minute_second_millis: pair(
      [...date, T, ...hms, millis],
      [...printedDate, T, ...printedTime, printedMillis],
    ),
    date_time: pair(
      isLenient
        ? [...date, T, ...hm, optional(colon, n.second, millis), offset]
        : [n.year, dash, n.month, optional(dash, n.day), T, ...hms, optional(millis), zone],
      [...printedDate, T, ...printedTime, isLenient ? printedMillis : printedNanos, zone],
    ),
    date_time_no_millis: pair(
      isLenient ? [...date, T, ...hm, optional(colon, n.second), optional(plainZone)] : [...date, T, ...hms, zone],
      [...printedDate, T, ...printedTime, zone],
    ),
    hour: pair([n.hour], [STRICT.hour]),
    hour_minute: pair(hm, [STRICT.hour, colon, STRICT.minute]),
    hour_minute_second: pair(hms, printedTime),
    hour_minute_second_fraction: pair([...hms, millis], [...printedTime, printedMillis]),
    hour_minute_second_millis: pair([...hms, millis], [...printedTime, printedMillis]),
    ordinal_date: pair(ordinal, printedOrdinal),
    ordinal_date_time: pair(
      [...ordinal, T, ...hms, millis, zone],
      [...printedOrdinal, T, ...printedTime, printedNanos, zone],
    ),
    ordinal_date_time_no_millis: pair([...ordinal, T, ...hms, zone], [...printedOrdinal, T, ...printedTime, zone]),
    time: pair([...hms, millis, zone], [...printedTime, printedMillis, zone]),
    time_no_millis: pair([...hms, zone], [...printedTime, zone]),
    t_time: pair([T, ...hms, millis, zone], [T, ...printedTime, printedMillis, zone]),
    t_time_no_millis: pair([T, ...hms, zone], [T, ...printedTime, zone]),
    week_date: pair(week, printedWeek),
    week_date_time: pair([...week, T, ...hms, millis, zone], [...printedWeek, T, ...printedTime, printedMillis, zone]),
    week_date_time_no_millis: pair([...week, T, ...hms, zone], [...printedWeek, T, ...printedTime, zone]),
    weekyear: pair([n.weekYear], [n.weekYear]),
    weekyear_week: pair([n.weekYear, literal("-W"), n.week], [STRICT.weekYear, literal("-W"), STRICT.week]),
    weekyear_week_day: { ...pair(week, printedWeek), resolver: "smart" },
    year: pair([n.year], [n.year]),
    year_month: pair(
      [n.year, dash, isLenient ? numberElement("month", 1, 19, "normal") : n.month],
      [STRICT.year, dash, STRICT.month],
    ),
    year_month_day: pair(
      isLenient
        ? [n.year, dash, n.month, dash, n.day]
        : [numberElement("year", 4, 4, "normal"), optional(dash, n.month, optional(dash, n.day))],
      printedDate,
    ),
  };
}

const basicDate = [numberElement("year", 4), STRICT.month, STRICT.day];
const basicTime = [STRICT.hour, STRICT.minute, STRICT.second];
const basicOrdinal = [numberElement("year", 4), STRICT.dayOfYear];
const basicWeek = [STRICT.weekYear, literal("W"), STRICT.week, weekday];
const basicMillis = fraction(1, 9);

function basic(parsed: readonly Piece[], printed: readonly Piece[] = parsed): NamedFormat {
  return entry([sequence(...parsed)], sequence(...printed));
}

const BASIC: { [name: string]: NamedFormat } = {
  basic_date: same(...basicDate),
  basic_date_time: basic(
    [...basicDate, T, ...basicTime, basicMillis, zone],
    [...basicDate, T, ...basicTime, fraction(3, 3), zone],
  ),
  basic_date_time_no_millis: basic([...basicDate, T, ...basicTime, zone]),
  basic_ordinal_date: same(...basicOrdinal),
  basic_ordinal_date_time: basic(
    [...basicOrdinal, T, ...basicTime, basicMillis, zone],
    [...basicOrdinal, T, ...basicTime, fraction(3, 3), zone],
  ),
  basic_ordinal_date_time_no_millis: basic([...basicOrdinal, T, ...basicTime, zone]),
  basic_time: basic([...basicTime, basicMillis, zone], [...basicTime, fraction(3, 3), zone]),
  basic_time_no_millis: basic([...basicTime, zone]),
  basic_t_time: basic([T, ...basicTime, basicMillis, zone], [T, ...basicTime, fraction(3, 3), zone]),
  basic_t_time_no_millis: basic([T, ...basicTime, zone]),
  basic_week_date: same(...basicWeek),
  basic_week_date_time: basic(
    [...basicWeek, T, ...basicTime, basicMillis, zone],
    [...basicWeek, T, ...basicTime, fraction(3, 3), zone],
  ),
  basic_week_date_time_no_millis: basic([...basicWeek, T, ...basicTime, zone]),
};

const isoPrinter = (digits: Element) =>
  sequence(
    STRICT.year,
    dash,
    STRICT.month,
    dash,
    STRICT.day,
    T,
    STRICT.hour,
    colon,
    STRICT.minute,
    colon,
    STRICT.second,
    digits,
    zone,
  );

const seconds = optional(colon, LENIENT.second, optional(fraction(1, 9)), optional(commaFraction(1, 9)));
/** A zone needs minutes before it. */
const lenientTime = optional(T, optional(LENIENT.hour, optional(colon, LENIENT.minute, seconds, optional(plainZone))));

const ISO: { [name: string]: NamedFormat } = {
  iso8601: { parsers: [], printer: isoPrinter(fraction(3, 3)), iso: { fullTime: false, zoneWithoutTime: true } },
  strict_date_optional_time: {
    parsers: [],
    printer: isoPrinter(fraction(3, 3)),
    iso: { fullTime: false, zoneWithoutTime: false },
  },
  strict_date_optional_time_nanos: {
    parsers: [],
    printer: isoPrinter(fraction(3, 9)),
    iso: { fullTime: true, zoneWithoutTime: false },
  },
  date_optional_time: entry(
    [sequence(LENIENT.year, optional(dash, LENIENT.month, optional(dash, LENIENT.day)), lenientTime)],
    isoPrinter(fraction(3, 3)),
  ),
};

let table: Map<string, NamedFormat> | undefined;

function formats(): Map<string, NamedFormat> {
  if (table !== undefined) return table;
  const made = new Map<string, NamedFormat>([
    ...Object.entries(ISO),
    ...Object.entries(BASIC),
    ...Object.entries(family(LENIENT)),
  ]);
  for (const [name, format] of Object.entries(family(STRICT))) made.set(`strict_${name}`, format);
  for (const name of ["basic_week_date", "basic_week_date_time", "basic_week_date_time_no_millis"]) {
    made.set(`strict_${name}`, BASIC[name]);
  }
  table = made;
  return made;
}

/** A built-in format other than the epoch ones; undefined for a name that is none. */
export function namedFormat(name: string): NamedFormat | undefined {
  return formats().get(name);
}
