/** The `term` suggester: corrections of each word of a text (TermSuggester). */
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import { mergeEntries } from "../merge-entries.ts";
import { readerTerms } from "../spell/reader-terms.ts";
import { type SpellSettings, suggestSimilar } from "../spell/spell-checker.ts";
import { tokensOf } from "../target.ts";
import { termsField } from "../terms-field.ts";
import { type CommonOptions, DEFAULT_SIZE, type Entry, type Option, type Suggester } from "../types.ts";

interface TermOption extends Option {
  readonly freq: number;
}

/** The best first, the first in the order of bytes among equals (TermSuggestion.Score, TermSuggestion.Frequency). */
const ORDERS: { readonly [K in SpellSettings["sort"]]: (a: TermOption, b: TermOption) => number } = {
  score: (a, b) => b.score - a.score || b.freq - a.freq || compareUtf8(a.text, b.text),
  frequency: (a, b) => b.freq - a.freq || b.score - a.score || compareUtf8(a.text, b.text),
};

export function termSuggester(options: CommonOptions, settings: SpellSettings): Suggester<Entry<TermOption>> {
  return {
    type: "term",
    options,
    prepare: ({ text, field, analyzer, shardSize }, { searcher, docCount }) => {
      const name = termsField(field);
      return async (slices) => {
        const terms = name === undefined ? undefined : readerTerms(searcher.leaves, name);
        const words = { terms, maxDoc: searcher.maxDoc };
        const entries: Entry<TermOption>[] = [];
        for (const { term, start, end } of tokensOf(analyzer, text)) {
          if (slices.due()) await slices.pause();
          // Nothing is looked for where no document is alive (Suggester.execute).
          const found = docCount === 0 ? [] : await suggestSimilar(term, shardSize, words, settings, slices);
          const options = found.map(({ term, score, freq }) => ({ text: term, score, freq }));
          entries.push({ text: term, offset: start, length: end - start, options });
        }
        return entries;
      };
    },
    reduce: (shards) =>
      mergeEntries(shards, options.size ?? DEFAULT_SIZE, {
        merge: (a, b) => ({ ...a, score: Math.max(a.score, b.score), freq: a.freq + b.freq }),
        compare: ORDERS[settings.sort],
      }),
  };
}
