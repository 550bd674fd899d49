/** A text with its terms marked, cut into fragments that count by the different terms in them (Lucene's Highlighter). */
import type { AnalyzedText } from "../analyzed-text.ts";
import { isWithinSpan, spanFrom, type WeightedTerm } from "./weighted-terms.ts";

export interface TextFragment {
  readonly text: string;
  readonly score: number;
  /** Its place among the fragments of the text. */
  readonly number: number;
}

/** Says whether a token begins a new fragment. It is asked for the first token behind each group. */
export interface Fragmenter {
  start(textLength: number): void;
  isNewFragment(text: AnalyzedText, token: number, terms: ReadonlyMap<string, WeightedTerm>): boolean;
}

export const wholeText: Fragmenter = { start() {}, isNewFragment: () => false };

/** Fragments of about a size (SimpleFragmenter). */
export function simpleFragmenter(size: number): Fragmenter {
  let fragments = 1;
  return {
    start() {
      fragments = 1;
    },
    isNewFragment({ ends }, token) {
      if (ends[token] < Math.imul(size, fragments)) return false;
      fragments++;
      return true;
    },
  };
}

/** Likewise, but no phrase is cut (SimpleSpanFragmenter). */
export function spanFragmenter(size: number): Fragmenter {
  let fragments = 1;
  let length = 0;
  let position = -1;
  /** Position up to which a phrase goes; it stays from one text to the next, as in Lucene. */
  let waiting = -1;
  return {
    start(textLength) {
      [fragments, length, position] = [1, textLength, -1];
    },
    isNewFragment({ terms: texts, positions, ends }, token, terms) {
      // It adds up the increments of the tokens that it is asked for alone.
      position += positions[token] - (token > 0 ? positions[token - 1] : -1);
      if (waiting <= position) waiting = -1;
      else if (waiting !== -1) return false;
      const term = terms.get(texts[token]);
      const span = term && spanFrom(term, position);
      if (span) waiting = span.end + 1;
      if (ends[token] < Math.imul(size, fragments) || length - ends[token] < size >>> 1) return false;
      fragments++;
      return true;
    },
  };
}

export interface MarkOptions {
  readonly preTag: string;
  readonly postTag: string;
  readonly encode: (text: string) => string;
}

/** More tokens of one place are not looked at. */
const MOST_IN_GROUP = 50;

/** @returns the best fragments, the best first @param most how many */
export function bestFragments(
  text: string,
  tokens: AnalyzedText,
  terms: ReadonlyMap<string, WeightedTerm>,
  fragmenter: Fragmenter,
  most: number,
  { preTag, postTag, encode }: MarkOptions,
): TextFragment[] {
  const fragments: { parts: string[]; score: number }[] = [{ parts: [], score: 0 }];
  let seen = new Set<string>();
  let last = 0;
  const current = () => fragments[fragments.length - 1];

  const tokenScore = (token: number): number => {
    const term = terms.get(tokens.terms[token]);
    if (!term) return 0;
    const position = tokens.positions[token];
    if (term.positionSensitive && !isWithinSpan(term, position)) return 0;
    const fragment = current();
    if (!seen.has(tokens.terms[token])) fragment.score = Math.fround(fragment.score + term.weight);
    seen.add(tokens.terms[token]);
    return term.weight;
  };
  const write = ({ from, to, total }: Group): void => {
    const marked = encode(text.slice(from, to));
    if (from > last) current().parts.push(encode(text.slice(last, from)));
    current().parts.push(total > 0 ? `${preTag}${marked}${postTag}` : marked);
    last = Math.max(to, last);
  };

  fragmenter.start(text.length);
  let group: Group | undefined;
  for (let token = 0; token < tokens.terms.length; token++) {
    if (group && tokens.starts[token] >= group.end) {
      write(group);
      group = undefined;
      if (fragmenter.isNewFragment(tokens, token, terms)) {
        fragments.push({ parts: [], score: 0 });
        seen = new Set();
      }
    }
    group = added(group, tokens.starts[token], tokens.ends[token], tokenScore(token));
  }
  if (group) write(group);
  if (last < text.length) current().parts.push(encode(text.slice(last)));
  return fragments
    .map(({ parts, score }, number) => ({ text: parts.join(""), score, number }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, most);
}

/** Tokens that overlap (TokenGroup). */
interface Group {
  readonly count: number;
  readonly end: number;
  /** Of what is marked among them; of all where nothing is. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

function added(group: Group | undefined, start: number, end: number, score: number): Group {
  if (!group) return { count: 1, end, from: start, to: end, total: score };
  if (group.count === MOST_IN_GROUP) return group;
  const grown = { ...group, count: group.count + 1, end: Math.max(group.end, end) };
  if (score <= 0) return grown;
  const total = Math.fround(group.total + score);
  if (group.total === 0) return { ...grown, from: start, to: end, total };
  return { ...grown, from: Math.min(group.from, start), to: Math.max(group.to, end), total };
}
