/** MurmurHash3 in 32 bits (A. Appleby), as Lucene and Elasticsearch hash terms and document numbers. */

/** MurmurHash3's last step, which spreads a number's bits (HPPC's BitMixer). */
export function mix(value: number): number {
  let k = value;
  k = Math.imul(k ^ (k >>> 16), 0x85ebca6b);
  k = Math.imul(k ^ (k >>> 13), 0xc2b2ae35);
  return k ^ (k >>> 16);
}

/** MurmurHash3 for 32 bits (Lucene's StringHelper.murmurhash3_x86_32). */
export function murmur3(bytes: Uint8Array, seed: number): number {
  const spread = (k: number): number => {
    const first = Math.imul(k, 0xcc9e2d51);
    return Math.imul((first << 15) | (first >>> 17), 0x1b873593);
  };
  let hash = seed;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    const word = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    hash ^= spread(word);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= whole; i--) tail = (tail << 8) | bytes[i];
  if (bytes.length > whole) hash ^= spread(tail);
  return mix(hash ^ bytes.length);
}
