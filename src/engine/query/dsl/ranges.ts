/** Queries on fields whose values are ranges: which ranges of the documents meet that of the query. */
import { illegalArgument } from "../../errors.ts";
import type { IndexedValue, MappedField } from "../../mapping/types.ts";
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
  return ordinalsQuery(`${info.name}:${relation}[${least} TO ${greatest}]`, info.name, (column) => {
    const met = new Map<number, boolean>();
    return (ord) => {
      const known = met.get(ord);
      if (known !== undefined) return known;
      const found = accepts(column.term(ord));
      met.set(ord, found);
      return found;
    };
  });
}
