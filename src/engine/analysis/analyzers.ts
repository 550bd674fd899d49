/** The analyzers that come with Elasticsearch, as chains. */
import { type ChainAnalyzer, createChain, type TokenFilter } from "./chain.ts";
import type { Builder, Builders } from "./components.ts";
import { maxTokenLength } from "./components.ts";
import { lowercaseFilter } from "./filters/case.ts";
import { cjkBigramFilter, cjkWidthFilter } from "./filters/cjk.ts";
import { porterStemFilter, possessiveFilter } from "./filters/porter.ts";
import { keywordMarkerFilter } from "./filters/simple.ts";
import { CJK_STOP_WORDS, ENGLISH_STOP_WORDS, stopFilter } from "./filters/stop.ts";
import { ikTokenizer } from "./ik/index.ts";
import { stopWords, wordList } from "./settings.ts";
import { patternTokenizer } from "./tokenizers/pattern.ts";
import { keywordTokenizer, letterTokenizer, whitespaceTokenizer } from "./tokenizers/simple.ts";
import { standardTokenizer } from "./tokenizers/standard.ts";

const simple: Builder<ChainAnalyzer> = (name) =>
  createChain({ name, tokenizer: letterTokenizer(), filters: [lowercaseFilter()] });

/** Words that the stemmer leaves as they are. */
function stemExclusion(words: readonly string[] | undefined): TokenFilter[] {
  if (words === undefined || words.length === 0) return [];
  const set = new Set(words);
  return [keywordMarkerFilter("keyword_marker", (term) => set.has(term))];
}

export const ANALYZERS: Builders<ChainAnalyzer> = {
  standard(name, settings, { resources }) {
    const words = stopWords(settings, [], resources);
    return createChain({
      name,
      tokenizer: standardTokenizer("standard", maxTokenLength(settings)),
      filters: [lowercaseFilter(), ...(words.length > 0 ? [stopFilter("stop", words)] : [])],
    });
  },
  simple,
  stop: (name, settings, { resources }) =>
    createChain({
      name,
      tokenizer: letterTokenizer(),
      filters: [lowercaseFilter(), stopFilter("stop", stopWords(settings, ENGLISH_STOP_WORDS, resources))],
    }),
  whitespace: (name) => createChain({ name, tokenizer: whitespaceTokenizer() }),
  pattern(name, settings, { resources }) {
    const words = stopWords(settings, [], resources);
    return createChain({
      name,
      tokenizer: patternTokenizer("pattern", settings.string("pattern", "\\W+"), settings.string("flags", "")),
      filters: [
        ...(settings.bool("lowercase", true) ? [lowercaseFilter()] : []),
        ...(words.length > 0 ? [stopFilter("stop", words)] : []),
      ],
    });
  },
  keyword: (name) => createChain({ name, tokenizer: keywordTokenizer() }),
  english: (name, settings, { resources }) =>
    createChain({
      name,
      tokenizer: standardTokenizer(),
      filters: [
        possessiveFilter(),
        lowercaseFilter(),
        stopFilter("stop", stopWords(settings, ENGLISH_STOP_WORDS, resources)),
        ...stemExclusion(wordList(settings, "stem_exclusion", resources)),
        porterStemFilter(),
      ],
    }),
  cjk: (name, settings, { resources }) =>
    createChain({
      name,
      tokenizer: standardTokenizer(),
      filters: [
        cjkWidthFilter(),
        lowercaseFilter(),
        cjkBigramFilter(),
        stopFilter("stop", stopWords(settings, CJK_STOP_WORDS, resources)),
      ],
    }),
  ik_max_word: (name, settings, context) =>
    createChain({ name, tokenizer: ikTokenizer("ik_max_word", false, settings, context) }),
  ik_smart: (name, settings, context) =>
    createChain({ name, tokenizer: ikTokenizer("ik_smart", true, settings, context) }),
};
