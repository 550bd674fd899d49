/**
 * How sure a difference is. Intervals by the bootstrap over questions (percentiles), tests by paired randomisation (Fisher), several tests at
 * once by Holm's step-down correction. Everything follows from the seed.
 */
import { timeSlices } from "../ingest/slices.ts";
import { mean } from "./evaluate.ts";
import { seededRandom } from "./random.ts";

/** The seed and the number of draws of a procedure of chance. */
export interface ChanceOptions {
  /** Default 1. */
  seed?: number;
  /** Samples of the bootstrap (default 2,000), or assignments of a randomisation test (default 10,000). */
  samples?: number;
  signal?: AbortSignal;
}

/** An interval that holds a mean with a given confidence. */
export interface Interval {
  low: number;
  high: number;
}

/** How intervals are made: resamples, level and seed. */
export interface BootstrapOptions extends ChanceOptions {
  /** Share of the samples' means that lie within. Default 0.95. */
  confidence?: number;
}

/** The interval of a mean: the questions are drawn again, with return, and the middle of the means is taken. */
export async function bootstrapInterval(
  values: readonly number[],
  { seed = 1, samples = 2000, confidence = 0.95, signal }: BootstrapOptions = {},
): Promise<Interval> {
  if (values.length === 0) return { low: 0, high: 0 };
  const random = seededRandom(seed);
  const pause = timeSlices(signal);
  const data = Float64Array.from(values);
  const means = new Float64Array(samples);
  for (let i = 0; i < samples; i++) {
    let sum = 0;
    for (let j = 0; j < data.length; j++) sum += data[Math.floor(random() * data.length)]!;
    means[i] = sum / data.length;
    await pause();
  }
  means.sort();
  const outside = (1 - confidence) / 2;
  return { low: quantile(means, outside), high: quantile(means, 1 - outside) };
}

/** Between the two nearest of sorted values, by distance. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)]!;
  return low + (sorted[Math.ceil(place)]! - low) * (place - Math.floor(place));
}

/** Pairs that differ, up to which every assignment is counted. */
const EXACT = 14;

/**
 * The probability of a difference of means at least as large in either direction, if it were chance which of the two systems had which value
 * of a pair. Few pairs are counted out; of many, assignments are drawn, and the one that was seen counts as one of them.
 */
export async function randomisationTest(
  a: readonly number[],
  b: readonly number[],
  { seed = 1, samples = 10_000, signal }: ChanceOptions = {},
): Promise<number> {
  // Pairs without a difference change no sum.
  const differences = Float64Array.from(a.map((value, i) => value - b[i]!).filter((value) => value !== 0));
  if (differences.length === 0) return 1;
  const seen = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  // Sums in another order differ in the last bits.
  const least = seen - 1e-10 * Math.max(1, seen);
  const pause = timeSlices(signal);
  let extreme = 0;
  if (differences.length <= EXACT) {
    const all = 2 ** differences.length;
    for (let signs = 0; signs < all; signs++) {
      let sum = 0;
      for (let i = 0; i < differences.length; i++) sum += (signs >> i) & 1 ? -differences[i]! : differences[i]!;
      if (Math.abs(sum) >= least) extreme++;
    }
    return extreme / all;
  }
  const random = seededRandom(seed);
  for (let s = 0; s < samples; s++) {
    let sum = 0;
    for (let i = 0; i < differences.length; ) {
      // A number of chance has 32 bits, each of which is the sign of one pair.
      let bits = (random() * 2 ** 32) >>> 0;
      for (const end = Math.min(i + 32, differences.length); i < end; i++, bits >>>= 1)
        sum += bits & 1 ? -differences[i]! : differences[i]!;
    }
    if (Math.abs(sum) >= least) extreme++;
    await pause();
  }
  return (extreme + 1) / (samples + 1);
}

/** Holm's correction: p-values, each times the number of hypotheses that are not rejected before it, never below an earlier one's, at most 1. */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a]! - pValues[b]!);
  const corrected = new Array<number>(pValues.length);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, pValues[index]! * (pValues.length - rank)));
    corrected[index] = largest;
  });
  return corrected;
}

/** The difference of two strategies: its mean, interval and p-value, and on how many questions each is better. */
export interface Difference extends Interval {
  /** Mean of b − a. */
  mean: number;
  p: number;
  /** Questions for which b is better, equal and worse. */
  better: number;
  equal: number;
  worse: number;
}

/** What b has over a, question by question. */
export async function pairedDifference(
  a: readonly number[],
  b: readonly number[],
  options: Omit<BootstrapOptions, "samples"> = {},
): Promise<Difference> {
  const differences = b.map((value, i) => value - a[i]!);
  return {
    mean: mean(differences),
    ...(await bootstrapInterval(differences, options)),
    p: await randomisationTest(b, a, options),
    better: differences.filter((value) => value > 0).length,
    equal: differences.filter((value) => value === 0).length,
    worse: differences.filter((value) => value < 0).length,
  };
}
