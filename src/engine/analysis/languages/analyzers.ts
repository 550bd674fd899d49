/** The analyzers of single languages: words in lower case, without stop words, stemmed. */
import { type ChainAnalyzer, createChain, mapFilter, type TokenFilter } from "../chain.ts";
import type { Builder, Builders } from "../components.ts";
import { lowercaseFilter } from "../filters/case.ts";
import { porterStemFilter, possessiveFilter } from "../filters/porter.ts";
import { elisionFilter, FRENCH_ARTICLES, keywordMarkerFilter } from "../filters/simple.ts";
import { stopFilter } from "../filters/stop.ts";
import { stopWords, wordList } from "../settings.ts";
import { standardTokenizer } from "../tokenizers/standard.ts";
import type { AnalysisResources } from "../types.ts";
import { apostropheFilter, dutchOverrideFilter, irishLowerCase, turkishLowerCase } from "./filters.ts";
import { normalizeGerman } from "./germanic.ts";
import { snowballFilter } from "./snowball.ts";
import { stemmerFilter } from "./stemmers.ts";
import { namedStopWords } from "./stop-words.ts";

interface Language {
  /** What comes before the stop words; lower case by default. */
  readonly before?: () => TokenFilter[];
  /** What comes after them, and after the words that are not stemmed. */
  readonly stem: (resources: AnalysisResources) => TokenFilter[];
}

const snowball = (language: string) => (resources: AnalysisResources) => [
  snowballFilter("snowball", language, resources),
];
const light = (language: string) => (resources: AnalysisResources) => [
  stemmerFilter("stemmer", `light_${language}`, resources),
];
const elision = (articles: readonly string[]) => elisionFilter("elision", articles, true);
const words = (text: string) => text.split(" ");

const ITALIAN_ARTICLES = words("c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d");

const LANGUAGES: Readonly<Record<string, Language>> = {
  armenian: { stem: snowball("Armenian") },
  danish: { stem: snowball("Danish") },
  dutch: { stem: (resources) => [dutchOverrideFilter(), ...snowball("Dutch")(resources)] },
  english: { before: () => [possessiveFilter(), lowercaseFilter()], stem: () => [porterStemFilter()] },
  finnish: { stem: snowball("Finnish") },
  french: { before: () => [elision(FRENCH_ARTICLES), lowercaseFilter()], stem: light("french") },
  german: { stem: (resources) => [mapFilter("german_normalization", normalizeGerman), ...light("german")(resources)] },
  hungarian: { stem: snowball("Hungarian") },
  irish: {
    // The letters that a hyphen sets off (t-, n-, h-) are dropped before anything else.
    before: () => [
      stopFilter("hyphenations", ["h", "n", "t"], { ignoreCase: true }),
      elision(["d", "m", "b"]),
      mapFilter("lowercase", irishLowerCase),
    ],
    stem: snowball("Irish"),
  },
  italian: { before: () => [elision(ITALIAN_ARTICLES), lowercaseFilter()], stem: light("italian") },
  lithuanian: { stem: snowball("Lithuanian") },
  norwegian: { stem: snowball("Norwegian") },
  portuguese: { stem: light("portuguese") },
  romanian: { stem: snowball("Romanian") },
  russian: { stem: snowball("Russian") },
  spanish: { stem: light("spanish") },
  swedish: { stem: snowball("Swedish") },
  turkish: { before: () => [apostropheFilter(), mapFilter("lowercase", turkishLowerCase)], stem: snowball("Turkish") },
};

/** Words that the stemmer leaves as they are. */
function stemExclusion(excluded: readonly string[] | undefined): TokenFilter[] {
  if (excluded === undefined || excluded.length === 0) return [];
  const set = new Set(excluded);
  return [keywordMarkerFilter("keyword_marker", (term) => set.has(term))];
}

function languageAnalyzer(
  language: string,
  { before = () => [lowercaseFilter()], stem }: Language,
): Builder<ChainAnalyzer> {
  return (name, settings, { resources }) =>
    createChain({
      name,
      tokenizer: standardTokenizer(),
      filters: [
        ...before(),
        stopFilter("stop", stopWords(settings, namedStopWords(`_${language}_`) ?? [], resources)),
        ...stemExclusion(wordList(settings, "stem_exclusion", resources)),
        ...stem(resources),
      ],
    });
}

export const LANGUAGE_ANALYZERS: Builders<ChainAnalyzer> = Object.fromEntries(
  Object.entries(LANGUAGES).map(([language, parts]) => [language, languageAnalyzer(language, parts)]),
);
