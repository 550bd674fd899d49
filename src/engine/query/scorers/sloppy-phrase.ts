/**
 * Occurrences of a phrase whose terms may stand up to `slop` moves away from their places (the rule of Lucene's SloppyPhraseMatcher).
 *
 * Each term is at a place: its position in the document less its offset in the phrase. The terms stand as in the phrase when all places are
 * equal, and the width of a match is the distance of the least place from the greatest one. The term with the least place moves on,
 * again and again; the narrowest window that was seen before its place overtakes the next one's is a match when it is within the slop,
 * and counts 1 / (1 + width).
 *
 * A term that the phrase holds twice must be matched by two different positions: such repeaters never stand on one position.
 */
import type { PhraseExtent, PhraseMatcher, PhrasePart, Positions } from "./phrase.ts";

interface Place {
  readonly postings: Positions;
  readonly offset: number;
  readonly order: number;
  readonly terms: readonly string[];
  left: number;
  /** Position in the document less the offset. */
  at: number;
  /** The places that have a term in common with this one, itself included, by offset. */
  repeaters: Place[] | undefined;
}

const byOffset = (a: Place, b: Place): number => a.offset - b.offset || a.order - b.order;
const before = (a: Place, b: Place): boolean => (a.at === b.at ? byOffset(a, b) < 0 : a.at < b.at);

function next(place: Place): boolean {
  if (place.left === 0) return false;
  place.left--;
  place.at = place.postings.nextPosition() - place.offset;
  return true;
}

/** @param withExtents remembers where the least place stood before it moved on: what `extent` tells of */
export function sloppyPhraseMatcher(parts: readonly PhrasePart[], slop: number, withExtents = false): PhraseMatcher {
  const places = parts.map(
    ({ postings, position, terms }, order): Place => ({
      postings,
      offset: position,
      order,
      terms,
      left: 0,
      at: 0,
      repeaters: undefined,
    }),
  );
  /** Ordered, the least place last. */
  const queue: Place[] = [];
  let groups: Place[][] | undefined;
  let greatest = 0;
  let positioned = false;
  let width = 0;
  let lead: PhraseExtent & { readonly place: Place };
  const remember = (place: Place): void => {
    if (withExtents) lead = { ...extentOf(place, place.at + place.offset), place };
  };

  const put = (place: Place): void => {
    let i = queue.length;
    queue.push(place);
    for (; i > 0 && before(queue[i - 1], place); i--) queue[i] = queue[i - 1];
    queue[i] = place;
  };
  const move = (place: Place): boolean => {
    if (!next(place)) return false;
    if (place.at > greatest) greatest = place.at;
    return true;
  };
  /** Moves repeaters on until none stands where another does; the queue is put in order again. False when one has no position left. */
  const separate = (moved: Place): boolean => {
    let place = moved;
    let disordered = false;
    for (let other = collision(place); other !== undefined; other = collision(place)) {
      place = lesser(place, other);
      if (!move(place)) return false;
      disordered ||= place !== moved;
    }
    if (disordered) for (const queued of queue.splice(0)) put(queued);
    return true;
  };
  const start = (): boolean => {
    for (const place of places) {
      place.left = place.postings.freq();
      next(place);
    }
    groups ??= repeaterGroups(places);
    for (const group of groups) if (!spread(group, move)) return false;
    queue.length = 0;
    greatest = Number.NEGATIVE_INFINITY;
    for (const place of places) {
      if (place.at > greatest) greatest = place.at;
      put(place);
    }
    return true;
  };
  return {
    maxFreq() {
      let sum = 0;
      for (const { postings } of places) sum += postings.freq();
      return sum;
    },
    reset() {
      greatest = Number.NEGATIVE_INFINITY;
      positioned = start();
    },
    nextMatch() {
      if (!positioned) return false;
      let least = queue.pop()!;
      remember(least);
      let following = queue[queue.length - 1].at;
      width = greatest - least.at;
      while (move(least) && (least.repeaters === undefined || separate(least))) {
        if (least.at <= following) {
          width = Math.min(width, greatest - least.at);
          remember(least);
          continue;
        }
        put(least);
        if (width <= slop) return true;
        least = queue.pop()!;
        following = queue[queue.length - 1].at;
        width = greatest - least.at;
        remember(least);
      }
      positioned = false;
      return width <= slop;
    },
    weight: () => Math.fround(1 / Math.fround(1 + width)),
    extent() {
      let { start, end, startOffset, endOffset } = lead;
      for (const place of places) {
        const own = extentOf(place, place.at + place.offset);
        start = Math.min(start, own.start);
        startOffset = Math.min(startOffset, own.startOffset);
        // The first one has moved on: it ended before.
        if (place === lead.place) continue;
        end = Math.max(end, own.end);
        endOffset = Math.max(endOffset, own.endOffset);
      }
      return { start, end, startOffset, endOffset };
    },
  };
}

function extentOf({ postings }: Place, at: number): PhraseExtent {
  const [startOffset, endOffset] = [postings.startOffset?.() ?? -1, postings.endOffset?.() ?? -1];
  return { start: at, end: at, startOffset, endOffset };
}

/** A repeater that stands on the same position of the document. */
function collision(place: Place): Place | undefined {
  const position = place.at + place.offset;
  return place.repeaters!.find((other) => other !== place && other.at + other.offset === position);
}

function lesser(a: Place, b: Place): Place {
  return a.at < b.at || (a.at === b.at && a.offset < b.offset) ? a : b;
}

/** The first positions of repeaters, each on one of its own. False when there are not enough. */
function spread(group: readonly Place[], move: (place: Place) => boolean): boolean {
  if (group.every(({ terms }) => terms.length === 1)) {
    // The same term: the second begins one occurrence later than the first, and so on.
    return group.every((place, i) => {
      for (let k = 0; k < i; k++) if (!next(place)) return false;
      return true;
    });
  }
  for (let i = 0; i < group.length; i++) {
    let other = collision(group[i]);
    while (other !== undefined) {
      const place = lesser(group[i], other);
      if (!move(place)) return false;
      if (group.indexOf(place) < i) {
        i--;
        break;
      }
      other = collision(group[i]);
    }
  }
  return true;
}

/** Places that repeat a term, grouped. They stand on their first positions in the first document that is looked at. */
function repeaterGroups(places: readonly Place[]): Place[][] {
  const repeated = new Set<string>();
  const seen = new Set<string>();
  for (const { terms } of places) for (const term of terms) seen.has(term) ? repeated.add(term) : seen.add(term);
  const repeaters = places.filter(({ terms }) => terms.some((term) => repeated.has(term)));
  const groups = repeaters.every(({ terms }) => terms.length === 1)
    ? groupsByPosition(repeaters)
    : groupsByTerm(repeaters, repeated);
  for (const group of groups) {
    group.sort(byOffset);
    for (const place of group) place.repeaters = group;
  }
  return groups;
}

/** Single terms: what has the same first position in that document is taken for the same term, as Lucene takes it. */
function groupsByPosition(repeaters: readonly Place[]): Place[][] {
  const groups: Place[][] = [];
  const grouped = new Set<Place>();
  for (const [i, place] of repeaters.entries()) {
    if (grouped.has(place)) continue;
    const same = repeaters
      .slice(i + 1)
      .filter(
        (other) =>
          !grouped.has(other) && other.offset !== place.offset && other.at + other.offset === place.at + place.offset,
      );
    if (same.length === 0) continue;
    const group = [place, ...same];
    for (const member of group) grouped.add(member);
    groups.push(group);
  }
  return groups;
}

/** Several terms at a place: groups are joined by any repeated term. */
function groupsByTerm(repeaters: readonly Place[], repeated: ReadonlySet<string>): Place[][] {
  let groups: { terms: Set<string>; places: Place[] }[] = [];
  for (const place of repeaters) {
    const terms = new Set(place.terms.filter((term) => repeated.has(term)));
    const joined = groups.filter((group) => [...terms].some((term) => group.terms.has(term)));
    groups = groups.filter((group) => !joined.includes(group));
    groups.push({
      terms: new Set([...terms, ...joined.flatMap((group) => [...group.terms])]),
      places: [...joined.flatMap((group) => group.places), place],
    });
  }
  return groups.map((group) => group.places);
}
