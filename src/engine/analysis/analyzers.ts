/** The analyzers that come with Elasticsearch, as chains. */
import { type ChainAnalyzer, createChain } from "./chain.ts";
import type { Builder, Builders } from "./components.ts";
import { maxTokenLength } from "./components.ts";
import { lowercaseFilter } from "./filters/case.ts";
import { cjkBigramFilter, cjkWidthFilter } from "./filters/cjk.ts";
import { stopFilter } from "./filters/stop.ts";
import { ikTokenizer } from "./ik/index.ts";
import { LANGUAGE_ANALYZERS } from "./languages/analyzers.ts";
import { CJK_STOP_WORDS, ENGLISH_STOP_WORDS } from "./languages/stop-words.ts";
import { stopWords } from "./settings.ts";
import { patternTokenizer } from "./tokenizers/pattern.ts";
import { keywordTokenizer, letterTokenizer, whitespaceTokenizer } from "./tokenizers/simple.ts";
import { standardTokenizer } from "./tokenizers/standard.ts";

const simple: Builder<ChainAnalyzer> = (name) =>
  createChain({ name, tokenizer: letterTokenizer(), filters: [lowercaseFilter()] });

export const ANALYZERS: Builders<ChainAnalyzer> = {
  ...LANGUAGE_ANALYZERS,
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
