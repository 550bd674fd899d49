/** The analyzers that come with Elasticsearch, as chains. */
import { type ChainAnalyzer, createChain } from "./chain.ts";
import type { Builder, Builders } from "./components.ts";
import { maxTokenLength } from "./components.ts";
import { lowercaseFilter } from "./filters/case.ts";
import { cjkBigramFilter, cjkWidthFilter } from "./filters/cjk.ts";
import { porterStemFilter, possessiveFilter } from "./filters/porter.ts";
import { CJK_STOP_WORDS, ENGLISH_STOP_WORDS, stopFilter } from "./filters/stop.ts";
import { ikTokenizer } from "./ik/index.ts";
import { stopWords } from "./settings.ts";
import { keywordTokenizer, letterTokenizer, whitespaceTokenizer } from "./tokenizers/simple.ts";
import { standardTokenizer } from "./tokenizers/standard.ts";

const simple: Builder<ChainAnalyzer> = (name) =>
  createChain({ name, tokenizer: letterTokenizer(), filters: [lowercaseFilter()] });

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
  keyword: (name) => createChain({ name, tokenizer: keywordTokenizer() }),
  english: (name, settings, { resources }) =>
    createChain({
      name,
      tokenizer: standardTokenizer(),
      filters: [
        possessiveFilter(),
        lowercaseFilter(),
        stopFilter("stop", stopWords(settings, ENGLISH_STOP_WORDS, resources)),
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
