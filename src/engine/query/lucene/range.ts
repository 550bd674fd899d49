/** Ranges of numbers (by points, or by doc values where there are none) and of terms. */
import { arrayIterator, bitSetIterator, compareNumbers, FixedBitSet } from "../../segment/index.ts";
import type { DocIterator, LeafReader, NumericColumn } from "../../segment/types.ts";
import { constantScorer } from "../scorers/index.ts";
import type { Query, Weight } from "../types.ts";
import { matchNoneQuery } from "./constant.ts";
import { ordsIterator } from "./term.ts";

/** A query whose hits come from one iterator a segment, each with the boost as its score. */
export function iteratorQuery(text: string, iterator: (leaf: LeafReader) => DocIterator | undefined): Query {
  const query: Query = {
    toString: () => text,
    rewrite: () => query,
    createWeight(_searcher, _mode, boost): Weight {
      return {
        query,
        scorer(leaf) {
          const docs = iterator(leaf);
          return docs && constantScorer(docs, boost);
        },
      };
    },
  };
  return query;
}

/** Documents with a value from `low` to `high`, both inclusive. @param indexed false: looked up in doc values, document by document */
export function numberRangeQuery(field: string, low: number | bigint, high: number | bigint, indexed: boolean): Query {
  if (compareNumbers(low, high) > 0) return matchNoneQuery("empty range");
  return iteratorQuery(`${field}:[${low} TO ${high}]`, (leaf) => numberRange(leaf, field, low, high, indexed));
}

type Numeric = number | bigint;

function numberRange({ segment }: LeafReader, field: string, low: Numeric, high: Numeric, indexed: boolean) {
  if (indexed) return segment.points(field)?.range(low, high);
  const column = segment.numeric(field);
  return column && columnRange(column, segment.maxDoc, low, high);
}

function columnRange(column: NumericColumn, maxDoc: number, low: number | bigint, high: number | bigint): DocIterator {
  const bits = new FixedBitSet(maxDoc);
  const exact = typeof low === "bigint" || typeof high === "bigint";
  for (let doc = 0; doc < maxDoc; doc++) {
    for (let i = column.start(doc); i < column.end(doc); i++) {
      const value = exact ? column.bigint(i) : column.value(i);
      if (compareNumbers(value, low) >= 0 && compareNumbers(value, high) <= 0) bits.set(doc);
    }
  }
  return bitSetIterator(bits, bits.cardinality());
}

/** Documents with one of some numbers. */
export function numbersQuery(field: string, values: readonly (number | bigint)[], indexed: boolean): Query {
  if (values.length === 0) return matchNoneQuery("no values");
  if (values.length === 1) return numberRangeQuery(field, values[0], values[0], indexed);
  return iteratorQuery(`${field}:{${values.join(" ")}}`, (leaf) => {
    const parts = values
      .map((value) => numberRange(leaf, field, value, value, indexed))
      .filter((docs) => docs !== undefined);
    return parts.length === 0 ? undefined : union(parts, leaf.segment.maxDoc);
  });
}

function union(parts: readonly DocIterator[], maxDoc: number): DocIterator {
  const bits = new FixedBitSet(maxDoc);
  for (const docs of parts) for (let doc = docs.nextDoc(); doc < maxDoc; doc = docs.nextDoc()) bits.set(doc);
  return bitSetIterator(bits, bits.cardinality());
}

export interface TermBound {
  readonly term: string;
  readonly inclusive: boolean;
}

/** Documents with a term between two others, in the order of UTF-8 bytes; an open end is undefined. */
export function termRangeQuery(field: string, low: TermBound | undefined, high: TermBound | undefined): Query {
  const shown = (bound: TermBound | undefined) => (bound ? JSON.stringify(bound.term) : "*");
  const text = `${field}:${low?.inclusive === false ? "{" : "["}${shown(low)} TO ${shown(high)}${high?.inclusive === false ? "}" : "]"}`;
  return iteratorQuery(text, (leaf) => {
    const terms = leaf.segment.terms(field);
    if (!terms) return undefined;
    const from = low ? terms.seekCeil(low.term) + (!low.inclusive && terms.lookup(low.term) >= 0 ? 1 : 0) : 0;
    const to = high ? terms.seekCeil(high.term) + (high.inclusive && terms.lookup(high.term) >= 0 ? 1 : 0) : terms.size;
    if (from >= to) return undefined;
    return ordsIterator(
      leaf,
      field,
      Array.from({ length: to - from }, (_, i) => from + i),
    );
  });
}

/** Documents by their ids. @param withNested their nested documents too, which have the id of their root */
export function idsQuery(ids: readonly string[], withNested = false): Query {
  if (ids.length === 0) return matchNoneQuery("no ids");
  return iteratorQuery(`_id:(${ids.map((id) => JSON.stringify(id)).join(" ")})`, ({ segment }) => {
    const docs = [...new Set(ids)].map((id) => segment.docOf(id)).filter((doc) => doc >= 0);
    const roots = withNested ? segment.roots() : undefined;
    if (roots !== undefined) {
      for (const root of [...docs]) for (let doc = root - 1; doc >= 0 && !roots.get(doc); doc--) docs.push(doc);
    }
    return docs.length === 0 ? undefined : arrayIterator(Int32Array.from(docs).sort());
  });
}
