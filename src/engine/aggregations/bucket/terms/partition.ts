/** Hashes by which terms are parted (`include: {partition, num_partitions}`). */

import { murmur3 } from "../../../murmur3.ts";
import { type Hash64, hashLong } from "../../sketch/hash64.ts";

/** IncludeExclude's seed. */
const SEED = 31;

/** Part of a text, by its UTF-8 bytes. */
export function partitionOfBytes(bytes: Uint8Array, partitions: number): number {
  const rest = murmur3(bytes, SEED) % partitions;
  return rest < 0 ? rest + partitions : rest;
}

const hash: Hash64 = { high: 0, low: 0 };
const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);

/** Part of a number: of a double its bits in the order of doubles (NumericUtils.doubleToSortableLong). */
export function partitionOfLong(value: number | bigint, floating: boolean, partitions: number): number {
  const divisor = BigInt(partitions);
  hashLong(hash, floating ? sortableBits(Number(value)) : BigInt(value));
  const rest = ((BigInt(hash.high) << 32n) | BigInt(hash.low >>> 0)) % divisor;
  return Number(rest < 0n ? rest + divisor : rest);
}

function sortableBits(value: number): bigint {
  double[0] = value;
  const bits = doubleBits[0];
  return bits ^ ((bits >> 63n) & 0x7fffffffffffffffn);
}
