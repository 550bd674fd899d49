/** The `completion` suggester: texts that begin with what was typed, the heaviest first (CompletionSuggester, NRTSuggester). */

import { readingsOf } from "../../analysis/concatenate-graph.ts";
import { illegalArgument } from "../../errors.ts";
import { CONTEXT_END, type CompletionContext } from "../../mapping/completion-contexts.ts";
import { matchedLength, placeOf, SUGGESTIONS, textOf, weightOf } from "../../mapping/completion-term.ts";
import { hashOrder } from "../../mapping/java-text.ts";
import type { MappedField } from "../../mapping/types.ts";
import { compiled } from "../../query/dsl/field-terms.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import { compareBytes } from "../../segment/bytes.ts";
import { type FieldTerms, type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
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

interface FoundTerm extends Found {
  /** Contexts as they stand before what was analysed. */
  readonly found: string[];
}

/** The best document each, a document by the first of its completions (TopSuggestGroupDocsCollector). */
interface Collector {
  readonly most: number;
  /** @returns false where a new document is none of the best: no later one of its segment is */
  add(completion: Found, context: string | undefined): boolean;
  best(): readonly FoundTerm[];
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
        const found: FoundTerm[] = [];
        let collected = collector(shardSize);
        for (const leaf of searcher.leaves) {
          await collect(leaf, field.info.name + SUGGESTIONS, matcher, { collected, skipDuplicates }, slices);
          if (!skipDuplicates) continue;
          // Equal texts of several segments are told apart at the end.
          for (const each of collected.best()) found.push(each);
          collected = collector(shardSize);
        }
        for (const each of collected.best()) found.push(each);
        found.sort(byScore);
        const distinct = skipDuplicates ? firstOf(found, ({ text }) => text) : found;
        const best = distinct.slice(0, Math.min(size, shardSize));
        return [{ ...empty, options: best.map((each) => withContexts(each, graph.contexts)) }];
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
  { prefix, regex }: Target,
  graph: NonNullable<MappedField["completion"]>,
): PrefixMatcher | undefined {
  if (prefix !== undefined) {
    // Nothing begins with nothing, not even where a text without letters is a token.
    const readings = readingsOf(graph.searchAnalyzer, prefix, graph).filter((reading) => reading !== "");
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

/** In all contexts that a document was found in. */
function withContexts({ found, ...best }: FoundTerm, known: readonly CompletionContext[]): Found {
  if (known.length === 0) return best;
  const contexts: { [name: string]: string[] } = {};
  for (const context of found) {
    const own = (contexts[known[context.charCodeAt(0) - 1].name] ??= []);
    if (!own.includes(context.slice(1))) own.push(context.slice(1));
  }
  for (const [name, own] of Object.entries(contexts)) contexts[name] = hashOrder(own);
  return { ...best, contexts };
}

/** By score, then by text as Java compares it, then by document (TopSuggestDocsCollector). */
const byScore = (a: Found, b: Found) => b.score - a.score || compareTexts(a.text, b.text) || a.doc - b.doc;
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function firstOf<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly T[] {
  const seen = new Set<unknown>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

function collector(most: number): Collector {
  const best: FoundTerm[] = [];
  const byDoc = new Map<number, FoundTerm>();
  return {
    most,
    add(completion, context) {
      const known = byDoc.get(completion.doc);
      if (known !== undefined) {
        if (context !== undefined) known.found.push(context);
        return true;
      }
      const made = { ...completion, found: context === undefined ? [] : [context] };
      byDoc.set(completion.doc, made);
      if (best.length < most) {
        // They need an order only when one has to give way.
        if (best.push(made) === most) best.sort(byScore);
        return true;
      }
      if (byScore(made, best[most - 1]) > 0) return false;
      let at = most - 1;
      while (at > 0 && byScore(made, best[at - 1]) < 0) at--;
      best.splice(at, 0, made);
      best.pop();
      return true;
    },
    best: () => best,
  };
}

interface Matched {
  readonly ord: number;
  readonly score: number;
  /** Terms of one analysed text. */
  readonly group: Group;
}

/** The terms with what was analysed of them in common, which follow each other. */
interface Group {
  readonly ords: number[];
  order?: readonly Place[];
}

interface Place {
  readonly ord: number;
  readonly doc: number;
  readonly place: number;
  readonly weight: number;
}

/**
 * Collects the completions of a segment by score and by what was analysed. For each beginning that the automaton accepts as many are looked at
 * as are wanted, other completions of one document among them (NRTSuggester.lookup).
 */
async function collect(
  { segment, live, docBase }: LeafReader,
  field: string,
  { automaton, boost }: PrefixMatcher,
  { collected, skipDuplicates }: { readonly collected: Collector; readonly skipDuplicates: boolean },
  slices: Slices,
): Promise<void> {
  const terms = segment.terms(field);
  if (!terms) return;
  const matched: Matched[] = [];
  let beginnings = 0;
  let last: Uint8Array | undefined;
  let group: Group & { readonly key: Uint8Array } = { key: new Uint8Array(), ords: [] };
  let seen = 0;
  for (const ord of terms.intersect(beginningWith(automaton))) {
    if (++seen % SLICE_TERMS === 0 && slices.due()) await slices.pause();
    const term = terms.termBytes(ord);
    const end = matchedLength(term);
    const length = acceptedLength(automaton, term, end);
    if (length < 0) continue;
    const beginning = term.subarray(0, length);
    // Terms that begin alike follow each other.
    if (last === undefined || compareBytes(beginning, 0, length, last, 0, last.length) !== 0) {
      beginnings++;
      last = beginning.slice();
    }
    const { key } = group;
    if (compareBytes(term, 0, end, key, 0, key.length) !== 0) group = { key: term.slice(0, end), ords: [] };
    group.ords.push(ord);
    matched.push({ ord, score: scoreOf(weightOf(term), boost(beginning)), group });
  }
  const most = collected.most * beginnings;
  // Terms lie in the order of what was analysed.
  matched.sort((a, b) => b.score - a.score || a.ord - b.ord);
  const texts = new Set<string>();
  let accepted = 0;
  for (let from = 0; from < matched.length && accepted < most; ) {
    if (slices.due()) await slices.pause();
    const { score, group } = matched[from];
    const equal: number[] = [];
    for (; matched[from]?.score === score && matched[from].group === group; from++) equal.push(matched[from].ord);
    for (const { ord, doc } of entriesOf(terms, group, equal)) {
      if (accepted >= most) break;
      if (live?.get(doc) === false) continue;
      const term = terms.term(ord);
      const text = textOf(term);
      if (skipDuplicates && texts.has(text)) continue;
      texts.add(text);
      accepted++;
      const end = term.indexOf(CONTEXT_END);
      const context = end < 0 ? undefined : term.slice(0, end);
      if (!collected.add({ text, score, doc: docBase + doc }, context)) return;
    }
  }
}

/** The entries of some terms of a group, of one weight, in Lucene's order. */
function* entriesOf(
  terms: FieldTerms,
  group: Group,
  ords: readonly number[],
): Iterable<{ readonly ord: number; readonly doc: number }> {
  const [ord] = ords;
  if (group.ords.length > 1) {
    group.order ??= heapOrder(placesOf(terms, group.ords));
    const wanted = new Set(ords);
    for (const entry of group.order) if (wanted.has(entry.ord)) yield entry;
    return;
  }
  const postings = terms.postings(ord);
  for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) yield { ord, doc };
}

/** The completions of some terms as they were added: by document, then by their place in it. */
function placesOf(terms: FieldTerms, ords: readonly number[]): Place[] {
  const places: Place[] = [];
  for (const ord of ords) {
    const place = placeOf(terms.term(ord));
    const weight = weightOf(terms.termBytes(ord));
    const postings = terms.postings(ord);
    for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
      places.push({ ord, doc, place, weight });
    }
  }
  return places.sort((a, b) => a.doc - b.doc || a.place - b.place);
}

/** As they lie in a java.util.PriorityQueue by weight, in which NRTSuggesterBuilder gathers and walks over them. */
function heapOrder(places: readonly Place[]): readonly Place[] {
  const heap: Place[] = [];
  for (const place of places) {
    let at = heap.length;
    for (; at > 0; ) {
      const parent = (at - 1) >>> 1;
      if (place.weight <= heap[parent].weight) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = place;
  }
  return heap;
}

/** CompletionScorer.score */
function scoreOf(weight: number, boost: number): number {
  if (boost === 0) return Math.fround(weight);
  return weight === 0 ? boost : Math.fround(Math.fround(weight) * boost);
}
