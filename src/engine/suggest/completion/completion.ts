/** The `completion` suggester: texts that begin with what was typed, the heaviest first (CompletionSuggester, NRTSuggester). */

import type { GraphOptions } from "../../analysis/concatenate-graph.ts";
import { readingsOf } from "../../analysis/concatenate-graph.ts";
import { illegalArgument } from "../../errors.ts";
import { CONTEXT_END, type CompletionContext } from "../../mapping/completion-contexts.ts";
import { matchedLength, textOf, weightOf } from "../../mapping/completion-term.ts";
import { hashOrder } from "../../mapping/java-text.ts";
import type { MappedField } from "../../mapping/types.ts";
import { compiled } from "../../query/dsl/field-terms.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import { type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import type { Slices } from "../../slices.ts";
import { DEFAULT_SIZE, type Entry, type Option, type Suggester, type Target } from "../types.ts";
import { contextMatcher } from "./context-matcher.ts";
import type { CompletionOptions } from "./options.ts";
import { DEFAULT_REGEX } from "./parse.ts";
import {
  acceptedLength,
  beginningWith,
  fuzzyMatcher,
  type PrefixMatcher,
  prefixMatcher,
  regexMatcher,
} from "./prefix-matcher.ts";
import { readWanted } from "./wanted-contexts.ts";

interface Found extends Option {
  /** In the order of the shard's snapshot. */
  readonly doc: number;
}

/** In which contexts, as they stand before what was analysed. */
interface FoundTerm extends Found {
  readonly context: string | undefined;
}

/** Completions between two looks at the clock. */
const SLICE_TERMS = 1024;

export function completionSuggester(options: CompletionOptions): Suggester<Entry<Found>> {
  const { skipDuplicates } = options;
  return {
    type: "completion",
    options,
    ofDocuments: true,
    prepare(target, { searcher, docCount }) {
      const { field, text, size, shardSize } = target;
      const graph = field.completion;
      if (graph === undefined) throw illegalArgument(`Field [${field.name}] is not a completion suggest field`);
      return async (slices) => {
        const empty = { text, offset: 0, length: text.length, options: [] };
        if (docCount === 0) return [empty];
        const matcher = inContexts(matcherOf(options, target, graph), options, field);
        if (matcher === undefined) return [empty];
        const found: Found[] = [];
        for (const leaf of searcher.leaves) {
          const limits = { most: shardSize, skipDuplicates };
          const best = await bestOf(leaf, field.info.name, matcher, limits, slices);
          found.push(...byDocument(best, graph.contexts));
        }
        found.sort(byScore);
        const distinct = skipDuplicates ? firstOf(found, ({ text }) => text) : found;
        return [{ ...empty, options: distinct.slice(0, Math.min(size, shardSize)) }];
      };
    },
    reduce(shards) {
      if (shards.length < 2) return shards[0] ?? [];
      const [leader] = shards[0];
      // Equal ones come by shard, and in the order of the shard.
      const all = shards.flatMap(([entry]) => entry.options);
      const sorted = [...all].sort((a, b) => b.score - a.score || compareUtf8(a.text, b.text));
      const distinct = skipDuplicates ? firstOf(sorted, ({ text }) => text) : sorted;
      return [{ ...leader, options: distinct.slice(0, options.size ?? DEFAULT_SIZE) }];
    },
  };
}

function matcherOf(
  { fuzzy, regex: regexOptions = DEFAULT_REGEX }: CompletionOptions,
  { field, prefix, regex }: Target,
  graph: GraphOptions,
): PrefixMatcher | undefined {
  if (prefix !== undefined) {
    // Nothing begins with nothing, not even where a text without letters is a token.
    const readings = readingsOf(field.searchAnalyzer!, prefix, graph).filter((reading) => reading !== "");
    if (readings.length === 0) return undefined;
    return fuzzy ? fuzzyMatcher(readings, fuzzy) : prefixMatcher(readings);
  }
  if (regex === undefined) throw illegalArgument("'prefix/text' or 'regex' must be defined");
  if (fuzzy) throw illegalArgument("can not use 'fuzzy' options with 'regex");
  return compiled(() => regexMatcher(regex, regexOptions));
}

/** @throws where the field needs contexts, or does not know them */
function inContexts(
  matcher: PrefixMatcher | undefined,
  { contexts }: CompletionOptions,
  field: MappedField,
): PrefixMatcher | undefined {
  const known = field.completion!.contexts;
  if (known.length === 0) {
    if (contexts !== undefined) throw illegalArgument(`suggester [${field.name}] doesn't expect any context`);
    return matcher;
  }
  const wanted = readWanted(contexts, known);
  return matcher && contextMatcher(matcher, wanted);
}

/** Of each document the best one, with all contexts that it was found in. */
function byDocument(found: readonly FoundTerm[], known: readonly CompletionContext[]): readonly Found[] {
  return firstOf(found, ({ doc }) => doc).map(({ context: _, ...best }) => {
    if (known.length === 0) return best;
    const contexts: { [name: string]: string[] } = {};
    for (const { doc, context } of found) {
      if (doc !== best.doc || context === undefined) continue;
      const own = (contexts[known[context.charCodeAt(0) - 1].name] ??= []);
      if (!own.includes(context.slice(1))) own.push(context.slice(1));
    }
    for (const [name, own] of Object.entries(contexts)) contexts[name] = hashOrder(own);
    return { ...best, contexts };
  });
}

/** By score, then by text as Java compares it, then by document (TopSuggestDocsCollector). */
const byScore = (a: Found, b: Found) => b.score - a.score || compareTexts(a.text, b.text) || a.doc - b.doc;
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function firstOf<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly T[] {
  const seen = new Set<unknown>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

interface Matched {
  readonly ord: number;
  readonly score: number;
}

/** The best completions of a segment by score and by what was analysed. */
async function bestOf(
  { segment, live, docBase }: LeafReader,
  field: string,
  { automaton, boost }: PrefixMatcher,
  { most, skipDuplicates }: { readonly most: number; readonly skipDuplicates: boolean },
  slices: Slices,
): Promise<readonly FoundTerm[]> {
  const terms = segment.terms(field);
  if (!terms) return [];
  const matched: Matched[] = [];
  let seen = 0;
  for (const ord of terms.intersect(beginningWith(automaton))) {
    if (++seen % SLICE_TERMS === 0 && slices.due()) await slices.pause();
    const term = terms.termBytes(ord);
    const length = acceptedLength(automaton, term, matchedLength(term));
    if (length >= 0) matched.push({ ord, score: scoreOf(weightOf(term), boost(term.subarray(0, length))) });
  }
  // Terms lie in the order of what was analysed.
  matched.sort((a, b) => b.score - a.score || a.ord - b.ord);
  const found: FoundTerm[] = [];
  const texts = new Set<string>();
  let accepted = 0;
  for (const { score, ord } of matched) {
    if (accepted >= most) break;
    const term = terms.term(ord);
    const text = textOf(term);
    const end = term.indexOf(CONTEXT_END);
    const context = end < 0 ? undefined : term.slice(0, end);
    const postings = terms.postings(ord);
    for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS && accepted < most; doc = postings.nextDoc()) {
      if (live?.get(doc) === false) continue;
      if (skipDuplicates && texts.has(text)) break;
      texts.add(text);
      accepted++;
      found.push({ text, score, doc: docBase + doc, context });
    }
  }
  return found;
}

/** CompletionScorer.score */
function scoreOf(weight: number, boost: number): number {
  if (boost === 0) return Math.fround(weight);
  return weight === 0 ? boost : Math.fround(Math.fround(weight) * boost);
}
