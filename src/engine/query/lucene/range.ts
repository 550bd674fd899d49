/** Ranges of numbers (by points, or by doc values where there are none) and of terms. */
import { arrayIterator, bitSetIterator, compareNumbers, FixedBitSet } from "../../segment/index.ts";
import type { DocIterator, LeafReader, NumericColumn } from "../../segment/types.ts";
import type { Query } from "../types.ts";
import { booleanQuery } from "./boolean.ts";
import { innermost, matchNoneQuery } from "./constant.ts";
import { type IteratorQueryOptions, iteratorQuery } from "./iterator.ts";
import { CONSTANT_SCORE, multiTermQuery, type TermMatcher } from "./multi-term.ts";
import { FEW_TERMS, MANY_TERMS, ordsIterator } from "./term.ts";

/** Documents with a value from `low` to `high`, both inclusive. @param indexed false: looked up in doc values, document by document */
export function numberRangeQuery(
  field: string,
  low: number | bigint,
  high: number | bigint,
  indexed: boolean,
  described: RangeDescription = {},
): Query {
  if (compareNumbers(low, high) > 0)
    return matchNoneQuery("empty range", described.description ?? textOf(field, low, high));
  const query = between(field, low, high, indexed, described);
  if (indexed) ranges.set(query, { field, low, high });
  return query;
}

const textOf = (field: string, low: Numeric, high: Numeric) => `${field}:[${low} TO ${high}]`;

function between(field: string, low: Numeric, high: Numeric, indexed: boolean, described: RangeDescription): Query {
  const iterator = (leaf: LeafReader) => numberRange(leaf, field, low, high, indexed);
  return iteratorQuery(textOf(field, low, high), iterator, { ...described, ...(indexed ? { field } : {}) });
}

/** What a range of a field's points takes, both ends included. */
export interface PointRange {
  readonly field: string;
  readonly low: number | bigint;
  readonly high: number | bigint;
}

const ranges = new WeakMap<Query, PointRange>();

/** The range that a query is, whatever score it is given; undefined: it is something else. */
export function pointRangeOf(query: Query): PointRange | undefined {
  return ranges.get(innermost(query));
}

/** Lucene's text of a range where it is not just its bounds, and that of the query that explains itself. */
export type RangeDescription = Pick<IteratorQueryOptions, "description" | "explained" | "className">;

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

/** Documents with one of some numbers: no range (PointInSetQuery), also where it is one. */
export function numbersQuery(
  field: string,
  values: readonly (number | bigint)[],
  indexed: boolean,
  described: RangeDescription = {},
): Query {
  if (values.length === 0) return matchNoneQuery("no values");
  if (values.length === 1) return between(field, values[0], values[0], indexed, described);
  const iterator = (leaf: LeafReader) => {
    const parts = values
      .map((value) => numberRange(leaf, field, value, value, indexed))
      .filter((docs) => docs !== undefined);
    return parts.length === 0 ? undefined : union(parts, leaf.segment.maxDoc);
  };
  return iteratorQuery(`${field}:{${values.join(" ")}}`, iterator, described);
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

/** Which ends of a range belong to it: Lucene shows it of open ends too. */
export interface RangeEnds {
  readonly includeLower: boolean;
  readonly includeUpper: boolean;
}

/** Documents with a term between two others, in the order of UTF-8 bytes; an open end is undefined. */
export function termRangeQuery(
  field: string,
  low: TermBound | undefined,
  high: TermBound | undefined,
  ends: RangeEnds,
): Query {
  // With one score for all there are no clauses to count.
  return multiTermQuery(field, rangeMatcher(low, high, ends), CONSTANT_SCORE, 0);
}

/** The same of addresses, which Lucene finds as points: to whoever looks into the query it has no terms. */
export function addressRangeQuery(
  field: string,
  low: TermBound | undefined,
  high: TermBound | undefined,
  described: RangeDescription,
): Query {
  const { text, describe, ords } = rangeMatcher(low, high);
  const iterator = (leaf: LeafReader) => {
    const terms = leaf.segment.terms(field);
    const found = terms ? ords(terms) : [];
    return found.length === 0 ? undefined : ordsIterator(leaf, field, found);
  };
  return iteratorQuery(`${field}:${text}`, iterator, { description: describe(field), field, ...described });
}

function rangeMatcher(
  low: TermBound | undefined,
  high: TermBound | undefined,
  { includeLower, includeUpper }: RangeEnds = {
    includeLower: low?.inclusive !== false,
    includeUpper: high?.inclusive !== false,
  },
): TermMatcher {
  const shown = (bound: TermBound | undefined) => (bound ? JSON.stringify(bound.term) : "*");
  const between = (from: string, to: string) =>
    `${includeLower ? "[" : "{"}${from} TO ${to}${includeUpper ? "]" : "}"}`;
  return {
    text: between(shown(low), shown(high)),
    describe: (name) => `${name}:${between(low?.term ?? "*", high?.term ?? "*")}`,
    ords(terms, most = Number.POSITIVE_INFINITY) {
      if (!("size" in terms)) throw new Error("values are looked up by an ordinalRangeQuery");
      // The first ord at or after a bound, or behind it.
      const at = ({ term }: TermBound, behind: boolean) =>
        terms.seekCeil(term) + (behind && terms.lookup(term) >= 0 ? 1 : 0);
      const from = low ? at(low, !low.inclusive) : 0;
      const to = high ? at(high, high.inclusive) : terms.size;
      return Array.from({ length: Math.min(Math.max(0, to - from), most) }, (_, i) => from + i);
    },
  };
}

/** Documents by their ids. @param withNested their nested documents too, which have the id of their root */
export function idsQuery(ids: readonly string[], withNested = false): Query {
  if (ids.length === 0) return matchNoneQuery("no ids");
  const iterator = ({ segment }: LeafReader) => {
    const docs = [...new Set(ids)].map((id) => segment.docOf(id)).filter((doc) => doc >= 0);
    const roots = withNested ? segment.roots() : undefined;
    if (roots !== undefined) {
      for (const root of [...docs]) for (let doc = root - 1; doc >= 0 && !roots.get(doc); doc--) docs.push(doc);
    }
    return docs.length === 0 ? undefined : arrayIterator(Int32Array.from(docs).sort());
  };
  const key = `_id:(${ids.map((id) => JSON.stringify(id)).join(" ")})`;
  const description = `_id:(${[...new Set(ids)].map(describeId).sort().join(" ")})`;
  return iteratorQuery(key, iterator, {
    description,
    className: MANY_TERMS,
    parts: ({ segment }) => {
      const found = [...new Set(ids)].filter((id) => segment.docOf(id) >= 0);
      if (found.length === 0 || found.length > FEW_TERMS) return undefined;
      return booleanQuery(found.map((id) => ({ occur: "should", query: idQuery(id) })));
    },
  });
}

function idQuery(id: string): Query {
  const iterator = ({ segment }: LeafReader) => arrayIterator(Int32Array.of(segment.docOf(id)));
  const key = `_id:${JSON.stringify(id)}`;
  return iteratorQuery(key, iterator, { description: `_id:${describeId(id)}`, className: "TermQuery" });
}

/** An id as it is indexed (Elasticsearch's Uid), shown in hexadecimal: digits by twos, anything else as its bytes. */
function describeId(id: string): string {
  const hex = (byte: number) => byte.toString(16);
  if (/^\d+$/.test(id)) {
    const pairs = id.match(/..?/g)!.map((pair) => hex(Number.parseInt(pair.padEnd(2, "f"), 16)));
    return `[fe ${pairs.join(" ")}]`;
  }
  return `[ff ${[...new TextEncoder().encode(id)].map(hex).join(" ")}]`;
}
