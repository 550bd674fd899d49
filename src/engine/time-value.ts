/** Spans of time as Elasticsearch writes them (TimeValue). */
import { EngineError, illegalArgument } from "./errors.ts";

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
    throw illegalArgument(`failed to parse [${value}], fractional time values are not supported`, {
      cause: new EngineError("number_format_exception", `For input string: "${match[1]}"`),
    });
  }
  if (!/^[+-]?\d+$/.test(match[1])) throw illegalArgument(`failed to parse [${value}]`);
  const amount = Number(match[1]);
  if (amount < -1) throw illegalArgument(`${failed}: negative durations are not supported`);
  return amount * UNITS[match[2]];
}
