/** Numbers as Java and Elasticsearch read them from text, and the limits of Java's types. */
import { EngineError, illegalArgument } from "../errors.ts";

export const LONG_MIN = -(2n ** 63n);
export const LONG_MAX = 2n ** 63n - 1n;

const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Java's Double.parseDouble: white space around, a suffix f or d, NaN and Infinity are fine. */
export function parseJavaDouble(text: string): number {
  // Java trims everything up to the space.
  const trimmed = text.replace(/^[\u0000- ]+|[\u0000- ]+$/g, "");
  if (trimmed === "") throw numberFormat("empty String");
  const body = /[fFdD]$/.test(trimmed) ? trimmed.slice(0, -1) : trimmed;
  if (DECIMAL.test(body)) return Number(body);
  const hex = /^([-+]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([-+]?\d+)$/.exec(body);
  if (hex !== null && (hex[2] !== "" || (hex[3] ?? "") !== "")) {
    const fraction = hex[3] ?? "";
    const digits = Number(BigInt(`0x${hex[2]}${fraction}`));
    return (hex[1] === "-" ? -1 : 1) * digits * 2 ** (Number(hex[4]) - 4 * fraction.length);
  }
  if (/^[-+]?NaN$/.test(trimmed)) return Number.NaN;
  if (/^[-+]?Infinity$/.test(trimmed)) return trimmed.startsWith("-") ? -Infinity : Infinity;
  // Java looks at digits and points before anything else.
  if (/^[-+]?\d*\.\d*\./.test(trimmed)) throw numberFormat("multiple points");
  throw numberFormat(`For input string: "${trimmed}"`);
}

export function numberFormat(reason: string): EngineError {
  return new EngineError("number_format_exception", reason);
}

/** Java's `(long) value`. */
export function toLong(value: number): number | bigint {
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole;
  if (Number.isNaN(whole)) return 0;
  if (whole >= 2 ** 63) return LONG_MAX;
  return whole <= -(2 ** 63) ? LONG_MIN : BigInt(whole);
}

/** A long in the smallest JavaScript type that holds it exactly. */
export function narrow(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

export interface Decimal {
  /** Cut towards zero. */
  readonly whole: bigint;
  readonly fraction: boolean;
  readonly negative: boolean;
}

/** A decimal text as BigDecimal reads it, cut to a whole number; undefined when it is none, or beyond any long. */
export function parseDecimal(text: string): Decimal | "huge" | undefined {
  const match = /^([-+]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([-+]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const negative = match[1] === "-";
  const whole = match[2] ?? "";
  const fraction = match[3] ?? match[4] ?? "";
  const exponent = Number(match[5] ?? 0);
  const digits = (whole + fraction).replace(/^0+/, "");
  // Value = digits × 10^-scale.
  const scale = fraction.length - exponent;
  if (digits === "") return { whole: 0n, fraction: false, negative };
  if (scale < -19 || digits.length - scale > 40) return "huge";
  if (scale <= 0) {
    const value = BigInt(digits) * 10n ** BigInt(-scale);
    return { whole: negative ? -value : value, fraction: false, negative };
  }
  const kept = digits.length > scale ? digits.slice(0, digits.length - scale) : "0";
  const rest = digits.length > scale ? digits.slice(digits.length - scale) : digits;
  const value = BigInt(kept);
  return { whole: negative ? -value : value, fraction: /[1-9]/.test(rest), negative };
}

/** Elasticsearch's reading of a long from text: exact, decimals cut when `coerce`. */
export function parseLongText(text: string, coerce: boolean): bigint {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw illegalArgument(`For input string: "${text}"`);
  if (decimal === "huge") throw illegalArgument(`Value [${text}] is out of range for a long`);
  if (decimal.fraction && !coerce) throw illegalArgument(`Value [${text}] has a decimal part`);
  if (decimal.whole > LONG_MAX || decimal.whole < LONG_MIN)
    throw illegalArgument(`Value [${text}] is out of range for a long`);
  return decimal.whole;
}

const scratch = new DataView(new ArrayBuffer(4));

/** The bits of the half-precision float nearest to a float, ties to even, as Lucene's HalfFloatPoint rounds. */
export function halfFloatBits(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getInt32(0);
  const sign = bits >>> 31;
  const exponent = ((bits >>> 23) & 0xff) - 127 + 15;
  const mantissa = bits & 0x7fffff;
  if (exponent >= 31) return (sign << 15) | 0x7c00 | (((bits >>> 23) & 0xff) === 255 && mantissa !== 0 ? 0x200 : 0);
  if (exponent <= 0) {
    if (exponent < -10) return sign << 15;
    return (sign << 15) | shiftRounding(mantissa | 0x800000, 14 - exponent);
  }
  return (sign << 15) | shiftRounding((exponent << 23) | mantissa, 13);
}

function shiftRounding(value: number, shift: number): number {
  const shifted = value >>> shift;
  const rest = value & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return rest > half || (rest === half && (shifted & 1) === 1) ? shifted + 1 : shifted;
}

export function halfFloatOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : Number.NaN;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

/**
 * The nearest half-precision float above (1) or below (-1) a float, which need not be one itself: then it may be the float's own rounding,
 * as Lucene's HalfFloatPoint has it.
 */
export function stepHalfFloat(value: number, steps: number): number {
  if (!Number.isFinite(value) && Math.sign(value) === steps) return value;
  const bits = halfFloatBits(value);
  const rounded = halfFloatOf(bits);
  if (steps > 0 ? rounded > value : rounded < value) return rounded;
  // Lucene's sortable form: negative numbers with their bits turned.
  const sortable = (bits & 0x8000 ? -((bits & 0x7fff) + 1) : bits) + steps;
  return halfFloatOf(sortable < 0 ? 0x8000 | (-sortable - 1) : sortable);
}

/** Java's Math.nextUp and nextDown for floats; infinities stay. */
export function stepFloat(value: number, steps: number): number {
  if (!Number.isFinite(value) && Math.sign(value) === steps) return value;
  // From one zero the other is a step away (DoublePoint.nextUp, nextDown).
  if (value === 0) return Object.is(value, steps > 0 ? -0 : 0) ? -value : steps * 2 ** -149;
  scratch.setFloat32(0, value);
  scratch.setInt32(0, scratch.getInt32(0) + (value > 0 ? steps : -steps));
  return scratch.getFloat32(0);
}

const wide = new DataView(new ArrayBuffer(8));

export function stepDouble(value: number, steps: number): number {
  if (!Number.isFinite(value) && Math.sign(value) === steps) return value;
  if (value === 0) return Object.is(value, steps > 0 ? -0 : 0) ? -value : steps * Number.MIN_VALUE;
  wide.setFloat64(0, value);
  wide.setBigInt64(0, wide.getBigInt64(0) + BigInt(value > 0 ? steps : -steps));
  return wide.getFloat64(0);
}
