/**
 * Terms within a number of edits of a word (Lucene's LevenshteinAutomata): insertions, deletions, replacements, and, as one edit, two neighbours
 * that change places. A state is a set of places in the word with the edits that were needed to get there.
 */
import { codePointsOf, MAX_CODE_POINT, type States } from "./automaton.ts";

export interface LevenshteinOptions {
  /** 1 or 2. */
  readonly maxEdits: number;
  /** Code points at the beginning that must be the same. */
  readonly prefixLength: number;
  readonly transpositions: boolean;
}

/** Deterministic; states are made when they are reached: there are more than thirty for each character of a word. */
export interface LevenshteinAutomaton extends States {
  /** Edits that an accepted term needs; more than the maximum for others. */
  distance(term: string): number;
}

/** Where a reading of the word may stand: `place` characters done with `edits`; `swap`: the second of two that change places was read. */
interface Position {
  readonly place: number;
  readonly edits: number;
  readonly swap: boolean;
}

export function levenshteinAutomaton(text: string, options: LevenshteinOptions): LevenshteinAutomaton {
  const { maxEdits, transpositions } = options;
  const whole = codePointsOf(text);
  const prefixLength = Math.min(options.prefixLength, whole.length);
  const word = whole.slice(prefixLength);

  // The characters of the prefix come first: states 0 … prefixLength − 1.
  const sets: Position[][] = [];
  const distances: number[] = [];
  const made: number[][] = [];
  const known = new Map<string, number>();
  const stateOf = (set: readonly Position[]): number => {
    const kept = withoutSubsumed(set);
    const key = kept.map(({ place, edits, swap }) => `${place},${edits},${swap}`).join(" ");
    let state = known.get(key);
    if (state !== undefined) return state;
    state = prefixLength + known.size;
    known.set(key, state);
    sets[state] = kept;
    distances[state] = Math.min(
      maxEdits + 1,
      ...kept.map(({ place, edits, swap }) => (swap ? maxEdits + 1 : edits + word.length - place)),
    );
    return state;
  };
  const step = ({ place, edits, swap }: Position, codePoint: number, into: Position[]): void => {
    const add = (at: number, cost: number, isSwap = false) => {
      if (at <= word.length && edits + cost <= maxEdits) into.push({ place: at, edits: edits + cost, swap: isSwap });
    };
    if (swap) {
      if (word[place] === codePoint) add(place + 2, 0);
      return;
    }
    add(place, 1);
    add(place + 1, 1);
    // Characters of the word that are left out before one that is the same.
    for (let skipped = 0; edits + skipped <= maxEdits; skipped++) {
      if (word[place + skipped] === codePoint) add(place + skipped + 1, skipped);
    }
    if (!transpositions) return;
    for (let skipped = 0; edits + skipped < maxEdits; skipped++) {
      if (word[place + skipped + 1] === codePoint) add(place + skipped, skipped + 1, true);
    }
  };

  stateOf([{ place: 0, edits: 0, swap: false }]);
  const transitionsOf = (state: number): number[] => {
    if (state < prefixLength) return [state + 1, whole[state], whole[state]];
    const set = sets[state];
    // Only the characters near the places can be told from all others.
    const near = new Set<number>();
    for (const { place, edits } of set) {
      for (let at = place; at <= place + Math.max(1, maxEdits - edits) && at < word.length; at++) near.add(word[at]);
    }
    const transitions: number[] = [];
    const goTo = (min: number, max: number) => {
      if (min > max) return;
      const next: Position[] = [];
      for (const position of set) step(position, near.has(min) ? min : -1, next);
      if (next.length > 0) transitions.push(stateOf(next), min, max);
    };
    let from = 0;
    for (const codePoint of [...near].sort((a, b) => a - b)) {
      goTo(from, codePoint - 1);
      goTo(codePoint, codePoint);
      from = codePoint + 1;
    }
    goTo(from, MAX_CODE_POINT);
    return transitions;
  };
  const automaton: States = {
    accepts: (state) => distances[state] <= maxEdits,
    transitions: (state) => (made[state] ??= transitionsOf(state)),
  };
  return { ...automaton, distance: (term) => distances[endState(automaton, term)] ?? maxEdits + 1 };
}

/** A place that can be reached from another by leaving characters out says nothing new. */
function withoutSubsumed(set: readonly Position[]): Position[] {
  const sorted = [...set].sort((a, b) => a.edits - b.edits || a.place - b.place || Number(a.swap) - Number(b.swap));
  const kept: Position[] = [];
  for (const position of sorted) {
    const subsumed = kept.some(({ place, edits, swap }) => {
      const same = place === position.place && edits === position.edits && swap === position.swap;
      if (same || swap || position.swap) return same;
      return Math.abs(position.place - place) <= position.edits - edits;
    });
    if (!subsumed) kept.push(position);
  }
  return kept;
}

function endState(automaton: States, text: string): number {
  let state = 0;
  for (const codePoint of codePointsOf(text)) {
    const own = automaton.transitions(state);
    let next = -1;
    for (let i = 0; i < own.length && next < 0; i += 3) {
      if (own[i + 1] <= codePoint && codePoint <= own[i + 2]) next = own[i];
    }
    if (next < 0) return -1;
    state = next;
  }
  return state;
}
