/** `terminate_after`: a shard stops when it has found so many hits, in the order of its documents (Elasticsearch's QueryPhaseCollector). */
import { unsupported } from "../../errors.ts";
import { asShard } from "../../query/dsl/index.ts";
import { inner, matchesAll, unboosted } from "../../query/lucene/constant.ts";
import { iteratorQuery } from "../../query/lucene/iterator.ts";
import { isTerm } from "../../query/lucene/term.ts";
import { confirmed } from "../../query/scorers/index.ts";
import type { IndexSearcher, Query } from "../../query/types.ts";
import { hitCandidates, materialise } from "../../search/searcher.ts";
import { denseIterator, rangeIterator } from "../../segment/index.ts";
import { NO_MORE_DOCS } from "../../segment/types.ts";
import type { Slices } from "../../slices.ts";
import type { Shard } from "./shard.ts";
import { withFilter } from "./shard-query.ts";

/** Documents between two looks at the clock. */
const STEP = 512;

export interface Termination {
  /** The first document that is not looked at any more. */
  readonly end: number;
  /** The number of all hits, where it is known without looking at them. */
  readonly total: number | undefined;
}

export interface TerminationOptions {
  readonly after: number;
  readonly minScore?: number | undefined;
  /** Filters behind the query are between it and its known number of hits. */
  readonly filtered: boolean;
  /** Hits that are wanted; with 0 only their number. */
  readonly wanted: number;
  readonly sorted: boolean;
  /** Aggregations look at every hit that some are wanted of. */
  readonly aggregated: boolean;
  /** The first page of a scroll. */
  readonly scrolled: boolean;
  readonly slices: Slices;
}

/** Where a shard stops; undefined: it does not come so far. @param query with the filter after it */
export async function terminationOf(
  shard: Shard,
  query: Query,
  options: TerminationOptions,
): Promise<Termination | undefined> {
  const { after, minScore, slices } = options;
  const { searcher } = shard;
  const rewritten = asShard(() => query.rewrite(searcher));
  const total = options.filtered || minScore !== undefined ? undefined : knownHits(shard, rewritten);
  // Hits that need not be looked at do not end anything.
  const known = total !== undefined;
  if (known && options.wanted === 0) return undefined;
  const equal = known && !options.aggregated && options.wanted <= after && !options.sorted && isConstant(rewritten);
  // Each page of Elasticsearch's counts from where it begins to look.
  if (equal && options.scrolled) throw unsupported("terminate_after in a scroll over hits of one score");
  // Behind the first hit that is not wanted a segment has none that could be better.
  const looked = equal ? options.wanted + 1 : Number.POSITIVE_INFINITY;
  const weight = rewritten.createWeight(searcher, minScore === undefined ? "none" : "complete", 1);
  let hits = 0;
  for (const leaf of searcher.leaves) {
    // A segment is not begun when there are enough, whether it has any or not.
    if (hits >= after) return { end: leaf.docBase, total };
    if (hits >= looked) continue;
    const scorer = weight.scorer(leaf);
    if (!scorer) continue;
    const walk = confirmed(scorer);
    const live = hitCandidates(leaf);
    let steps = 0;
    for (let doc = walk.nextDoc(); doc !== NO_MORE_DOCS; doc = walk.nextDoc()) {
      if (++steps % STEP === 0) {
        if (slices.timedOut()) return undefined;
        if (slices.due()) await slices.pause();
      }
      if (live !== undefined && !live.get(doc)) continue;
      if (minScore !== undefined && walk.score() < minScore) continue;
      if (hits++ === after) return { end: doc + leaf.docBase, total };
      if (hits >= looked) break;
    }
  }
  return undefined;
}

/** TopDocsCollectorManagerFactory.shortcutTotalHitCount. */
function knownHits({ searcher, snapshot, context }: Shard, query: Query): number | undefined {
  let bare = query;
  for (let within = inner(bare); within; within = inner(bare)) bare = within;
  // Nested documents are filtered out of what matches everything, or whatever has a field.
  const flat = context.mapping.nestedPaths().length === 0;
  if (matchesAll(bare)) return flat ? snapshot.docCount : undefined;
  if (snapshot.leaves.some(({ live }) => live !== undefined)) return undefined;
  if (isTerm(bare)) return searcher.docFreq(bare.field, bare.term);
  return flat && bare.describe().startsWith("FieldExistsQuery [field=") ? countOf(searcher, bare) : undefined;
}

function isConstant(query: Query): boolean {
  const within = inner(query);
  return !isTerm(query) && (within === undefined || !isTerm(within) || unboosted(query).query !== within);
}

function countOf(searcher: IndexSearcher, query: Query): number {
  const weight = query.createWeight(searcher, "none", 1);
  let count = 0;
  for (const leaf of searcher.leaves) {
    const scorer = weight.scorer(leaf);
    if (scorer) count += materialise(scorer, leaf.segment.maxDoc).cardinality();
  }
  return count;
}

/** What a query finds behind a document. */
export function behind(query: Query, last: number): Query {
  const rest = iteratorQuery(`documents behind ${last}`, ({ docBase, segment }) =>
    rangeIterator(Math.max(0, last + 1 - docBase), segment.maxDoc),
  );
  return withFilter(query, rest);
}

/** What a query finds before a document. */
export function before(query: Query, end: number): Query {
  return withFilter(query, beforeQuery(end));
}

/** The documents before one. */
export function beforeQuery(end: number): Query {
  return iteratorQuery(`documents before ${end}`, ({ docBase, segment }) =>
    denseIterator(Math.min(Math.max(0, end - docBase), segment.maxDoc)),
  );
}
