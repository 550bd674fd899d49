/** Where a text that has to be cut is cut best: at a comma, at a space, and never within a character. */
import { isSpace, splitsPair } from "./characters.ts";

const COMMAS = new Set(",，、;；:：");

/** Characters that hang on the one before: combining marks, variation selectors, joiners. */
const HANGING = /^(?:\p{M}|\u200c|\u200d)/u;
const JOINER = 0x200d;
/** Marks may be piled up without end; beyond this many the pile is cut. */
const MOST_MARKS = 16;

/**
 * The place nearest below `at` (or `at` itself) where a text may be cut without tearing a character from its marks; above `lowest`.
 * A surrogate pair is never cut: where no other place is left, the result lies behind the pair.
 */
export function wholeCharacterCut(text: string, at: number, lowest: number): number {
  for (let cut = at; cut > lowest && cut > at - MOST_MARKS; cut--) {
    if (splitsPair(text, cut) || text.charCodeAt(cut - 1) === JOINER) continue;
    const next = text.codePointAt(cut);
    if (next === undefined || !HANGING.test(String.fromCodePoint(next))) return cut;
  }
  if (!splitsPair(text, at)) return at;
  return at - 1 > lowest ? at - 1 : at + 1;
}

/**
 * The place to cut near `ideal`, above `lowest` and not above `highest`: behind a comma, else behind a space (a comma may be a quarter
 * of the range further off), else between two characters.
 */
export function naturalCut(text: string, ideal: number, lowest: number, highest: number): number {
  const spacePenalty = (highest - lowest) / 4;
  let best: { at: number; cost: number } | undefined;
  for (let at = lowest + 1; at <= highest; at++) {
    const code = text.charCodeAt(at - 1);
    const space = isSpace(code);
    if (!space && !COMMAS.has(text[at - 1]!)) continue;
    // "1,000" and "12:30" are no places to cut.
    if (!space && code < 0x80 && !isSpace(text.charCodeAt(at))) continue;
    const cost = Math.abs(at - ideal) + (space ? spacePenalty : 0);
    if (!best || cost < best.cost) best = { at, cost };
  }
  return best?.at ?? wholeCharacterCut(text, ideal, lowest);
}
