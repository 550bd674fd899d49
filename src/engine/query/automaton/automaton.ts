/**
 * Finite automata over code points, as Lucene has them: states are numbers, 0 is the initial one; transitions are ranges. An automaton without
 * states accepts nothing. Files here, in the order of the data:
 *
 *     regexp.ts, wildcard.ts, levenshtein.ts ──▶ automaton.ts, operations.ts, minimize.ts ──▶ byte-automaton.ts ──▶ the segment's dictionary
 */
export const MAX_CODE_POINT = 0x10ffff;

export interface States {
  accepts(state: number): boolean;
  /** Destination, first and last code point of each transition of a state, one after the other, sorted by code points. */
  transitions(state: number): readonly number[];
}

export interface Automaton extends States {
  readonly stateCount: number;
  readonly transitionCount: number;
  /** True when no code point leads to two states. */
  readonly deterministic: boolean;
}

export interface AutomatonBuilder {
  readonly stateCount: number;
  createState(accept?: boolean): number;
  setAccept(state: number, accept: boolean): void;
  addTransition(from: number, to: number, min: number, max?: number): void;
  /** Makes `from` do what `to` does: `to`'s transitions, as far as there are any yet, and its acceptance. */
  addEpsilon(from: number, to: number): void;
  /** Adds all states and transitions of another automaton. Its state s becomes the returned number + s. */
  copy(automaton: Automaton): number;
  finish(): Automaton;
}

/** More states than any query of Elasticsearch's limits makes on purpose. */
const MAX_STATES = 4_000_000;

export function automatonBuilder(): AutomatonBuilder {
  const accept: boolean[] = [];
  const edges: number[][] = [];
  const builder: AutomatonBuilder = {
    get stateCount() {
      return edges.length;
    },
    createState(accepting = false) {
      if (edges.length >= MAX_STATES) throw new RangeError(`an automaton of more than ${MAX_STATES} states`);
      accept.push(accepting);
      return edges.push([]) - 1;
    },
    setAccept(state, accepting) {
      accept[state] = accepting;
    },
    addTransition(from, to, min, max = min) {
      edges[from].push(to, min, max);
    },
    addEpsilon(from, to) {
      for (const value of [...edges[to]]) edges[from].push(value);
      if (accept[to]) accept[from] = true;
    },
    copy(automaton) {
      const offset = edges.length;
      for (let state = 0; state < automaton.stateCount; state++) {
        builder.createState(automaton.accepts(state));
        const own = automaton.transitions(state);
        for (let i = 0; i < own.length; i += 3) edges[offset + state].push(own[i] + offset, own[i + 1], own[i + 2]);
      }
      return offset;
    },
    finish() {
      let deterministic = true;
      let transitionCount = 0;
      const finished = edges.map((own) => {
        const merged = mergeRanges(own);
        for (let i = 3; i < merged.length; i += 3) if (merged[i + 1] <= merged[i - 1]) deterministic = false;
        transitionCount += merged.length / 3;
        return merged;
      });
      return {
        stateCount: finished.length,
        accepts: (state) => accept[state],
        transitions: (state) => finished[state],
        transitionCount,
        deterministic,
      };
    },
  };
  return builder;
}

/** Joins ranges that lead to one state and touch, and sorts by code points. */
function mergeRanges(own: readonly number[]): number[] {
  if (own.length <= 3) return [...own];
  const items: [to: number, min: number, max: number][] = [];
  for (let i = 0; i < own.length; i += 3) items.push([own[i], own[i + 1], own[i + 2]]);
  items.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const merged: [number, number, number][] = [];
  for (const item of items) {
    const last = merged.at(-1);
    if (last && last[0] === item[0] && item[1] <= last[2] + 1) last[2] = Math.max(last[2], item[2]);
    else merged.push(item);
  }
  merged.sort((a, b) => a[1] - b[1] || a[2] - b[2] || a[0] - b[0]);
  return merged.flat();
}

/** Accepts nothing. */
export function emptyAutomaton(): Automaton {
  return automatonBuilder().finish();
}

/** Accepts the empty text only. */
export function emptyTextAutomaton(): Automaton {
  const builder = automatonBuilder();
  builder.createState(true);
  return builder.finish();
}

/** One code point of a range; nothing when the range is empty. */
export function rangeAutomaton(min: number, max = min): Automaton {
  if (min > max) return emptyAutomaton();
  const builder = automatonBuilder();
  builder.createState();
  builder.addTransition(0, builder.createState(true), min, max);
  return builder.finish();
}

export function anyCharAutomaton(): Automaton {
  return rangeAutomaton(0, MAX_CODE_POINT);
}

export function anyTextAutomaton(): Automaton {
  const builder = automatonBuilder();
  builder.createState(true);
  builder.addTransition(0, 0, 0, MAX_CODE_POINT);
  return builder.finish();
}

export function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}

export function textAutomaton(text: string): Automaton {
  const builder = automatonBuilder();
  let state = builder.createState();
  for (const codePoint of codePointsOf(text)) {
    const next = builder.createState();
    builder.addTransition(state, next, codePoint);
    state = next;
  }
  builder.setAccept(state, true);
  return builder.finish();
}
