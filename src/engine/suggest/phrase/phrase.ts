/** The `phrase` suggester: what was probably meant, by how often words stand together (PhraseSuggester, NoisyChannelSpellChecker). */
import { type ChainAnalyzer, isChain } from "../../analysis/chain.ts";
import type { Analyzer } from "../../analysis/types.ts";
import { EngineError, illegalArgument } from "../../errors.ts";
import type { QueryContext } from "../../query/dsl/index.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import type { Slices } from "../../slices.ts";
import { mergeEntries } from "../merge-entries.ts";
import { readerTerms } from "../spell/reader-terms.ts";
import { SPELL_DEFAULTS } from "../spell/spell-checker.ts";
import { tokensOf } from "../target.ts";
import { termsField } from "../terms-field.ts";
import { DEFAULT_SIZE, type Entry, type Suggester, type SuggestShard, type Target } from "../types.ts";
import { bestCorrections, type PhraseCorrection, scoreOf } from "./best-corrections.ts";
import { byStrength, type CandidateSet, withCandidates } from "./candidate.ts";
import { checkFrequencies, directGenerator, type Generator } from "./generator.ts";
import type { GeneratorOptions, PhraseOptions } from "./options.ts";
import { DEFAULT_CANDIDATES } from "./parse-generator.ts";
import { wordScorer } from "./word-scorer.ts";

interface PhraseEntry extends Entry {
  /** What is suggested scores above it. */
  readonly cutoff: number;
}

/** Java's Double.MIN_VALUE: any score is above it. */
const NO_CUTOFF = Number.MIN_VALUE;

export function phraseSuggester(options: PhraseOptions): Suggester<PhraseEntry> {
  return {
    type: "phrase",
    options,
    prepare(target, shard) {
      const found = sourcesOf(options, target, shard.context);
      return async (slices) => {
        const { text } = target;
        const empty = { text, offset: 0, length: text.length, cutoff: NO_CUTOFF, options: [] };
        if (shard.docCount === 0) return [empty];
        const result = await corrected(options, target, found, shard, slices);
        if (result === undefined) return [empty];
        const { cutoff, corrections } = result;
        const printed = corrections.map(({ score, words }) => ({
          text: words.map(({ term }) => term).join(" "),
          ...(options.tags ? { highlighted: marked(words, options.tags) } : {}),
          score: Math.fround(score),
        }));
        return [{ ...empty, cutoff, options: printed.filter(({ score }) => score > cutoff) }];
      };
    },
    reduce: (shards) =>
      mergeEntries(shards, options.size ?? DEFAULT_SIZE, {
        merge: (a, b) => ({ ...a, score: Math.max(a.score, b.score) }),
        compare: (a, b) => b.score - a.score || compareUtf8(a.text, b.text),
        finish(entries, merged) {
          const cutoff = Math.max(...entries.map((entry) => entry.cutoff));
          return merged.filter(({ score }) => score > cutoff);
        },
      }),
  };
}

interface Source {
  readonly generator: GeneratorOptions;
  readonly preFilter: Analyzer | undefined;
  readonly postFilter: Analyzer | undefined;
  readonly settings: ReturnType<GeneratorOptions["settings"]>;
}

interface Sources {
  readonly gramSize: number;
  readonly sources: readonly Source[];
}

/** Generators and gram size, from the field's analyzer where the request does not name them (PhraseSuggestionBuilder.build). */
function sourcesOf(options: PhraseOptions, { analyzer, field }: Target, context: QueryContext): Sources {
  const named = (name: string | undefined) => {
    const found = name === undefined ? undefined : context.analysis.get(name);
    if (name !== undefined && found === undefined) throw illegalArgument(`Analyzer [${name}] doesn't exists`);
    return found;
  };
  const sources = options.generators.map((generator) => ({
    generator,
    preFilter: named(generator.preFilter),
    postFilter: named(generator.postFilter),
    settings: generator.settings(),
  }));
  const shingles = shinglesOf(analyzer);
  const gramSize = options.gramSize ?? shingles?.max ?? 1;
  if (sources.length > 0) return { gramSize, sources };
  if (shingles && shingles.min > 1 && !shingles.outputUnigrams && options.forceUnigrams) {
    throw illegalArgument(
      `The default candidate generator for phrase suggest can't operate on field: [${field.name}] since it doesn't emit unigrams. ` +
        "If this is intentional try to set the candidate generator field explicitly",
    );
  }
  const generator = { field: field.name, size: DEFAULT_CANDIDATES, settings: () => SPELL_DEFAULTS };
  return { gramSize, sources: [{ generator, preFilter: undefined, postFilter: undefined, settings: SPELL_DEFAULTS }] };
}

/** The first shingle filter of an analyzer that the settings define. */
function shinglesOf(analyzer: Analyzer): NonNullable<ChainAnalyzer["filters"][number]["shingles"]> | undefined {
  if (!isChain(analyzer) || !analyzer.custom) return undefined;
  return analyzer.filters.find(({ shingles }) => shingles !== undefined)?.shingles;
}

async function corrected(
  options: PhraseOptions,
  { text, analyzer, field, shardSize }: Target,
  { gramSize, sources }: Sources,
  { searcher, context }: SuggestShard,
  slices: Slices,
): Promise<{ cutoff: number; corrections: readonly PhraseCorrection[] } | undefined> {
  const { realWordErrorLikelihood: realWordLikelihood, separator, smoothing, confidence, maxErrors } = options;
  const termsOf = (name: string | undefined) => (name === undefined ? undefined : readerTerms(searcher.leaves, name));
  for (const { settings } of sources) checkFrequencies(settings);
  const generators = sources.flatMap(({ generator, ...source }) => {
    const mapped = context.mapping.field(generator.field);
    // Fields are looked up by the name that they have in the index: aliases are none.
    const terms = mapped?.name === generator.field ? termsOf(termsField(mapped)) : undefined;
    const { size } = generator;
    const { maxDoc } = searcher;
    return terms ? [directGenerator({ ...source, terms, maxDoc, size, realWordLikelihood, busy: analyzer })] : [];
  });
  const terms = termsOf(termsField(field));
  if (generators.length === 0 || terms === undefined) return undefined;
  const originals = await candidateSets(options, analyzer, text, generators[0], slices);
  if (originals.length === 0 || originals.length >= options.tokenLimit) return { cutoff: NO_CUTOFF, corrections: [] };
  const sets: CandidateSet[] = [];
  for (const { original, candidates: synonyms } of originals) {
    if (slices.due()) await slices.pause();
    let candidates = synonyms;
    for (const { draw } of generators) candidates = withCandidates(candidates, await draw(original, slices));
    if (candidates.length > shardSize) candidates = [...candidates].sort(byStrength).slice(0, shardSize);
    sets.push({ original, candidates });
  }
  const scorer = wordScorer({ terms, maxDoc: searcher.maxDoc, smoothing, realWordLikelihood, separator, gramSize });
  const typed = sets.map(({ original }) => original);
  const cutoff = confidence > 0 ? scoreOf(typed, scorer) * confidence : NO_CUTOFF;
  const corrections = await bestCorrections(sets, scorer, { size: shardSize, maxErrors, cutoff }, slices);
  return { cutoff, corrections };
}

/** The words of the phrase; synonyms of a word are candidates for its place. */
async function candidateSets(
  { forceUnigrams, realWordErrorLikelihood }: PhraseOptions,
  analyzer: Analyzer,
  text: string,
  generator: Generator,
  slices: Slices,
): Promise<readonly CandidateSet[]> {
  const tokens = tokensOf(analyzer, text);
  const words = forceUnigrams ? tokens.filter(({ type }) => type !== "shingle") : tokens;
  if (tokens.length > 0 && words.length === 0) {
    const reason = "At least one unigram is required but all tokens were ngrams";
    throw new EngineError("illegal_state_exception", reason, { status: 500 });
  }
  const sets: { original: CandidateSet["original"]; candidates: CandidateSet["original"][] }[] = [];
  for (const { term, increment, type } of words) {
    if (slices.due()) await slices.pause();
    const last = sets.at(-1);
    if (increment === 0 && type === "SYNONYM" && last) {
      const synonym = generator.candidate(term, realWordErrorLikelihood, false);
      if (synonym.docFreq > 0) last.candidates.push(synonym);
    } else sets.push({ original: generator.candidate(term, 1, true), candidates: [] });
  }
  return sets;
}

/** Neighbouring corrections are marked together. */
function marked(words: PhraseCorrection["words"], { pre, post }: NonNullable<PhraseOptions["tags"]>): string {
  const shown = words.map(({ term, typed }, i) => {
    if (typed) return term;
    const begins = i === 0 || words[i - 1].typed;
    const ends = i === words.length - 1 || words[i + 1].typed;
    return `${begins ? pre : ""}${term}${ends ? post : ""}`;
  });
  return shown.join(" ");
}
