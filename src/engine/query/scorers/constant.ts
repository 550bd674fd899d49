/** The same score for every document (ConstantScoreScorer): filters, bit sets, all documents. */
import { bitSetIterator, denseIterator } from "../../segment/doc-iterators.ts";
import { type BitSet, type DocIterator, NO_MORE_DOCS } from "../../segment/types.ts";
import type { Scorer } from "../types.ts";

/**
 * @param iterator documents or candidates
 * @param score for each of them, a float32
 * @param twoPhase second phase of the candidates, if any
 */
export function constantScorer(iterator: DocIterator, score: number, twoPhase?: Scorer["twoPhase"]): Scorer {
  const value = Math.fround(score);
  let current = iterator;
  return {
    docID: () => current.docID(),
    nextDoc: () => current.nextDoc(),
    advance: (target) => current.advance(target),
    cost: () => iterator.cost(),
    score: () => value,
    maxScore: () => value,
    advanceShallow: () => NO_MORE_DOCS,
    setMinCompetitiveScore(min) {
      // Nothing can compete any more: the current document is the last one.
      if (min > value) current = ended(current.docID());
    },
    twoPhase,
  };
}

/** An iterator that stands on a document and ends after it. */
function ended(doc: number): DocIterator {
  let at = doc;
  const end = () => (at = NO_MORE_DOCS);
  return { docID: () => at, nextDoc: end, advance: end, cost: () => 0 };
}

/** What a scorer of a bit set shows of itself. */
export interface OfBits extends Scorer {
  readonly bits: BitSet;
}

/** Documents of a bit set. @param cost number of its bits, counted when left out */
export function bitSetScorer(bits: BitSet, score: number, cost = bits.cardinality()): OfBits {
  return { ...constantScorer(bitSetIterator(bits, cost), score), bits };
}

/** All documents of a segment. */
export function matchAllScorer(maxDoc: number, score: number): Scorer {
  return constantScorer(denseIterator(maxDoc), score);
}
