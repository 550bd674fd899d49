/** Why a document matches and scores as it does, in Lucene's words (its Explanation). */
import { javaFloat as printFloat } from "../mapping/java-text.ts";
import { decodeLength } from "../segment/norms.ts";

export interface Explanation {
  readonly match: boolean;
  readonly value: number;
  /** A count that a double rounds. */
  readonly exact?: bigint;
  /** How the value is printed: scores are floats, counts whole numbers. */
  readonly kind: "float" | "double" | "long";
  readonly description: string;
  readonly details: readonly Explanation[];
}

export function matched(value: number, description: string, details: readonly Explanation[] = []): Explanation {
  return { match: true, value: Math.fround(value), kind: "float", description, details };
}

/** A part that is a count. */
export function counted(value: number | bigint, description: string): Explanation {
  const exact = typeof value === "bigint" ? { exact: value } : {};
  return { match: true, value: Number(value), ...exact, kind: "long", description, details: [] };
}

export function unmatched(description: string, details: readonly Explanation[] = []): Explanation {
  return { match: false, value: 0, kind: "float", description, details };
}

/** All hits of a query have one score (ConstantScoreWeight.explain). @param text of the query */
export function explainConstant(text: string, score: number, matches: boolean, doc: number): Explanation {
  if (!matches) return unmatched(`${text} doesn't match id ${doc}`);
  const boost = Math.fround(score);
  return matched(boost, boost === 1 ? text : `${text}^${printFloat(boost)}`);
}

/** A term or a phrase scored by a similarity. */
export function explainWeight(
  text: string,
  doc: number,
  score: Explanation,
  similarity = " [PerFieldSimilarity]",
): Explanation {
  return matched(score.value, `weight(${text} in ${doc})${similarity}, result of:`, [score]);
}

/** What a BM25 score was made from. */
export interface Bm25Parts {
  /** Boost times k1 + 1, a float32. */
  readonly boost: number;
  readonly idf: number;
  readonly k1: number;
  readonly b: number;
  readonly averageLength: number;
  readonly docCount: number;
  readonly docFreqs: readonly number[];
}

/** BM25Similarity.explain @param score of the same frequency and norm */
export function explainBm25(
  parts: Bm25Parts,
  score: number,
  freq: Explanation,
  norm: number,
  inverse: number,
): Explanation {
  const { boost, k1, b, averageLength } = parts;
  const length = decodeLength(norm);
  const tf = explainTf(freq, inverse, [
    freq,
    matched(k1, "k1, term saturation parameter"),
    matched(b, "b, length normalization parameter"),
    matched(length, length > 39 ? "dl, length of field (approximate)" : "dl, length of field"),
    matched(averageLength, "avgdl, average length of field"),
  ]);
  const factors = [...(boost === 1 ? [] : [matched(boost, "boost")]), explainIdf(parts), tf];
  return matched(score, `score(freq=${printFloat(freq.value)}), computed as boost * idf * tf from:`, factors);
}

function explainTf(freq: Explanation, inverse: number, details: readonly Explanation[]): Explanation {
  const f = Math.fround;
  const value = f(1 - f(1 / f(1 + f(freq.value * inverse))));
  return matched(value, "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:", details);
}

function explainIdf({ docFreqs, docCount, idf }: Bm25Parts): Explanation {
  const each = docFreqs.map((docFreq) => {
    const own = Math.fround(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)));
    return matched(own, "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:", [
      counted(docFreq, "n, number of documents containing term"),
      counted(docCount, "N, total number of documents with field"),
    ]);
  });
  return each.length === 1 ? each[0] : matched(idf, "idf, sum of:", each);
}
