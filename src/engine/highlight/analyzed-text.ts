/** The tokens of a field's values, analysed again: the engine keeps no places of tokens. */
import type { Analyzer } from "../analysis/types.ts";

/** Tokens side by side, in their order; places are those in the values joined by a separator of one character. */
export interface AnalyzedText {
  readonly terms: readonly string[];
  readonly positions: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** @param mostOffset tokens that begin behind it, in each value, are left out (LimitTokenOffsetFilter) */
export function analyzeText(
  analyzer: Analyzer | undefined,
  values: readonly string[],
  mostOffset = Number.POSITIVE_INFINITY,
): AnalyzedText {
  const text = { terms: [] as string[], positions: [] as number[], starts: [] as number[], ends: [] as number[] };
  let base = 0;
  let position = -1;
  for (const [i, value] of values.entries()) {
    if (i > 0 && analyzer) position += analyzer.positionIncrementGap;
    let cut = false;
    const add = (term: string, start: number, end: number, increment: number): void => {
      position += increment;
      cut ||= start > mostOffset;
      if (cut) return;
      text.terms.push(term);
      text.positions.push(position);
      text.starts.push(base + start);
      text.ends.push(base + end);
    };
    if (analyzer) position += analyzer.analyze(value, add).increment;
    else add(value, 0, value.length, 1);
    base += value.length + 1;
  }
  return text;
}

/** The tokens with some terms, in their places. */
export function onlyTerms(text: AnalyzedText, wanted: ReadonlySet<string>): AnalyzedText {
  const kept = Array.from(text.terms.keys()).filter((i) => wanted.has(text.terms[i]));
  const of = <T>(list: readonly T[]) => kept.map((i) => list[i]);
  return { terms: of(text.terms), positions: of(text.positions), starts: of(text.starts), ends: of(text.ends) };
}
