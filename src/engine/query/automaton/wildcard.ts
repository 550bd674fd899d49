/** Patterns with `*` and `?` (Lucene's WildcardQuery), and texts whose ASCII letters match in either case. */
import {
  type Automaton,
  anyCharAutomaton,
  anyTextAutomaton,
  automatonBuilder,
  codePointsOf,
  rangeAutomaton,
} from "./automaton.ts";
import { concatenate } from "./operations.ts";

/** Limit of what wildcards, prefixes and fuzzy terms may cost. */
export const DEFAULT_LIMIT = 10_000;

/** A code point; of an ASCII letter both cases. */
export function charIgnoringCase(codePoint: number): Automaton {
  const character = String.fromCodePoint(codePoint);
  if (!/[a-z]/i.test(character)) return rangeAutomaton(codePoint);
  const builder = automatonBuilder();
  const from = builder.createState();
  const to = builder.createState(true);
  for (const each of [character.toLowerCase(), character.toUpperCase()]) {
    builder.addTransition(from, to, each.charCodeAt(0));
  }
  return builder.finish();
}

export function textIgnoringCase(text: string): Automaton {
  return concatenate(codePointsOf(text).map(charIgnoringCase));
}

/** Texts that begin with one, in any case. */
export function prefixIgnoringCase(prefix: string): Automaton {
  return concatenate([textIgnoringCase(prefix), anyTextAutomaton()]);
}

/** `*` any text, `?` any character, `\` before a character that stands for itself. Not deterministic. */
export function wildcardAutomaton(pattern: string, ignoreCase: boolean): Automaton {
  const char = ignoreCase ? charIgnoringCase : rangeAutomaton;
  const codePoints = codePointsOf(pattern);
  const parts: Automaton[] = [];
  for (let i = 0; i < codePoints.length; i++) {
    const character = String.fromCodePoint(codePoints[i]);
    if (character === "*") parts.push(anyTextAutomaton());
    else if (character === "?") parts.push(anyCharAutomaton());
    else if (character === "\\" && i + 1 < codePoints.length) parts.push(char(codePoints[++i]));
    else parts.push(char(codePoints[i]));
  }
  return concatenate(parts);
}
