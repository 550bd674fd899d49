/** Terms in pairs, as Lucene's FixedShingleFilter of size 2 joins them: what `index_phrases` indexes and phrases are looked for by. */
import { EngineError } from "../errors.ts";
import type { Analyzer } from "./types.ts";

/** What the name of a field's pairs ends with. */
export const PHRASES = "._index_phrase";

/** In the place of a token that was dropped. */
const FILLER = "_";

interface Word {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly increment: number;
  readonly position: number;
  readonly length: number;
}

/** As many tokens are looked at at once (GraphTokenFilter.MAX_TOKEN_CACHE_SIZE). */
const MOST_AT_ONCE = 100;

/** @throws where too many tokens lie between one and the end of those that follow it. @param tokens in order */
export function checkPairs(tokens: readonly { readonly position: number; readonly length: number }[]): void {
  for (const [i, { position, length }] of tokens.entries()) {
    let last = i;
    // The one behind those that follow shows where they end.
    while (last < tokens.length - 1 && tokens[last].position <= position + length) {
      last++;
      if (last - i < MOST_AT_ONCE) continue;
      const reason = `Too many cached tokens (> ${MOST_AT_ONCE})`;
      throw new EngineError("illegal_state_exception", reason, { status: 500 });
    }
  }
}

/** A term with the one that follows it, or with the sign that one was dropped there. */
export const pairOf = (first: string, second: string = FILLER): string => `${first} ${second}`;

/** An analyzer whose tokens are the pairs of another one's; each stands where its first term does. */
export function pairAnalyzer(analyzer: Analyzer): Analyzer {
  return {
    name: analyzer.name,
    positionIncrementGap: analyzer.positionIncrementGap,
    offsetGap: analyzer.offsetGap,
    analyze(text, sink) {
      const words: Word[] = [];
      const at = new Map<number, Word[]>();
      let position = -1;
      const end = analyzer.analyze(text, (term, start, stop, increment, length) => {
        position += increment;
        const word = { term, start, end: stop, increment, position, length };
        words.push(word);
        const beside = at.get(position);
        if (beside) beside.push(word);
        else at.set(position, [word]);
      });
      checkPairs(words);
      // What makes no pair takes its step in positions with it.
      for (const word of words) {
        const followers = at.get(word.position + word.length);
        const dropped = word.position + word.length <= position + end.increment;
        const seconds = followers ?? (dropped ? [undefined] : []);
        for (const [i, second] of seconds.entries()) {
          const step = i === 0 ? word.increment : 0;
          sink(pairOf(word.term, second?.term), word.start, second?.end ?? word.end, step, 1, "shingle");
        }
      }
      return end;
    },
  };
}
