/**
 * 64-bit hashes of values, as Elasticsearch counts distinct ones by: MurmurHash3 (x64, 128 bits, of which the first 64) for bytes and a
 * mixer of bits for numbers. A hash is left in `high` and `low`, so that none is allocated.
 */

/** A 64-bit number in two halves, both as signed 32-bit integers. */
export interface Hash64 {
  high: number;
  low: number;
}

/** a·b of two 64-bit numbers, modulo 2^64, left in `out`. */
function multiply(out: Hash64, aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const low = a0 * b0;
  const middle = a1 * b0 + (low >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  const carry = a1 * b1 + Math.floor(middle / 65536) + Math.floor(other / 65536);
  out.low = (other << 16) | (low & 0xffff);
  out.high = (carry + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) | 0;
}

function add(out: Hash64, high: number, low: number): void {
  const sum = (out.low >>> 0) + (low >>> 0);
  out.high = (out.high + high + (sum > 0xffffffff ? 1 : 0)) | 0;
  out.low = sum | 0;
}

function rotateLeft(out: Hash64, bits: number): void {
  const { high, low } = out;
  if (bits === 32) {
    out.high = low;
    out.low = high;
  } else if (bits < 32) {
    out.high = (high << bits) | (low >>> (32 - bits));
    out.low = (low << bits) | (high >>> (32 - bits));
  } else {
    out.high = (low << (bits - 32)) | (high >>> (64 - bits));
    out.low = (high << (bits - 32)) | (low >>> (64 - bits));
  }
}

/** x ^= x >>> bits. */
function shiftXor(out: Hash64, bits: number): void {
  const { high, low } = out;
  if (bits === 32) {
    out.low = low ^ high;
  } else if (bits < 32) {
    out.high = high ^ (high >>> bits);
    out.low = low ^ ((low >>> bits) | (high << (32 - bits)));
  } else {
    out.low = low ^ (high >>> (bits - 32));
  }
}

/** A value of 64 bits spread over all bits (the mixer of high-performance primitive collections for Java). */
export function mix64(out: Hash64, high: number, low: number): void {
  out.high = high;
  out.low = low;
  shiftXor(out, 32);
  multiply(out, out.high, out.low, 0x4cd6944c, 0x5cc20b6d);
  shiftXor(out, 29);
  multiply(out, out.high, out.low, 0xfc12c5b1, 0x9d3259e9);
  shiftXor(out, 32);
}

const bits = new DataView(new ArrayBuffer(8));

/** The hash of a double, by its bits. */
export function hashDouble(out: Hash64, value: number): void {
  // Java has one NaN.
  bits.setFloat64(0, Number.isNaN(value) ? Number.NaN : value);
  mix64(out, bits.getInt32(0), bits.getInt32(4));
}

/** The hash of a long. */
export function hashLong(out: Hash64, value: bigint): void {
  bits.setBigInt64(0, value);
  mix64(out, bits.getInt32(0), bits.getInt32(4));
}

/** The same for a long that a double holds exactly. */
export function hashSafeInteger(out: Hash64, value: number): void {
  mix64(out, Math.floor(value / 0x100000000) | 0, value | 0);
}

const C1_HIGH = 0x87c37b91;
const C1_LOW = 0x114253d5;
const C2_HIGH = 0x4cf5ad43;
const C2_LOW = 0x2745937f;

const k: Hash64 = { high: 0, low: 0 };
const h2: Hash64 = { high: 0, low: 0 };

function mixK1(h1: Hash64): void {
  multiply(k, k.high, k.low, C1_HIGH, C1_LOW);
  rotateLeft(k, 31);
  multiply(k, k.high, k.low, C2_HIGH, C2_LOW);
  h1.high ^= k.high;
  h1.low ^= k.low;
}

function mixK2(): void {
  multiply(k, k.high, k.low, C2_HIGH, C2_LOW);
  rotateLeft(k, 33);
  multiply(k, k.high, k.low, C1_HIGH, C1_LOW);
  h2.high ^= k.high;
  h2.low ^= k.low;
}

function finish(out: Hash64): void {
  shiftXor(out, 33);
  multiply(out, out.high, out.low, 0xff51afd7, 0xed558ccd);
  shiftXor(out, 33);
  multiply(out, out.high, out.low, 0xc4ceb9fe, 0x1a85ec53);
  shiftXor(out, 33);
}

/** Up to eight bytes from `from`, the first the lowest, into `k`. */
function load(bytes: Uint8Array, from: number, to: number): void {
  k.high = 0;
  k.low = 0;
  for (let i = Math.min(to, from + 8) - 1; i >= from; i--) {
    const at = i - from;
    if (at < 4) k.low |= bytes[i] << (8 * at);
    else k.high |= bytes[i] << (8 * (at - 4));
  }
}

/** The first half of MurmurHash3 for x64 in 128 bits (A. Appleby), with seed 0. */
export function hashBytes(out: Hash64, bytes: Uint8Array): void {
  const { length } = bytes;
  const whole = length - (length % 16);
  out.high = 0;
  out.low = 0;
  h2.high = 0;
  h2.low = 0;
  for (let i = 0; i < whole; i += 16) {
    load(bytes, i, length);
    mixK1(out);
    rotateLeft(out, 27);
    add(out, h2.high, h2.low);
    multiply(out, out.high, out.low, 0, 5);
    add(out, 0, 0x52dce729);
    load(bytes, i + 8, length);
    mixK2();
    rotateLeft(h2, 31);
    add(h2, out.high, out.low);
    multiply(h2, h2.high, h2.low, 0, 5);
    add(h2, 0, 0x38495ab5);
  }
  if (length - whole > 8) {
    load(bytes, whole + 8, length);
    mixK2();
  }
  if (length > whole) {
    load(bytes, whole, Math.min(length, whole + 8));
    mixK1(out);
  }
  out.low ^= length;
  h2.low ^= length;
  add(out, h2.high, h2.low);
  add(h2, out.high, out.low);
  finish(out);
  finish(h2);
  add(out, h2.high, h2.low);
}
