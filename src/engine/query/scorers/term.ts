/** Scores the documents of one term. */
import { NO_MORE_DOCS, type Postings } from "../../segment/types.ts";
import { NO_NORMS, type SimScorer } from "../similarity.ts";
import type { Scorer } from "../types.ts";

/** A scorer whose blocks the bulk collector reads directly. */
export class TermScorer implements Scorer {
  readonly postings: Postings;
  readonly norms: Uint8Array | undefined;
  readonly sim: SimScorer;
  /** Best score of each block, NaN until it is known. */
  readonly #blockMax: Float32Array;
  #termMax = Number.NaN;
  #min = 0;
  /** Block of the last advanceShallow. */
  #shallow = 0;

  constructor(postings: Postings, norms: Uint8Array | undefined, sim: SimScorer) {
    this.postings = postings;
    this.norms = norms;
    this.sim = sim;
    this.#blockMax = new Float32Array(postings.blockEnds.length).fill(Number.NaN);
  }

  /** Best score within a block of the postings. */
  blockMax(block: number): number {
    let max = this.#blockMax[block];
    if (Number.isNaN(max)) {
      max = this.postings.blockMaxScore(block, this.sim);
      this.#blockMax[block] = max;
    }
    return max;
  }

  docID(): number {
    return this.postings.docID();
  }

  nextDoc(): number {
    const doc = this.postings.nextDoc();
    return this.#min > 0 ? this.#competitive(doc) : doc;
  }

  advance(target: number): number {
    if (this.#min === 0) return this.postings.advance(target);
    const block = this.#firstCompetitiveBlock(target);
    const ends = this.postings.blockEnds;
    if (block >= ends.length) return this.postings.advance(NO_MORE_DOCS);
    const from = block === 0 ? 0 : ends[block - 1] + 1;
    return this.postings.advance(Math.max(from, target));
  }

  /** Goes on from `doc`, where the postings stand, to a block that may compete. */
  #competitive(doc: number): number {
    const { block, blockEnds } = this.postings;
    if (doc === NO_MORE_DOCS || this.blockMax(block) >= this.#min) return doc;
    return this.advance(blockEnds[block] + 1);
  }

  #firstCompetitiveBlock(target: number): number {
    this.advanceShallow(target);
    let block = this.#shallow;
    const blocks = this.postings.blockEnds.length;
    while (block < blocks && this.blockMax(block) < this.#min) block++;
    return block;
  }

  cost(): number {
    return this.postings.cost();
  }

  freq(): number {
    return this.postings.freq();
  }

  norm(): number {
    return this.norms === undefined ? NO_NORMS : this.norms[this.postings.docID()];
  }

  score(): number {
    const { postings, norms } = this;
    return this.sim.score(postings.freq(), norms === undefined ? NO_NORMS : norms[postings.docID()]);
  }

  advanceShallow(target: number): number {
    const ends = this.postings.blockEnds;
    let block = Math.max(this.#shallow, this.postings.block, 0);
    while (block < ends.length && ends[block] < target) block++;
    this.#shallow = block;
    return block < ends.length ? ends[block] : NO_MORE_DOCS;
  }

  maxScore(upTo: number): number {
    const ends = this.postings.blockEnds;
    let block = Math.max(this.#shallow, this.postings.block, 0);
    if (block >= ends.length) return 0;
    if (upTo >= ends[ends.length - 1] && ends.length - block > 4) return this.#maxOfTerm();
    let max = this.blockMax(block);
    while (ends[block] < upTo && ++block < ends.length) max = Math.max(max, this.blockMax(block));
    return max;
  }

  #maxOfTerm(): number {
    if (Number.isNaN(this.#termMax)) {
      let max = 0;
      for (const { freq, norm } of this.postings.impacts()) max = Math.max(max, this.sim.score(freq, norm));
      this.#termMax = max;
    }
    return this.#termMax;
  }

  setMinCompetitiveScore(score: number): void {
    this.#min = score;
  }
}

/**
 * @param postings of the term, before its first document
 * @param norms of the field; undefined where it has none
 */
export function termScorer(postings: Postings, norms: Uint8Array | undefined, sim: SimScorer): TermScorer {
  return new TermScorer(postings, norms, sim);
}
