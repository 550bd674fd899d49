/** Date math: `now-1d/d`, `2024-01-01||+1M/M`. */
import { EngineError } from "../../errors.ts";
import { civilFromDays, dayOfWeek, daysFromCivil, daysInMonth } from "./calendar.ts";
import { type DateFormatter, fromMillis, type Instant, type ReadDateOptions, toMillis } from "./formatter.ts";
import { instantOfLocal, UTC, type Zone } from "./zone.ts";

export interface DateMathOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Roundings go to the last millisecond of the unit, and missing parts of the date are the last. */
  readonly roundUp: boolean;
  readonly zone?: Zone;
  /** The zone is the format's own (`ReadDateOptions`). */
  readonly ownZone?: boolean;
}

function parseException(reason: string, cause?: unknown): EngineError {
  return new EngineError("parse_exception", reason, { cause });
}

/** The instant of a date with math. Throws `parse_exception`. */
export function parseDateMath(text: string, formatter: DateFormatter, options: DateMathOptions): Instant {
  const { roundUp, zone = UTC, ownZone = false } = options;
  if (text.startsWith("now")) return fromMillis(applyMath(text.slice(3), options.now, roundUp, zone));
  const separator = text.indexOf("||");
  if (separator < 0) return parsePlain(text, formatter, { roundUp, zone, ownZone });
  const start = parsePlain(text.slice(0, separator), formatter, { zone, ownZone });
  const math = text.slice(separator + 2);
  const end = fromMillis(applyMath(math, Number(toMillis(start)), roundUp, zone));
  // Adding leaves alone what is finer than a millisecond; rounding does not.
  return math.includes("/") ? end : { seconds: end.seconds, nanos: end.nanos + (start.nanos % 1_000_000) };
}

function parsePlain(text: string, formatter: DateFormatter, options: ReadDateOptions): Instant {
  if (text === "") throw parseException("cannot parse empty datetime");
  try {
    return formatter.parse(text, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw parseException(`failed to parse date field [${text}] with format [${formatter.pattern}]: [${reason}]`, error);
  }
}

function applyMath(math: string, start: number, roundUp: boolean, zone: Zone): number {
  let millis = start;
  let at = 0;
  while (at < math.length) {
    const operator = math[at++];
    if (operator !== "+" && operator !== "-" && operator !== "/")
      throw parseException(`operator not supported for date math [${math}]`);
    if (at >= math.length) throw parseException(`truncated date math [${math}]`);
    let count = 1;
    if (/\d/.test(math[at])) {
      const from = at;
      while (at < math.length && /\d/.test(math[at])) at++;
      if (at >= math.length) throw parseException(`truncated date math [${math}]`);
      count = Number(math.slice(from, at));
    }
    const unit = math[at++];
    if (operator === "/") {
      if (count !== 1) throw parseException(`rounding \`/\` can only be used on single unit types [${math}]`);
      const down = roundDown(millis, unit, math, zone);
      millis = roundUp ? add(down, unit, 1, math, zone) - 1 : down;
    } else {
      millis = add(millis, unit, operator === "-" ? -count : count, math, zone);
    }
  }
  return millis;
}

interface Local {
  readonly days: number;
  /** Milliseconds of the day. */
  readonly time: number;
}

function toLocal(millis: number, zone: Zone): Local {
  const local = millis + zone.offsetAt(millis) * 1000;
  const days = Math.floor(local / 86_400_000);
  return { days, time: local - days * 86_400_000 };
}

function toInstant({ days, time }: Local, zone: Zone): number {
  return instantOfLocal(days * 86_400_000 + time, zone);
}

const FIXED: { readonly [unit: string]: number } = { h: 3_600_000, H: 3_600_000, m: 60_000, s: 1000 };

function unknownUnit(unit: string, math: string): EngineError {
  return parseException(`unit [${unit}] not supported for date math [${math}]`);
}

function add(millis: number, unit: string, count: number, math: string, zone: Zone): number {
  if (unit in FIXED) return millis + count * FIXED[unit];
  const { days, time } = toLocal(millis, zone);
  switch (unit) {
    case "d":
      return toInstant({ days: days + count, time }, zone);
    case "w":
      return toInstant({ days: days + 7 * count, time }, zone);
    case "M":
    case "y": {
      const { year, month, day } = civilFromDays(days);
      const months = year * 12 + (month - 1) + (unit === "y" ? 12 * count : count);
      const [toYear, toMonth] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
      return toInstant(
        { days: daysFromCivil(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth))), time },
        zone,
      );
    }
    default:
      throw unknownUnit(unit, math);
  }
}

function roundDown(millis: number, unit: string, math: string, zone: Zone): number {
  const { days, time } = toLocal(millis, zone);
  if (unit in FIXED) return toInstant({ days, time: time - (time % FIXED[unit]) }, zone);
  const { year, month } = civilFromDays(days);
  switch (unit) {
    case "d":
      return toInstant({ days, time: 0 }, zone);
    case "w":
      return toInstant({ days: days - dayOfWeek(days) + 1, time: 0 }, zone);
    case "M":
      return toInstant({ days: daysFromCivil(year, month, 1), time: 0 }, zone);
    case "y":
      return toInstant({ days: daysFromCivil(year, 1, 1), time: 0 }, zone);
    default:
      throw unknownUnit(unit, math);
  }
}
