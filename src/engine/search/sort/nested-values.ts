/** Sorting by what nested documents hold: the documents below a root that count, and in which order. */
import {
  buildQuery,
  type QueryBuilder,
  type QueryContext,
  queryShardError,
  shardError,
} from "../../query/dsl/index.ts";
import { nestedDocumentsQuery } from "../../query/dsl/nested.ts";
import { booleanQuery } from "../../query/lucene/boolean.ts";
import { iteratorQuery } from "../../query/lucene/iterator.ts";
import { nestedDocuments } from "../../query/lucene/nested.ts";
import type { IndexSearcher, Query } from "../../query/types.ts";
import { bitSetIterator, FixedBitSet } from "../../segment/index.ts";
import { type BitSet, type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import { materialise } from "../searcher.ts";

/** `nested` of a sort. */
export interface NestedSort {
  readonly path?: string;
  readonly filter?: QueryBuilder;
  readonly maxChildren?: number;
  readonly nested?: NestedSort;
}

/** The nested documents whose values count for their root. */
export interface NestedChildren {
  /** In one segment; undefined when there are none. */
  documents(leaf: LeafReader): BitSet | undefined;
  /** Of one root, the first so many. */
  readonly maxChildren: number;
}

/** @returns undefined when no path is named: the sort is by the root's own values */
export function nestedChildren(
  nested: NestedSort,
  context: QueryContext,
  searcher: IndexSearcher,
): NestedChildren | undefined {
  if (nested.nested?.maxChildren !== undefined) {
    throw shardError(queryShardError(context, "max_children is only supported on top level of nested sort"));
  }
  const query = childQuery(nested, context, searcher, undefined);
  if (!query) return undefined;
  const weight = searcher.filterWeight(query);
  return {
    documents(leaf) {
      const scorer = weight.scorer(leaf);
      return scorer && materialise(scorer, leaf.segment.maxDoc);
    },
    maxChildren: nested.maxChildren ?? Number.POSITIVE_INFINITY,
  };
}

interface Level {
  readonly path: string;
  readonly query: Query;
}

/** The documents of a level: those of its object, filtered, below those of the level above it. */
function childQuery(
  nested: NestedSort,
  context: QueryContext,
  searcher: IndexSearcher,
  parent: Level | undefined,
): Query | undefined {
  const { path, filter } = nested;
  if (path === undefined) return undefined;
  if (!context.mapping.object(path)?.nested) {
    const reason = `[nested] failed to find nested object under path [${path}]`;
    throw shardError(queryShardError(context, reason));
  }
  const documents = nestedDocumentsQuery(path);
  const filtered = filter && buildQuery(filter, { ...context, nestedPath: path });
  const clauses: Query[] = [];
  // A single level with a filter is not confined to its object.
  if (!filtered || parent) clauses.push(documents);
  if (filtered) clauses.push(filtered);
  if (parent) clauses.push(belowQuery(parent, searcher));
  const query =
    clauses.length === 1 ? clauses[0] : booleanQuery(clauses.map((each) => ({ occur: "filter", query: each })));
  return nested.nested ? childQuery(nested.nested, context, searcher, { path, query }) : query;
}

/** Documents below those of a level (Lucene's ToChildBlockJoinQuery). */
function belowQuery({ path, query }: Level, searcher: IndexSearcher): Query {
  const weight = searcher.filterWeight(query);
  return iteratorQuery(`ToChildBlockJoinQuery (${query.toString()})`, (leaf) => {
    const scorer = weight.scorer(leaf);
    const parents = nestedDocuments(leaf, path);
    if (!scorer || !parents) return undefined;
    const bits = below(materialise(scorer, leaf.segment.maxDoc), parents, leaf.segment.maxDoc);
    return bitSetIterator(bits, bits.cardinality());
  });
}

/** The documents between each chosen parent and the parent before it. */
function below(chosen: BitSet, parents: BitSet, maxDoc: number): FixedBitSet {
  const bits = new FixedBitSet(maxDoc);
  for (
    let doc = chosen.nextSetBit(0);
    doc !== NO_MORE_DOCS;
    doc = doc + 1 < maxDoc ? chosen.nextSetBit(doc + 1) : NO_MORE_DOCS
  ) {
    if (!parents.get(doc)) continue;
    const before = doc === 0 ? -1 : parents.previousSetBit(doc - 1);
    for (let child = before + 1; child < doc; child++) bits.set(child);
  }
  return bits;
}

/**
 * The children of a root in a segment that have a value, in order: `max_children` counts no others (MultiValueMode).
 *
 * @param hasValue whether a child has one
 */
export function childrenOf(
  leaf: LeafReader,
  { documents, maxChildren }: NestedChildren,
  hasValue: (child: number) => boolean,
): (root: number) => number[] {
  const children = documents(leaf);
  const roots = leaf.segment.roots();
  if (!children || !roots) return () => [];
  return (root) => {
    const found: number[] = [];
    const before = root === 0 ? -1 : roots.previousSetBit(root - 1);
    for (
      let doc = children.nextSetBit(before + 1);
      doc < root && found.length < maxChildren;
      doc = children.nextSetBit(doc + 1)
    ) {
      if (hasValue(doc)) found.push(doc);
    }
    return found;
  };
}
