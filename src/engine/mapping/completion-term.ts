/**
 * What is kept of a completion to be suggested, in a field of its own: a term for each reading of its text, in the order in which Lucene's
 * NRTSuggester meets them: by what was analysed, then by weight. A NUL ends what is matched, and can be matched itself, as in Lucene's
 * automaton; another one ends the text, with its place among the completions of its document behind it.
 */
export const SUGGESTIONS = "._suggestions";

export const MAX_WEIGHT = 2 ** 31 - 1;

const END = "\u0000";
/** Digits of a weight. */
const WIDTH = 10;

export interface Completion {
  /** What was analysed. */
  readonly key: string;
  readonly weight: number;
  /** As it was written. */
  readonly text: string;
  /** Among the completions of its document. */
  readonly place: number;
}

export function completionTerm({ key, weight, text, place }: Completion): string {
  return `${key}${END}${String(MAX_WEIGHT - weight).padStart(WIDTH, "0")}${text}${END}${place}`;
}

/** How many bytes of a term are matched: what was analysed, and its end. */
export const matchedLength = (term: Uint8Array): number => term.indexOf(0) + END.length;

export function weightOf(term: Uint8Array): number {
  const from = matchedLength(term);
  let digits = 0;
  for (let at = from; at < from + WIDTH; at++) digits = digits * 10 + term[at] - 0x30;
  return MAX_WEIGHT - digits;
}

/** The text of a completion as it was written. */
export const textOf = (term: string): string =>
  term.slice(term.indexOf(END) + END.length + WIDTH, term.lastIndexOf(END));

/** Its place among the completions of its document. */
export const placeOf = (term: string): number => Number(term.slice(term.lastIndexOf(END) + END.length));
