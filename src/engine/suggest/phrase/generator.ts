/** Candidates for the words of a phrase from the terms of a field (DirectCandidateGenerator). */
import type { Analyzer } from "../../analysis/types.ts";
import { EngineError, illegalArgument } from "../../errors.ts";
import type { Slices } from "../../slices.ts";
import type { ReaderTerms } from "../spell/reader-terms.ts";
import { type SpellSettings, suggestSimilar } from "../spell/spell-checker.ts";
import { tokensOf } from "../target.ts";
import type { Candidate } from "./candidate.ts";

export interface Generator {
  /** What was typed, or a synonym of it, as a candidate. */
  candidate(term: string, distance: number, typed: boolean): Candidate;
  /** New candidates for a word. */
  draw(original: Candidate, slices: Slices): Promise<readonly Candidate[]>;
}

export interface GeneratorContext {
  readonly terms: ReaderTerms;
  readonly maxDoc: number;
  readonly settings: SpellSettings;
  readonly size: number;
  readonly preFilter: Analyzer | undefined;
  readonly postFilter: Analyzer | undefined;
  readonly realWordLikelihood: number;
  /** Analyses the phrase while candidates are made: no filter can use it at the same time. */
  readonly busy: Analyzer;
}

/** Base of the logarithm by which a term must be more frequent than the one that it replaces. */
const LOG_BASE = 5;
const MAX_INT = 2 ** 31 - 1;

export function directGenerator(context: GeneratorContext): Generator {
  const { terms, maxDoc, settings, size, preFilter, postFilter, realWordLikelihood } = context;
  const plateau = Math.trunc(
    settings.minDocFreq >= 1 ? settings.minDocFreq : Math.fround(maxDoc * settings.minDocFreq),
  );
  // The buffer of both filters: where a filter leaves nothing, what was in it last stays.
  let buffer = "";
  const filtered = (term: string) => {
    if (!preFilter) return term;
    for (const token of tokensOf(preFilter, term)) buffer = token.term;
    return buffer;
  };
  const statsOf = (term: string) => ({ docFreq: terms.docFreq(term), totalTermFreq: terms.totalTermFreq(term) });
  const strength = (totalTermFreq: number, distance: number) =>
    distance * ((totalTermFreq + 1) / (terms.sumTotalTermFreq + 1));

  const postFiltered = (candidate: Candidate): readonly Candidate[] => {
    if (!postFilter) return [candidate];
    const score = strength(candidate.totalTermFreq, candidate.distance);
    return tokensOf(postFilter, candidate.term).map(({ term, increment }) => {
      buffer = term;
      if (increment > 0 && term === candidate.term) return { ...candidate, ...statsOf(term), score };
      return { ...candidate, term, distance: realWordLikelihood, score };
    });
  };

  return {
    candidate(term, distance, typed) {
      // Elasticsearch keeps one stream of tokens for each analyzer, whatever its names.
      if (preFilter?.analyze === context.busy.analyze) {
        const reason = "TokenStream contract violation: close() call missing";
        throw new EngineError("illegal_state_exception", reason, { status: 500 });
      }
      const stats = statsOf(filtered(term));
      return { term, ...stats, distance, score: strength(stats.totalTermFreq, distance), typed };
    },
    async draw(original, slices) {
      const word = filtered(original.term);
      let { minDocFreq } = settings;
      if (settings.suggestMode !== "always") {
        const threshold = thresholdOf(original.docFreq, plateau);
        if (threshold === MAX_INT) return [];
        minDocFreq = Math.max(minDocFreq, Math.fround(threshold));
      }
      const found = await suggestSimilar(word, size, { terms, maxDoc }, { ...settings, minDocFreq }, slices);
      return found.flatMap(({ term, score: distance }) => {
        const stats = statsOf(term);
        return postFiltered({ term, ...stats, distance, score: strength(stats.totalTermFreq, distance), typed: false });
      });
    },
  };
}

/** Documents that a candidate must be in to stand for a word that is in some itself (DirectCandidateGenerator.thresholdTermFrequency). */
function thresholdOf(docFreq: number, plateau: number): number {
  if (docFreq <= 0) return 0;
  const threshold = docFreq * (Math.log10(docFreq - plateau) * (1 / Math.log10(LOG_BASE))) + 1;
  // Java rounds what is no number to 0.
  return Number.isNaN(threshold) ? 0 : Math.min(Math.max(0, Math.floor(threshold + 0.5)), MAX_INT);
}

/** DirectSpellChecker's setters. @throws for a fraction of documents above one */
export function checkFrequencies({ maxTermFreq, minDocFreq }: SpellSettings): void {
  for (const share of [maxTermFreq, minDocFreq]) {
    if (share >= 1 && share !== Math.trunc(share)) {
      throw illegalArgument("Fractional absolute document frequencies are not allowed");
    }
  }
}
