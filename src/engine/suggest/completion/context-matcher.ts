/** Completions in contexts: a context, its end, and behind it what is looked for (Lucene's ContextQuery). */
import { CONTEXT_END } from "../../mapping/completion-contexts.ts";
import type { ByteAutomaton } from "../../segment/types.ts";
import { anyOf, type PrefixMatcher } from "./prefix-matcher.ts";

export interface WantedContext {
  /** As it stands before what is completed. */
  readonly prefix: string;
  readonly boost: number;
  /** False: other contexts that begin with it count too. */
  readonly exact: boolean;
}

const END = CONTEXT_END.charCodeAt(0);
const encoder = new TextEncoder();

/** States of the context, one for what follows a beginning of it, and those of what stands behind it. */
function behindContext(bytes: Uint8Array, exact: boolean, inner: ByteAutomaton): ByteAutomaton {
  const [open, first] = [bytes.length, bytes.length + 1];
  const entered = (state: number) => (state < 0 ? -1 : first + state);
  return {
    start: 0,
    step(state, byte) {
      if (state >= first) return entered(inner.step(state - first, byte));
      if (state < open) return bytes[state] === byte ? state + 1 : -1;
      if (byte === END) return entered(inner.start);
      return exact ? -1 : open;
    },
    accepts: (state) => state >= first && inner.accepts(state - first),
    nextByte(state, from) {
      if (state >= first) return inner.nextByte(state - first, from);
      if (state < open) return bytes[state] >= from ? bytes[state] : -1;
      if (exact) return from <= END ? END : -1;
      return from < 256 ? from : -1;
    },
  };
}

export function contextMatcher(inner: PrefixMatcher, wanted: readonly WantedContext[]): PrefixMatcher {
  // Of a context that is asked for twice the last one counts.
  const byPrefix = new Map(wanted.map((context) => [context.prefix, context]));
  const contexts = [...byPrefix.values()].map((context) => ({ ...context, bytes: encoder.encode(context.prefix) }));
  // The longest that fits is the one that boosts.
  const longest = [...contexts].sort((a, b) => b.bytes.length - a.bytes.length);
  return {
    automaton: anyOf(contexts.map(({ bytes, exact }) => behindContext(bytes, exact, inner.automaton))),
    boost(matched) {
      const context = longest.find(({ bytes }) => bytes.every((byte, at) => matched[at] === byte));
      return (context?.boost ?? 0) + inner.boost(matched.subarray(matched.indexOf(END) + 1));
    },
  };
}
