/**
 * Analysis: from a text to the terms that are indexed and searched, as Elasticsearch's analyzers do it.
 *
 * `createAnalysisRegistry` makes the analyzers of an index from its settings; `registry.ts` puts them together from the parts that
 * `components.ts` and `analyzers.ts` list by name: `char-filters/`, `tokenizers/`, `filters/`, `languages/` with stemmers and stop words, and,
 * for Chinese with a dictionary, `ik/`. `chain.ts` is how the parts push tokens to one another, `java-regex/` what settings mean by a pattern,
 * `analyze-request.ts` the `_analyze` request.
 */
import { type ChainAnalyzer, createChain } from "./chain.ts";
import { createComponentRegistry } from "./registry.ts";
import type { AnalysisRegistry, AnalysisResources, Analyzer, IndexAnalysisSettings, Token } from "./types.ts";

export { type AnalyzeContext, type AnalyzedField, analyzeRequest } from "./analyze-request.ts";
export { checkPairs, PHRASES, pairAnalyzer, pairOf } from "./pairs.ts";
export { PREFIXES, type PrefixLengths, prefixAnalyzer } from "./prefixes.ts";
export type * from "./types.ts";

/**
 * The analyzers and normalizers of an index.
 *
 * @param settings the `analysis` object of the index's settings and the limits beside it
 * @param resources where the dictionary of IK and the files of `*_path` settings come from
 * @throws illegal_argument_exception for unknown components, unsupported_feature_exception for those that only Elasticsearch has
 */
export function createAnalysisRegistry(
  settings: IndexAnalysisSettings,
  resources: AnalysisResources,
): AnalysisRegistry {
  return createComponentRegistry(settings, resources);
}

/** The tokens of a text as objects, with absolute positions. */
export function analyzeToTokens(analyzer: Analyzer, text: string): Token[] {
  const tokens: Token[] = [];
  let position = -1;
  analyzer.analyze(text, (term, start, end, increment, length, type) => {
    position += increment;
    tokens.push({ term, start, end, position, positionLength: length, type });
  });
  return tokens;
}

/** The form in which an analyzer looks up a part of a term: see `Analyzer.normalize`. */
export function normalizeTerm(analyzer: Analyzer, text: string): string {
  return analyzer.normalize === undefined ? text : analyzer.normalize(text);
}

/** An analyzer under another position gap, as `position_increment_gap` of a text field asks for. */
export function withPositionGap(analyzer: Analyzer, positionIncrementGap: number): Analyzer {
  if (analyzer.positionIncrementGap === positionIncrementGap) return analyzer;
  return createChain({ ...(analyzer as ChainAnalyzer), positionIncrementGap });
}
