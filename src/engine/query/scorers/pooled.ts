/**
 * Several postings that are scored as one term: terms at one position (Lucene's SynonymQuery), or a term in several fields
 * (CombinedFieldQuery). Frequencies are added up, each times its weight, in floats as Lucene adds them.
 */
import { NO_MORE_DOCS, type Postings } from "../../segment/types.ts";
import type { SimScorer } from "../similarity.ts";
import type { Scorer } from "../types.ts";

export interface PooledPart {
  readonly postings: Postings;
  /** A float32 of at least 1. */
  readonly weight: number;
}

export interface PooledOptions {
  readonly parts: readonly PooledPart[];
  readonly sim: SimScorer;
  /** Norm byte of a document. */
  readonly norm: (doc: number) => number;
  /** The least norm byte that a document can have which a part finds, where that part's own is at least `norm`. */
  readonly leastNorm: (part: PooledPart, norm: number) => number;
}

/** A class, as collectors look for it. */
export class PooledScorer implements Scorer {
  readonly parts: readonly PooledPart[];
  readonly sim: SimScorer;
  readonly normOf: (doc: number) => number;
  readonly leastNorm: PooledOptions["leastNorm"];
  readonly #highest: number;
  #doc = -1;

  constructor({ parts, sim, norm, leastNorm }: PooledOptions) {
    this.parts = parts;
    this.sim = sim;
    this.normOf = norm;
    this.leastNorm = leastNorm;
    // No frequency can score above this: scores grow with the frequency and fall with the length.
    this.#highest = sim.score(0x7fffffff, 1);
  }

  docID(): number {
    return this.#doc;
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1);
  }

  advance(target: number): number {
    let least = NO_MORE_DOCS;
    for (const { postings } of this.parts) {
      const at = postings.docID() < target ? postings.advance(target) : postings.docID();
      if (at < least) least = at;
    }
    return (this.#doc = least);
  }

  cost(): number {
    return this.parts.reduce((sum, { postings }) => sum + postings.cost(), 0);
  }

  freq(): number {
    let sum = 0;
    for (const { postings, weight } of this.parts) {
      if (postings.docID() === this.#doc) sum = Math.fround(sum + Math.fround(weight * postings.freq()));
    }
    return sum;
  }

  norm(): number {
    return this.normOf(this.#doc);
  }

  score(): number {
    return this.sim.score(this.freq(), this.norm());
  }

  maxScore(): number {
    return this.#highest;
  }

  advanceShallow(): number {
    return NO_MORE_DOCS;
  }

  setMinCompetitiveScore(): void {}
}
