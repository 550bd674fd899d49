/** Values of `search_after` and `missing`, read as Java reads numbers. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import { LONG_MAX, LONG_MIN, narrow, numberFormat, parseJavaDouble, toLong } from "../../mapping/java-numbers.ts";

const textOf = (value: JsonValue) => (value instanceof JsonNumber ? value.text : String(value));

const isNumber = (value: JsonValue): value is number | JsonNumber =>
  typeof value === "number" || value instanceof JsonNumber;

/** `Number.longValue`: fractions are cut, doubles stop at the ends, and long integers lose what does not fit. */
function longOf(value: number | JsonNumber): number | bigint {
  const text = textOf(value);
  if (/^[+-]?\d+$/.test(text)) return narrow(BigInt.asIntN(64, BigInt(text)));
  const double = Math.trunc(Number(text)) + 0;
  if (double >= 2 ** 63) return LONG_MAX;
  if (double <= -(2 ** 63)) return LONG_MIN;
  return Number.isSafeInteger(double) ? double : narrow(BigInt(double));
}

/** A number, or a text that Long.parseLong reads. */
export function readLong(value: JsonValue): number | bigint {
  if (isNumber(value)) return longOf(value);
  const text = textOf(value);
  const long = parseLong(text);
  if (long === undefined) throw numberFormat(`For input string: "${text}"`);
  return long;
}

/** Long.parseLong; undefined where it fails. */
function parseLong(text: string): number | bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const long = BigInt(text.replace(/^\+/, ""));
  return long > LONG_MAX || long < LONG_MIN ? undefined : narrow(long);
}

/** As DocValueFormat.RAW reads a value of `search_after`: what is no long may be a double, which is rounded down. */
export function readAfterLong(value: JsonValue): number | bigint {
  if (isNumber(value)) return longOf(value);
  const text = textOf(value);
  return parseLong(text) ?? toLong(Math.floor(parseJavaDouble(text)));
}

/** Integer.parseInt, or the lowest 32 bits of a number. */
export function readInteger(value: JsonValue): number {
  if (isNumber(value)) return Number(BigInt.asIntN(32, BigInt(longOf(value))));
  const text = textOf(value);
  const long = parseLong(text);
  if (long === undefined || long > 2 ** 31 - 1 || long < -(2 ** 31)) throw numberFormat(`For input string: "${text}"`);
  return Number(long);
}

/** A number, or a text that Double.parseDouble reads. */
export function readDouble(value: JsonValue): number {
  return isNumber(value) ? Number(textOf(value)) : parseJavaDouble(textOf(value));
}

export const readFloat = (value: JsonValue): number => Math.fround(readDouble(value));

/** Java's class of what a value of `search_after` is read into, for its complaint about null. */
export type JavaClass = "Long" | "Double" | "Float" | "Integer";

/** A value of `search_after` for numbers. @param field as the error names it: null for what is no field */
export function readAfter<T>(
  value: JsonValue,
  java: JavaClass,
  field: string | null,
  read: (value: JsonValue) => T,
): T {
  if (value === null) {
    const reason = `Cannot invoke "java.lang.${java}.${java === "Integer" ? "int" : java.toLowerCase()}Value()" because "value" is null`;
    throw new EngineError("null_pointer_exception", reason, { status: 500 });
  }
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== "number_format_exception") throw error;
    throw illegalArgument(`Failed to parse search_after value for field [${field}].`, { cause: error });
  }
}
