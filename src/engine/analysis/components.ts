/** The parts that analyzers are made of, by the names that settings use. */
import { illegalArgument, unsupported } from "../errors.ts";
import { type CharFilter, mapFilter, type TokenFilter, type Tokenizer } from "./chain.ts";
import { htmlStripCharFilter } from "./char-filters/html-strip.ts";
import { mappingCharFilter, patternReplaceCharFilter } from "./char-filters/replace.ts";
import { asciiFoldingFilter } from "./filters/ascii-folding.ts";
import { lowerCase, lowercaseFilter, uppercaseFilter } from "./filters/case.ts";
import { cjkBigramFilter, cjkWidthFilter } from "./filters/cjk.ts";
import { fingerprintFilter } from "./filters/fingerprint.ts";
import { checkShingles, gramFilter, shingleFilter } from "./filters/grams.ts";
import { kstemFilter } from "./filters/kstem.ts";
import { porterStemFilter } from "./filters/porter.ts";
import {
  decimalDigitFilter,
  elisionFilter,
  FRENCH_ARTICLES,
  keywordMarkerFilter,
  lengthFilter,
  patternReplaceFilter,
  removeDuplicatesFilter,
  reverseFilter,
  trimFilter,
  truncateFilter,
  uniqueFilter,
} from "./filters/simple.ts";
import { stopFilter } from "./filters/stop.ts";
import { synonymFilter } from "./filters/synonyms.ts";
import { ikTokenizer } from "./ik/index.ts";
import { javaMatches } from "./java-regex/index.ts";
import { apostropheFilter, LOWER_CASES } from "./languages/filters.ts";
import { normalizeGerman } from "./languages/germanic.ts";
import { capitalized, snowballFilter } from "./languages/snowball.ts";
import { stemmerFilter } from "./languages/stemmers.ts";
import { ENGLISH_STOP_WORDS } from "./languages/stop-words.ts";
import type { ComponentContext, ComponentSettings } from "./settings.ts";
import { lines, stopWords, wordList } from "./settings.ts";
import { type GramSizes, gramSizes, ngramTokenizer, pathTokenizer, tokenChars } from "./tokenizers/ngram.ts";
import { patternTokenizer } from "./tokenizers/pattern.ts";
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
  whitespace: (name, settings) => whitespaceTokenizer(name, maxWhitespaceTokenLength(settings)),
  pattern: (name, settings) =>
    patternTokenizer(name, settings.string("pattern", "\\W+"), settings.string("flags", ""), settings.int("group", -1)),
  ngram(name, settings, { maxNgramDiff }) {
    const sizes = gramSizes(settings);
    checkNgramDiff(sizes, maxNgramDiff);
    return ngramTokenizer(name, sizes, tokenChars(settings), false);
  },
  edge_ngram: (name, settings) => ngramTokenizer(name, gramSizes(settings), tokenChars(settings), true),
  path_hierarchy(name, settings) {
    const delimiter = oneCharacter(settings.string("delimiter", "/"), "delimiter");
    const replacement = oneCharacter(settings.string("replacement", delimiter), "replacement");
    const skip = settings.int("skip", 0);
    if (skip < 0) throw illegalArgument("skip cannot be negative");
    return pathTokenizer(name, delimiter, replacement, skip, settings.bool("reverse", false));
  },
  ik_max_word: (name, settings, context) => ikTokenizer(name, false, settings, context),
  ik_smart: (name, settings, context) => ikTokenizer(name, true, settings, context),
};

export const TOKEN_FILTERS: Builders<FilterDefinition> = {
  lowercase(name, settings) {
    const language = settings.string("language");
    if (language === undefined) return lowercaseFilter(name);
    const key = language.toLowerCase();
    if (!Object.hasOwn(LOWER_CASES, key)) throw illegalArgument(`language [${language}] not support for lower case`);
    return mapFilter(name, LOWER_CASES[key], { normalizing: true });
  },
  uppercase: (name) => uppercaseFilter(name),
  asciifolding: (name, settings) => asciiFoldingFilter(name, settings.bool("preserve_original", false)),
  stop: (name, settings, { resources }) =>
    stopFilter(name, stopWords(settings, ENGLISH_STOP_WORDS, resources), {
      ignoreCase: settings.bool("ignore_case", false),
      removeTrailing: settings.bool("remove_trailing", true),
    }),
  porter_stem: (name) => porterStemFilter(name),
  kstem: (name) => kstemFilter(name),
  stemmer: (name, settings, { resources }) =>
    stemmerFilter(name, settings.string("language") ?? settings.string("name") ?? "porter", resources),
  snowball: (name, settings, { resources }) =>
    snowballFilter(name, capitalized(settings.string("language") ?? settings.string("name") ?? "English"), resources),
  fingerprint: (name, settings) =>
    fingerprintFilter(name, settings.string("separator", " "), settings.int("max_output_size", 255)),
  apostrophe: (name) => apostropheFilter(name),
  german_normalization: (name) => mapFilter(name, normalizeGerman, { normalizing: true }),
  shingle(name, settings, { maxShingleDiff }) {
    const min = settings.int("min_shingle_size", 2);
    const max = settings.int("max_shingle_size", 2);
    const outputUnigrams = settings.bool("output_unigrams", true);
    checkShingles(min, max, outputUnigrams, maxShingleDiff);
    return shingleFilter(name, {
      min,
      max,
      outputUnigrams,
      outputUnigramsIfNoShingles: settings.bool("output_unigrams_if_no_shingles", false),
      separator: settings.string("token_separator", " "),
      filler: settings.string("filler_token", "_"),
    });
  },
  ngram(name, settings, { maxNgramDiff }) {
    const sizes = gramSizes(settings);
    checkNgramDiff(sizes, maxNgramDiff);
    return gramFilter(name, { ...sizes, preserveOriginal: settings.bool("preserve_original", false) });
  },
  edge_ngram(name, settings) {
    const side = settings.string("side", "front");
    if (side !== "front" && side !== "back") throw illegalArgument(`invalid side: ${side}`);
    return gramFilter(name, {
      ...gramSizes(settings),
      preserveOriginal: settings.bool("preserve_original", false),
      edge: side,
    });
  },
  length: (name, settings) => lengthFilter(name, settings.int("min", 0), settings.int("max", 0x7fffffff)),
  truncate(name, settings) {
    // By its name alone the filter cuts after ten.
    const length = settings.empty ? 10 : settings.int("length", -1);
    if (length <= 0) throw illegalArgument("length parameter must be provided");
    return truncateFilter(name, length);
  },
  trim: (name) => trimFilter(name),
  unique: (name, settings) => uniqueFilter(name, settings.bool("only_on_same_position", false)),
  reverse: (name) => reverseFilter(name),
  elision(name, settings, { resources }) {
    if (settings.empty) return elisionFilter(name, FRENCH_ARTICLES, true);
    const articles = wordList(settings, "articles", resources);
    if (articles === undefined) throw illegalArgument("elision filter requires [articles] or [articles_path] setting");
    return elisionFilter(name, articles, settings.bool("articles_case", false));
  },
  cjk_width: (name) => cjkWidthFilter(name),
  cjk_bigram: (name, settings) =>
    cjkBigramFilter(name, {
      outputUnigrams: settings.bool("output_unigrams", false),
      ignoredScripts: settings.list("ignored_scripts"),
    }),
  decimal_digit: (name) => decimalDigitFilter(name),
  keyword_marker(name, settings, { resources }) {
    const pattern = settings.string("keywords_pattern");
    const words = wordList(settings, "keywords", resources);
    if ((pattern === undefined) === (words === undefined)) {
      throw illegalArgument(
        pattern === undefined
          ? "keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured"
          : "cannot specify both `keywords_pattern` and `keywords` or `keywords_path`",
      );
    }
    if (pattern !== undefined) return keywordMarkerFilter(name, javaMatches(pattern));
    const ignoreCase = settings.bool("ignore_case", false);
    const set = new Set(ignoreCase ? words?.map(lowerCase) : words);
    return keywordMarkerFilter(name, (term) => set.has(ignoreCase ? lowerCase(term) : term));
  },
  pattern_replace: (name, settings) =>
    patternReplaceFilter(
      name,
      patternOf(name, settings, "token filter"),
      settings.string("replacement", ""),
      settings.string("flags", ""),
      settings.bool("all", true),
    ),
  remove_duplicates: (name) => removeDuplicatesFilter(name),
  synonym: (name, settings, context) => synonyms(name, false, settings, context),
  synonym_graph: (name, settings, context) => synonyms(name, true, settings, context),
};

function synonyms(
  name: string,
  graph: boolean,
  settings: ComponentSettings,
  { resources }: ComponentContext,
): ChainAwareFilter {
  if (settings.string("format", "solr").toLowerCase() === "wordnet") throw unsupported("synonyms in format wordnet");
  const rules = settings.list("synonyms");
  if (rules === undefined && settings.string("synonyms_set") !== undefined) throw unsupported("synonyms_set");
  const read = rules ?? lines("synonyms", settings, resources);
  if (read === undefined) {
    throw illegalArgument(
      `synonym requires either \`synonyms\`, \`synonyms_set\` or \`synonyms_path\` to be configured`,
    );
  }
  const updateable = settings.bool("updateable", false);
  const options = {
    rules: read,
    expand: settings.bool("expand", true),
    updateable,
    lenient: settings.bool("lenient", updateable),
  };
  return {
    name,
    inChain: (charFilters, tokenizer, before) => synonymFilter(name, graph, options, charFilters, tokenizer, before),
  };
}

export const CHAR_FILTERS: Builders<CharFilter> = {
  html_strip: (name, settings) => htmlStripCharFilter(name, settings.list("escaped_tags") ?? []),
  mapping(name, settings, { resources }) {
    const rules = wordList(settings, "mappings", resources);
    if (rules === undefined)
      throw illegalArgument("mapping requires either `mappings` or `mappings_path` to be configured");
    return mappingCharFilter(name, rules);
  },
  pattern_replace: (name, settings) =>
    patternReplaceCharFilter(
      name,
      patternOf(name, settings, "char filter"),
      settings.string("replacement", ""),
      settings.string("flags", ""),
    ),
};

function patternOf(name: string, settings: ComponentSettings, what: string): string {
  const pattern = settings.string("pattern");
  if (pattern === undefined || pattern === "")
    throw illegalArgument(`pattern is missing for [${name}] ${what} of type 'pattern_replace'`);
  return pattern;
}

function oneCharacter(value: string, setting: string): string {
  if (value.length !== 1) throw illegalArgument(`${setting} must be a one char value`);
  return value;
}

/** Elasticsearch speaks of the tokenizer where the filter is meant, too. */
function checkNgramDiff({ min, max }: GramSizes, maxDiff: number): void {
  if (max - min <= maxDiff) return;
  throw illegalArgument(
    `The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: [${maxDiff}] but was [${max - min}]. ` +
      "This limit can be set by changing the [index.max_ngram_diff] index level setting.",
  );
}

/** What Elasticsearch's own modules have and this engine has not. */
export const UNSUPPORTED = {
  tokenizer: words("char_group classic simple_pattern simple_pattern_split thai uax_url_email"),
  filter: words(
    "arabic_normalization arabic_stem bengali_normalization brazilian_stem classic common_grams condition czech_stem delimited_payload " +
      "dictionary_decompounder dutch_stem flatten_graph french_stem german_stem hindi_normalization hunspell " +
      "hyphenation_decompounder indic_normalization keep keep_types keyword_repeat limit min_hash multiplexer pattern_capture persian_normalization " +
      "persian_stem predicate_token_filter russian_stem scandinavian_folding scandinavian_normalization serbian_normalization " +
      "sorani_normalization stemmer_override type_as_synonym word_delimiter word_delimiter_graph",
  ),
  char_filter: words(""),
  analyzer: words(
    "arabic basque bengali brazilian bulgarian catalan czech estonian galician greek hindi indonesian latvian persian serbian " +
      "sorani thai",
  ),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" ").filter((word) => word !== ""));
}

const MAX_TOKEN_LENGTH = 1_048_576;

export function maxTokenLength(settings: ComponentSettings): number {
  const length = settings.int("max_token_length", 255);
  if (length < 1) throw illegalArgument("maxTokenLength must be greater than zero");
  if (length > MAX_TOKEN_LENGTH) throw illegalArgument(`maxTokenLength may not exceed ${MAX_TOKEN_LENGTH}`);
  return length;
}

function maxWhitespaceTokenLength(settings: ComponentSettings): number {
  const length = settings.int("max_token_length", 255);
  if (length < 1 || length > MAX_TOKEN_LENGTH)
    throw illegalArgument(`maxTokenLen must be greater than 0 and less than ${MAX_TOKEN_LENGTH} passed: ${length}`);
  return length;
}
