/** The parts that analyzers are made of, by the names that settings use. */
import { illegalArgument, unsupported } from "../errors.ts";
import type { CharFilter, TokenFilter, Tokenizer } from "./chain.ts";
import { lowerCase, lowercaseFilter, uppercaseFilter } from "./filters/case.ts";
import { cjkBigramFilter, cjkWidthFilter } from "./filters/cjk.ts";
import { porterStemFilter } from "./filters/porter.ts";
import { ENGLISH_STOP_WORDS, stopFilter } from "./filters/stop.ts";
import { ikTokenizer } from "./ik/index.ts";
import type { ComponentContext, ComponentSettings } from "./settings.ts";
import { stopWords } from "./settings.ts";
import { keywordTokenizer, letterTokenizer, mappedTokenizer, whitespaceTokenizer } from "./tokenizers/simple.ts";
import { standardTokenizer } from "./tokenizers/standard.ts";

/** A filter that needs the parts of the chain before it, to analyze its own rules with them. */
export interface ChainAwareFilter {
  readonly name: string;
  inChain(charFilters: readonly CharFilter[], tokenizer: Tokenizer, before: readonly TokenFilter[]): TokenFilter;
}
export type FilterDefinition = TokenFilter | ChainAwareFilter;

export type Builder<T> = (name: string, settings: ComponentSettings, context: ComponentContext) => T;
export type Builders<T> = Readonly<Record<string, Builder<T>>>;

export const TOKENIZERS: Builders<Tokenizer> = {
  standard: (name, settings) => standardTokenizer(name, maxTokenLength(settings)),
  keyword: (name) => keywordTokenizer(name),
  letter: (name) => letterTokenizer(name),
  lowercase: (name) => mappedTokenizer(name, letterTokenizer(), lowerCase),
  ik_max_word: (name, settings, context) => ikTokenizer(name, false, settings, context),
  ik_smart: (name, settings, context) => ikTokenizer(name, true, settings, context),
  whitespace: (name, settings) => whitespaceTokenizer(name, maxTokenLength(settings)),
};

export const TOKEN_FILTERS: Builders<FilterDefinition> = {
  lowercase(name, settings) {
    const language = settings.string("language");
    if (language !== undefined) throw unsupported(`lowercase filter with language ${language}`);
    return lowercaseFilter(name);
  },
  uppercase: (name) => uppercaseFilter(name),
  cjk_width: (name) => cjkWidthFilter(name),
  cjk_bigram: (name, settings) =>
    cjkBigramFilter(name, {
      outputUnigrams: settings.bool("output_unigrams", false),
      ignoredScripts: settings.list("ignored_scripts"),
    }),
  porter_stem: (name) => porterStemFilter(name),
  stop: (name, settings, { resources }) =>
    stopFilter(name, stopWords(settings, ENGLISH_STOP_WORDS, resources), {
      ignoreCase: settings.bool("ignore_case", false),
      removeTrailing: settings.bool("remove_trailing", true),
    }),
};

export const CHAR_FILTERS: Builders<CharFilter> = {};

/** What Elasticsearch's own modules have and this engine has not. */
export const UNSUPPORTED = {
  tokenizer: words("char_group classic simple_pattern simple_pattern_split thai uax_url_email"),
  filter: words(
    "apostrophe arabic_normalization arabic_stem bengali_normalization brazilian_stem classic common_grams condition czech_stem delimited_payload " +
      "dictionary_decompounder dutch_stem fingerprint flatten_graph french_stem german_normalization german_stem hindi_normalization hunspell " +
      "hyphenation_decompounder indic_normalization keep keep_types keyword_repeat kstem limit min_hash multiplexer pattern_capture persian_normalization " +
      "persian_stem predicate_token_filter remove_duplicates russian_stem scandinavian_folding scandinavian_normalization serbian_normalization snowball " +
      "sorani_normalization stemmer_override synonym synonym_graph type_as_synonym word_delimiter word_delimiter_graph",
  ),
  char_filter: words(""),
  analyzer: words(
    "arabic armenian basque bengali brazilian bulgarian catalan chinese czech danish dutch estonian fingerprint finnish french galician german greek " +
      "hindi hungarian indonesian irish italian latvian lithuanian norwegian persian portuguese romanian russian serbian snowball sorani spanish " +
      "swedish thai turkish",
  ),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" ").filter((word) => word !== ""));
}

export function maxTokenLength(settings: ComponentSettings): number {
  const length = settings.int("max_token_length", 255);
  if (length < 1) throw illegalArgument("maxTokenLength must be greater than zero");
  return length;
}
