/** Hashes by which terms are parted (`include: {partition, num_partitions}`). */

/** Lucene's StringHelper.murmurhash3_x86_32 with the seed of IncludeExclude. */
export function murmur3(bytes: Uint8Array, seed = 31): number {
  const c1 = 0xcc9e2d51;
  const c2 = 0x1b873593;
  let hash = seed;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    const k = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    hash ^= Math.imul(rotate(Math.imul(k, c1), 15), c2);
    hash = (Math.imul(rotate(hash, 13), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let i = bytes.length - 1; i >= whole; i--) rest = (rest << 8) | bytes[i];
  if (whole < bytes.length) hash ^= Math.imul(rotate(Math.imul(rest, c1), 15), c2);
  hash ^= bytes.length;
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));

const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);

/** Part of a number: of a double its bits in the order of doubles (NumericUtils.doubleToSortableLong). */
export function partitionOfLong(value: number | bigint, floating: boolean, partitions: number): number {
  const divisor = BigInt(partitions);
  const rest = BigInt.asIntN(64, mix64(floating ? sortableBits(Number(value)) : BigInt(value))) % divisor;
  return Number(rest < 0n ? rest + divisor : rest);
}

function sortableBits(value: number): bigint {
  double[0] = value;
  const bits = doubleBits[0];
  return bits ^ ((bits >> 63n) & 0x7fffffffffffffffn);
}

/** David Stafford's mix of 64 bits in the variant that Java libraries use (BitMixer.mix64). */
function mix64(long: bigint): bigint {
  const z0 = BigInt.asUintN(64, long);
  const z1 = BigInt.asUintN(64, (z0 ^ (z0 >> 32n)) * 0x4cd6944c5cc20b6dn);
  const z2 = BigInt.asUintN(64, (z1 ^ (z1 >> 29n)) * 0xfc12c5b19d3259e9n);
  return z2 ^ (z2 >> 32n);
}
