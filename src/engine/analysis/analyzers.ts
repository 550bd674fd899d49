/** The analyzers that come with Elasticsearch, as chains. */
import { type ChainAnalyzer, createChain } from "./chain.ts";
import type { Builder, Builders } from "./components.ts";
import { maxTokenLength } from "./components.ts";
import { asciiFoldingFilter } from "./filters/ascii-folding.ts";
import { lowercaseFilter } from "./filters/case.ts";
import { cjkBigramFilter, cjkWidthFilter } from "./filters/cjk.ts";
import { fingerprintFilter } from "./filters/fingerprint.ts";
import { possessiveFilter } from "./filters/porter.ts";
import { stopFilter } from "./filters/stop.ts";
import { ikTokenizer } from "./ik/index.ts";
import { LANGUAGE_ANALYZERS } from "./languages/analyzers.ts";
import { capitalized, snowballFilter } from "./languages/snowball.ts";
import { CJK_STOP_WORDS, ENGLISH_STOP_WORDS, namedStopWords } from "./languages/stop-words.ts";
import { stopWords } from "./settings.ts";
import { patternTokenizer } from "./tokenizers/pattern.ts";
import { keywordTokenizer, letterTokenizer, whitespaceTokenizer } from "./tokenizers/simple.ts";
import { standardTokenizer } from "./tokenizers/standard.ts";

const simple: Builder<ChainAnalyzer> = (name) =>
  createChain({ name, tokenizer: letterTokenizer(), filters: [lowercaseFilter()] });

/** Languages whose stop words the analyzer `snowball` drops unless it is told others. */
const SNOWBALL_STOP_WORDS: ReadonlySet<string> = new Set(["Dutch", "English", "French", "German"]);

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
  fingerprint: (name, settings, { resources }) =>
    createChain({
      name,
      tokenizer: standardTokenizer(),
      filters: [
        lowercaseFilter(),
        asciiFoldingFilter("asciifolding", false),
        stopFilter("stop", stopWords(settings, [], resources)),
        fingerprintFilter("fingerprint", settings.string("separator", " "), settings.int("max_output_size", 255)),
      ],
    }),
  // The analyzer of old releases for Chinese: single characters, with English stop words.
  chinese: (name) =>
    createChain({
      name,
      tokenizer: standardTokenizer(),
      filters: [lowercaseFilter(), stopFilter("stop", ENGLISH_STOP_WORDS)],
    }),
  snowball(name, settings, { resources }) {
    const language = capitalized(settings.string("language") ?? settings.string("name") ?? "English");
    const words = SNOWBALL_STOP_WORDS.has(language) ? namedStopWords(`_${language.toLowerCase()}_`) : undefined;
    return createChain({
      name,
      tokenizer: standardTokenizer(),
      filters: [
        ...(language === "English" ? [possessiveFilter()] : []),
        lowercaseFilter(),
        stopFilter("stop", stopWords(settings, words ?? [], resources)),
        snowballFilter("snowball", language, resources),
      ],
    });
  },
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
