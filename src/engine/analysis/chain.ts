/** The inside of an analyzer: stages that push tokens to one another. */
import { EngineError } from "../errors.ts";
import type { Analyzer, EndState, TokenSink } from "./types.ts";

/** A token on its way through the chain. `keyword` marks terms that stemmers leave alone (Lucene's KeywordAttribute). */
export type Push = (
  term: string,
  start: number,
  end: number,
  increment: number,
  length: number,
  type: string,
  keyword: boolean,
) => void;

export interface Stage {
  readonly push: Push;
  /**
   * After the last token: pushes what is held back and passes on the trailing increment, to which dropped tokens are added.
   * Returns what the last stage returns: the increment with which the stream ends. `offset` is where the text ends.
   */
  readonly end: (increment: number, offset: number) => number;
}

export interface TokenFilter {
  readonly name: string;
  /** Builds the stage in front of another one. A stage lives for one text. */
  create(next: Stage): Stage;
  /** What the filter does to a part of a term, for filters that work on single characters; absent for all others. */
  normalize?(text: string): string;
  /** What `normalize` changes stands beside the original, as a second token. */
  readonly normalizesBeside?: boolean;
  /** The filter sets or reads the keyword mark, so that `_analyze` with `explain` shows it from here on. */
  readonly marksKeywords?: boolean;
  /** The filter makes several tokens of one or the reverse: rules of synonyms cannot go through it. */
  readonly severalTokens?: boolean;
  /** What stands for the filter where rules of synonyms go through it. */
  readonly forSynonyms?: TokenFilter;
  /** The filter adds synonyms, which the rules of filters behind it do not see. */
  readonly synonyms?: boolean;
  /** The filter makes shingles: of how many words, and whether it keeps the words. */
  readonly shingles?: { readonly min: number; readonly max: number; readonly outputUnigrams: boolean };
  /** Its rules may change, so that nothing may be indexed with it (`updateable`). */
  readonly searchTimeOnly?: boolean;
}

export interface Tokenizer {
  readonly name: string;
  /** Pushes the tokens of a text; returns the state at its end. */
  tokenize(text: string, push: Push): EndState;
  /** Offsets of its tokens are those in the filtered text, not led back to the original: IK's peculiarity. */
  readonly filteredOffsets?: boolean;
}

export interface CharFilter {
  readonly name: string;
  apply(text: string): FilteredText;
  /** Filters that also work on parts of terms. */
  readonly normalizing?: boolean;
}

export interface FilteredText {
  readonly text: string;
  /** The offset in the filter's input that stands for an offset in its output. */
  correct(offset: number): number;
}

/** An analyzer made of parts. The parts stay visible, for `_analyze` with `explain` and for filters that analyze their own settings. */
export interface ChainAnalyzer extends Analyzer {
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly TokenFilter[];
  /** Defined by the settings as a chain of named parts (type `custom`), which `explain` shows part by part. */
  readonly custom: boolean;
  normalize(text: string): string;
}

export const isChain = (analyzer: Analyzer): analyzer is ChainAnalyzer => "tokenizer" in analyzer;

export interface ChainOptions {
  name: string;
  charFilters?: readonly CharFilter[];
  tokenizer: Tokenizer;
  filters?: readonly TokenFilter[];
  positionIncrementGap?: number;
  custom?: boolean;
}

const identity = (offset: number) => offset;

/** Applies character filters one after the other; `correct` leads from the last output back to the text. */
export function applyCharFilters(filters: readonly CharFilter[], text: string): FilteredText {
  let current: FilteredText = { text, correct: identity };
  for (const filter of filters) {
    const before = current.correct;
    const filtered = filter.apply(current.text);
    current = {
      text: filtered.text,
      correct: before === identity ? filtered.correct : (offset) => before(filtered.correct(offset)),
    };
  }
  return current;
}

/** Runs a chain over one text. */
export function runChain(
  charFilters: readonly CharFilter[],
  tokenizer: Tokenizer,
  filters: readonly TokenFilter[],
  text: string,
  sink: Push,
): EndState {
  let stage: Stage = { push: sink, end: (increment) => increment };
  for (let i = filters.length - 1; i >= 0; i--) stage = filters[i].create(stage);
  const { push } = stage;
  if (charFilters.length === 0) {
    const { increment, offset } = tokenizer.tokenize(text, push);
    return { increment: stage.end(increment, offset), offset };
  }
  const filtered = applyCharFilters(charFilters, text);
  const { correct } = filtered;
  const state =
    tokenizer.filteredOffsets === true
      ? tokenizer.tokenize(filtered.text, push)
      : tokenizer.tokenize(filtered.text, (term, start, end, increment, length, type, keyword) =>
          push(term, correct(start), correct(end), increment, length, type, keyword),
        );
  const offset = correct(state.offset);
  return { increment: stage.end(state.increment, offset), offset };
}

export function createChain(options: ChainOptions): ChainAnalyzer {
  const { name, tokenizer, charFilters = [], filters = [], positionIncrementGap = 100, custom = false } = options;
  return {
    name,
    positionIncrementGap,
    offsetGap: 1,
    searchTimeFilters: filters.filter((filter) => filter.searchTimeOnly === true).map((filter) => filter.name),
    charFilters,
    tokenizer,
    filters,
    custom,
    analyze: (text: string, sink: TokenSink) => runChain(charFilters, tokenizer, filters, text, sink),
    normalize(text) {
      const term = applyCharFilters(
        charFilters.filter((filter) => filter.normalizing === true),
        text,
      ).text;
      return normalizedBy(filters, term, name, text);
    },
  };
}

/**
 * A term as filters normalise it.
 *
 * @throws as Lucene does where a filter keeps the original beside what it makes of it: one term is looked for
 */
export function normalizedBy(filters: readonly TokenFilter[], term: string, analyzer: string, input: string): string {
  let normal = term;
  let several = false;
  for (const { normalize, normalizesBeside = false } of filters) {
    if (normalize === undefined) continue;
    const next = normalize(normal);
    several ||= normalizesBeside && next !== normal;
    normal = next;
  }
  if (!several) return normal;
  const shown = `analyzer name[${analyzer}], analyzer [org.elasticsearch.index.analysis.CustomAnalyzer@0], analysisMode [ALL]`;
  const reason = `The normalization token stream is expected to produce exactly 1 token, but got 2+ for analyzer ${shown} and input "${input}"`;
  throw new EngineError("illegal_state_exception", reason, { status: 500 });
}

/** A filter that changes each term by itself. */
export function mapFilter(
  name: string,
  map: (term: string) => string,
  options: { normalizing?: boolean; keywords?: boolean } = {},
): TokenFilter {
  const { normalizing = false, keywords = false } = options;
  return {
    name,
    create({ push, end }) {
      return {
        push: keywords
          ? (term, start, stop, increment, length, type, keyword) =>
              push(keyword ? term : map(term), start, stop, increment, length, type, keyword)
          : (term, start, stop, increment, length, type, keyword) =>
              push(map(term), start, stop, increment, length, type, keyword),
        end,
      };
    },
    ...(normalizing ? { normalize: map } : {}),
    ...(keywords ? { marksKeywords: true } : {}),
  };
}

/** A filter that drops terms; the increment of what it drops goes to the next token (Lucene's FilteringTokenFilter). */
export function dropFilter(name: string, accepts: () => (term: string, type: string) => boolean): TokenFilter {
  return {
    name,
    create({ push, end }) {
      const accept = accepts();
      let skipped = 0;
      return {
        push(term, start, stop, increment, length, type, keyword) {
          if (accept(term, type)) {
            push(term, start, stop, increment + skipped, length, type, keyword);
            skipped = 0;
          } else skipped += increment;
        },
        end: (increment, offset) => end(increment + skipped, offset),
      };
    },
  };
}
