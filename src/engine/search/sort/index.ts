export { collectSorted, type SortedDocs } from "./collect-sorted.ts";
export { numericBits } from "./numeric-bits.ts";
export { compareRows } from "./order.ts";
export { namedSort, parseNestedSort, parseSorts, readOrder } from "./parse-sort.ts";
export type { LeafKey, SortBuilder, SortContext, SortKey, SortType, SortValue } from "./types.ts";
