/**
 * Quantiles with a bounded relative error: values are counted in steps that are a fixed share of their power of two (G. Tene's
 * HdrHistogram for doubles, whose range grows by itself). Only what was counted takes memory.
 */
export class HdrHistogram {
  readonly #memory: { take(bytes: number): void };
  /** Steps between a power of two and the next. */
  readonly #steps: number;
  /** Lower ends of steps, with how many values fell into each. */
  readonly #counts = new Map<number, number>();
  #zeros = 0;
  #smallest = Number.POSITIVE_INFINITY;
  size = 0;

  /** @param digits significant decimal digits that are kept, 0 … 5 @param memory is told what the counts take */
  constructor(digits: number, memory: { take(bytes: number): void } = { take() {} }) {
    this.#memory = memory;
    this.#steps = 2 ** (Math.ceil(Math.log2(2 * 10 ** digits)) - 1);
  }

  /** @param value not negative */
  add(value: number, count = 1): void {
    this.size += count;
    if (value === 0) {
      this.#zeros += count;
      return;
    }
    this.#smallest = Math.min(this.#smallest, value);
    const step = this.#stepOf(value);
    const from = Math.floor(value / step) * step;
    this.#count(from, count);
  }

  #count(from: number, more: number): void {
    const count = this.#counts.get(from);
    if (count === undefined) this.#memory.take(40);
    this.#counts.set(from, (count ?? 0) + more);
  }

  merge(other: HdrHistogram): void {
    this.size += other.size;
    this.#zeros += other.#zeros;
    this.#smallest = Math.min(this.#smallest, other.#smallest);
    for (const [from, count] of other.#counts) this.#count(from, count);
  }

  /** The largest value that counts as equal to the one at this percentile; NaN when there is none. */
  valueAtPercentile(percent: number): number {
    if (this.size === 0) return Number.NaN;
    const wanted = Math.max(1, Math.floor((Math.min(percent, 100) / 100) * this.size + 0.5));
    let seen = this.#zeros;
    if (seen >= wanted) return 0;
    for (const from of this.#inOrder()) {
      seen += this.#counts.get(from)!;
      if (seen >= wanted) return percent === 0 ? from : this.#end(from);
    }
    return Number.NaN;
  }

  /** The percentage of the values that are at most `value`, or count as equal to it. */
  percentileOf(value: number): number {
    if (this.size === 0) return Number.NaN;
    let seen = value >= 0 ? this.#zeros : 0;
    const last = value > 0 ? Math.floor(value / this.#stepOf(value)) * this.#stepOf(value) : 0;
    for (const [from, count] of this.#counts) if (from <= last) seen += count;
    return (100 * seen) / this.size;
  }

  #inOrder(): number[] {
    return [...this.#counts.keys()].sort((a, b) => a - b);
  }

  /** Width of the steps around a value. */
  #stepOf(value: number): number {
    return powerOfTwoBelow(value) / this.#steps;
  }

  /** Values are whole multiples of the smallest step, so that the last value of a step lies that much below the next one. */
  #end(from: number): number {
    return from + this.#stepOf(from) - powerOfTwoBelow(this.#smallest) / this.#steps;
  }
}

/** The largest power of two that is at most `value`. */
function powerOfTwoBelow(value: number): number {
  const guess = 2 ** Math.floor(Math.log2(value));
  // The logarithm is rounded: it may be one off on either side.
  if (guess > value) return guess / 2;
  return guess * 2 <= value ? guess * 2 : guess;
}
