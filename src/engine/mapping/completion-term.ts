/**
 * What is kept of a completion: a term for each reading of its text, in the order in which Lucene's NRTSuggester meets them: by what was
 * analysed, then by weight. A NUL ends what is matched, and can be matched itself, as in Lucene's automaton.
 */
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
}

export function completionTerm({ key, weight, text }: Completion): string {
  return `${key}${END}${String(MAX_WEIGHT - weight).padStart(WIDTH, "0")}${text}`;
}

export function completionOf(term: string): Completion {
  const end = term.indexOf(END);
  const at = end + END.length;
  return {
    key: term.slice(0, end),
    weight: MAX_WEIGHT - Number(term.slice(at, at + WIDTH)),
    text: term.slice(at + WIDTH),
  };
}

/** The bytes that are matched of a completion. */
export const matchedText = ({ key }: Completion): string => key + END;
