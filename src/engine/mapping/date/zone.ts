/** Time zones: fixed offsets, and regions through Intl's tables. */
import { EngineError, illegalArgument } from "../../errors.ts";

export interface Zone {
  readonly id: string;
  /** Seconds east of UTC at an instant, in milliseconds since the epoch. */
  offsetAt(epochMillis: number): number;
  /** True when the offset never changes. */
  readonly fixed: boolean;
}

export function fixedZone(seconds: number): Zone {
  return { id: offsetId(seconds), offsetAt: () => seconds, fixed: true };
}

export const UTC: Zone = { id: "Z", offsetAt: () => 0, fixed: true };

/** Java's id of an offset: `Z`, `+08:00`, `-00:00:30`. */
export function offsetId(seconds: number): string {
  if (seconds === 0) return "Z";
  const s = Math.abs(seconds);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${seconds < 0 ? "-" : "+"}${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}${s % 60 === 0 ? "" : `:${two(s % 60)}`}`;
}

const MAX_OFFSET = 18 * 3600;
const zones = new Map<string, Zone>();

/** Java's ZoneId.of: `Z`, offsets, `UTC+1`, regions such as `Europe/Paris`. Throws Elasticsearch's error for others. */
export function parseZone(id: string): Zone {
  const known = zones.get(id);
  if (known !== undefined) return known;
  const zone = readZone(id);
  zones.set(id, zone);
  return zone;
}

function readZone(id: string): Zone {
  if (id === "Z" || id === "z") return UTC;
  const offset = /^(?:UTC|GMT|UT)?([-+].*)$/.exec(id);
  if (offset !== null) return fixedZone(parseOffset(offset[1], id));
  if (id === "UTC" || id === "GMT" || id === "UT") return { ...UTC, id };
  return region(id);
}

function zoneError(reason: string, type: string, javaName: string): EngineError {
  return illegalArgument(`${javaName}: ${reason}`, { cause: new EngineError(type, reason) });
}

function parseOffset(text: string, id: string): number {
  const match = /^([-+])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/.exec(text);
  if (match === null || (match[2].length === 1 && match[3] !== undefined)) {
    throw zoneError(`Invalid ID for offset-based ZoneId: ${id}`, "date_time_exception", "java.time.DateTimeException");
  }
  const seconds = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
  if (seconds > MAX_OFFSET || Number(match[3] ?? 0) > 59 || Number(match[4] ?? 0) > 59) {
    throw zoneError(
      `Zone offset not in valid range: -18:00 to +18:00`,
      "date_time_exception",
      "java.time.DateTimeException",
    );
  }
  return match[1] === "-" ? -seconds : seconds;
}

function region(id: string): Zone {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: id,
      calendar: "iso8601",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    if (!/^[A-Za-z][A-Za-z0-9~/._+-]+$/.test(id)) {
      const kind = id.length <= 1 ? "ZoneOffset" : "region-based ZoneId";
      const reason = `Invalid ID for ${kind}, invalid format: ${id}`;
      throw zoneError(reason, "date_time_exception", "java.time.DateTimeException");
    }
    throw zoneError(`Unknown time-zone ID: ${id}`, "zone_rules_exception", "java.time.zone.ZoneRulesException");
  }
  // Java's names are case-sensitive, Intl's are not.
  if (!/^[A-Z]/.test(id))
    throw zoneError(`Unknown time-zone ID: ${id}`, "zone_rules_exception", "java.time.zone.ZoneRulesException");
  let lastHour = Number.NaN;
  let lastOffset = 0;
  return {
    id,
    fixed: false,
    offsetAt: (epochMillis) => {
      const clamped = Math.min(Math.max(epochMillis, -8.64e15), 8.64e15);
      // Offsets change at full quarters of an hour.
      const quarter = Math.floor(clamped / 900_000);
      if (quarter === lastHour) return lastOffset;
      const at = quarter * 900_000;
      const parts: { [type: string]: string } = {};
      for (const part of format.formatToParts(Math.max(at, -8.64e15))) parts[part.type] = part.value;
      const year =
        Number(parts["year"]) * (parts["era"] === "BC" || parts["era"] === "B" ? -1 : 1) +
        (parts["era"]?.startsWith("B") ? 1 : 0);
      const local = Date.UTC(
        2000,
        Number(parts["month"]) - 1,
        Number(parts["day"]),
        Number(parts["hour"]),
        Number(parts["minute"]),
        Number(parts["second"]),
      );
      const date = new Date(local);
      date.setUTCFullYear(year, Number(parts["month"]) - 1, Number(parts["day"]));
      lastHour = quarter;
      lastOffset = Math.round((date.getTime() - at) / 1000);
      return lastOffset;
    },
  };
}

/**
 * The instant (milliseconds) of a local time, as Java's ZonedDateTime.of: in a gap the time moves on by the gap, in an overlap the earlier
 * offset holds.
 */
export function instantOfLocal(localMillis: number, zone: Zone): number {
  if (zone.fixed) return localMillis - zone.offsetAt(0) * 1000;
  const before = zone.offsetAt(localMillis - 86_400_000);
  const after = zone.offsetAt(localMillis + 86_400_000);
  for (const offset of before === after ? [before, zone.offsetAt(localMillis - before * 1000)] : [before, after]) {
    const instant = localMillis - offset * 1000;
    if (zone.offsetAt(instant) === offset) return instant;
  }
  return localMillis - before * 1000;
}
