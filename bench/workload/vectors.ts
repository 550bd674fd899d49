/**
 * Seeded vectors as embeddings of texts lie: clusters, each a cloud in a space of few dimensions that is turned into many, with a little noise
 * in every direction; of length one.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { seededRandom } from "../../test/random.ts";

const LATENT = 24;
const CLUSTERS = 256;
/** Of a cluster's cloud, and of the noise, against the distance of clusters. */
const SPREAD = 0.7;
const NOISE = 0.5;

export function writeVectors(file: string, count: number, dims: number, seed = 3): void {
  const random = seededRandom(seed);
  const gauss = () => Math.sqrt(-2 * Math.log(random() || Number.MIN_VALUE)) * Math.cos(2 * Math.PI * random());
  const turn = Float32Array.from({ length: LATENT * dims }, gauss);
  const centres = Float32Array.from({ length: CLUSTERS * LATENT }, gauss);
  const fd = openSync(file, "w");
  const block = new Float32Array(1024 * dims);
  const point = new Float32Array(LATENT);
  for (let from = 0; from < count; from += 1024) {
    const n = Math.min(1024, count - from);
    for (let i = 0; i < n; i++) {
      const cluster = Math.floor(random() * CLUSTERS) * LATENT;
      for (let l = 0; l < LATENT; l++) point[l] = centres[cluster + l] + SPREAD * gauss();
      let squared = 0;
      for (let d = 0; d < dims; d++) {
        let value = NOISE * gauss();
        for (let l = 0; l < LATENT; l++) value += point[l] * turn[l * dims + d];
        block[i * dims + d] = value;
        squared += value * value;
      }
      const length = Math.sqrt(squared);
      for (let d = 0; d < dims; d++) block[i * dims + d] /= length;
    }
    const bytes = new Uint8Array(block.buffer, 0, n * dims * 4);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  }
  closeSync(fd);
}
