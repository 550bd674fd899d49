/** Which completions begin with what was typed: automata over the bytes of what was analysed (CompletionQuery and its kinds). */
import type { Automaton, States } from "../../query/automaton/automaton.ts";
import { codePointsOf } from "../../query/automaton/automaton.ts";
import { byteAutomaton } from "../../query/automaton/byte-automaton.ts";
import { levenshteinAutomaton } from "../../query/automaton/levenshtein.ts";
import { withoutDeadStates } from "../../query/automaton/operations.ts";
import { regexpAutomaton } from "../../query/automaton/regexp-automaton.ts";
import type { ByteAutomaton } from "../../segment/types.ts";
import type { FuzzyOptions, RegexOptions } from "./options.ts";

export interface PrefixMatcher {
  readonly automaton: ByteAutomaton;
  /** What is multiplied with the weight of a completion that begins with these bytes, none where it is 0. */
  boost(matched: Uint8Array): number;
}

const encoder = new TextEncoder();

/** An automaton whose code points are bytes. */
function overBytes(states: States): ByteAutomaton {
  return {
    start: 0,
    step(state, byte) {
      const own = states.transitions(state);
      for (let i = 0; i < own.length; i += 3) if (own[i + 1] <= byte && byte <= own[i + 2]) return own[i];
      return -1;
    },
    accepts: (state) => states.accepts(state),
    nextByte(state, from) {
      const own = states.transitions(state);
      for (let i = 0; i < own.length; i += 3) {
        if (own[i + 2] >= from && own[i + 1] <= 255)
          return Math.max(own[i + 1], from) <= 255 ? Math.max(own[i + 1], from) : -1;
      }
      return -1;
    },
  };
}

function exactly(bytes: Uint8Array): ByteAutomaton {
  return {
    start: 0,
    step: (state, byte) => (bytes[state] === byte && state < bytes.length ? state + 1 : -1),
    accepts: (state) => state === bytes.length,
    nextByte: (state, from) => (state < bytes.length && bytes[state] >= from ? bytes[state] : -1),
  };
}

/** What any of them accepts: a state is one of each. */
export function anyOf(automata: readonly ByteAutomaton[]): ByteAutomaton {
  if (automata.length === 1) return automata[0];
  const made: (readonly number[])[] = [];
  const known = new Map<string, number>();
  const stateOf = (states: readonly number[]) => {
    const key = states.join(",");
    let state = known.get(key);
    if (state === undefined) {
      state = made.push(states) - 1;
      known.set(key, state);
    }
    return state;
  };
  return {
    start: stateOf(automata.map(({ start }) => start)),
    step(state, byte) {
      const next = made[state].map((own, i) => (own < 0 ? -1 : automata[i].step(own, byte)));
      return next.every((own) => own < 0) ? -1 : stateOf(next);
    },
    accepts: (state) => made[state].some((own, i) => own >= 0 && automata[i].accepts(own)),
    nextByte(state, from) {
      const next = made[state].map((own, i) => (own < 0 ? -1 : automata[i].nextByte(own, from)));
      const found = next.filter((byte) => byte >= 0);
      return found.length === 0 ? -1 : Math.min(...found);
    },
  };
}

export function prefixMatcher(readings: readonly string[]): PrefixMatcher {
  return { automaton: anyOf(readings.map((reading) => exactly(encoder.encode(reading)))), boost: () => 0 };
}

/** Bytes as the characters of a text. */
const asText = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/** Texts a few edits away; those that begin alike count more. */
export function fuzzyMatcher(readings: readonly string[], options: FuzzyOptions): PrefixMatcher {
  const { maxEdits, transpositions, minLength, prefixLength, unicodeAware } = options;
  const automata = readings.map((reading) => {
    const bytes = encoder.encode(reading);
    const length = unicodeAware ? codePointsOf(reading).length : bytes.length;
    if (length <= prefixLength || length < minLength || maxEdits === 0) return exactly(bytes);
    const near = levenshteinAutomaton(unicodeAware ? reading : asText(bytes), {
      maxEdits,
      prefixLength,
      transpositions,
    });
    return unicodeAware ? byteAutomaton(near) : overBytes(near);
  });
  // Lucene compares characters with bytes where it counts in characters.
  const references = readings.map((reading) => (unicodeAware ? codePointsOf(reading) : [...encoder.encode(reading)]));
  return {
    automaton: anyOf(automata),
    boost(matched) {
      const common = references.map((reference) => {
        let count = 0;
        while (count < matched.length && count < reference.length && reference[count] === matched[count]) count++;
        return count;
      });
      return Math.max(0, ...common);
    },
  };
}

/** A regular expression whose characters are bytes; the empty one matches nothing. */
export function regexMatcher(regex: string, { flags, limit }: RegexOptions): PrefixMatcher | undefined {
  if (regex === "") return undefined;
  const live: Automaton = withoutDeadStates(regexpAutomaton(regex, { flags, ignoreCase: false, limit }));
  return live.stateCount === 0 ? undefined : { automaton: overBytes(live), boost: () => 0 };
}

/** Accepts what begins with a text that another automaton accepts. */
export function beginningWith(automaton: ByteAutomaton): ByteAutomaton {
  // All states of the other one move up by one: 0 is where everything is accepted.
  const enter = (state: number) => (state < 0 ? -1 : automaton.accepts(state) ? 0 : state + 1);
  return {
    start: enter(automaton.start),
    step: (state, byte) => (state === 0 ? 0 : enter(automaton.step(state - 1, byte))),
    accepts: (state) => state === 0,
    nextByte: (state, from) => (state === 0 ? (from < 256 ? from : -1) : automaton.nextByte(state - 1, from)),
  };
}

/** The shortest beginning of what is matched of a completion that an automaton accepts: how many bytes, or -1. */
export function acceptedLength(automaton: ByteAutomaton, term: Uint8Array, matched: number): number {
  let state = automaton.start;
  for (let length = 0; state >= 0; length++) {
    if (automaton.accepts(state)) return length;
    if (length === matched) return -1;
    state = automaton.step(state, term[length]);
  }
  return -1;
}
