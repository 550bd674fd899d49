/**
 * Scalar quantisation to seven bits, as Lucene 9.12 does it (ScalarQuantizer): components between two quantiles are spread over 0 … 127,
 * those outside are cut off, and each vector keeps one float that corrects products for what rounding lost. All arithmetic is float32 in
 * Lucene's order, so that scores are equal to the last bit.
 */

const f = Math.fround;
const LEVELS = 127;
/** Vectors from which quantiles are taken, when there are more of them. */
const SAMPLE = 25_000;
/** Vectors whose components are sorted together; the quantiles are means over such groups. */
const GROUP = 20;
const LEAST_CONFIDENCE = f(0.9);
/** Quantiles of segments further apart than a 32th of the range are computed anew when the segments are merged. */
const RECOMPUTE_LIMIT = 32;
/** Bytes are kept in a merge while the quantiles move by less than this share of a level. */
const REQUANTIZE_LIMIT = f(0.2);

export interface ScalarQuantizer {
  readonly lower: number;
  readonly upper: number;
}

/** What a component is divided by, and what a level is worth. */
const scaleOf = ({ lower, upper }: ScalarQuantizer) => f(LEVELS / f(upper - lower));
const levelOf = ({ lower, upper }: ScalarQuantizer) => f(f(upper - lower) / LEVELS);

/** What a product of levels is worth. */
export function factorOf(quantizer: ScalarQuantizer): number {
  const level = levelOf(quantizer);
  return f(level * level);
}

/** Lucene99ScalarQuantizedVectorsFormat.calculateDefaultConfidenceInterval */
export const defaultConfidence = (dims: number): number => Math.max(LEAST_CONFIDENCE, f(1 - f(1 / (dims + 1))));

/**
 * Writes a vector's levels and returns its correction: the terms of a product of two vectors that depend on one of them alone.
 * @param out undefined: only the correction
 */
export function quantize(
  quantizer: ScalarQuantizer,
  vector: Float32Array,
  euclidean: boolean,
  out?: Int8Array,
  at = 0,
): number {
  const { lower, upper } = quantizer;
  const scale = scaleOf(quantizer);
  const level = levelOf(quantizer);
  const half = f(lower / 2);
  let correction = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i];
    const offset = f(value - lower);
    const cut = f(Math.max(lower, Math.min(upper, value)) - lower);
    // Java rounds what is no number (all components alike) to 0.
    const rounded = Math.floor(f(scale * cut) + 0.5) || 0;
    if (out !== undefined) out[at + i] = rounded;
    const kept = f(rounded * level);
    correction = f(correction + f(f(lower * f(value - half)) + f(f(offset - kept) * kept)));
  }
  return euclidean ? 0 : correction;
}

/** The correction of levels that stay, under quantiles that moved a little (recalculateCorrectiveOffset). */
export function correctionAfterMerge(
  levels: Int8Array,
  from: ScalarQuantizer,
  to: ScalarQuantizer,
  euclidean: boolean,
): number {
  if (euclidean) return 0;
  const level = levelOf(from);
  return quantize(
    to,
    Float32Array.from(levels, (value) => f(f(level * value) + from.lower)),
    false,
  );
}

/** Where vectors come from, one after the other: each call writes the next into `out`. */
export interface VectorSource {
  readonly size: number;
  vector(ord: number): Float32Array;
}

/** @param pause called now and then: gives the thread back when it is time */
export async function quantizerOf(
  source: VectorSource,
  dims: number,
  given: number | undefined,
  pause: () => Promise<void>,
): Promise<ScalarQuantizer> {
  const confidence = f(given ?? defaultConfidence(dims));
  const { size } = source;
  if (size === 0) return { lower: 0, upper: 0 };
  if (confidence === 1) return wholeRange(source, pause);
  const group = Math.min(GROUP, size);
  const scratch = new Float32Array(group * dims);
  const taken = size > SAMPLE ? sample(size) : undefined;
  const count = taken?.length ?? size;
  let lower = 0;
  let upper = 0;
  let groups = 0;
  // Lucene leaves what does not fill a group: extreme shares of few vectors say little.
  for (let from = 0; from + group <= count; from += group) {
    for (let i = 0; i < group; i++) scratch.set(source.vector(taken?.[from + i] ?? from + i), i * dims);
    const [low, high] = quantiles(scratch, confidence);
    lower += low;
    upper += high;
    groups++;
    if (groups % 8 === 0) await pause();
  }
  // Lucene narrows the sum to a float before it divides.
  return { lower: f(f(lower) / groups), upper: f(f(upper) / groups) };
}

async function wholeRange({ size, vector }: VectorSource, pause: () => Promise<void>): Promise<ScalarQuantizer> {
  let lower = Number.POSITIVE_INFINITY;
  let upper = Number.NEGATIVE_INFINITY;
  for (let ord = 0; ord < size; ord++) {
    for (const value of vector(ord)) {
      if (value < lower) lower = value;
      if (value > upper) upper = value;
    }
    if (ord % 256 === 255) await pause();
  }
  return { lower, upper };
}

/** Ends of the middle share of some numbers (getUpperAndLowerQuantile): the values left when as many are taken off at either end. */
function quantiles(values: Float32Array, confidence: number): readonly [number, number] {
  const { length } = values;
  const cut = length <= 2 ? 0 : Math.trunc(f(f(f(length * f(1 - confidence)) / 2) + 0.5));
  if (cut > 32) {
    const sorted = values.slice().sort();
    return [sorted[cut], sorted[length - 1 - cut]];
  }
  return [nthLeast(values, cut, 1), -nthLeast(values, cut, -1)];
}

/** The value with `n` values below it, of all values times `sign`: few are kept, in order. */
function nthLeast(values: Float32Array, n: number, sign: 1 | -1): number {
  const least = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] * sign;
    if (value >= least[n]) continue;
    let at = n;
    for (; at > 0 && least[at - 1] > value; at--) least[at] = least[at - 1];
    least[at] = value;
  }
  return least[n];
}

/** Reservoir sampling, ascending. Lucene draws from one generator for the whole process; a seed of its own makes builds repeatable. */
function sample(size: number): Uint32Array {
  const taken = Uint32Array.from({ length: SAMPLE }, (_, i) => i);
  let state = 42;
  for (let i = SAMPLE; i < size; i++) {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const j = (state >>> 0) % (i + 1);
    if (j < SAMPLE) taken[j] = i;
  }
  return taken.sort();
}

/**
 * Quantiles of segments that are merged (mergeQuantiles): their means by size.
 * @returns undefined where they must be computed from the vectors: a segment has none, or they lie too far apart
 */
export function mergedQuantizer(
  parts: readonly { readonly size: number; readonly quantizer: ScalarQuantizer | undefined }[],
): ScalarQuantizer | undefined {
  let lower = 0;
  let upper = 0;
  let count = 0;
  for (const { size, quantizer } of parts) {
    if (quantizer === undefined) return undefined;
    lower = f(lower + f(quantizer.lower * size));
    upper = f(upper + f(quantizer.upper * size));
    count += size;
  }
  if (count === 0) return undefined;
  const merged = { lower: f(lower / count), upper: f(upper / count) };
  const limit = f(f(merged.upper - merged.lower) / RECOMPUTE_LIMIT);
  const far = parts.some(({ quantizer }) => quantizer !== undefined && distance(quantizer, merged) > limit);
  return far ? undefined : merged;
}

const distance = (a: ScalarQuantizer, b: ScalarQuantizer): number =>
  Math.max(Math.abs(f(a.upper - b.upper)), Math.abs(f(a.lower - b.lower)));

/** Whether a segment's bytes are too far off under the quantiles of a merge. */
export function mustRequantize(own: ScalarQuantizer, merged: ScalarQuantizer): boolean {
  return distance(own, merged) > f(f(REQUANTIZE_LIMIT * f(merged.upper - merged.lower)) / 128);
}
