/**
 * Decimals of sixteen and seventeen digits, as vectors are full of: the nearest double, and whether JavaScript writes it as it was read,
 * without the platform's conversions from and to text, which take ten times as long. The quotient is computed with its error
 * (Dekker's exact products), which tells both.
 */

/** Powers of ten that are doubles. */
export const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** What splits a double into halves whose products are exact. */
const SPLITTER = 2 ** 27 + 1;
const upper = (x: number): number => {
  const scaled = SPLITTER * x;
  return scaled - (scaled - x);
};
const UPPER_POWERS = POWERS_OF_TEN.map(upper);

const HALF_OF_DIGITS = 2 ** 25;
/** How near to the middle between two doubles, or between two texts, is left to the platform. */
const MARGIN = 2 ** -30;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
/** Of a little-endian double the word with its exponent. */
const TOP = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/**
 * @param high the first fifteen digits
 * @param low the last one or two of them, which are not 0 at the end
 * @param scale what the last is multiplied with: 10 or 100
 * @param fraction how many of the digits stand behind the point, at most 22
 * @returns a number of at least 1e-6 that is written with just these digits, or NaN where that is not sure
 */
export function exactDecimal(high: number, low: number, scale: 10 | 100, fraction: number): number {
  // The digits as a sum of two doubles.
  const above = Math.floor(high / HALF_OF_DIGITS);
  const big = above * scale * HALF_OF_DIGITS;
  const small = (high - above * HALF_OF_DIGITS) * scale + low;
  const digits = big + small;
  const rest = small - (digits - big);
  const power = POWERS_OF_TEN[fraction];
  const quotient = digits / power;
  const product = quotient * power;
  const quotientUpper = upper(quotient);
  const quotientLower = quotient - quotientUpper;
  const powerUpper = UPPER_POWERS[fraction];
  const powerLower = power - powerUpper;
  const productError =
    quotientUpper * powerUpper -
    product +
    quotientUpper * powerLower +
    quotientLower * powerUpper +
    quotientLower * powerLower;
  const correction = (digits - product - productError + rest) / power;
  const number = quotient + correction;
  if (!(number >= 1e-6)) return Number.NaN;
  /** What was written, less the number. */
  const error = quotient - number + correction;
  float[0] = number;
  const exponent = words[TOP] >>> 20;
  // Below a power of two doubles lie closer.
  if ((words[TOP] & 0xf_ffff) === 0 && words[1 - TOP] === 0) return Number.NaN;
  words[TOP] = (exponent - 53) << 20;
  words[1 - TOP] = 0;
  const halfGap = float[0];
  const distance = Math.abs(error);
  if (distance > halfGap * (1 - MARGIN)) return Number.NaN;
  // The shortest text is written, and of those the nearest.
  const unit = 1 / power;
  const last = low % 10;
  const shorter = Math.min(Math.abs(error - last * unit), Math.abs(error + (10 - last) * unit));
  return distance < unit * (0.5 - MARGIN) && shorter > halfGap * (1 + MARGIN) ? number : Number.NaN;
}
