/** Parts of which random analyzers are made. */
import type { Json } from "./world.ts";

export const TOKENIZERS: Json[] = [
  "standard",
  "standard",
  "whitespace",
  "keyword",
  "ik_max_word",
  "ik_smart",
  "ngram",
  "edge_ngram",
  "path_hierarchy",
  "pattern",
  { type: "standard", max_token_length: 3 },
  { type: "pattern", pattern: "([a-z]+)(\\d+)?", group: 1 },
  { type: "pattern", pattern: "[\\s\\p{Punct}&&[^-]]+|\\Qx_\\E|x$" },
  { type: "ngram", min_gram: 2, max_gram: 3, token_chars: ["letter", "digit"] },
  { type: "edge_ngram", min_gram: 1, max_gram: 4, token_chars: ["letter", "punctuation"] },
  { type: "path_hierarchy", delimiter: ".", replacement: "/", skip: 1 },
];
export const FILTERS: Json[] = [
  ..."lowercase uppercase asciifolding stop porter_stem shingle ngram edge_ngram length truncate trim unique reverse elision".split(
    " ",
  ),
  ..."cjk_width cjk_bigram decimal_digit remove_duplicates".split(" "),
  { type: "stop", stopwords: ["a", "的", "of"], ignore_case: true },
  { type: "stop", stopwords: ["a", "的", "of"], remove_trailing: false },
  { type: "stemmer", language: "porter2" },
  { type: "stemmer", language: "possessive_english" },
  { type: "shingle", min_shingle_size: 2, max_shingle_size: 3, output_unigrams: false },
  {
    type: "shingle",
    min_shingle_size: 3,
    max_shingle_size: 3,
    output_unigrams: false,
    output_unigrams_if_no_shingles: true,
    token_separator: "",
  },
  { type: "ngram", min_gram: 2, max_gram: 3, preserve_original: true },
  { type: "edge_ngram", min_gram: 2, max_gram: 3, preserve_original: true },
  { type: "length", min: 2, max: 4 },
  { type: "truncate", length: 2 },
  { type: "asciifolding", preserve_original: true },
  { type: "pattern_replace", pattern: "([aeiou])(.)?", replacement: "<$2$1>" },
  { type: "pattern_replace", pattern: "[^a-m]", replacement: "", all: false },
  { type: "keyword_marker", keywords: ["running", "hello"] },
  { type: "synonym_graph", synonyms: ["hello, good day", "running => run, go fast", "the of => x"] },
  { type: "synonym", synonyms: ["hello, good day", "running => run, go fast", "the of => x", "java c => b"] },
  { type: "synonym", synonyms: ["hello, world, the", "1 2 => 3", "a => a b c d"], expand: false },
  { type: "synonym_graph", synonyms: ["的, 中 国", "a b c, d", "年 月 => 日"] },
  "kstem",
  { type: "stemmer", language: "light_english" },
  { type: "stop", stopwords: "_french_" },
  { type: "stop", stopwords: ["_german_", "x"] },
  { type: "pattern_replace", pattern: "(?:[a-z]+\\d?)+", replacement: "#" },
  { type: "pattern_replace", pattern: "\\b(\\w++)(?<!s)", replacement: "$1." },
  { type: "pattern_replace", pattern: "x*", replacement: "-" },
];
/** Parts that Elasticsearch's own modules have, and the reference node has not. */
export const OTHER_FILTERS: Json[] = [
  ..."Armenian Danish Dutch English Finnish French German Greek Hindi Hungarian Indonesian Irish Italian Lithuanian Nepali Norwegian Portuguese"
    .split(" ")
    .map((language) => ({ type: "snowball", language })),
  ..."Romanian Russian Serbian Spanish Swedish Tamil Turkish Arabic"
    .split(" ")
    .map((language) => ({ type: "snowball", language })),
  ...(
    "english porter2 minimal_english light_french minimal_french light_german minimal_german light_italian light_portuguese light_russian " +
    "light_spanish light_swedish danish"
  )
    .split(" ")
    .map((language) => ({ type: "stemmer", language })),
  ..."greek irish turkish".split(" ").map((language) => ({ type: "lowercase", language })),
  "apostrophe",
  "german_normalization",
  "fingerprint",
  { type: "fingerprint", separator: "+", max_output_size: 20 },
  { type: "edge_ngram", side: "back", min_gram: 2, max_gram: 3 },
  { type: "unique", only_on_same_position: true },
  { type: "keyword_marker", keywords_pattern: "[a-m]+.*" },
  { type: "keyword_marker", keywords: ["Hello"], ignore_case: true },
  { type: "elision", articles: ["l", "qu"], articles_case: true },
  { type: "stop", stopwords: ["_turkish_", "_greek_", "_russian_"], ignore_case: true },
  { type: "pattern_replace", pattern: "[AE]", replacement: "<$0>", flags: "CASE_INSENSITIVE" },
  { type: "cjk_bigram", output_unigrams: true, ignored_scripts: ["hangul"] },
];
export const OTHER_TOKENIZERS: Json[] = [
  { type: "pattern", pattern: "[aeiou](?=[a-z])|\\s", flags: "CASE_INSENSITIVE" },
  { type: "path_hierarchy", delimiter: "/", reverse: true, skip: 1 },
  { type: "whitespace", max_token_length: 5 },
  { type: "ngram", token_chars: ["uppercase_letter", "other_letter"] },
  { type: "edge_ngram", min_gram: 2, max_gram: 5, token_chars: ["letter", "custom"], custom_token_chars: "_-" },
  "letter",
  "lowercase",
];
export const CHAR_FILTERS: Json[] = [
  "html_strip",
  { type: "mapping", mappings: ["a => bcd", "ab => x", "的 => ", "1 => one"] },
  { type: "pattern_replace", pattern: "(\\d)(\\d)?", replacement: "$2-$1" },
  { type: "pattern_replace", pattern: "\\s+", replacement: "" },
  { type: "pattern_replace", pattern: "l", replacement: " LL " },
];
