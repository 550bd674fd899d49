/** Values as Java prints them in messages: doubles with a point, maps as `{a=1}` in the order of its hash maps. */
import { emptyObject } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";

/** Java's Double.toString (since JDK 19: the shortest digits that round trip, at least two of them). */
export function javaDouble(value: number): string {
  const shortest = String(Math.abs(value));
  return withExponent(value, /^\d(?:e|$)/.test(shortest) ? twoDigits(Math.abs(value)) : shortest);
}

/** The nearest number of two digits: of the least numbers, one digit would be far off. */
const twoDigits = (magnitude: number) => magnitude.toPrecision(2);

/** 10^0 to 10^11: a float of 24 bits times one of them is a whole number of doubles' bits, so that nothing is rounded in between. */
const POWERS = Array.from({ length: 12 }, (_, decimals) => 10 ** decimals);

/**
 * The shortest decimal that reads back as a float32 value which Java prints without an exponent: as a double, which JavaScript prints with
 * the same digits. Undefined for other values.
 */
export function shortestFloat(value: number): number | undefined {
  const magnitude = Math.abs(value);
  if (!(magnitude >= 1e-3 && magnitude < 1e7)) return undefined;
  for (const power of POWERS) {
    const decimal = Math.round(magnitude * power) / power;
    if (Math.fround(decimal) === magnitude) return value < 0 ? -decimal : decimal;
  }
  return undefined;
}

/** Java's Float.toString of a float32 value. */
export function javaFloat(value: number): string {
  const short = shortestFloat(value);
  if (short !== undefined) return Number.isInteger(short) ? `${short}.0` : String(short);
  if (!Number.isFinite(value) || value === 0) return withExponent(value, String(Math.abs(value)));
  const magnitude = Math.abs(value);
  for (let digits = 2; digits <= 9; digits++) {
    const text = magnitude.toPrecision(digits);
    if (Math.fround(Number(text)) === magnitude) return withExponent(value, text);
  }
  return withExponent(value, String(magnitude));
}

function withExponent(value: number, magnitude: string): string {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return `${sign}Infinity`;
  if (value === 0) return `${sign}0.0`;
  const match = /^(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(magnitude) as RegExpExecArray;
  const fraction = match[2] ?? "";
  let digits = match[1] + fraction;
  // Value = 0.digits × 10^point.
  let point = match[1].length + Number(match[3] ?? 0);
  const leading = /^0*/.exec(digits)?.[0].length ?? 0;
  digits = digits.slice(leading).replace(/0+$/, "");
  point -= leading;
  if (point > -3 && point <= 7) {
    if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
    const whole = digits.slice(0, point).padEnd(point, "0");
    return `${sign}${whole}.${digits.slice(point) || "0"}`;
  }
  return `${sign}${digits[0]}.${digits.slice(1) || "0"}E${point - 1}`;
}

/** Java's toString of a parsed JSON value. */
export function javaText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : javaDouble(value);
  if (value instanceof JsonNumber)
    return value.integer ? BigInt(value.text).toString() : javaDouble(Number(value.text));
  if (Array.isArray(value)) return `[${value.map(javaText).join(", ")}]`;
  const object = value as JsonObject;
  return `{${hashOrder(Object.keys(object))
    .map((key) => `${key}=${javaText(object[key])}`)
    .join(", ")}}`;
}

/** A value of a document as its parser sees it: dotted names are objects. */
export function expandDots(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(expandDots);
  if (typeof value !== "object" || value === null || value instanceof JsonNumber) return value;
  const out: { [key: string]: JsonValue } = {};
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    const parts = key.split(".").filter((part) => part !== "");
    const [first = key, ...rest] = parts;
    out[first] = rest.reduceRight<JsonValue>((below, part) => ({ [part]: below }), expandDots(inner));
  }
  return out;
}

/** `String.hashCode()` */
export function hashCode(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

/** As java.util.HashMap uses it. */
export function spreadHash(text: string): number {
  const hash = hashCode(text);
  return hash ^ (hash >>> 16);
}

/**
 * Keys in the order in which a java.util.HashMap walks over them (chains of a bucket in insertion order).
 *
 * @param initial buckets that it begins with
 */
export function hashOrder(keys: readonly string[], initial = 16): string[] {
  let buckets = initial;
  while (keys.length > buckets * 0.75) buckets *= 2;
  return keys
    .map((key, index) => ({ key, index, bucket: spreadHash(key) & (buckets - 1) }))
    .sort((a, b) => a.bucket - b.bucket || a.index - b.index)
    .map(({ key }) => key);
}

/** A value as Java has it that was read into hash maps, lists of them included. */
export function inHashOrder<T extends JsonValue>(value: T): T {
  if (Array.isArray(value)) return value.map(inHashOrder) as unknown as T;
  if (typeof value !== "object" || value === null || value instanceof JsonNumber) return value;
  const ordered = emptyObject();
  for (const key of hashOrder(Object.keys(value))) ordered[key] = inHashOrder((value as JsonObject)[key]);
  return ordered as unknown as T;
}
