/**
 * The documents that a scorer matches, many at a time, where nobody asks for scores. They are marked in windows of bits: the postings of
 * terms a block at a time, whatever else document by document.
 */
import { FixedBitSet, popCount } from "../../segment/bitset.ts";
import { firstAtLeast } from "../../segment/postings.ts";
import { type BitSet, NO_MORE_DOCS, type Postings } from "../../segment/types.ts";
import type { Scorer } from "../types.ts";
import { TermScorer } from "./term.ts";
import { confirmed } from "./two-phase.ts";

/** Documents of a window. */
const WINDOW = 2048;

/** Any of several scorers matches: what a disjunction shows of itself. */
export interface AnyOf extends Scorer {
  readonly anyOf: readonly Scorer[];
}

export interface MatchingDocs {
  /** Marks the next window that has a document; false when there is none. */
  nextWindow(): boolean;
  /** Number of the documents in the window. */
  count(): number;
  /** The documents of the window; the first `count()` entries, until the next window. */
  docs(): Int32Array;
}

/** A part of the scorer: where it stands, and marking what it has in a window. */
interface Marker {
  /** The first document that is not marked yet. */
  next: number;
  /** Marks the documents before `end` (`words` begins at `start`), and moves on to the first at or after it. */
  mark(start: number, end: number, words: Uint32Array): void;
}

/**
 * @param scorer unused so far
 * @param candidates documents that count; undefined: all
 */
export function matchingDocs(scorer: Scorer, candidates: BitSet | undefined): MatchingDocs {
  const markers = markersOf(scorer);
  const words = new Uint32Array(WINDOW >>> 5);
  const docs = new Int32Array(WINDOW);
  let start = 0;
  let size = -1;
  const count = (): number => {
    if (size >= 0) return size;
    size = 0;
    for (let w = 0; w < words.length; w++) if (words[w] !== 0) size += popCount(words[w]);
    return size;
  };
  return {
    nextWindow() {
      for (;;) {
        let first = NO_MORE_DOCS;
        for (const { next } of markers) if (next < first) first = next;
        if (first === NO_MORE_DOCS) return false;
        // A whole number of words, so that candidates are compared by words.
        start = first & ~31;
        words.fill(0);
        for (const marker of markers) if (marker.next < start + WINDOW) marker.mark(start, start + WINDOW, words);
        size = -1;
        if (candidates === undefined) return true;
        keepCandidates(words, start, candidates);
        if (count() > 0) return true;
      }
    },
    count,
    docs() {
      let at = 0;
      for (let w = 0; w < words.length; w++) {
        let word = words[w];
        const base = start + (w << 5);
        while (word !== 0) {
          const bit = word & -word;
          word ^= bit;
          docs[at++] = base + 31 - Math.clz32(bit);
        }
      }
      size = at;
      return docs;
    },
  };
}

function keepCandidates(words: Uint32Array, start: number, candidates: BitSet): void {
  if (candidates instanceof FixedBitSet) {
    const own = candidates.words;
    const first = start >>> 5;
    for (let w = 0; w < words.length; w++) words[w] &= first + w < own.length ? own[first + w] : 0;
    return;
  }
  for (let w = 0; w < words.length; w++) {
    for (let word = words[w]; word !== 0; word &= word - 1) {
      const bit = word & -word;
      if (!candidates.get(start + (w << 5) + 31 - Math.clz32(bit))) words[w] ^= bit;
    }
  }
}

function markersOf(scorer: Scorer): Marker[] {
  if (scorer instanceof TermScorer)
    return scorer.docID() < 0 ? [postingsMarker(scorer.postings)] : [scorerMarker(scorer)];
  return "anyOf" in scorer ? (scorer as AnyOf).anyOf.flatMap(markersOf) : [scorerMarker(scorer)];
}

function postingsMarker(postings: Postings): Marker {
  postings.seekBlock(0);
  const ends = postings.blockEnds;
  let at = 0;
  const marker: Marker = {
    next: postings.docs[0],
    mark(start, end, words) {
      for (;;) {
        const { docs, block } = postings;
        const whole = ends[block] < end;
        const to = whole ? postings.length : firstAtLeast(docs, at, postings.length, end);
        for (; at < to; at++) {
          const slot = docs[at] - start;
          words[slot >>> 5] |= 1 << (slot & 31);
        }
        if (!whole) {
          marker.next = docs[at];
          return;
        }
        if (!postings.nextBlock()) {
          marker.next = NO_MORE_DOCS;
          return;
        }
        at = 0;
      }
    },
  };
  return marker;
}

function scorerMarker(scorer: Scorer): Marker {
  const walk = confirmed(scorer);
  const marker: Marker = {
    next: walk.nextDoc(),
    mark(start, end, words) {
      let doc = marker.next;
      for (; doc < end; doc = walk.nextDoc()) {
        const slot = doc - start;
        words[slot >>> 5] |= 1 << (slot & 31);
      }
      marker.next = doc;
    },
  };
  return marker;
}
