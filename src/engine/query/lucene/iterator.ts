/** Queries whose hits all have one score, found by an iterator over each segment (Lucene's ConstantScoreWeight). */
import type { DocIterator, LeafReader } from "../../segment/types.ts";
import { explainConstant } from "../explanation.ts";
import { constantScorer, matchesAt } from "../scorers/index.ts";
import type { Query } from "../types.ts";

export interface IteratorQueryOptions {
  /** Lucene's text of the query, where it is another one than what tells the query from all others. */
  readonly description?: string;
  /** Lucene's text of the query that it delegates to, which its explanation shows. */
  readonly explained?: string;
  /** The field whose documents alone it can match. */
  readonly field?: string;
}

export interface IteratorQuery extends Query {
  readonly onlyField: string | undefined;
}

/** @param text tells the query from all others */
export function iteratorQuery(
  text: string,
  iterator: (leaf: LeafReader) => DocIterator | undefined,
  { description = text, explained = description, field }: IteratorQueryOptions = {},
): Query {
  const query: IteratorQuery = {
    onlyField: field,
    describe: () => description,
    toString: () => text,
    rewrite: () => query,
    createWeight(_searcher, _mode, boost) {
      const scorer = (leaf: LeafReader) => {
        const docs = iterator(leaf);
        return docs && constantScorer(docs, boost);
      };
      return {
        query,
        scorer,
        explain: (leaf, doc) => explainConstant(explained, boost, matchesAt(scorer(leaf), doc), doc),
      };
    },
  };
  return query;
}
