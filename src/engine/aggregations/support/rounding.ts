/** Rounding of times down to intervals of the calendar or of fixed length, in time zones with their changes (Elasticsearch's Rounding). */
import { illegalArgument } from "../../errors.ts";
import { civilFromDays, dayOfWeek, daysFromCivil } from "../../mapping/date/calendar.ts";
import { UTC, type Zone } from "../../mapping/date/zone.ts";

export interface Rounding {
  /** The start of the interval that a time (milliseconds) lies in. */
  round(millis: number): number;
  /** The start of the interval behind one that starts at a time. */
  next(start: number): number;
}

const DAY = 86_400_000;

export type CalendarUnit = "second" | "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year";

/** Names of `calendar_interval`. */
export const CALENDAR_UNITS: ReadonlyMap<string, CalendarUnit> = new Map([
  ["year", "year"],
  ["1y", "year"],
  ["quarter", "quarter"],
  ["1q", "quarter"],
  ["month", "month"],
  ["1M", "month"],
  ["week", "week"],
  ["1w", "week"],
  ["day", "day"],
  ["1d", "day"],
  ["hour", "hour"],
  ["1h", "hour"],
  ["minute", "minute"],
  ["1m", "minute"],
  ["second", "second"],
  ["1s", "second"],
]);

const SHORT: Readonly<Partial<Record<CalendarUnit, number>>> = { second: 1000, minute: 60_000, hour: 3_600_000 };

export function calendarRounding(unit: CalendarUnit, zone: Zone = UTC): Rounding {
  const kept = keptZone(zone);
  const length = SHORT[unit];
  if (length !== undefined) {
    const round = (millis: number) => roundWithinDay(millis, length, kept);
    return { round, next: (start) => round(start + length) };
  }
  const localStart = (millis: number) => midnightOf(unit, millis + kept.offsetAt(millis) * 1000);
  return {
    round: (millis) => firstInstant(localStart(millis), kept),
    next: (start) => firstInstant(nextMidnight(unit, localStart(start)), kept),
  };
}

export function fixedRounding(interval: number, zone: Zone = UTC): Rounding {
  if (interval < 1) throw illegalArgument("Zero or negative time interval not supported");
  const kept = keptZone(zone);
  const floor = (millis: number) => Math.floor(millis / interval) * interval;
  if (kept.fixed) {
    const offset = kept.offsetAt(0) * 1000;
    return { round: (millis) => floor(millis + offset) - offset, next: (start) => start + interval };
  }
  return {
    round(millis) {
      const local = floor(millis + kept.offsetAt(millis) * 1000);
      const instants = instantsOf(local, kept);
      // In a gap: its start.
      if (instants.length === 0) return transitionIn(local - DAY, local + DAY, kept);
      return instants.findLast((instant) => instant <= millis) ?? instants[0];
    },
    next: (start) => firstInstant(start + interval + kept.offsetAt(start) * 1000, kept),
  };
}

/** The same with all intervals moved. */
export function withOffset({ round, next }: Rounding, offset: number): Rounding {
  if (offset === 0) return { round, next };
  return { round: (millis) => round(millis - offset) + offset, next: (start) => next(start - offset) + offset };
}

/** Hours and shorter ones: rounding stops at a change of the zone's offset and goes on before it. */
function roundWithinDay(millis: number, length: number, zone: Zone): number {
  const offset = zone.offsetAt(millis) * 1000;
  const rounded = Math.floor((millis + offset) / length) * length - offset;
  if (zone.fixed || zone.offsetAt(rounded) * 1000 === offset) return rounded;
  return roundWithinDay(transitionIn(rounded, millis, zone) - 1, length, zone);
}

function midnightOf(unit: CalendarUnit, local: number): number {
  const days = Math.floor(local / DAY);
  if (unit === "day") return days * DAY;
  if (unit === "week") return (days - dayOfWeek(days) + 1) * DAY;
  const { year, month } = civilFromDays(days);
  const first = unit === "year" ? 1 : unit === "quarter" ? month - ((month - 1) % 3) : month;
  return daysFromCivil(year, first, 1) * DAY;
}

function nextMidnight(unit: CalendarUnit, local: number): number {
  if (unit === "day") return local + DAY;
  if (unit === "week") return local + 7 * DAY;
  const { year, month } = civilFromDays(Math.floor(local / DAY));
  const months = year * 12 + month - 1 + (unit === "year" ? 12 : unit === "quarter" ? 3 : 1);
  return daysFromCivil(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) * DAY;
}

/** The instants that have a local time: none in a gap, two in an overlap; ascending. */
function instantsOf(local: number, zone: Zone): number[] {
  const offsets = new Set([zone.offsetAt(local - DAY), zone.offsetAt(local + DAY)]);
  const instants = [...offsets].map((offset) => local - offset * 1000);
  return instants.filter((instant) => zone.offsetAt(instant) * 1000 === local - instant).sort((a, b) => a - b);
}

/** The first instant of a local time; in a gap the instant of the change. */
function firstInstant(local: number, zone: Zone): number {
  if (zone.fixed) return local - zone.offsetAt(0) * 1000;
  return instantsOf(local, zone)[0] ?? transitionIn(local - DAY, local + DAY, zone);
}

/** The instant in (from, to] from which on the offset is that of `to`. */
function transitionIn(from: number, to: number, zone: Zone): number {
  const after = zone.offsetAt(to);
  let low = Math.floor(from);
  let high = Math.ceil(to);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle) === after) high = middle;
    else low = middle;
  }
  return high;
}

/** Days without a change are looked up once. */
const KEPT_DAYS = 20_000;

function keptZone(zone: Zone): Zone {
  if (zone.fixed) return zone;
  const offsets = new Map<number, number | undefined>();
  return {
    ...zone,
    offsetAt(millis) {
      const day = Math.floor(millis / DAY);
      let offset = offsets.get(day);
      if (offset === undefined && !offsets.has(day)) {
        const first = zone.offsetAt(day * DAY);
        offset = zone.offsetAt((day + 1) * DAY) === first ? first : undefined;
        if (offsets.size >= KEPT_DAYS) offsets.clear();
        offsets.set(day, offset);
      }
      return offset ?? zone.offsetAt(millis);
    },
  };
}
