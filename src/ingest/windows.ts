/**
 * Sentence windows: what a small embedding sees at once. Whole sentences are packed until a window is full; a sentence that is longer
 * than a window is cut at commas, else at spaces, else anywhere between two characters, into parts of about the same length.
 */
import { isSpace, isWide, type Span, trimmedSpan, wholeCharacterCut } from "./characters.ts";
import { sentences } from "./sentences.ts";

/** 60 Chinese or 200 Latin characters fill a window. */
const LATIN_WEIGHT = 3;
const WIDE_WEIGHT = 10;
const WINDOW_WEIGHT = 600;
/** What a cut at a space is worse than one at a comma, in weight off the ideal place. */
const SPACE_PENALTY = 120;

const COMMAS = new Set(",，、;；:：");

/** Windows of a text, in order; each holds something else than white space, and begins and ends with it. */
export function sentenceWindows(text: string): Span[] {
  const out: Span[] = [];
  let current: Span | undefined;
  let weight = 0;
  for (const { start, end } of sentences(text)) {
    for (const part of parts(text, start, end)) {
      const partWeight = weigh(text, part.start, part.end);
      const gap: number = current ? LATIN_WEIGHT * (part.start - current.end) : 0;
      if (current && weight + gap + partWeight <= WINDOW_WEIGHT) {
        current.end = part.end;
        weight += gap + partWeight;
      } else {
        current = { ...part };
        out.push(current);
        weight = partWeight;
      }
    }
  }
  return out;
}

/** Three for a Latin character, ten for a wide one: so that equal weights say about as much. */
export function weigh(text: string, start: number, end: number): number {
  let weight = 0;
  for (let i = start; i < end; i++) weight += isWide(text.charCodeAt(i)) ? WIDE_WEIGHT : LATIN_WEIGHT;
  return weight;
}

/** A sentence, or its parts when it does not fit into a window. */
function* parts(text: string, start: number, end: number): Generator<Span> {
  let rest = weigh(text, start, end);
  let from = start;
  while (rest > WINDOW_WEIGHT) {
    const ideal = rest / Math.ceil(rest / WINDOW_WEIGHT);
    const cut = bestCut(text, from, ideal);
    const part = trimmedSpan(text, from, cut);
    if (part) yield part;
    rest -= weigh(text, from, cut);
    from = cut;
  }
  const last = trimmedSpan(text, from, end);
  if (last) yield last;
}

/** The best place to cut before the window is full. `ideal` is the weight that would make all parts alike. */
function bestCut(text: string, from: number, ideal: number): number {
  let weight = 0;
  let best: { at: number; cost: number } | undefined;
  let atIdeal = from;
  for (let i = from; ; i++) {
    const code = text.charCodeAt(i);
    weight += isWide(code) ? WIDE_WEIGHT : LATIN_WEIGHT;
    if (weight > WINDOW_WEIGHT) break;
    if (weight <= ideal) atIdeal = i + 1;
    const space = isSpace(code);
    if (weight < ideal / 2 || !(space || COMMAS.has(text[i]!))) continue;
    // "1,000" and "12:30" are no places to cut.
    if (!space && code < 0x80 && !isSpace(text.charCodeAt(i + 1))) continue;
    const cost = Math.abs(weight - ideal) + (space ? SPACE_PENALTY : 0);
    if (!best || cost < best.cost) best = { at: i + 1, cost };
  }
  return best?.at ?? wholeCharacterCut(text, atIdeal, from);
}
