/** Corrections of a word from the terms of the index (Lucene's DirectSpellChecker). */
import { EngineError } from "../../errors.ts";
import { MAX_TERM_BYTES } from "../../mapping/doc-buffer.ts";
import { codePointsOf } from "../../query/automaton/automaton.ts";
import { fuzzyMatcher } from "../../query/lucene/term-matchers.ts";
import type { Slices } from "../../slices.ts";
import type { StringDistance } from "./distance.ts";
import type { ReaderTerms } from "./reader-terms.ts";
import { type Correction, termQueue } from "./term-queue.ts";

export type SuggestMode = "missing" | "popular" | "always";

export interface SpellSettings {
  readonly suggestMode: SuggestMode;
  readonly accuracy: number;
  readonly sort: "score" | "frequency";
  /** Undefined: by the edits with which a term was found. */
  readonly distance: StringDistance | undefined;
  readonly maxEdits: number;
  readonly maxInspections: number;
  readonly maxTermFreq: number;
  readonly prefixLength: number;
  readonly minWordLength: number;
  readonly minDocFreq: number;
}

export const SPELL_DEFAULTS: SpellSettings = {
  suggestMode: "missing",
  accuracy: 0.5,
  sort: "score",
  distance: undefined,
  maxEdits: 2,
  maxInspections: 5,
  maxTermFreq: Math.fround(0.01),
  prefixLength: 1,
  minWordLength: 4,
  minDocFreq: 0,
};

export interface WordIndex {
  readonly terms: ReaderTerms | undefined;
  /** Documents, deleted and nested ones included. */
  readonly maxDoc: number;
}

/** @param size corrections wanted @returns them, the best first */
export async function suggestSimilar(
  word: string,
  size: number,
  { terms, maxDoc }: WordIndex,
  settings: SpellSettings,
  slices: Slices,
): Promise<readonly Correction[]> {
  const { suggestMode, maxTermFreq, minDocFreq, maxEdits, sort } = settings;
  if (codePointsOf(word).length < settings.minWordLength) return [];
  const docFreq = terms?.docFreq(word) ?? 0;
  if (suggestMode === "missing" && docFreq > 0) return [];
  if (maxTermFreq >= 1 && docFreq > maxTermFreq) return [];
  if (docFreq > Math.ceil(Math.fround(maxTermFreq * maxDoc))) return [];
  let least = suggestMode === "popular" ? docFreq : 0;
  if (minDocFreq >= 1) least = Math.max(least, Math.trunc(minDocFreq));
  else if (minDocFreq > 0) least = Math.max(least, Math.trunc(Math.fround(minDocFreq * maxDoc)) - 1);
  // Java's int overflows.
  const inspections = Math.imul(size, settings.maxInspections);
  const near = (edits: number) => termsNear(word, edits, inspections, least, terms, settings, slices);
  let found = await near(1);
  if (maxEdits > 1 && found.length < inspections) {
    const known = new Set(found.map(({ term }) => term));
    found = [...found, ...(await near(maxEdits)).filter(({ term }) => !known.has(term))];
  }
  return [...found].sort(ORDERS[sort]).slice(0, size);
}

/** Texts in the order of their UTF-16 units. */
const byText = (a: Correction, b: Correction) => (a.term < b.term ? -1 : a.term > b.term ? 1 : 0);

const ORDERS = {
  score: (a: Correction, b: Correction) => b.score - a.score || b.freq - a.freq || byText(a, b),
  frequency: (a: Correction, b: Correction) => b.freq - a.freq || b.score - a.score || byText(a, b),
};

/** Terms between two looks at the clock. */
const SLICE_TERMS = 256;

async function termsNear(
  word: string,
  edits: number,
  most: number,
  least: number,
  terms: ReaderTerms | undefined,
  { accuracy, distance, prefixLength }: SpellSettings,
  slices: Slices,
): Promise<readonly Correction[]> {
  // No term is so long.
  if (!terms || word.length > MAX_TERM_BYTES + 2 * edits) return [];
  if (slices.due()) await slices.pause();
  const matcher = fuzzyMatcher(word, {
    maxEdits: edits,
    prefixLength: Math.max(prefixLength, edits - 1),
    transpositions: true,
  });
  const queue = termQueue(most);
  let seen = 0;
  for (const term of terms.matching(matcher)) {
    if (++seen % SLICE_TERMS === 0 && slices.due()) await slices.pause();
    const similarity = matcher.boost?.(term) ?? 1;
    if (queue.size >= most && similarity <= worstOf(queue.worst())) continue;
    if (term === word) continue;
    const freq = terms.docFreq(term);
    if (freq <= least) continue;
    const score = distance ? distance(word, term) : similarity;
    if (score < accuracy) continue;
    queue.add({ term, score, freq });
  }
  return queue.all();
}

/** Where nothing may be inspected Lucene looks at the first of nothing. */
function worstOf(score: number | undefined): number {
  if (score !== undefined) return score;
  const reason = 'Cannot read field "boost" because the return value of "java.util.PriorityQueue.peek()" is null';
  throw new EngineError("null_pointer_exception", reason, { status: 500 });
}
