/** Lucene's BM25 as Elasticsearch has it (with the factor k1 + 1), written down once more, apart from the engine that is measured. */

const K1 = Math.fround(1.2);
const B = Math.fround(0.75);

/** Lengths above 39 are kept with four significant bits: SmallFloat.intToByte4 and back. */
export function keptLength(length: number): number {
  const free = 24;
  if (length < free) return length;
  const rest = length - free;
  const bits = 32 - Math.clz32(rest);
  if (bits < 4) return length;
  const shift = bits - 4;
  return free + ((rest >>> shift) << shift);
}

/** LegacyBM25Similarity's weight: idf by 1 + k1. Several document frequencies are those of a phrase's words. */
export function weightOf(docCount: number, docFreqs: readonly number[]): number {
  const idfs = docFreqs.map((docFreq) => Math.fround(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5))));
  const idf = Math.fround(idfs.reduce((sum, value) => sum + value, 0));
  return Math.fround(Math.fround(1 + K1) * idf);
}

export function scoreOf(weight: number, freq: number, length: number, averageLength: number): number {
  const f = Math.fround;
  const share = f(f(f(1) - B) + f(f(B * keptLength(length)) / averageLength));
  const inverse = f(1 / f(K1 * share));
  return f(weight - f(weight / f(1 + f(freq * inverse))));
}
