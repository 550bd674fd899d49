/** How likely words follow each other in a field, by the counts of words and of shingles (WordScorer and its models). */
import type { ReaderTerms } from "../spell/reader-terms.ts";
import type { Candidate } from "./candidate.ts";
import type { Smoothing } from "./options.ts";

export interface WordScorer {
  /** The share of the word at a place in the score of a phrase: a logarithm. */
  score(path: readonly Candidate[], at: number): number;
}

interface Model {
  unigram(word: Candidate): number;
  bigram(word: Candidate, before: Candidate): number;
  trigram(word: Candidate, before: Candidate, first: Candidate): number;
}

/** Keeps counts above nothing (StupidBackoffScorer). */
const TINY = 0.00000000001;

export interface WordScorerOptions {
  readonly terms: ReaderTerms;
  /** Documents, deleted and nested ones included. */
  readonly maxDoc: number;
  readonly smoothing: Smoothing;
  readonly realWordLikelihood: number;
  readonly separator: string;
  readonly gramSize: number;
}

export function wordScorer({ realWordLikelihood, gramSize, ...options }: WordScorerOptions): WordScorer {
  const model = modelOf(options);
  /** What was typed, and the same word again, may be meant. */
  const channel = ({ distance }: Candidate) => (distance === 1 ? realWordLikelihood : distance);
  const likelihood = (path: readonly Candidate[], at: number) => {
    if (at === 0 || gramSize === 1) return model.unigram(path[at]);
    if (at === 1 || gramSize === 2) return model.bigram(path[at], path[at - 1]);
    return model.trigram(path[at], path[at - 1], path[at - 2]);
  };
  return { score: (path, at) => Math.log10(channel(path[at]) * likelihood(path, at)) };
}

function modelOf({
  terms,
  maxDoc,
  smoothing,
  separator,
}: Omit<WordScorerOptions, "realWordLikelihood" | "gramSize">): Model {
  const vocabulary = terms.sumTotalTermFreq;
  const size = terms.size ?? maxDoc;
  const counts = new Map<string, number>();
  const frequency = (...words: readonly Candidate[]) => {
    const text = words.map(({ term }) => term).join(separator);
    let count = counts.get(text);
    if (count === undefined) {
      count = terms.totalTermFreq(text);
      counts.set(text, count);
    }
    return count;
  };
  const unigram = (word: Candidate) => (1 + frequency(word)) / (vocabulary + size);
  if (smoothing.kind === "stupid_backoff") {
    const { discount } = smoothing;
    return {
      unigram,
      bigram(word, before) {
        const count = frequency(before, word);
        return count < 1 ? discount * unigram(word) : count / (before.totalTermFreq + TINY);
      },
      trigram(word, before, first) {
        const pairs = frequency(before, word);
        if (pairs < 1) return discount * unigram(word);
        const count = frequency(first, before, word);
        return count < 1 ? discount * (pairs / (before.totalTermFreq + TINY)) : count / (pairs + TINY);
      },
    };
  }
  if (smoothing.kind === "laplace") {
    const { alpha } = smoothing;
    return {
      unigram: (word) => (alpha + frequency(word)) / (vocabulary + alpha * size),
      bigram: (word, before) => (alpha + frequency(before, word)) / (before.totalTermFreq + alpha * size),
      trigram: (word, before, first) =>
        (alpha + frequency(first, before, word)) / (frequency(before, word) + alpha * size),
    };
  }
  const sum = smoothing.unigram + smoothing.bigram + smoothing.trigram;
  const share = (lambda: number) => lambda / sum;
  const bigram = (word: Candidate, before: Candidate) => {
    const count = frequency(before, word);
    const alone = share(smoothing.unigram) * unigram(word);
    return count < 1 ? alone : share(smoothing.bigram) * (count / (0.5 + before.totalTermFreq)) + alone;
  };
  return {
    unigram,
    bigram,
    // Its shingles are looked up the wrong way round: found only where the words read the same in both directions.
    trigram(word, before, first) {
      const count = frequency(word, before, first);
      if (count < 1) return bigram(word, before);
      return share(smoothing.trigram) * (count / (1 + frequency(word, before))) + bigram(word, before);
    },
  };
}
