/** Documents by the sorted doc values of a keyword that has no index (Lucene's SortedSetDocValuesField queries): one after another. */
import { bitSetIterator, FixedBitSet } from "../../segment/index.ts";
import type { OrdinalColumn } from "../../segment/types.ts";
import type { Query } from "../types.ts";
import { iteratorQuery, type TermBound } from "./range.ts";

/** Order of a UTF-16 unit among those of UTF-8: surrogates stand for what comes after all others. */
const rank = (unit: number) => (unit < 0xd800 ? unit : unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);

/** Compares texts in the order of their UTF-8 bytes. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The first ord whose term is at the bound or after it; with `after`, after it. */
function firstOrd(column: OrdinalColumn, term: string, after: boolean): number {
  let low = 0;
  let high = column.valueCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareUtf8(column.term(middle), term);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Documents with a term whose ord is accepted, in each segment by that segment's ords. */
export function ordinalsQuery(
  text: string,
  field: string,
  accepts: (column: OrdinalColumn) => (ord: number) => boolean,
): Query {
  return iteratorQuery(text, ({ segment }) => {
    const column = segment.ordinals(field);
    if (!column) return undefined;
    const accepted = accepts(column);
    const bits = new FixedBitSet(segment.maxDoc);
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      for (let i = column.start(doc); i < column.end(doc); i++) if (accepted(column.ord(i))) bits.set(doc);
    }
    return bitSetIterator(bits, bits.cardinality());
  });
}

/** Documents with one of some terms. */
export function ordinalTermsQuery(field: string, terms: readonly string[]): Query {
  return ordinalsQuery(`${field}:ords(${terms.map((term) => JSON.stringify(term)).join(" ")})`, field, (column) => {
    const ords = new Set(terms.map((term) => column.lookup(term)));
    return (ord) => ords.has(ord);
  });
}

/** Documents with a term between two others; an open end is undefined. */
export function ordinalRangeQuery(field: string, low: TermBound | undefined, high: TermBound | undefined): Query {
  const text = `${field}:ords${JSON.stringify([low, high])}`;
  return ordinalsQuery(text, field, (column) => {
    const from = low ? firstOrd(column, low.term, !low.inclusive) : 0;
    const to = high ? firstOrd(column, high.term, high.inclusive) : column.valueCount;
    return (ord) => ord >= from && ord < to;
  });
}
