/** Queries whose hits all have one score, found by an iterator over each segment (Lucene's ConstantScoreWeight). */
import type { DocIterator, LeafReader } from "../../segment/types.ts";
import { explainConstant } from "../explanation.ts";
import { constantScorer, matchesAt } from "../scorers/index.ts";
import type { Query, Weight } from "../types.ts";
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
}

export interface IteratorQuery extends Query {
  readonly onlyField: string | undefined;
}

/** @param text tells the query from all others */
export function iteratorQuery(
  text: string,
  iterator: (leaf: LeafReader) => DocIterator | undefined,
  { description = text, explained = description, field, visit, matches, className }: IteratorQueryOptions = {},
): Query {
  const query: IteratorQuery = {
    onlyField: field,
    ...(className === undefined ? {} : { className }),
    describe: () => description,
    toString: () => text,
    rewrite: () => query,
    visit: (visitor) => (visit ? visit(visitor, query) : visitor.leaf(query, field)),
    createWeight(_searcher, _mode, boost) {
      const scorer = (leaf: LeafReader) => {
        const docs = iterator(leaf);
        return docs && constantScorer(docs, boost);
      };
      return {
        query,
        scorer,
        explain: (leaf, doc) => explainConstant(explained, boost, matchesAt(scorer(leaf), doc), doc),
        ...(matches ? { matches } : {}),
      };
    },
  };
  return query;
}
