/** Words that may stand at a place of a phrase (DirectCandidateGenerator.Candidate). */
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";

export interface Candidate {
  readonly term: string;
  readonly docFreq: number;
  readonly totalTermFreq: number;
  /** How near it is to what was typed, 1 for that itself. */
  readonly distance: number;
  readonly score: number;
  readonly typed: boolean;
}

/** A word of the phrase, and what may stand in its place. */
export interface CandidateSet {
  readonly original: Candidate;
  readonly candidates: readonly Candidate[];
}

/** The strongest first, earlier terms before later ones among equals. */
export const byStrength = (a: Candidate, b: Candidate): number => b.score - a.score || compareUtf8(a.term, b.term);

/** Candidates with new ones, each term once: the newer counts. */
export function withCandidates(known: readonly Candidate[], added: readonly Candidate[]): readonly Candidate[] {
  const terms = new Map<string, Candidate>();
  for (const candidate of [...added, ...known]) {
    if (!terms.has(candidate.term)) terms.set(candidate.term, candidate);
  }
  return [...terms.values()].sort(byStrength);
}
