/**
 * How many different values there are: exactly while they are few (linear counting over 25 bits of their hashes), by HyperLogLog++
 * afterwards. S. Heule, M. Nunkesser, A. Hall, "HyperLogLog in Practice" (2013), with Elasticsearch's encoding of hashes and its weights
 * between neighbouring estimates, so that the same values give the same estimate.
 */
import type { Hash64 } from "./hash64.ts";
import { RAW_ESTIMATES } from "./hyper-log-log-estimates.ts";

export const MIN_PRECISION = 4;
export const MAX_PRECISION = 18;
/** Bits of a hash that linear counting tells values apart by. */
const SPARSE_BITS = 25;
const LOAD_FACTOR = 0.75;
/** Neighbouring estimates that a bias is taken from. */
const NEIGHBOURS = 6;
/** Up to these numbers linear counting is better, by precision from 4 on (the paper's appendix). */
const THRESHOLDS = [10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11500, 20000, 50000, 120000, 350000];

/** The precision that counts up to about this many values exactly (`precision_threshold`). */
export function precisionFor(threshold: number): number {
  const entries = Math.ceil(threshold / LOAD_FACTOR);
  const precision = 64 - leadingZeros64(entries * 4);
  return Math.max(MIN_PRECISION, Math.min(MAX_PRECISION, precision));
}

function leadingZeros64(value: number): number {
  const high = Math.floor(value / 0x100000000);
  return high > 0 ? Math.clz32(high) : 32 + Math.clz32(value >>> 0);
}

/** Zeros before the first set bit among the bits after the first `skipped` of a hash, plus one. */
function runLength({ high, low }: Hash64, skipped: number): number {
  const shiftedHigh = skipped === 0 ? high : (high << skipped) | (low >>> (32 - skipped));
  const shiftedLow = low << skipped;
  const zeros = shiftedHigh !== 0 ? Math.clz32(shiftedHigh) : 32 + Math.clz32(shiftedLow);
  return 1 + Math.min(zeros, 64 - skipped);
}

function linearCounting(places: number, free: number): number {
  return Math.round(places * Math.log(places / free));
}

export class HyperLogLog {
  readonly precision: number;
  readonly #memory: { take(bytes: number): void };
  /** Until there are too many: encoded hashes. */
  #sparse: Set<number> | undefined = new Set();
  #registers = new Uint8Array(0);

  /** @param memory is told what the hashes take */
  constructor(precision: number, memory: { take(bytes: number): void } = { take() {} }) {
    this.precision = precision;
    this.#memory = memory;
  }

  add(hash: Hash64): void {
    if (this.#sparse) this.#addSparse(this.#sparse, encode(hash, this.precision));
    else this.#raise(hash.high >>> (32 - this.precision), runLength(hash, this.precision));
  }

  /** Adds all values of another of the same precision. */
  merge(other: HyperLogLog): void {
    if (other.#sparse) {
      for (const code of other.#sparse) {
        if (this.#sparse) this.#addSparse(this.#sparse, code);
        else this.#raiseBy(code);
      }
      return;
    }
    this.#toRegisters();
    for (let i = 0; i < other.#registers.length; i++) this.#raise(i, other.#registers[i]);
  }

  cardinality(): number {
    if (this.#sparse) {
      const places = 2 ** SPARSE_BITS;
      return linearCounting(places, places - this.#sparse.size);
    }
    const places = this.#registers.length;
    let inverse = 0;
    let free = 0;
    for (const length of this.#registers) {
      if (length === 0) free++;
      inverse += 2 ** -length;
    }
    const raw = (alpha(this.precision) * places * places) / inverse;
    const estimate = raw <= 5 * places ? raw - bias(raw, this.precision) : raw;
    const linear = free > 0 ? linearCounting(places, free) : estimate;
    return Math.round(linear <= THRESHOLDS[this.precision - MIN_PRECISION] ? linear : estimate);
  }

  #addSparse(sparse: Set<number>, code: number): void {
    const { size } = sparse;
    sparse.add(code);
    if (sparse.size > size && sparse.size % 64 === 1) this.#memory.take(64 * 32);
    if (sparse.size > (2 ** this.precision / 4) * LOAD_FACTOR) this.#toRegisters();
  }

  #toRegisters(): void {
    const codes = this.#sparse;
    if (!codes) return;
    this.#sparse = undefined;
    this.#registers = new Uint8Array(2 ** this.precision);
    this.#memory.take(this.#registers.byteLength);
    for (const code of codes) this.#raiseBy(code);
  }

  #raiseBy(code: number): void {
    const { precision } = this;
    if ((code & 1) === 1) this.#raise(code >>> (7 + SPARSE_BITS - precision), (code >>> 1) & 0x3f, SPARSE_BITS);
    else {
      const bits = code >>> 1;
      const rest = SPARSE_BITS - precision;
      const below = bits & ((1 << rest) - 1);
      this.#raise(bits >>> rest, 1 + Math.clz32(below) - (32 - rest));
    }
  }

  /** @param skipped bits that the run does not count yet, beside those of the register */
  #raise(register: number, run: number, skipped = this.precision): void {
    const length = run + skipped - this.precision;
    if (this.#registers[register] < length) this.#registers[register] = length;
  }
}

/**
 * The first 25 bits of a hash; where those behind the register's are all zero, also how long the run of zeros goes on, which is then needed and
 * otherwise follows from the bits.
 */
function encode(hash: Hash64, precision: number): number {
  const bits = hash.high >>> (32 - SPARSE_BITS);
  if ((bits & ((1 << (SPARSE_BITS - precision)) - 1)) !== 0) return bits * 2;
  return ((bits << 7) | (runLength(hash, SPARSE_BITS) << 1) | 1) >>> 0;
}

function alpha(precision: number): number {
  if (precision === 4) return 0.673;
  if (precision === 5) return 0.697;
  return 0.7213 / (1 + 1.079 / 2 ** precision);
}

interface Estimates {
  readonly raw: Float64Array;
  readonly bias: Float64Array;
}

const decoded = new Map<number, Estimates>();

function estimatesOf(precision: number): Estimates {
  const known = decoded.get(precision);
  if (known) return known;
  const numbers = RAW_ESTIMATES[precision - MIN_PRECISION].split(" ").map((text) => Number.parseInt(text, 36));
  const raw = new Float64Array(numbers.length / 2);
  const biases = new Float64Array(raw.length);
  let estimate = 0;
  let value = 0;
  for (let i = 0; i < raw.length; i++) {
    estimate += numbers[2 * i];
    value += numbers[2 * i + 1];
    raw[i] = estimate / 1e4;
    biases[i] = raw[i] - value;
  }
  const estimates = { raw, bias: biases };
  decoded.set(precision, estimates);
  return estimates;
}

/** The mean of the biases of the six nearest raw estimates, each weighted by how near it is. */
function bias(estimate: number, precision: number): number {
  const { raw, bias } = estimatesOf(precision);
  let first = 0;
  // The window of neighbours moves on while the one that would enter is nearer than the one that would leave.
  while (
    first + NEIGHBOURS < raw.length &&
    Math.abs(raw[first + NEIGHBOURS] - estimate) < Math.abs(raw[first] - estimate)
  ) {
    first++;
  }
  const nearest = raw.subarray(first, first + NEIGHBOURS);
  const exact = nearest.indexOf(estimate);
  if (exact >= 0) return bias[first + exact];
  let sum = 0;
  let weights = 0;
  for (let i = 0; i < NEIGHBOURS; i++) {
    // Elasticsearch keeps the weights in a ring and reads them from its start: the window's weights, turned by where it begins.
    const weighed = (i - (first % NEIGHBOURS) + NEIGHBOURS) % NEIGHBOURS;
    const weight = 1 / Math.abs(nearest[weighed] - estimate);
    sum += weight * bias[first + i];
    weights += weight;
  }
  return sum / weights;
}
