/** Operations on automata (Lucene's Operations), each with the number of states that Lucene's has: limits count them. */
import {
  type Automaton,
  type AutomatonBuilder,
  automatonBuilder,
  emptyAutomaton,
  emptyTextAutomaton,
  MAX_CODE_POINT,
} from "./automaton.ts";

/** Lucene's TooComplexToDeterminizeException. */
export class TooComplexError extends Error {
  readonly limit: number;
  constructor(what: string, limit: number, cause?: TooComplexError) {
    super(`Determinizing ${what} would require more than ${limit} effort.`, cause && { cause });
    this.limit = limit;
  }
}

export function tooComplex(automaton: Automaton, limit: number): TooComplexError {
  const { stateCount, transitionCount } = automaton;
  return new TooComplexError(`automaton with ${stateCount} states and ${transitionCount} transitions`, limit);
}

function copyTransitions(builder: AutomatonBuilder, from: number, source: Automaton, state: number, offset: number) {
  const own = source.transitions(state);
  for (let i = 0; i < own.length; i += 3) builder.addTransition(from, own[i] + offset, own[i + 1], own[i + 2]);
}

/** One after the other. */
export function concatenate(parts: readonly Automaton[]): Automaton {
  if (parts.some(({ stateCount }) => stateCount === 0)) return emptyAutomaton();
  const builder = automatonBuilder();
  const offsets = parts.map((part) => {
    const offset = builder.stateCount;
    for (let state = 0; state < part.stateCount; state++) builder.createState();
    return offset;
  });
  for (const [i, part] of parts.entries()) {
    for (let state = 0; state < part.stateCount; state++) {
      const from = offsets[i] + state;
      copyTransitions(builder, from, part, state, offsets[i]);
      if (!part.accepts(state)) continue;
      // What accepts goes on as the next part begins, and as the one behind it where the next accepts the empty text.
      let follow = i + 1;
      for (; follow < parts.length; follow++) {
        copyTransitions(builder, from, parts[follow], 0, offsets[follow]);
        if (!parts[follow].accepts(0)) break;
      }
      if (follow === parts.length) builder.setAccept(from, true);
    }
  }
  if (builder.stateCount === 0) builder.createState();
  return builder.finish();
}

export function union(parts: readonly Automaton[]): Automaton {
  const builder = automatonBuilder();
  builder.createState();
  const offsets = parts.map((part) => builder.copy(part));
  for (const [i, part] of parts.entries()) if (part.stateCount > 0) builder.addEpsilon(0, offsets[i]);
  return withoutDeadStates(builder.finish());
}

export function optional(automaton: Automaton): Automaton {
  const builder = automatonBuilder();
  builder.createState(true);
  if (automaton.stateCount > 0) builder.addEpsilon(0, builder.copy(automaton));
  return builder.finish();
}

/** Any number of times. */
export function repeat(automaton: Automaton): Automaton {
  if (automaton.stateCount === 0) return automaton;
  const builder = automatonBuilder();
  builder.createState(true);
  builder.copy(automaton);
  copyTransitions(builder, 0, automaton, 0, 1);
  for (let state = 0; state < automaton.stateCount; state++) {
    if (automaton.accepts(state)) copyTransitions(builder, state + 1, automaton, 0, 1);
  }
  return builder.finish();
}

export function repeatAtLeast(automaton: Automaton, min: number): Automaton {
  if (min === 0) return repeat(automaton);
  return concatenate([...Array.from({ length: min }, () => automaton), repeat(automaton)]);
}

export function repeatBetween(automaton: Automaton, min: number, max: number): Automaton {
  if (min > max) return emptyAutomaton();
  const first =
    min === 0
      ? emptyTextAutomaton()
      : min === 1
        ? automaton
        : concatenate(Array.from({ length: min }, () => automaton));
  const builder = automatonBuilder();
  builder.copy(first);
  const acceptStates = (of: Automaton, offset: number) =>
    Array.from({ length: of.stateCount }, (_, state) => state)
      .filter((state) => of.accepts(state))
      .map((state) => state + offset);
  let accepting = acceptStates(first, 0);
  for (let i = min; i < max; i++) {
    const offset = builder.copy(automaton);
    if (automaton.stateCount > 0) for (const state of accepting) builder.addEpsilon(state, offset);
    accepting = acceptStates(automaton, offset);
  }
  return builder.finish();
}

/** Adds a state that everything without a transition leads to. */
export function totalize(automaton: Automaton): Automaton {
  const builder = automatonBuilder();
  builder.copy(automaton);
  const dead = builder.createState();
  builder.addTransition(dead, dead, 0, MAX_CODE_POINT);
  for (let state = 0; state < automaton.stateCount; state++) {
    let from = 0;
    const own = automaton.transitions(state);
    for (let i = 0; i < own.length; i += 3) {
      if (own[i + 1] > from) builder.addTransition(state, dead, from, own[i + 1] - 1);
      from = Math.max(from, own[i + 2] + 1);
    }
    if (from <= MAX_CODE_POINT) builder.addTransition(state, dead, from, MAX_CODE_POINT);
  }
  return builder.finish();
}

/** Everything else. */
export function complement(automaton: Automaton, limit: number): Automaton {
  const total = totalize(determinize(automaton, limit));
  const builder = automatonBuilder();
  builder.copy(total);
  for (let state = 0; state < total.stateCount; state++) builder.setAccept(state, !total.accepts(state));
  return withoutDeadStates(builder.finish());
}

export function intersection(a: Automaton, b: Automaton): Automaton {
  if (a.stateCount === 0 || b.stateCount === 0) return emptyAutomaton();
  const builder = automatonBuilder();
  const pairs: [number, number][] = [];
  const known = new Map<number, number>();
  const stateOf = (p: number, q: number): number => {
    const key = p * b.stateCount + q;
    let state = known.get(key);
    if (state === undefined) {
      state = builder.createState(a.accepts(p) && b.accepts(q));
      known.set(key, state);
      pairs.push([p, q]);
    }
    return state;
  };
  stateOf(0, 0);
  for (let at = 0; at < pairs.length; at++) {
    const [p, q] = pairs[at];
    const left = a.transitions(p);
    const right = b.transitions(q);
    let start = 0;
    for (let i = 0; i < left.length; i += 3) {
      while (start < right.length && right[start + 2] < left[i + 1]) start += 3;
      for (let j = start; j < right.length && right[j + 1] <= left[i + 2]; j += 3) {
        if (right[j + 2] < left[i + 1]) continue;
        const to = stateOf(left[i], right[j]);
        builder.addTransition(at, to, Math.max(left[i + 1], right[j + 1]), Math.min(left[i + 2], right[j + 2]));
      }
    }
  }
  return withoutDeadStates(builder.finish());
}

/** Keeps the states that can be reached and from which some text is accepted. */
export function withoutDeadStates(automaton: Automaton): Automaton {
  const { stateCount } = automaton;
  const live = liveStates(automaton);
  const map = new Int32Array(stateCount).fill(-1);
  const builder = automatonBuilder();
  for (let state = 0; state < stateCount; state++) {
    if (live[state]) map[state] = builder.createState(automaton.accepts(state));
  }
  if (builder.stateCount === stateCount) return automaton;
  for (let state = 0; state < stateCount; state++) {
    if (map[state] < 0) continue;
    const own = automaton.transitions(state);
    for (let i = 0; i < own.length; i += 3) {
      if (map[own[i]] >= 0) builder.addTransition(map[state], map[own[i]], own[i + 1], own[i + 2]);
    }
  }
  return builder.finish();
}

function liveStates(automaton: Automaton): Uint8Array {
  const { stateCount } = automaton;
  const live = new Uint8Array(stateCount);
  if (stateCount === 0) return live;
  const reached = new Uint8Array(stateCount);
  const sources: number[][] = Array.from({ length: stateCount }, () => []);
  const forward = [0];
  reached[0] = 1;
  for (let at = 0; at < forward.length; at++) {
    const own = automaton.transitions(forward[at]);
    for (let i = 0; i < own.length; i += 3) {
      sources[own[i]].push(forward[at]);
      if (reached[own[i]]) continue;
      reached[own[i]] = 1;
      forward.push(own[i]);
    }
  }
  const backward = forward.filter((state) => automaton.accepts(state));
  for (const state of backward) live[state] = 1;
  for (let at = 0; at < backward.length; at++) {
    for (const source of sources[backward[at]]) {
      if (live[source]) continue;
      live[source] = 1;
      backward.push(source);
    }
  }
  return live;
}

/** Work is limited to ten steps for each state that the limit stands for (LUCENE-9981). */
const EFFORT = 10;

/**
 * The subset construction.
 * @param limit `max_determinized_states`
 * @throws TooComplexError when the sets of states that were looked at have more members than the limit allows
 */
export function determinize(automaton: Automaton, limit: number): Automaton {
  if (automaton.deterministic || automaton.stateCount <= 1) return automaton;
  const builder = automatonBuilder();
  const sets: number[][] = [];
  const known = new Map<string, number>();
  const stateOf = (set: readonly number[]): number => {
    const key = set.join();
    let state = known.get(key);
    if (state === undefined) {
      state = builder.createState(set.some((member) => automaton.accepts(member)));
      known.set(key, state);
      sets.push([...set]);
    }
    return state;
  };
  stateOf([0]);
  let effort = 0;
  for (let at = 0; at < sets.length; at++) {
    effort += sets[at].length;
    if (effort >= limit * EFFORT) throw tooComplex(automaton, limit);
    eachInterval(automaton, sets[at], (set, min, max) => builder.addTransition(at, stateOf(set), min, max));
  }
  return builder.finish();
}

/** The ranges in which a set of states goes to one and the same set. */
function eachInterval(
  automaton: Automaton,
  set: readonly number[],
  visit: (set: readonly number[], min: number, max: number) => void,
): void {
  const starts: [point: number, to: number, change: 1 | -1][] = [];
  for (const state of set) {
    const own = automaton.transitions(state);
    for (let i = 0; i < own.length; i += 3) starts.push([own[i + 1], own[i], 1], [own[i + 2] + 1, own[i], -1]);
  }
  starts.sort((a, b) => a[0] - b[0]);
  const open = new Map<number, number>();
  for (let i = 0; i < starts.length; ) {
    const point = starts[i][0];
    for (; i < starts.length && starts[i][0] === point; i++) {
      const [, to, change] = starts[i];
      const count = (open.get(to) ?? 0) + change;
      if (count === 0) open.delete(to);
      else open.set(to, count);
    }
    if (open.size > 0)
      visit(
        [...open.keys()].sort((a, b) => a - b),
        point,
        starts[i][0] - 1,
      );
  }
}
