/** Walking a sorted dictionary with an automaton: from one term that it may accept to the next, by seeking (Lucene's AutomatonTermsEnum). */
import { compareBytes } from "./bytes.ts";
import type { Dictionary } from "./dictionary.ts";
import type { ByteAutomaton } from "./types.ts";

/** @param most how many terms are wanted at most, the first ones */
export function intersect(dictionary: Dictionary, automaton: ByteAutomaton, most = Number.POSITIVE_INFINITY): number[] {
  const { blob, starts, size } = dictionary;
  const ords: number[] = [];
  /** states[i]: after the first i bytes of the term at `last`, for i up to `known`. */
  const states = [automaton.start];
  let known = 0;
  let last = 0;
  let key = new Uint8Array(64);
  for (let ord = 0; ord < size && ords.length < most; ) {
    const from = starts[ord];
    const length = starts[ord + 1] - from;
    const before = starts[last];
    let at = 0;
    while (at < known && at < length && blob[before + at] === blob[from + at]) at++;
    let state = states[at];
    for (; at < length; at++) {
      state = automaton.step(state, blob[from + at]);
      if (state < 0) break;
      states[at + 1] = state;
    }
    known = at;
    last = ord;
    if (at === length) {
      if (automaton.accepts(state)) ords.push(ord);
      ord++;
      continue;
    }
    // The longest part of the term that goes on with a larger byte.
    let byte = -1;
    for (; at >= 0; at--) {
      byte = automaton.nextByte(states[at], blob[from + at] + 1);
      if (byte >= 0) break;
    }
    if (byte < 0) break;
    if (key.length <= at) key = new Uint8Array(2 * at + 1);
    key.set(blob.subarray(from, from + at));
    key[at] = byte;
    ord = gallop(dictionary, ord + 1, key, at + 1);
  }
  return ords;
}

/** The first ord from `from` on whose term is not before the key: most keys are near. */
function gallop({ blob, starts, size }: Dictionary, from: number, key: Uint8Array, length: number): number {
  const isBefore = (ord: number) => compareBytes(blob, starts[ord], starts[ord + 1], key, 0, length) < 0;
  let low = from;
  let step = 1;
  while (low + step <= size && isBefore(low + step - 1)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(size, low + step - 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
