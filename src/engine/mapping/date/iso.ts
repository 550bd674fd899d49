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

/**
 * Reads `yyyy[-MM[-dd]][T[HH[:mm[:ss[.SSSSSSSSS]]]][zone]]`, every number at its full width. Undefined when the text is anything else.
 */
export function parseIso(text: string, options: { readonly optionalTime: boolean }): DateParts | undefined {
  const length = text.length;
  const year = digits(text, 0, 4);
  if (year < 0) return undefined;
  const parts: DateParts = { year };
  let at = 4;
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
  if (text[at] !== "T" || !options.optionalTime) return undefined;
  at++;
  if (at === length) return parts.day === undefined ? undefined : parts;
  const hour = digits(text, at, 2);
  if (hour < 0 || hour > 23) return undefined;
  parts.hour = hour;
  at += 2;
  if (text[at] === ":") {
    const minute = digits(text, at + 1, 2);
    if (minute < 0 || minute > 59) return undefined;
    parts.minute = minute;
    at += 3;
    if (text[at] === ":") {
      const second = digits(text, at + 1, 2);
      if (second < 0 || second > 59) return undefined;
      parts.second = second;
      at += 3;
      if (text[at] === "." || text[at] === ",") {
        const from = ++at;
        let nano = 0;
        let scale = 1_000_000_000;
        for (; at < length && at - from < 9; at++) {
          const code = text.charCodeAt(at) - 48;
          if (!(code >= 0 && code <= 9)) break;
          scale /= 10;
          nano += code * scale;
        }
        if (at === from) return undefined;
        parts.nano = nano;
      }
    }
  }
  if (at < length) {
    parts.zone = isoZone(text.slice(at));
    if (parts.zone === undefined) return undefined;
  }
  return parts;
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
  } else if (/^[A-Za-z]/.test(text)) {
    try {
      zone = parseZone(text);
    } catch {
      zone = undefined;
    }
  }
  offsets.set(text, zone);
  return zone;
}
