/** CRC-32 (IEEE 802.3, as zlib's), eight bytes a step. Written here because segments are built where no native one may exist. */

const TABLES: readonly Uint32Array[] = makeTables();

function makeTables(): Uint32Array[] {
  const tables = Array.from({ length: 8 }, () => new Uint32Array(256));
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    tables[0][i] = c >>> 0;
  }
  for (let i = 0; i < 256; i++) {
    for (let t = 1; t < 8; t++) tables[t][i] = (tables[t - 1][i] >>> 8) ^ tables[0][tables[t - 1][i] & 0xff];
  }
  return tables;
}

/**
 * @param crc checksum of the bytes before these; 0 (the default) at the start
 * @returns an unsigned 32-bit number
 */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES;
  const length = bytes.length;
  let c = ~crc;
  let i = 0;
  for (; i + 8 <= length; i += 8) {
    c ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    c =
      t7[c & 0xff] ^
      t6[(c >>> 8) & 0xff] ^
      t5[(c >>> 16) & 0xff] ^
      t4[c >>> 24] ^
      t3[bytes[i + 4]] ^
      t2[bytes[i + 5]] ^
      t1[bytes[i + 6]] ^
      t0[bytes[i + 7]];
  }
  for (; i < length; i++) c = (c >>> 8) ^ t0[(c ^ bytes[i]) & 0xff];
  return ~c >>> 0;
}
