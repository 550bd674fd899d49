/** Queries whose hits all have one score, found by an iterator over each segment (Lucene's ConstantScoreWeight). */
import type { DocIterator, LeafReader } from "../../segment/types.ts";
import { type Explanation, explainConstant } from "../explanation.ts";
import { weightOf } from "../profiler.ts";
import { constantScorer, matchesAt } from "../scorers/index.ts";
import type { IndexSearcher, Query, Weight } from "../types.ts";
import type { QueryVisitor } from "../visitor.ts";

export interface IteratorQueryOptions {
  /** Lucene's text of the query, where it is another one than what tells the query from all others. */
  readonly description?: string;
  /** Lucene's text of the query that it delegates to, which its explanation shows. */
  readonly explained?: string;
  /** The field whose documents alone it can match. */
  readonly field?: string;
  /** Name of Lucene's class. */
  readonly className?: string | undefined;
  readonly visit?: (visitor: QueryVisitor, query: Query) => void;
  readonly matches?: Weight["matches"];
  /** Why a document matches, where it is not shown as for any query with one score. */
  readonly explain?: (boost: number) => Explanation;
  /** What Lucene searches in a segment instead: a profile shows it beside the query. */
  readonly parts?: (leaf: LeafReader) => Query | undefined;
  /** A simpler query with the same hits, where the index shows that there is one. */
  readonly simpler?: (searcher: IndexSearcher) => Query | undefined;
}

export interface IteratorQuery extends Query {
  readonly onlyField: string | undefined;
}

/** @param text tells the query from all others */
export function iteratorQuery(
  text: string,
  iterator: (leaf: LeafReader) => DocIterator | undefined,
  {
    description = text,
    explained = description,
    field,
    visit,
    matches,
    className,
    parts,
    simpler,
    explain,
  }: IteratorQueryOptions = {},
): Query {
  const query: IteratorQuery = {
    onlyField: field,
    ...(className === undefined ? {} : { className }),
    describe: () => description,
    toString: () => text,
    rewrite: (searcher) => simpler?.(searcher) ?? query,
    visit: (visitor) => (visit ? visit(visitor, query) : visitor.leaf(query, field)),
    createWeight(searcher, _mode, boost) {
      const scorer = (leaf: LeafReader) => {
        const part = searcher.profiler && parts?.(leaf);
        if (part) return partScorer(part, searcher, leaf, boost);
        const docs = iterator(leaf);
        return docs && constantScorer(docs, boost);
      };
      return {
        query,
        scorer,
        explain(leaf, doc) {
          const matches = matchesAt(scorer(leaf), doc);
          return explain && matches ? explain(boost) : explainConstant(explained, boost, matches, doc);
        },
        ...(matches ? { matches } : {}),
      };
    },
  };
  return query;
}

function partScorer(part: Query, searcher: IndexSearcher, leaf: LeafReader, boost: number) {
  const scorer = weightOf(part.rewrite(searcher), searcher, "none", 1).scorer(leaf);
  return scorer && constantScorer(scorer, boost, scorer.twoPhase);
}
