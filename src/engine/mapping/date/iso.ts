/** The default formats, `strict_date_optional_time` and its kin, by hand: they read most dates there are. */
import type { DateParts } from "./pattern.ts";
import { fixedZone, parseZone, UTC, type Zone } from "./zone.ts";

function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const code = text.charCodeAt(i) - 48;
    if (!(code >= 0 && code <= 9)) return -1;
    value = value * 10 + code;
  }
  return value;
}

export interface IsoOptions {
  /** A time has hours, minutes and seconds (`strict_date_optional_time_nanos`). */
  readonly fullTime: boolean;
  /** A zone may follow a date and `T` without a time (`iso8601`). */
  readonly zoneWithoutTime: boolean;
}

/**
 * Reads `yyyy[-MM[-dd]][T[HH[:mm[:ss[.SSSSSSSSS]]]][zone]]`, every number at its full width. Undefined when the text is anything else.
 */
export function parseIso(text: string, options: IsoOptions): DateParts | undefined {
  const length = text.length;
  const negative = text.charCodeAt(0) === 0x2d;
  let at = negative ? 1 : 0;
  const year = digits(text, at, 4);
  if (year < 0) return undefined;
  const parts: DateParts = { year: negative ? -year : year };
  at += 4;
  if (at === length) return parts;
  if (text[at] === "-") {
    const month = digits(text, at + 1, 2);
    if (month < 1 || month > 12) return undefined;
    parts.month = month;
    at += 3;
    if (at === length) return parts;
    if (text[at] === "-") {
      const day = digits(text, at + 1, 2);
      if (day < 1 || day > 31) return undefined;
      parts.day = day;
      at += 3;
      if (at === length) return parts;
    }
  }
  if (text[at] !== "T") return undefined;
  at++;
  if (at === length) return options.fullTime ? undefined : parts;
  const hour = digits(text, at, 2);
  if (hour < 0 || hour > 23) {
    if (!options.zoneWithoutTime) return undefined;
    parts.zone = isoZone(text.slice(at));
    return parts.zone === undefined ? undefined : parts;
  }
  parts.hour = hour;
  at = readMinutes(text, at + 2, parts);
  if (at < 0 || (options.fullTime && parts.second === undefined)) return undefined;
  if (at < length) {
    parts.zone = isoZone(text.slice(at));
    if (parts.zone === undefined) return undefined;
  }
  return parts;
}

/** `[:mm[:ss[.SSSSSSSSS]]]`; the position after it, or -1. */
function readMinutes(text: string, start: number, parts: DateParts): number {
  if (text[start] !== ":") return start;
  const minute = digits(text, start + 1, 2);
  if (minute < 0 || minute > 59) return -1;
  parts.minute = minute;
  let at = start + 3;
  if (text[at] !== ":") return at;
  const second = digits(text, at + 1, 2);
  if (second < 0 || second > 59) return -1;
  parts.second = second;
  at += 3;
  if (text[at] !== "." && text[at] !== ",") return at;
  const from = ++at;
  let nano = 0;
  let scale = 1_000_000_000;
  for (; at < text.length && at - from < 9; at++) {
    const code = text.charCodeAt(at) - 48;
    if (!(code >= 0 && code <= 9)) break;
    scale /= 10;
    nano += code * scale;
  }
  if (at === from) return -1;
  parts.nano = nano;
  return at;
}

const offsets = new Map<string, Zone | undefined>();

function isoZone(text: string): Zone | undefined {
  if (text === "Z") return UTC;
  if (offsets.has(text)) return offsets.get(text);
  let zone: Zone | undefined;
  const match = /^([-+])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?$/.exec(text);
  if (match !== null) {
    const seconds = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
    if (seconds <= 64800 && Number(match[3] ?? 0) < 60 && Number(match[4] ?? 0) < 60) {
      zone = fixedZone(match[1] === "-" ? -seconds : seconds);
    }
  } else if (/^[A-Z]/.test(text)) {
    try {
      zone = parseZone(text);
    } catch {
      zone = undefined;
    }
  }
  offsets.set(text, zone);
  return zone;
}
