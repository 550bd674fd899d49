/** Which parts of a found text match the question, and the part of it that is worth showing. */
import { porterStem } from "../../engine/analysis/filters/porter.ts";
import { questionTerms, RUNS } from "../../synthesis/terms.ts";
import type { Span } from "./wrap.ts";

const HAN = /^\p{Script=Han}/u;

/** The terms of a question, as documents are compared with them. */
export function matchTerms(question: string): Set<string> {
  return new Set(questionTerms(question));
}

/** The spans of a text that match: whole words of the same stem, and pairs of Han characters, adjoining ones merged. */
export function matchSpans(text: string, terms: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  if (terms.size === 0) return spans;
  for (const match of text.matchAll(RUNS)) {
    const [run] = match;
    if (HAN.test(run)) hanSpans(run, match.index, terms, spans);
    else if (terms.has(wordTerm(run))) spans.push({ start: match.index, end: match.index + run.length });
  }
  return spans;
}

/** A word as the English analysis has it (Porter's stemmer). */
function wordTerm(word: string): string {
  return porterStem(word.normalize("NFKC").toLowerCase());
}

function hanSpans(run: string, offset: number, terms: ReadonlySet<string>, spans: Span[]): void {
  let at = offset;
  const characters = [...run];
  characters.forEach((character, i) => {
    const next = characters[i + 1];
    const single = terms.has(character.normalize("NFKC"));
    const pair = next !== undefined && terms.has((character + next).normalize("NFKC"));
    if (single || pair) {
      const end = at + character.length + (pair ? next.length : 0);
      const last = spans.at(-1);
      if (last && last.end >= at) last.end = Math.max(last.end, end);
      else spans.push({ start: at, end });
    }
    at += character.length;
  });
}

/** How far before a match the snippet may begin, to begin with a sentence. */
const LEAD = 60;
const SENTENCE_START = /(?<=[。！？!?；;]\s*|[.]\s+)/gu;

/**
 * The part of a text, about `length` characters long, that holds most of the question: of all windows that begin at a match, the one with
 * the most distinct matches (then the most characters matched, then the first).
 */
export function snippetSpan(text: string, matches: readonly Span[], length: number): Span {
  if (text.length <= length) return { start: 0, end: text.length };
  let best = { start: 0, distinct: 0, characters: 0 };
  for (let i = 0; i < matches.length; i++) {
    const { start } = matches[i]!;
    const seen = new Set<string>();
    let characters = 0;
    for (let j = i; j < matches.length && matches[j]!.end <= start + length - LEAD; j++) {
      const span = matches[j]!;
      seen.add(text.slice(span.start, span.end).toLowerCase());
      characters += span.end - span.start;
    }
    if (seen.size > best.distinct || (seen.size === best.distinct && characters > best.characters))
      best = { start, distinct: seen.size, characters };
  }
  const start = wholeCharacter(text, snippetStart(text, best.start));
  return { start, end: wholeCharacter(text, Math.min(text.length, start + length)) };
}

/** The start of the sentence that a match is in, where that is near; of the word otherwise. */
function snippetStart(text: string, match: number): number {
  const from = Math.max(0, match - LEAD);
  if (from === 0) return 0;
  const before = text.slice(from, match);
  const starts = [...before.matchAll(SENTENCE_START)];
  const sentence = starts.at(-1)?.index;
  if (sentence !== undefined) return from + sentence;
  const space = before.indexOf(" ");
  return space >= 0 ? from + space + 1 : from;
}

/** Not in the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** A part of a text with its matches marked. */
export function marked(text: string, part: Span, matches: readonly Span[], mark: (text: string) => string): string {
  let out = "";
  let at = part.start;
  for (const { start, end } of matches) {
    if (end <= part.start || start >= part.end) continue;
    const from = Math.max(start, part.start);
    const to = Math.min(end, part.end);
    out += text.slice(at, from) + mark(text.slice(from, to));
    at = to;
  }
  return out + text.slice(at, part.end);
}
