/** SHA-256 (FIPS 180-4) of a string's UTF-8 bytes, in plain TypeScript: ids and hashes are synchronous in every runtime. */

/** Fractional parts of the square roots (n = 2) or cube roots (n = 3) of the first primes, as the standard defines them. */
function rootBits(count: number, n: 2 | 3): Uint32Array {
  const out = new Uint32Array(count);
  for (let found = 0, candidate = 2; found < count; candidate++) {
    let prime = true;
    for (let d = 2; d * d <= candidate; d++) if (candidate % d === 0) prime = false;
    if (!prime) continue;
    const root = n === 2 ? Math.sqrt(candidate) : Math.cbrt(candidate);
    out[found++] = Math.floor((root - Math.floor(root)) * 2 ** 32);
  }
  return out;
}

const K = rootBits(64, 3);
const START = rootBits(8, 2);
const encoder = new TextEncoder();

/** SHA-256 in lower-case hex. A lone surrogate counts as U+FFFD, as everywhere in UTF-8 encoders. */
export function sha256(text: string): string {
  const bytes = encoder.encode(text);
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const h = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) block(view, offset, w, h);
  return Array.from(h, (x) => x.toString(16).padStart(8, "0")).join("");
}

function block(view: DataView, offset: number, w: Uint32Array, h: Uint32Array): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, i0] = h as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (i0 + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    i0 = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  h[0]! += a;
  h[1]! += b;
  h[2]! += c;
  h[3]! += d;
  h[4]! += e;
  h[5]! += f;
  h[6]! += g;
  h[7]! += i0;
}
