/**
 * Similarities: how a frequency and a length become a score. All arithmetic is that of Java's floats: `Math.fround` stands wherever Lucene
 * has a float. Sources: Lucene 9.12, BM25Similarity, BooleanSimilarity; Elasticsearch 8.17, LegacyBM25Similarity (which keeps the factor
 * k1 + 1 that Lucene dropped).
 */
import { decodeLength } from "../segment/norms.ts";
import { type Bm25Parts, type Explanation, explainBm25, matched } from "./explanation.ts";
import type { CollectionStatistics, Similarity } from "./types.ts";

const f = Math.fround;

/** Lengths by norm byte (BM25Similarity.LENGTH_TABLE). */
const LENGTHS: Float32Array = Float32Array.from({ length: 256 }, (_, byte) => decodeLength(byte));

/** Norm byte of a field without norms: a length of 1 (LeafSimScorer). */
export const NO_NORMS = 1;

/** A similarity bound to a term (or a phrase), a field's statistics and a boost. Scores grow with the frequency and fall with the norm. */
export interface SimScorer {
  /**
   * @param freq frequency, a float32 (of a sloppy phrase not an integer)
   * @param norm norm byte
   * @returns a float32
   */
  score(freq: number, norm: number): number;
  /** The parts of a score. */
  explain(freq: Explanation, norm: number): Explanation;
  /** Scores of the documents `from` … `to` − 1 of a block. `norms` undefined means a length of 1. */
  scoreBlock(
    docs: Int32Array | Uint32Array,
    freqs: Int32Array | Uint32Array,
    from: number,
    to: number,
    norms: Uint8Array | undefined,
    out: Float32Array,
  ): void;
}

/** BM25Similarity.idf: a double's logarithm as a float. */
export function bm25Idf(docFreq: number, docCount: number): number {
  return f(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)));
}

/** BM25Similarity.idfExplain of several terms (a phrase): floats summed in a double. */
export function bm25PhraseIdf(docFreqs: readonly number[], docCount: number): number {
  let sum = 0;
  for (const docFreq of docFreqs) sum += bm25Idf(docFreq, docCount);
  return f(sum);
}

/** BM25Similarity.avgFieldLength */
export function averageFieldLength(sumTotalTermFreq: number, docCount: number): number {
  return f(sumTotalTermFreq / docCount);
}

/** BM25Similarity.scorer: for each norm byte `1f / (k1 * ((1 - b) + b * length / avgdl))`. */
export function bm25NormCache(k1: number, b: number, avgdl: number): Float32Array {
  const k = f(k1);
  const bb = f(b);
  const rest = f(1 - bb);
  const cache = new Float32Array(256);
  for (let byte = 0; byte < 256; byte++) cache[byte] = 1 / f(k * f(rest + f(f(bb * LENGTHS[byte]) / avgdl)));
  return cache;
}

/** The caches of the last few fields: all terms of a query's field share one, and so do queries until the next refresh. */
const recentCaches: {
  readonly k1: number;
  readonly b: number;
  readonly avgdl: number;
  readonly cache: Float32Array;
}[] = [];
const RECENT_CACHES = 16;

function sharedNormCache(k1: number, b: number, avgdl: number): Float32Array {
  for (const recent of recentCaches) {
    if (recent.k1 === k1 && recent.b === b && recent.avgdl === avgdl) return recent.cache;
  }
  const cache = bm25NormCache(k1, b, avgdl);
  if (recentCaches.length === RECENT_CACHES) recentCaches.pop();
  recentCaches.unshift({ k1, b, avgdl, cache });
  return cache;
}

/** LegacyBM25Similarity: boost × (k1 + 1). */
function bm25Boost(boost: number, k1: number): number {
  return f(f(boost) * f(1 + f(k1)));
}

/** The boost times the idf. */
export function bm25Weight(boost: number, k1: number, idf: number): number {
  return f(bm25Boost(boost, k1) * idf);
}

/** BM25Similarity.BM25Scorer.doScore: `weight - weight / (1f + freq * normInverse)`. */
export function bm25Score(weight: number, freq: number, normInverse: number): number {
  return f(weight - f(weight / f(1 + f(freq * normInverse))));
}

/** A class, as its two methods are what most time of a search is spent in. */
class Bm25Scorer implements SimScorer {
  readonly #weight: number;
  readonly #cache: Float32Array;
  readonly #parts: Bm25Parts;

  constructor(parts: Bm25Parts, cache: Float32Array) {
    this.#weight = f(parts.boost * parts.idf);
    this.#cache = cache;
    this.#parts = parts;
  }

  explain(freq: Explanation, norm: number): Explanation {
    return explainBm25(this.#parts, this.score(freq.value, norm), freq, norm, this.#cache[norm]);
  }

  score(freq: number, norm: number): number {
    const weight = this.#weight;
    return f(weight - f(weight / f(1 + f(f(freq) * this.#cache[norm]))));
  }

  scoreBlock(
    docs: Int32Array,
    freqs: Int32Array,
    from: number,
    to: number,
    norms: Uint8Array | undefined,
    out: Float32Array,
  ): void {
    const weight = f(this.#weight);
    const cache = this.#cache;
    if (norms === undefined) {
      const inverse = cache[NO_NORMS];
      for (let i = from; i < to; i++) out[i] = f(weight - f(weight / f(1 + f(f(freqs[i]) * inverse))));
      return;
    }
    for (let i = from; i < to; i++) {
      out[i] = f(weight - f(weight / f(1 + f(f(freqs[i]) * cache[norms[docs[i]]]))));
    }
  }
}

/**
 * @param boost product of the boosts around the term, a float32
 * @param statistics of the field over all segments
 * @param docFreqs document frequencies over all segments, one for a term, several for a phrase
 */
export function simScorer(
  similarity: Similarity,
  boost: number,
  statistics: CollectionStatistics,
  docFreqs: readonly number[],
): SimScorer {
  if (similarity.type === "boolean") return constantSimScorer(boost);
  const { docCount, sumTotalTermFreq } = statistics;
  const [k1, b] = [f(similarity.k1), f(similarity.b)];
  const idf = docFreqs.length === 1 ? bm25Idf(docFreqs[0], docCount) : bm25PhraseIdf(docFreqs, docCount);
  const avgdl = averageFieldLength(sumTotalTermFreq, docCount);
  const parts = { boost: bm25Boost(boost, k1), idf, k1, b, averageLength: avgdl, docCount, docFreqs };
  return new Bm25Scorer(parts, sharedNormCache(k1, b, avgdl));
}

/** BooleanSimilarity: the boost, however often the term occurs. */
export function constantSimScorer(boost: number): SimScorer {
  const value = f(boost);
  return {
    score: () => value,
    explain: () => matched(value, "score(BooleanWeight), computed from:", [matched(value, "boost, query boost")]),
    scoreBlock: (_docs, _freqs, from, to, _norms, out) => void out.fill(value, from, to),
  };
}
