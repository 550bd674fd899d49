/** Root documents by their nested ones (Lucene's ToParentBlockJoinQuery): a nested document stands before its root. */
import { EngineError } from "../../errors.ts";
import { FixedBitSet } from "../../segment/index.ts";
import { type BitSet, type LeafReader, NO_MORE_DOCS, type SegmentReader } from "../../segment/types.ts";
import { type Explanation, matched, unmatched } from "../explanation.ts";
import { weightOf } from "../profiler.ts";
import { confirmed, matchesAt } from "../scorers/index.ts";
import type { Query, Scorer, Weight } from "../types.ts";
import { matchesNone } from "./constant.ts";

export type NestedScoreMode = "avg" | "sum" | "min" | "max" | "none";

/** The parents of a nested level in a segment: roots, or the documents of the object around it. */
export type ParentsOf = (leaf: LeafReader) => BitSet | undefined;

/**
 * @param inner matches nested documents only
 * @param shown what is described in its place
 * @param parents which documents the hits are; a nested document belongs to the next of them
 */
export function toParentQuery(
  inner: Query,
  parents: ParentsOf,
  scoreMode: NestedScoreMode,
  text: string,
  shown = inner,
): Query {
  const query: Query & { readonly rootsOnly: boolean } = {
    className: "ESToParentBlockJoinQuery",
    rootsOnly: parents === rootDocuments,
    describe: () => `ToParentBlockJoinQuery (${shown.describe()})`,
    toString: () => `ToParentBlockJoinQuery (${text}, ${inner}, ${scoreMode})`,
    visit: (visitor) => visitor.parts(query, [{ query: inner, kind: "nested" }]),
    rewrite(searcher) {
      const rewritten = inner.rewrite(searcher);
      return rewritten === inner ? query : toParentQuery(rewritten, parents, scoreMode, text);
    },
    createWeight(searcher, mode, boost) {
      const scored = mode !== "none" && scoreMode !== "none";
      // Lucene binds what it does not score as a query of its own.
      const weight =
        scored || matchesNone(inner)
          ? inner.createWeight(searcher, "complete", boost)
          : weightOf(inner, searcher, "none", 0);
      const scorer = (leaf: LeafReader) => {
        const bits = parents(leaf);
        const children = bits && weight.scorer(leaf);
        return children && parentScorer(confirmed(children), bits, scored ? scoreMode : "none");
      };
      return {
        query,
        scorer,
        explain(leaf, doc) {
          const parent = scorer(leaf);
          if (!matchesAt(parent, doc)) return unmatched("Not a match");
          const first = (doc === 0 ? -1 : (parents(leaf)?.previousSetBit(doc - 1) ?? -1)) + 1;
          return explainParent(leaf, weight, { first, last: doc - 1, score: parent.score(), scoreMode });
        },
      };
    },
  };
  return query;
}

const MODE_NAMES: Record<NestedScoreMode, string> = { avg: "Avg", sum: "Total", min: "Min", max: "Max", none: "None" };

/** The child that scores best (or worst, where that is what counts) stands for all of them. */
function explainParent(
  leaf: LeafReader,
  weight: Weight,
  of: { readonly first: number; readonly last: number; readonly score: number; readonly scoreMode: NestedScoreMode },
): Explanation {
  const { first, last, score, scoreMode } = of;
  let shown: Explanation | undefined;
  let count = 0;
  for (let doc = first; doc <= last; doc++) {
    const child = weight.explain(leaf, doc);
    if (!child.match) continue;
    count++;
    const better = shown && (scoreMode === "min" ? child.value < shown.value : child.value > shown.value);
    if (!shown || better) shown = child;
  }
  const range = `in range from ${leaf.docBase + first} to ${leaf.docBase + last}`;
  const text = `Score based on ${count} child docs ${range}, using score mode ${MODE_NAMES[scoreMode]}`;
  return matched(score, text, shown ? [shown] : []);
}

/** What is asked of nested documents matches a document of the level above: it would have to score for itself. */
function childIsParent(doc: number): EngineError {
  return new EngineError(
    "illegal_state_exception",
    "Child query must not match same docs with parent filter. " +
      `Combine them as must clauses (+) to find a problem doc. docId=${doc}`,
    { status: 500, metadata: { phase: "shard" } },
  );
}

/** Walks over the parents; the score joins those of the matching children. Without scores it is 0. */
function parentScorer(children: Scorer, parents: BitSet, scoreMode: NestedScoreMode): Scorer {
  let current = -1;
  let scoredDoc = -1;
  let score = 0;
  const advance = (target: number): number => {
    if (target >= parents.length) return (current = NO_MORE_DOCS);
    // The first child that can belong to a parent at or after the target.
    const first = target === 0 ? 0 : parents.previousSetBit(target - 1) + 1;
    const child = children.docID() < first ? children.advance(first) : children.docID();
    // A child that is a parent itself counts for the next one, until scores are asked for.
    return (current = child >= parents.length - 1 ? NO_MORE_DOCS : parents.nextSetBit(child + 1));
  };
  /** Takes the children of the parent, the first of which `children` stands on. */
  const join = (): void => {
    scoredDoc = current;
    score = children.score();
    let count = 1;
    let sum = score;
    while (children.nextDoc() < current) {
      const next = children.score();
      count++;
      // Lucene sums in a double.
      sum += next;
      score = scoreMode === "min" ? Math.min(score, next) : Math.max(score, next);
    }
    if (children.docID() === current) throw childIsParent(current);
    if (scoreMode === "sum") score = Math.fround(sum);
    else if (scoreMode === "avg") score = Math.fround(sum / count);
  };
  return {
    docID: () => current,
    nextDoc: () => (current === NO_MORE_DOCS ? current : advance(current + 1)),
    advance,
    cost: () => children.cost(),
    score() {
      if (scoreMode !== "none" && scoredDoc !== current) join();
      return score;
    },
    maxScore: () => Number.POSITIVE_INFINITY,
    advanceShallow: () => NO_MORE_DOCS,
    setMinCompetitiveScore: () => {},
  };
}

const nestedOf = new WeakMap<SegmentReader, Map<string, FixedBitSet>>();
const rootsOf = new WeakMap<SegmentReader, FixedBitSet>();

/** The documents of a nested object: those that its path is recorded for. */
export function nestedDocuments({ segment }: LeafReader, path: string): BitSet | undefined {
  const known = nestedOf.get(segment) ?? new Map<string, FixedBitSet>();
  nestedOf.set(segment, known);
  const cached = known.get(path);
  if (cached) return cached;
  const terms = segment.terms("_nested_path");
  const ord = terms ? terms.lookup(path) : -1;
  if (!terms || ord < 0) return undefined;
  const bits = new FixedBitSet(segment.maxDoc);
  const postings = terms.postings(ord);
  while (postings.nextBlock()) for (let i = 0; i < postings.length; i++) bits.set(postings.docs[i]);
  known.set(path, bits);
  return bits;
}

/** Root documents; all of a segment that has no nested ones. */
export function rootDocuments({ segment }: LeafReader): BitSet {
  const roots = segment.roots() ?? rootsOf.get(segment);
  if (roots) return roots;
  const bits = new FixedBitSet(segment.maxDoc);
  for (let doc = 0; doc < segment.maxDoc; doc++) bits.set(doc);
  rootsOf.set(segment, bits);
  return bits;
}
