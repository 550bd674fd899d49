/** Queries on fields whose values are ranges: which ranges of the documents meet that of the query. */
import { illegalArgument } from "../../errors.ts";
import type { IndexedValue, MappedField } from "../../mapping/types.ts";
import type { OrdinalColumn } from "../../segment/types.ts";
import { ordinalsQuery } from "../lucene/ordinals.ts";
import type { Query } from "../types.ts";

export type RangeRelation = "intersects" | "within" | "contains";

/** Documents with a range that intersects, lies within or contains the one from `low` to `high`, both included. */
export function rangesQuery(
  field: MappedField,
  { low, high }: { low: unknown; high: unknown },
  relation: RangeRelation,
): Query {
  const { ranges, info } = field;
  if (ranges === undefined) throw illegalArgument(`Field [${field.name}] of type [${field.type}] holds no ranges`);
  const [least, greatest] = [ranges.key(low as IndexedValue), ranges.key(high as IndexedValue)];
  const width = least.length;
  const accepts = (range: string): boolean => {
    const [from, to] = [range.slice(0, width), range.slice(width)];
    if (relation === "within") return from >= least && to <= greatest;
    if (relation === "contains") return from <= least && to >= greatest;
    return from <= greatest && to >= least;
  };
  const accepting = (column: OrdinalColumn) => {
    const met = new Map<number, boolean>();
    return (ord: number) => {
      const known = met.get(ord);
      if (known !== undefined) return known;
      const found = accepts(column.term(ord));
      met.set(ord, found);
      return found;
    };
  };
  const text = `${info.name}:${relation}[${least} TO ${greatest}]`;
  return ordinalsQuery(text, info.name, accepting, describeRanges(field, low as IndexedValue, high as IndexedValue));
}

/** The relation is not shown. */
function describeRanges({ ranges, info, indexed, hasDocValues }: MappedField, low: IndexedValue, high: IndexedValue) {
  const [from, to] = [ranges!.show(low), ranges!.show(high)];
  const points = `${info.name}:<ranges:[${from} : ${to}]>`;
  const values = `BinaryDocValuesRangeQuery(fieldName=,from=${from},to=${to})`;
  if (!hasDocValues) return { description: points, className: "RangeFieldQuery" };
  if (!indexed) return { description: values, className: "BinaryDocValuesRangeQuery" };
  const description = `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${values})`;
  return { description, explained: values, className: "IndexOrDocValuesQuery" };
}
