/** Documents by the sorted doc values of a keyword that has no index (Lucene's SortedSetDocValuesField queries): one after another. */
import { bitSetIterator, FixedBitSet } from "../../segment/index.ts";
import type { LeafReader, OrdinalColumn } from "../../segment/types.ts";
import type { Query } from "../types.ts";
import { type IteratorQueryOptions, iteratorQuery } from "./iterator.ts";
import type { TermBound } from "./range.ts";
import { compareUtf8 } from "./utf8-order.ts";

export { compareUtf8 } from "./utf8-order.ts";

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
  described: Pick<IteratorQueryOptions, "description" | "explained" | "className" | "explain" | "field"> = {},
): Query {
  const iterator = ({ segment }: LeafReader) => {
    const column = segment.ordinals(field);
    if (!column) return undefined;
    const accepted = accepts(column);
    const bits = new FixedBitSet(segment.maxDoc);
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      for (let i = column.start(doc); i < column.end(doc); i++) if (accepted(column.ord(i))) bits.set(doc);
    }
    return bitSetIterator(bits, bits.cardinality());
  };
  return iteratorQuery(text, iterator, described);
}

/** Documents with one of some terms. */
export function ordinalTermsQuery(field: string, terms: readonly string[]): Query {
  const accepts = (column: OrdinalColumn) => {
    const ords = new Set(terms.map((term) => column.lookup(term)));
    return (ord: number) => ords.has(ord);
  };
  const text = `${field}:ords(${terms.map((term) => JSON.stringify(term)).join(" ")})`;
  const [only] = terms;
  return terms.length === 1
    ? ordinalsQuery(text, field, accepts, rangeOfValues(field, `[${bytesOf(only)} TO ${bytesOf(only)}]`))
    : ordinalsQuery(text, field, accepts, {
        field,
        className: "MultiTermQueryDocValuesWrapper",
        description: `${field}:(${[...terms].sort(compareUtf8).join(" ")})`,
      });
}

/** Documents with a term between two others; an open end is undefined. */
export function ordinalRangeQuery(field: string, low: TermBound | undefined, high: TermBound | undefined): Query {
  const text = `${field}:ords${JSON.stringify([low, high])}`;
  const accepts = (column: OrdinalColumn) => {
    const from = low ? firstOrd(column, low.term, !low.inclusive) : 0;
    const to = high ? firstOrd(column, high.term, high.inclusive) : column.valueCount;
    return (ord: number) => ord >= from && ord < to;
  };
  const shown = (bound: TermBound | undefined) => (bound === undefined ? "*" : bytesOf(bound.term));
  const between = `${shown(low)} TO ${shown(high)}`;
  const text2 = `${low?.inclusive === false || !low ? "{" : "["}${between}${high?.inclusive === false || !high ? "}" : "]"}`;
  return ordinalsQuery(text, field, accepts, rangeOfValues(field, text2));
}

/** SortedSetDocValuesRangeQuery shows the bytes of its bounds. */
const rangeOfValues = (field: string, range: string) => ({
  className: "SortedSetDocValuesRangeQuery",
  description: `${field}:${range}`,
});

const bytesOf = (term: string) =>
  `[${Array.from(new TextEncoder().encode(term), (byte) => byte.toString(16)).join(" ")}]`;
