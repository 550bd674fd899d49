/** Code points as the ranges of bytes that UTF-8 writes for them (Lucene's UTF32ToUTF8). */
import { type Automaton, type AutomatonBuilder, automatonBuilder } from "./automaton.ts";

/** The last code point of each length in bytes. */
const LAST = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/** The marks of a first byte, by how many follow. */
const LEAD = [0, 0xc0, 0xe0, 0xf0];

function bytesOf(codePoint: number): number[] {
  if (codePoint < 0x80) return [codePoint];
  const tail: number[] = [];
  let rest = codePoint;
  const length = LAST.findIndex((last) => codePoint <= last);
  for (let i = 0; i < length; i++) {
    tail.unshift(0x80 | (rest & 0x3f));
    rest >>= 6;
  }
  return [LEAD[length] | rest, ...tail];
}

/**
 * An automaton over bytes that accepts the UTF-8 of what one over code points accepts: what can be reached of it. It need not be
 * deterministic.
 */
export function toUtf8(automaton: Automaton): Automaton {
  const builder = automatonBuilder();
  const names = new Map<number, number>();
  const reached: number[] = [];
  const nameOf = (state: number): number => {
    let name = names.get(state);
    if (name === undefined) {
      name = builder.createState(automaton.accepts(state));
      names.set(state, name);
      reached.push(state);
    }
    return name;
  };
  if (automaton.stateCount > 0) nameOf(0);
  for (let at = 0; at < reached.length; at++) {
    const own = automaton.transitions(reached[at]);
    const from = nameOf(reached[at]);
    for (let i = 0; i < own.length; i += 3) addRange(builder, from, nameOf(own[i]), own[i + 1], own[i + 2]);
  }
  return builder.finish();
}

function addRange(builder: AutomatonBuilder, from: number, to: number, min: number, max: number): void {
  const low = bytesOf(min);
  const high = bytesOf(max);
  if (low.length === high.length) {
    between(builder, from, to, low, high, 0);
    return;
  }
  atLeast(builder, from, to, low, 0, true);
  for (let length = low.length + 1; length < high.length; length++) {
    const [first, last] = [bytesOf(LAST[length - 2] + 1)[0], bytesOf(LAST[length - 1])[0]];
    anyOf(builder, from, to, first, last, length - 1);
  }
  atMost(builder, from, to, high, 0, true);
}

/** Both ends are equally long and equal before `at`. */
function between(builder: AutomatonBuilder, from: number, to: number, low: number[], high: number[], at: number): void {
  const last = at === low.length - 1;
  if (last) builder.addTransition(from, to, low[at], high[at]);
  else if (low[at] === high[at]) {
    const next = builder.createState();
    builder.addTransition(from, next, low[at]);
    between(builder, next, to, low, high, at + 1);
  } else {
    atLeast(builder, from, to, low, at, false);
    if (high[at] - low[at] > 1) anyOf(builder, from, to, low[at] + 1, high[at] - 1, low.length - at - 1);
    atMost(builder, from, to, high, at, false);
  }
}

/** The largest byte that may stand at a place. */
function largest(bytes: readonly number[], at: number): number {
  if (at > 0) return 0xbf;
  return bytesOf(LAST[bytes.length - 1])[0] | (bytes.length === 4 ? 3 : 0);
}

/** What is not before `low`. @param wide first bytes after its own are taken too */
function atLeast(builder: AutomatonBuilder, from: number, to: number, low: number[], at: number, wide: boolean): void {
  if (at === low.length - 1) {
    builder.addTransition(from, to, low[at], largest(low, at));
    return;
  }
  const next = builder.createState();
  builder.addTransition(from, next, low[at]);
  atLeast(builder, next, to, low, at + 1, true);
  const end = largest(low, at);
  if (wide && low[at] !== end) anyOf(builder, from, to, low[at] + 1, end, low.length - at - 1);
}

function atMost(builder: AutomatonBuilder, from: number, to: number, high: number[], at: number, wide: boolean): void {
  const smallest = at > 0 ? 0x80 : [0, 0xc2, 0xe0, 0xf0][high.length - 1];
  if (at === high.length - 1) {
    builder.addTransition(from, to, smallest, high[at]);
    return;
  }
  if (wide && high[at] !== smallest) anyOf(builder, from, to, smallest, high[at] - 1, high.length - at - 1);
  const next = builder.createState();
  builder.addTransition(from, next, high[at]);
  atMost(builder, next, to, high, at + 1, true);
}

/** A byte of a range, then any `left` bytes of a sequence. */
function anyOf(builder: AutomatonBuilder, from: number, to: number, min: number, max: number, left: number): void {
  let state = from;
  let [first, last] = [min, max];
  for (let i = 0; i < left; i++) {
    const next = builder.createState();
    builder.addTransition(state, next, first, last);
    state = next;
    [first, last] = [0x80, 0xbf];
  }
  builder.addTransition(state, to, first, last);
}
