/**
 * Documents with a phrase: candidates hold all of its terms, and a second phase looks at their positions (Lucene's PhraseScorer). Scores are
 * those of a term whose frequency is the phrase's.
 */
import { type DocIterator, NO_MORE_DOCS } from "../../segment/types.ts";
import { NO_NORMS, type SimScorer } from "../similarity.ts";
import type { Scorer } from "../types.ts";
import { blockSkipper } from "./block-max.ts";
import { exactPhraseMatcher } from "./exact-phrase.ts";
import { sloppyPhraseMatcher } from "./sloppy-phrase.ts";
import type { TermScorer } from "./term.ts";

/** Postings with positions, ascending within a document: `freq()` of them, to be read once. */
export interface Positions extends DocIterator {
  freq(): number;
  nextPosition(): number;
  /** All of them at once, where that is faster. */
  readPositions?(out: Int32Array): void;
  /** Of the last position, where places in the text are kept. */
  startOffset?(): number;
  endOffset?(): number;
}

/** One place of a phrase. */
export interface PhrasePart {
  /** Documents that hold one of the terms there. */
  readonly postings: Positions;
  /** Place in the phrase. */
  readonly position: number;
  readonly terms: readonly string[];
  /** A scorer of the same postings under the phrase's formula: no phrase occurs more often than each of its terms. */
  readonly bound?: TermScorer;
}

/** Finds the occurrences within the document that the postings stand on. */
export interface PhraseMatcher {
  /** No more than this many occurrences can be there. */
  maxFreq(): number;
  /** Before the first occurrence in a new document. */
  reset(): void;
  nextMatch(): boolean;
  /** What the current occurrence counts, a float32: 1 where it is exact. */
  weight(): number;
  /** From where to where the current occurrence goes: positions, and places in the text. */
  extent(): PhraseExtent;
}

export interface PhraseExtent {
  readonly start: number;
  readonly end: number;
  readonly startOffset: number;
  readonly endOffset: number;
}

export interface PhraseOptions {
  readonly parts: readonly PhrasePart[];
  readonly slop: number;
  readonly norms: Uint8Array | undefined;
  readonly sim: SimScorer;
}

export interface PhraseScorer extends Scorer {
  readonly sim: SimScorer;
  /** Frequency of the phrase in the current document, a float32. */
  freq(): number;
  norm(): number;
}

export function phraseScorer({ parts, slop, norms, sim }: PhraseOptions): PhraseScorer {
  const matcher = slop === 0 ? exactPhraseMatcher(parts) : sloppyPhraseMatcher(parts, slop);
  const ordered = parts.map(({ postings }) => postings).sort((a, b) => a.cost() - b.cost());
  const lead = ordered[0];
  const bounds = slop === 0 ? parts.flatMap(({ bound }) => (bound === undefined ? [] : [bound])) : [];
  const highest = sim.score(0x7fffffff, norms === undefined ? NO_NORMS : 1);
  const bound = (upTo: number): number => {
    let least = highest;
    for (const term of bounds) least = Math.min(least, term.maxScore(upTo));
    return least;
  };
  const shallow = (target: number): number => {
    let end = NO_MORE_DOCS;
    for (const term of bounds) end = Math.min(end, term.advanceShallow(target));
    return end;
  };
  const skipper = blockSkipper(shallow, bound);
  let min = 0;

  const agree = (candidate: number): number => {
    let doc = candidate;
    let i = 1;
    while (doc !== NO_MORE_DOCS && i < ordered.length) {
      const other = ordered[i];
      const at = other.docID() < doc ? other.advance(doc) : other.docID();
      if (at === doc) i++;
      else {
        doc = goTo(at);
        i = 1;
      }
    }
    return doc;
  };
  const goTo = (target: number): number => lead.advance(skipper.skip(target));
  const norm = () => (norms === undefined ? NO_NORMS : norms[lead.docID()]);
  let freq = 0;
  /** The document that was looked at last, and whether it matches: positions are read once. */
  let asked = -1;
  let matching = false;
  const matches = (): boolean => {
    if (min > 0 && sim.score(matcher.maxFreq(), norm()) < min) return false;
    matcher.reset();
    if (!matcher.nextMatch()) return false;
    freq = matcher.weight();
    whole = false;
    return true;
  };
  /** Whether all occurrences are in `freq`, or only the first. */
  let whole = false;
  const frequency = (): number => {
    if (!whole) {
      whole = true;
      while (matcher.nextMatch()) freq = Math.fround(freq + matcher.weight());
    }
    return freq;
  };
  return {
    docID: () => lead.docID(),
    nextDoc: () => agree(goTo(lead.docID() + 1)),
    advance: (target) => agree(goTo(target)),
    cost: () => lead.cost(),
    sim,
    freq: frequency,
    norm,
    score: () => sim.score(frequency(), norm()),
    maxScore: bound,
    advanceShallow: shallow,
    setMinCompetitiveScore(score) {
      min = score;
      skipper.setMinCompetitiveScore(score);
    },
    twoPhase: {
      matchCost: 128 * parts.length,
      matches() {
        const doc = lead.docID();
        if (asked !== doc) {
          asked = doc;
          matching = matches();
        }
        return matching;
      },
    },
  };
}
