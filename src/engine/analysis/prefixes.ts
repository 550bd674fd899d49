/** The beginnings of terms, as Lucene's EdgeNGramTokenFilter cuts them: what `index_prefixes` indexes and prefixes are looked for by. */
import type { Analyzer } from "./types.ts";

/** What the name of a field's prefixes ends with. */
export const PREFIXES = "._index_prefix";

/** How many characters beginnings have. */
export interface PrefixLengths {
  readonly min: number;
  readonly max: number;
}

/** An analyzer whose tokens are the beginnings of another one's; those of a term stand at its place. */
export function prefixAnalyzer(analyzer: Analyzer, { min, max }: PrefixLengths): Analyzer {
  return {
    name: analyzer.name,
    positionIncrementGap: analyzer.positionIncrementGap,
    offsetGap: analyzer.offsetGap,
    analyze(text, sink) {
      // The steps of terms that are too short are taken by the next one.
      let step = 0;
      const end = analyzer.analyze(text, (term, start, stop, increment) => {
        step += increment;
        let length = 0;
        let cut = 0;
        for (const character of term) {
          cut += character.length;
          if (++length > max) return;
          if (length < min) continue;
          sink(term.slice(0, cut), start, stop, step, 1, "word");
          step = 0;
        }
      });
      return { ...end, increment: end.increment + step };
    },
  };
}
