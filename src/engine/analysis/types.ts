/**
 * Analysis: from a text to the terms that are indexed and searched.
 *
 * An analyzer is a chain: character filters change the text, a tokenizer cuts it, token filters change, drop or add tokens. Tokens are
 * pushed through the chain from function to function, without an object for each: this is the hot path of indexing.
 */
import type { JsonObject } from "../json/types.ts";

/**
 * Receives one token.
 *
 * @param term the term as it is indexed
 * @param start offset of its first UTF-16 unit in the original text
 * @param end offset after its last UTF-16 unit
 * @param increment position increment: 1 after its predecessor, 0 at the same position, more after dropped tokens
 * @param length position length: how many positions it spans, 1 but for graphs (synonyms of several words, shingles)
 * @param type Lucene's token type, such as `<ALPHANUM>`, `CN_WORD` or `word`
 */
export type TokenSink = (
  term: string,
  start: number,
  end: number,
  increment: number,
  length: number,
  type: string,
) => void;

/** State after the last token, as Lucene's `end()` leaves it. */
export interface EndState {
  /** Positions of tokens dropped after the last one that was pushed. */
  readonly increment: number;
  /** Offset of the end of the text. */
  readonly offset: number;
}

export interface Analyzer {
  readonly name: string;
  /** Positions between two values of a field. 100 by default, another number only when it was configured. */
  readonly positionIncrementGap: number;
  /** Offsets between two values of a field: 1. */
  readonly offsetGap: number;
  /** Names of filters with which nothing may be indexed. */
  readonly searchTimeFilters?: readonly string[];
  /** Pushes the tokens of one value to the sink, in order, before it returns. */
  analyze(text: string, sink: TokenSink): EndState;
  /**
   * The form in which a part of a term is looked up (prefix, wildcard, fuzzy in `query_string`): the character filters and token filters
   * that work on single characters, without tokenizing. Absent where the text stays as it is; `normalizeTerm` covers both.
   */
  normalize?(text: string): string;
}

export interface Normalizer {
  readonly name: string;
  /** The keyword's one term. */
  normalize(text: string): string;
}

/** The analyzers and normalizers of one index: built-in ones and those of its settings. */
export interface AnalysisRegistry {
  /** `undefined` for a name that neither Elasticsearch nor the settings know; throws for one that the engine does not support. */
  get(name: string): Analyzer | undefined;
  /** Names of the analyzers in the settings, then of the built-in ones. */
  names(): string[];
  /** Analyzer of text fields that name none: the settings' `default`, else `standard`. */
  readonly default: Analyzer;
  /** The settings' `default_search`, else `default`. */
  readonly defaultSearch: Analyzer;
  /** The settings' `default_search_quoted`, else `defaultSearch`. */
  readonly defaultQuoted: Analyzer;
  normalizer(name: string): Normalizer | undefined;
}

/** What analysis needs of the outside world: dictionaries, handed in by the caller, because the engine imports no Node module. */
export interface AnalysisResources {
  /** The compact dictionary of IK (`assets/ik/ik.dic.bin`). Asked for once, when an IK analyzer is used for the first time. */
  ikDictionary(): Uint8Array;
  /** The stemmer of Snowball for a language (`french`), asked for when a filter needs it. Absent, or without a result: refused. */
  snowball?(language: string): ((word: string) => string) | undefined;
  /** Reads the text file that a `*_path` setting names. Absent: such settings are refused. */
  readText?(path: string): string;
}

/** The part of an index's settings that analysis reads. */
export interface IndexAnalysisSettings {
  /** Name of the index, for errors. */
  readonly index?: string;
  /** The object under `analysis`: `analyzer`, `tokenizer`, `filter`, `char_filter`, `normalizer`. Values may be strings, as get-settings prints them. */
  readonly analysis?: JsonObject;
  /** `index.max_ngram_diff`. Default 1. */
  readonly maxNgramDiff?: number;
  /** `index.max_shingle_diff`. Default 3. */
  readonly maxShingleDiff?: number;
}

/** A token as an object, where speed does not matter. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** Absolute position, from 0. */
  readonly position: number;
  readonly positionLength: number;
  readonly type: string;
}
