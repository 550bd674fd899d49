/** Java's DecimalFormat with the symbols of the root locale: the patterns that `format` takes for numbers (`#,##0.00`, `0.###E0`, `0%`). */
import { parseDecimalPattern } from "./decimal-pattern.ts";

export interface DecimalFormat {
  readonly pattern: string;
  /** A bigint, and a number of which `whole` says so, is printed as a long. */
  format(value: number | bigint, whole?: boolean): string;
}

/** Decimal digits of a magnitude: 0.d₁d₂… × 10^point, without zeros at either end (Java's DigitList). */
interface Digits {
  digits: string;
  point: number;
}

const formats = new Map<string, DecimalFormat>();
/** Patterns come from requests: only so many are kept. */
const KEPT_FORMATS = 200;

/** @throws illegal_argument_exception for a pattern that Java does not take */
export function decimalFormat(pattern: string): DecimalFormat {
  let format = formats.get(pattern);
  if (format === undefined) {
    format = makeFormat(pattern);
    if (formats.size >= KEPT_FORMATS) formats.clear();
    formats.set(pattern, format);
  }
  return format;
}

function makeFormat(pattern: string): DecimalFormat {
  const parsed = parseDecimalPattern(pattern);
  const { multiplier, exponent } = parsed;
  return {
    pattern,
    format: (given, whole = false) => {
      const exact = typeof given === "bigint" || whole;
      const value = multiplier === 1 ? given : exact ? BigInt(given) * BigInt(multiplier) : Number(given) * multiplier;
      if (Number.isNaN(value)) return "NaN";
      const negative = value < 0 || Object.is(value, -0);
      const [prefix, suffix] = negative ? parsed.negative : parsed.positive;
      if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return `${prefix}∞${suffix}`;
      const magnitude = negative ? -value : value;
      const most = exponent === undefined ? parsed.maxFraction : parsed.maxInteger + parsed.maxFraction;
      const digits = digitsOf(magnitude);
      // A long has no fraction to round.
      if (exponent === undefined ? !exact : most > 0) round(digits, magnitude, exponent === undefined, most);
      const body = exponent === undefined ? plain(digits, parsed, exact) : scientific(digits, parsed, exponent);
      return prefix + body + suffix;
    },
  };
}

function digitsOf(magnitude: number | bigint): Digits {
  if (typeof magnitude === "bigint") {
    const text = magnitude === 0n ? "" : magnitude.toString();
    return { digits: text.replace(/0+$/, ""), point: text.length };
  }
  if (magnitude >= 2 ** 53 && magnitude < 2 ** 63) return digitsOf(significant(magnitude));
  const [, whole, fraction = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(
    String(magnitude),
  ) as RegExpExecArray;
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/, "");
  return { digits, point: digits === "" ? 0 : whole.length + Number(exponent) - leading };
}

/** Of large whole numbers Java prints the digits of the value itself, less those that a double does not tell apart (FloatingDecimal). */
function significant(magnitude: number): bigint {
  const free = Math.floor(Math.log2(magnitude)) - 54;
  const unit = free > 1 ? 10n ** BigInt(Math.floor(free * Math.log10(2))) : 1n;
  return ((BigInt(magnitude) + unit / 2n) / unit) * unit;
}

/** Half-even, of the binary value rather than of its shortest text. @param most digits of the fraction, or of all */
function round(digits: Digits, magnitude: number | bigint, fraction: boolean, most: number): void {
  const keep = fraction ? digits.point + most : most;
  if (keep >= digits.digits.length) return;
  if (keep < 0) {
    digits.digits = "";
    digits.point = 0;
    return;
  }
  const up = roundsUp(digits, magnitude, keep);
  let kept = digits.digits.slice(0, keep);
  if (up) {
    const nines = /9*$/.exec(kept)?.[0].length ?? 0;
    const head = kept.slice(0, kept.length - nines);
    if (head === "") {
      kept = "1";
      digits.point++;
    } else kept = head.slice(0, -1) + String(Number(head.at(-1)) + 1);
  }
  digits.digits = kept.replace(/0+$/, "");
  if (digits.digits === "") digits.point = 0;
}

function roundsUp({ digits, point }: Digits, magnitude: number | bigint, keep: number): boolean {
  const next = digits[keep];
  if (next !== "5") return next > "5";
  if (keep < digits.length - 1) return true;
  const side = typeof magnitude === "bigint" ? 0 : compareWithDecimal(magnitude, digits, point);
  if (side !== 0) return side > 0;
  return keep > 0 && Number(digits[keep - 1]) % 2 === 1;
}

const bits = new DataView(new ArrayBuffer(8));

/** Whether a double lies above (1), below (-1) or at 0.digits × 10^point. */
function compareWithDecimal(value: number, digits: string, point: number): number {
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const mantissa = (raw & 0xfffffffffffffn) | (biased === 0 ? 0n : 1n << 52n);
  let exponent = Math.max(biased, 1) - 1075;
  let left = mantissa;
  let right = BigInt(digits);
  const ten = point - digits.length;
  if (ten >= 0) right *= 10n ** BigInt(ten);
  else left *= 10n ** BigInt(-ten);
  if (exponent < 0) {
    right <<= BigInt(-exponent);
    exponent = 0;
  }
  left <<= BigInt(exponent);
  return left > right ? 1 : left < right ? -1 : 0;
}

type Parsed = ReturnType<typeof parseDecimalPattern>;

function plain({ digits, point }: Digits, parsed: Parsed, exact: boolean): string {
  const { minInteger, maxInteger, minFraction, maxFraction, grouping, decimalAlways } = parsed;
  let at = 0;
  let count = minInteger;
  if (point > 0 && count < point) count = point;
  if (count > maxInteger) {
    count = maxInteger;
    at = point - count;
  }
  let out = "";
  for (let i = count - 1; i >= 0; i--) {
    out += i < point && at < digits.length ? digits[at++] : "0";
    if (grouping > 0 && i > 0 && i % grouping === 0) out += ",";
  }
  const fraction = minFraction > 0 || (!exact && at < digits.length);
  if (!fraction && out === "") out = "0";
  if (decimalAlways || fraction) out += ".";
  for (let i = 0; i < maxFraction; i++) {
    if (i >= minFraction && (exact || at >= digits.length)) break;
    if (-1 - i > point - 1) out += "0";
    else out += !exact && at < digits.length ? digits[at++] : "0";
  }
  return out;
}

function scientific({ digits, point }: Digits, parsed: Parsed, minExponentDigits: number): string {
  const { minInteger, maxInteger, minFraction, decimalAlways } = parsed;
  let exponent = digits === "" ? 0 : point;
  let least = minInteger;
  const repeating = maxInteger > 1 && maxInteger > minInteger;
  if (repeating) {
    exponent = Math.trunc(exponent >= 1 ? (exponent - 1) / maxInteger : (exponent - maxInteger) / maxInteger);
    exponent *= maxInteger;
    least = 1;
  } else exponent -= least;
  const integerDigits = digits === "" ? least : point - exponent;
  const total = Math.max(digits.length, minInteger + minFraction, integerDigits);
  let out = "";
  for (let i = 0; i < total; i++) {
    if (i === integerDigits) out += ".";
    out += digits[i] ?? "0";
  }
  if (decimalAlways && total === integerDigits) out += ".";
  if (digits === "") exponent = 0;
  return `${out}E${exponent < 0 ? "-" : ""}${String(Math.abs(exponent)).padStart(minExponentDigits, "0")}`;
}
