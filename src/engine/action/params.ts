/** URL parameters as actions ask for them, and values that are written as text there. */
import { illegalArgument } from "../errors.ts";

export interface Params {
  has(name: string): boolean;
  /** The value as it is; `undefined` when it is absent. */
  text(name: string): string | undefined;
  /** A present but empty parameter (`?pretty`) is true. */
  flag(name: string): boolean | undefined;
  int(name: string): number | undefined;
  /** A whole number of up to 64 bits; beyond 2^53 it is rounded. */
  long(name: string): number | undefined;
  /** Values separated by commas. */
  list(name: string): string[] | undefined;
  /** A time such as `30s`, in milliseconds; -1 for none. */
  time(name: string): number | undefined;
  /** Accepts parameters that change nothing here. */
  accept(...names: string[]): void;
  /** Parameters that nobody asked for, sorted. */
  unknown(): string[];
}

const UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A time value as Elasticsearch writes it, in milliseconds. @throws illegal_argument_exception that names the setting. */
export function parseTime(value: string, setting: string): number {
  const text = value.trim().toLowerCase();
  if (text === "-1") return -1;
  if (/^0+$/.test(text)) return 0;
  const match = /^(\S*?)\s*(nanos|micros|ms|s|m|h|d)$/.exec(text);
  const failed = `failed to parse setting [${setting}] with value [${value}] as a time value`;
  if (match === null) throw illegalArgument(`${failed}: unit is missing or unrecognized`);
  if (/^\d*\.\d+$/.test(match[1])) {
    throw illegalArgument(`failed to parse [${value}], fractional time values are not supported`);
  }
  if (!/^[+-]?\d+$/.test(match[1])) throw illegalArgument(`failed to parse [${value}]`);
  const amount = Number(match[1]);
  if (amount < -1) throw illegalArgument(`${failed}: negative durations are not supported`);
  return amount * UNITS[match[2]];
}

/** `true` or `false` and nothing else. */
export function parseBoolean(value: string): boolean {
  if (value === "true") return true;
  if (value === "false") return false;
  throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
}
