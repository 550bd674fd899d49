/** The likeliest phrases of all that can be made from the candidates for each word (CandidateScorer). */
import { priorityQueue } from "../../aggregations/support/priority-queue.ts";
import { illegalArgument } from "../../errors.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import type { Slices } from "../../slices.ts";
import type { Candidate, CandidateSet } from "./candidate.ts";
import type { WordScorer } from "./word-scorer.ts";

export interface PhraseCorrection {
  readonly score: number;
  readonly words: readonly Candidate[];
}

/** The largest heap that Lucene makes. */
const MAX_QUEUE = 2_147_483_631;

/** Lower scores are worse, and later words among equal ones. */
function isWorse(a: PhraseCorrection, b: PhraseCorrection): boolean {
  if (a.score !== b.score) return a.score < b.score;
  for (const [i, { term }] of a.words.entries()) {
    const order = compareUtf8(term, b.words[i].term);
    if (order !== 0) return order > 0;
  }
  return false;
}

/** The score of the phrase as it was typed. */
export function scoreOf(path: readonly Candidate[], scorer: WordScorer): number {
  let score = 0;
  for (let at = 0; at < path.length; at++) score += scorer.score(path, at);
  return Math.exp(score);
}

export interface CorrectionLimits {
  readonly size: number;
  /** A share of the words, or from 1 on their number. */
  readonly maxErrors: number;
  /** Phrases score above it. */
  readonly cutoff: number;
}

/** Phrases between two looks at the clock. */
const SLICE_PHRASES = 256;

/** Every phrase with few enough corrections, word by word from the left. */
export async function bestCorrections(
  sets: readonly CandidateSet[],
  scorer: WordScorer,
  { size, maxErrors, cutoff }: CorrectionLimits,
  slices: Slices,
): Promise<readonly PhraseCorrection[]> {
  if (size >= MAX_QUEUE) throw illegalArgument(`maxSize must be >= 0 and < ${MAX_QUEUE}; got: ${size}`);
  const best = priorityQueue<PhraseCorrection>(size, isWorse);
  const errors = maxErrors >= 1 ? Math.trunc(maxErrors) : Math.floor(Math.fround(maxErrors * sets.length) + 0.5);
  const last = sets.length - 1;
  const path: Candidate[] = sets.map(({ original }) => original);
  /** Of each place: which candidate stands there (0: what was typed), corrections left before it, the score up to it. */
  const choice = new Array<number>(sets.length).fill(0);
  const left = new Array<number>(sets.length).fill(Math.max(1, errors));
  const scores = new Array<number>(sets.length).fill(0);
  let seen = 0;
  for (let at = 0; at >= 0; ) {
    const { original, candidates } = sets[at];
    const chosen = choice[at]++;
    if (chosen > (left[at] > 0 ? candidates.length : 0)) {
      at--;
      continue;
    }
    path[at] = chosen === 0 ? original : candidates[chosen - 1];
    const score = scores[at] + scorer.score(path, at);
    if (at < last) {
      choice[at + 1] = 0;
      left[at + 1] = left[at] - (chosen === 0 ? 0 : 1);
      scores[at + 1] = score;
      at++;
      continue;
    }
    const total = Math.exp(score);
    if (total > cutoff) best.offer({ score: total, words: [...path] });
    if (++seen % SLICE_PHRASES === 0 && slices.due()) await slices.pause();
  }
  return best.drain();
}
