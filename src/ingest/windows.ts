/**
 * Sentence windows: what a small embedding sees at once. Whole sentences are packed until a window is full; a sentence that is longer
 * than a window is cut at commas, else at spaces, else anywhere between two characters, into parts of about the same length.
 */
import { isWide, type Span, trimmedSpan } from "./characters.ts";
import { naturalCut } from "./cuts.ts";
import { sentences } from "./sentences.ts";

/** 60 Chinese or 200 Latin characters fill a window. */
const LATIN_WEIGHT = 3;
const WIDE_WEIGHT = 10;
const WINDOW_WEIGHT = 600;

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

/** The place to cut before the window is full. `ideal` is the weight that would make all parts alike. */
function bestCut(text: string, from: number, ideal: number): number {
  let weight = 0;
  let half = from;
  let atIdeal = from;
  for (let i = from; ; i++) {
    weight += isWide(text.charCodeAt(i)) ? WIDE_WEIGHT : LATIN_WEIGHT;
    if (weight > WINDOW_WEIGHT) return naturalCut(text, atIdeal, half, i);
    if (weight <= ideal / 2) half = i + 1;
    if (weight <= ideal) atIdeal = i + 1;
  }
}
