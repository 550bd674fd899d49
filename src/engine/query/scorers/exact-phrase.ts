/** Occurrences of a phrase whose terms stand exactly as far apart as asked (the rule of Lucene's ExactPhraseMatcher). */
import type { PhraseMatcher, PhrasePart, Positions } from "./phrase.ts";

interface Place {
  readonly postings: Positions;
  readonly offset: number;
  /** Positions that are left, and the current one. */
  left: number;
  at: number;
}

/** To the first position at or after `target`; false when there is none. */
function advance(place: Place, target: number): boolean {
  while (place.at < target) {
    if (place.left === 0) return false;
    place.left--;
    place.at = place.postings.nextPosition();
  }
  return true;
}

/**
 * Each occurrence of what comes first in the phrase counts once. Where several terms share that place, one position that holds two of them
 * counts twice.
 */
export function exactPhraseMatcher(parts: readonly PhrasePart[]): PhraseMatcher {
  const ordered = [...parts].sort((a, b) => a.position - b.position || a.terms.length - b.terms.length);
  return ordered.every(({ postings }) => postings.readPositions !== undefined)
    ? wholeDocuments(ordered)
    : positionByPosition(ordered);
}

/** Where all positions of a document are read at once: those of the first term that every other one agrees with. */
function wholeDocuments(parts: readonly PhrasePart[]): PhraseMatcher {
  const lead = parts[0];
  const last = parts[parts.length - 1];
  let starts = new Int32Array(64);
  let others = new Int32Array(64);
  let count = 0;
  let next = 0;
  return {
    maxFreq: () => leastFreq(parts),
    reset() {
      count = lead.postings.freq();
      next = 0;
      if (starts.length < count) starts = new Int32Array(2 * count);
      lead.postings.readPositions?.(starts);
      for (let p = 1; p < parts.length && count > 0; p++) {
        const { postings, position } = parts[p];
        const size = postings.freq();
        if (others.length < size) others = new Int32Array(2 * size);
        postings.readPositions?.(others);
        const apart = position - lead.position;
        let kept = 0;
        for (let i = 0, j = 0; i < count; i++) {
          const wanted = starts[i] + apart;
          while (j < size && others[j] < wanted) j++;
          if (j === size) break;
          if (others[j] === wanted) starts[kept++] = starts[i];
        }
        count = kept;
      }
    },
    nextMatch: () => next++ < count,
    weight: () => 1,
    extent() {
      const start = starts[next - 1];
      return { start, end: start + last.position - lead.position, startOffset: -1, endOffset: -1 };
    },
  };
}

function leastFreq(parts: readonly PhrasePart[]): number {
  let least = parts[0].postings.freq();
  for (let i = 1; i < parts.length; i++) least = Math.min(least, parts[i].postings.freq());
  return least;
}

/** For postings that are made of several, or that know places in a text. */
function positionByPosition(parts: readonly PhrasePart[]): PhraseMatcher {
  const places = parts.map(({ postings, position }): Place => ({ postings, offset: position, left: 0, at: -1 }));
  const lead = places[0];
  const count = places.length;
  return {
    maxFreq: () => leastFreq(parts),
    reset() {
      for (let i = 0; i < count; i++) {
        const place = places[i];
        place.left = place.postings.freq();
        place.at = -1;
      }
    },
    nextMatch() {
      if (lead.left === 0) return false;
      lead.left--;
      lead.at = lead.postings.nextPosition();
      for (let i = 1; i < count; i++) {
        const place = places[i];
        const expected = lead.at - lead.offset + place.offset;
        if (!advance(place, expected)) return end(lead);
        if (place.at === expected) continue;
        // The others stand further on already: so must the first.
        if (!advance(lead, place.at - place.offset + lead.offset)) return false;
        i = 0;
      }
      return true;
    },
    weight: () => 1,
    extent: () => ({
      start: lead.at,
      end: places[count - 1].at,
      startOffset: lead.postings.startOffset?.() ?? -1,
      endOffset: places[count - 1].postings.endOffset?.() ?? -1,
    }),
  };
}

function end(lead: Place): false {
  lead.left = 0;
  return false;
}
