/** Durations as Elasticsearch writes them: `12h`, `500ms` (TimeValue.parseTimeValue). */
import { illegalArgument } from "../../errors.ts";
import { numberFormat, parseJavaDouble } from "../../mapping/java-numbers.ts";

const UNITS: readonly (readonly [unit: string, millis: number])[] = [
  ["nanos", 1e-6],
  ["micros", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
];

/** Milliseconds, cut. @param setting named in errors */
export function parseTimeValue(text: string, setting: string): number {
  const normalized = text.toLowerCase().trim();
  for (const [unit, millis] of UNITS) {
    // A capital M would be a month.
    if (!(unit === "m" ? text.endsWith("m") : normalized.endsWith(unit))) continue;
    const value = count(normalized.slice(0, -unit.length).trim(), text);
    if (value < -1) {
      throw illegalArgument(
        `failed to parse setting [${setting}] with value [${text}] as a time value: negative durations are not supported`,
      );
    }
    return Math.trunc(value * millis);
  }
  if (/^-0*1$/.test(normalized)) return -1;
  if (/^0+$/.test(normalized)) return 0;
  throw illegalArgument(
    `failed to parse setting [${setting}] with value [${text}] as a time value: unit is missing or unrecognized`,
  );
}

function count(digits: string, text: string): number {
  if (/^[-+]?\d+$/.test(digits)) return Number(digits);
  const cause = numberFormat(`For input string: "${digits}"`);
  let fraction = true;
  try {
    parseJavaDouble(digits);
  } catch {
    fraction = false;
  }
  throw illegalArgument(`failed to parse [${text}]${fraction ? ", fractional time values are not supported" : ""}`, {
    cause,
  });
}
