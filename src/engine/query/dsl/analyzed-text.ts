/** What an analyzer makes of a query's text. */
import type { Analyzer } from "../../analysis/types.ts";

export interface AnalyzedToken {
  readonly term: string;
  /** Absolute, from 0. */
  readonly position: number;
  /** Positions that it spans: more than 1 in a graph, as of synonyms of several words. */
  readonly length: number;
}

/** The terms of one position. */
export interface AnalyzedPlace {
  readonly terms: string[];
  readonly position: number;
}

export interface AnalyzedText {
  readonly tokens: readonly AnalyzedToken[];
  /** The tokens by position, ascending. */
  readonly places: readonly AnalyzedPlace[];
  /** Some token spans several positions. */
  readonly graph: boolean;
  /** The last token ends where the text ends: it may be a word that is being typed. */
  readonly open: boolean;
  /** Tokens were dropped behind the last one. */
  readonly trailing?: boolean;
  /** Some token spans several positions, though the text is no graph. */
  readonly overlapping?: boolean;
}

/** Types of tokens that span several positions and are no graph: Elasticsearch switches it off for shingles and bigrams. */
const OVERLAPPING = ["shingle", "<DOUBLE>"];

export function analyzeText(analyzer: Analyzer, text: string): AnalyzedText {
  const tokens: AnalyzedToken[] = [];
  const places: AnalyzedPlace[] = [];
  let position = -1;
  let graph = false;
  let flat = false;
  let lastEnd = 0;
  const { offset, increment: dropped } = analyzer.analyze(text, (term, _start, end, increment, length, type) => {
    position += increment;
    lastEnd = end;
    graph ||= length > 1;
    flat ||= OVERLAPPING.includes(type);
    tokens.push({ term, position, length });
    const last = places.at(-1);
    if (increment === 0 && last) last.terms.push(term);
    else places.push({ terms: [term], position });
  });
  return {
    tokens,
    places,
    graph: graph && !flat,
    open: lastEnd === offset,
    trailing: dropped > 0,
    overlapping: graph && flat,
  };
}

/** The whole text as its one term. */
export function keywordText(text: string): AnalyzedText {
  return {
    tokens: [{ term: text, position: 0, length: 1 }],
    places: [{ terms: [text], position: 0 }],
    graph: false,
    open: true,
  };
}
