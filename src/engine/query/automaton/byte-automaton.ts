/**
 * Automata as the dictionary is walked with: over the bytes of UTF-8, states made when they are reached. A state is one of the automaton over
 * code points, with the range of code points that the bytes of an unfinished character leave open.
 */
import { illegalArgument } from "../../errors.ts";
import type { ByteAutomaton } from "../../segment/types.ts";
import { type Automaton, MAX_CODE_POINT, type States } from "./automaton.ts";
import { determinize } from "./operations.ts";
import { toUtf8 } from "./utf8.ts";

/** Code points that begin with a byte above ASCII, first and last, and the bytes that follow. */
function lead(byte: number): [low: number, high: number, left: number] {
  if (byte < 0xe0) return [(byte & 0x1f) << 6, ((byte & 0x1f) << 6) | 0x3f, 1];
  if (byte < 0xf0) return [(byte & 0x0f) << 12, ((byte & 0x0f) << 12) | 0xfff, 2];
  return [(byte & 0x07) << 18, Math.min(((byte & 0x07) << 18) | 0x3ffff, MAX_CODE_POINT), 3];
}

/** @param dfa deterministic, and some text is accepted from each state */
export function byteAutomaton(dfa: States): ByteAutomaton {
  /** What a state is: state of the code points' automaton, first open code point, bytes to come. */
  const owner: number[] = [];
  const opened: number[] = [];
  const left: number[] = [];
  const tables: (Int32Array | undefined)[] = [];
  const known = new Map<number, number>();
  const stateOf = (state: number, low: number, bytes: number): number => {
    const key = (state * (MAX_CODE_POINT + 1) + low) * 4 + bytes;
    let id = known.get(key);
    if (id === undefined) {
      id = owner.length;
      known.set(key, id);
      owner.push(state);
      opened.push(low);
      left.push(bytes);
      tables.push(undefined);
    }
    return id;
  };
  /** Where each byte leads, found at the first use. */
  const tableOf = (id: number): Int32Array => {
    const known = tables[id];
    if (known) return known;
    const table = new Int32Array(256).fill(-1);
    const own = dfa.transitions(owner[id]);
    const bytes = left[id];
    if (bytes === 0) {
      // ASCII is the rule: whole ranges at once.
      for (let i = 0; i < own.length && own[i + 1] < 0x80; i += 3) {
        table.fill(stateOf(own[i], 0, 0), own[i + 1], Math.min(own[i + 2], 0x7f) + 1);
      }
    }
    const from = bytes === 0 ? 0xc2 : 0x80;
    const to = bytes === 0 ? 0xf4 : 0xbf;
    // Nothing above ASCII leads on.
    if (own.length === 0 || own[own.length - 1] < 0x80) return (tables[id] = table);
    for (let byte = from; byte <= to; byte++) {
      const range = bytes === 0 ? lead(byte) : continued(opened[id], bytes, byte);
      if (range === undefined) continue;
      const [low, high, rest] = range;
      const at = overlap(own, low, high);
      if (at < 0) continue;
      table[byte] = rest === 0 ? stateOf(own[at], 0, 0) : stateOf(owner[id], low, rest);
    }
    return (tables[id] = table);
  };
  return {
    start: stateOf(0, 0, 0),
    step: (state, byte) => tableOf(state)[byte],
    accepts: (state) => left[state] === 0 && dfa.accepts(owner[state]),
    nextByte(state, from) {
      const table = tableOf(state);
      for (let byte = from; byte < 256; byte++) if (table[byte] >= 0) return byte;
      return -1;
    },
  };
}

function continued(opened: number, bytes: number, byte: number): [number, number, number] | undefined {
  const shift = 6 * (bytes - 1);
  const low = opened | ((byte & 0x3f) << shift);
  const high = low | ((1 << shift) - 1);
  return low > MAX_CODE_POINT ? undefined : [low, high, bytes - 1];
}

/** Place of the first transition with a code point from `low` to `high`, or -1. */
function overlap(transitions: readonly number[], low: number, high: number): number {
  let from = 0;
  let to = transitions.length / 3;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (transitions[middle * 3 + 2] < low) from = middle + 1;
    else to = middle;
  }
  return from * 3 < transitions.length && transitions[from * 3 + 1] <= high ? from * 3 : -1;
}

/** Lucene looks for cycles by recursion, no deeper than this. */
const MAX_RECURSION = 1000;

/**
 * Operations.isFinite as CompiledAutomaton asks it of all automata but those of a single text: the walk that may go too deep.
 * @throws illegal_argument_exception when it does
 */
function checkDepth(dfa: Automaton): void {
  if (dfa.stateCount === 0 || isSingleText(dfa)) return;
  const onPath = new Uint8Array(dfa.stateCount);
  const visited = new Uint8Array(dfa.stateCount);
  const path = [0];
  const next = [0];
  onPath[0] = 1;
  while (path.length > 0) {
    const top = path.length - 1;
    const state = path[top];
    const own = dfa.transitions(state);
    if (next[top] >= own.length) {
      onPath[state] = 0;
      visited[state] = 1;
      path.pop();
      next.pop();
      continue;
    }
    const to = own[next[top]];
    next[top] += 3;
    if (onPath[to]) return;
    if (visited[to]) continue;
    if (path.length > MAX_RECURSION) throw illegalArgument(`input automaton is too large: ${path.length}`);
    onPath[to] = 1;
    path.push(to);
    next.push(0);
  }
}

function isSingleText(dfa: Automaton): boolean {
  for (let state = 0, steps = 0; steps <= dfa.stateCount; steps++) {
    const own = dfa.transitions(state);
    if (dfa.accepts(state)) return own.length === 0;
    if (own.length !== 3 || own[1] !== own[2]) return false;
    state = own[0];
  }
  return false;
}

/** Automata over bytes have at most about so many states for a transition over code points. */
const STATES_FOR_TRANSITION = 24;

/**
 * A deterministic automaton, after the checks of Lucene's CompiledAutomaton.
 * @throws TooComplexError, illegal_argument_exception
 */
export function compiledAutomaton(automaton: Automaton, limit: number): Automaton {
  const dfa = determinize(automaton, limit);
  checkDepth(dfa);
  // The automaton over bytes is made deterministic within the same limit. Only what may be too large for it is made here.
  if (dfa.stateCount + dfa.transitionCount * STATES_FOR_TRANSITION >= limit * 10) determinize(toUtf8(dfa), limit);
  return dfa;
}

/**
 * A deterministic automaton, after the one check that queries on doc values make.
 * @throws TooComplexError
 */
export function valuesAutomaton(automaton: Automaton, limit: number): Automaton {
  if (!automaton.deterministic) determinize(toUtf8(automaton), limit);
  return determinize(automaton, limit);
}

/** Whether an automaton over bytes accepts a text. */
export function acceptsText(automaton: ByteAutomaton, text: string): boolean {
  let state = automaton.start;
  for (const byte of new TextEncoder().encode(text)) {
    state = automaton.step(state, byte);
    if (state < 0) return false;
  }
  return automaton.accepts(state);
}
