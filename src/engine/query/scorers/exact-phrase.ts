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
  const places = [...parts]
    .sort((a, b) => a.position - b.position || a.terms.length - b.terms.length)
    .map(({ postings, position }): Place => ({ postings, offset: position, left: 0, at: -1 }));
  const lead = places[0];
  const count = places.length;
  return {
    maxFreq() {
      let least = lead.postings.freq();
      for (let i = 1; i < count; i++) least = Math.min(least, places[i].postings.freq());
      return least;
    },
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
