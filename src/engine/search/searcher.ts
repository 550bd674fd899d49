/** A snapshot with what queries ask of it: statistics over all segments, similarities, and filters that are kept. */
import type { Index, IndexSnapshot } from "../index/types.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonObject } from "../json/types.ts";
import type { Mapping } from "../mapping/types.ts";
import { explainConstant } from "../query/explanation.ts";
import { bitSetScorer, confirmed, matchesAt } from "../query/scorers/index.ts";
import type { CollectionStatistics, IndexSearcher, Query, Scorer, Weight } from "../query/types.ts";
import { FixedBitSet } from "../segment/index.ts";
import { type BitSet, type LeafReader, NO_MORE_DOCS, type SegmentReader } from "../segment/types.ts";
import { withRuntimeColumns } from "./runtime-columns.ts";

/** @param runtime the mapping of the search, where it has runtime fields */
export function createSearcher(
  index: Index,
  snapshot: IndexSnapshot,
  mapping: Mapping,
  runtime?: () => Mapping,
): IndexSearcher {
  const source = parsedSources(snapshot, runtime);
  const statistics = new Map<string, CollectionStatistics | undefined>();
  const searcher: IndexSearcher = {
    leaves: runtime === undefined ? snapshot.leaves : withRuntimeColumns(snapshot.leaves, runtime, source),
    maxDoc: snapshot.maxDoc,
    collectionStatistics(field) {
      if (!statistics.has(field)) statistics.set(field, fieldStatistics(snapshot, field));
      return statistics.get(field);
    },
    docFreq: (field, term) => sumOverTerms(snapshot, field, term, "docFreq"),
    totalTermFreq: (field, term) => sumOverTerms(snapshot, field, term, "totalTermFreq"),
    similarity: (field) => index.similarity(mapping.field(field)?.similarity),
    source,
    filterWeight: (query) => cachedWeight(query, searcher),
  };
  return searcher;
}

/** Sources as runtime fields read them, without what none of them reads; of several fields of one document the source is parsed once. */
function parsedSources(snapshot: IndexSnapshot, mapping?: () => Mapping): NonNullable<IndexSearcher["source"]> {
  let names: readonly string[] | undefined;
  const selection = (key: string) => {
    names ??= mapping!()
      .runtimeFields()
      .map(({ name }) => name);
    return names.some((name) => name === key || name.startsWith(`${key}.`));
  };
  const options = mapping === undefined ? {} : { selection };
  let last: { readonly leaf: LeafReader; readonly doc: number; readonly source: JsonObject | undefined } | undefined;
  return (leaf, doc) => {
    // The source of a deleted document may be gone already.
    if (leaf.live?.get(doc) === false) return undefined;
    if (last?.leaf !== leaf || last.doc !== doc) {
      const bytes = snapshot.source(leaf, doc);
      last = { leaf, doc, source: bytes === undefined ? undefined : (parseJson(bytes, options) as JsonObject) };
    }
    return last.source;
  };
}

/**
 * Searchers whose statistics are the sums of all of theirs: terms are as rare as they are in all indices together (Elasticsearch's
 * `dfs_query_then_fetch`, which it also uses for every search with `knn`).
 */
export function shareStatistics(searchers: readonly IndexSearcher[]): IndexSearcher[] {
  if (searchers.length === 1) return [...searchers];
  const sum = (count: (searcher: IndexSearcher) => number) => searchers.reduce((total, each) => total + count(each), 0);
  const collectionStatistics = (field: string): CollectionStatistics | undefined => {
    const known = searchers.map((each) => each.collectionStatistics(field)).filter((each) => each !== undefined);
    if (known.length === 0) return undefined;
    const total = (name: keyof CollectionStatistics) => known.reduce((sum, each) => sum + each[name], 0);
    return {
      docCount: total("docCount"),
      sumTotalTermFreq: total("sumTotalTermFreq"),
      sumDocFreq: total("sumDocFreq"),
    };
  };
  return searchers.map((searcher) => ({
    ...searcher,
    collectionStatistics,
    docFreq: (field, term) => sum((each) => each.docFreq(field, term)),
    totalTermFreq: (field, term) => sum((each) => each.totalTermFreq(field, term)),
  }));
}

function fieldStatistics(snapshot: IndexSnapshot, field: string): CollectionStatistics | undefined {
  let docCount = 0;
  let sumTotalTermFreq = 0;
  let sumDocFreq = 0;
  for (const { segment } of snapshot.leaves) {
    const terms = segment.terms(field);
    if (!terms) continue;
    docCount += terms.docCount;
    sumTotalTermFreq += terms.sumTotalTermFreq;
    sumDocFreq += terms.sumDocFreq;
  }
  return docCount === 0 ? undefined : { docCount, sumTotalTermFreq, sumDocFreq };
}

function sumOverTerms(snapshot: IndexSnapshot, field: string, term: string, what: "docFreq" | "totalTermFreq"): number {
  let sum = 0;
  for (const { segment } of snapshot.leaves) {
    const terms = segment.terms(field);
    const ord = terms ? terms.lookup(term) : -1;
    if (terms && ord >= 0) sum += terms[what](ord);
  }
  return sum;
}

/** Filters are kept for segments of at least this many documents, at the second use. */
const CACHED_SEGMENT = 10_000;
const CACHED_FILTERS = 32;
/** Filters whose uses are counted before they are kept. */
const COUNTED_FILTERS = 256;
/** A longer text is a filter that hardly comes again. */
const LONGEST_KEY = 10_000;

interface FilterCache {
  readonly uses: Map<string, number>;
  readonly bits: Map<string, { bits: FixedBitSet; cost: number }>;
}

const caches = new WeakMap<SegmentReader, FilterCache>();

/** A query without scores; the documents of one that comes again are kept as a bit set beside the segment. */
function cachedWeight(query: Query, searcher: IndexSearcher): Weight {
  const rewritten = query.rewrite(searcher);
  const weight = rewritten.createWeight(searcher, "none", 1);
  let key: string | undefined;
  return {
    query,
    // What is kept of a filter is its documents, each as good as any other (LRUQueryCache's weight).
    explain: (leaf, doc) => explainConstant(query.describe(), 1, matchesAt(weight.scorer(leaf), doc), doc),
    scorer(leaf) {
      if (leaf.segment.maxDoc < CACHED_SEGMENT) return weight.scorer(leaf);
      key ??= rewritten.toString();
      return key.length > LONGEST_KEY ? weight.scorer(leaf) : keptScorer(weight, leaf, key);
    },
  };
}

function keptScorer(weight: Weight, leaf: LeafReader, key: string): Scorer | undefined {
  const cache = caches.get(leaf.segment) ?? { uses: new Map(), bits: new Map() };
  caches.set(leaf.segment, cache);
  let kept = cache.bits.get(key);
  if (!kept) {
    const uses = (cache.uses.get(key) ?? 0) + 1;
    keep(cache.uses, key, uses, COUNTED_FILTERS);
    const scorer = weight.scorer(leaf);
    if (uses < 2 || !scorer) return scorer;
    const bits = materialise(scorer, leaf.segment.maxDoc);
    kept = { bits, cost: bits.cardinality() };
  }
  keep(cache.bits, key, kept, CACHED_FILTERS);
  return kept.cost === 0 ? undefined : bitSetScorer(kept.bits, 0, kept.cost);
}

/** Puts an entry last, and drops the one that was not used for longest. */
function keep<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

export function materialise(scorer: Scorer, maxDoc: number): FixedBitSet {
  const bits = new FixedBitSet(maxDoc);
  const walk = confirmed(scorer);
  for (let doc = walk.nextDoc(); doc !== NO_MORE_DOCS; doc = walk.nextDoc()) bits.set(doc);
  return bits;
}

const hitsOf = new WeakMap<object, BitSet>();

/** The documents of a segment that may be hits: alive, and roots. Undefined: all. */
export function hitCandidates({ segment, live }: LeafReader): BitSet | undefined {
  const roots = segment.roots();
  if (!roots || !live) return roots ?? live;
  const known = hitsOf.get(live);
  if (known) return known;
  const bits = new FixedBitSet(segment.maxDoc);
  for (
    let doc = roots.nextSetBit(0);
    doc !== NO_MORE_DOCS;
    doc = doc + 1 < segment.maxDoc ? roots.nextSetBit(doc + 1) : NO_MORE_DOCS
  ) {
    if (live.get(doc)) bits.set(doc);
  }
  hitsOf.set(live, bits);
  return bits;
}
