/** Keys of texts: a segment's documents are compared by the ordinals of their terms, and terms are only read of those that are kept. */
import type { JsonValue } from "../../json/types.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import type { LeafReader, OrdinalColumn } from "../../segment/types.ts";
import { childrenOf, type NestedChildren } from "./nested-values.ts";
import type { LeafKey, SortKey, SortValue } from "./types.ts";

/** What is read of a column. */
export type TermColumn = Pick<OrdinalColumn, "valueCount" | "has" | "start" | "end" | "ord" | "term" | "prefixRange">;

export interface StringKeyOptions {
  readonly field: string;
  readonly descending: boolean;
  readonly mode: "min" | "max";
  /** What a document without a text counts as; null with `nullsLast`. */
  readonly missing: string | null;
  readonly nullsLast: boolean;
  readonly nested?: NestedChildren | undefined;
  column(leaf: LeafReader): TermColumn | undefined;
  /** Only terms that begin with it count, and it is not shown. */
  readonly prefix?: string | undefined;
  print(value: string): JsonValue;
  read(value: JsonValue): string | null;
}

export function stringKey(options: StringKeyOptions): SortKey {
  const { field, descending, nullsLast } = options;
  return {
    field,
    type: "STRING",
    descending,
    nullsLast,
    leaf: (leaf) => leafKey(options, leaf),
    print: (value) => (value === null ? null : options.print(value as string)),
    read: options.read,
  };
}

/** Ordinal of a document without a term. */
const NONE = -1;

function leafKey(options: StringKeyOptions, leaf: LeafReader): LeafKey {
  const { missing, nullsLast, prefix = "" } = options;
  const column = options.column(leaf);
  const nullKey = nullsLast ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const missingKey = missing === null ? nullKey : placeOf(column, prefix + missing);
  const keyOf = (value: SortValue) => {
    if (value === null) return nullKey;
    const place = placeOf(column, prefix + (value as string));
    // Neither is a term of the segment, and there is none between them.
    if (missing === null || place !== missingKey || Number.isInteger(place)) return place;
    return place + Math.sign(compareUtf8(value as string, missing)) / 4;
  };
  if (!column) return { key: () => missingKey, value: () => missing, keyOf };
  const ord = ordinals(options, leaf, column);
  return {
    key(doc) {
      const own = ord(doc);
      return own === NONE ? missingKey : own;
    },
    value(doc) {
      const own = ord(doc);
      return own === NONE ? missing : column.term(own).slice(prefix.length);
    },
    keyOf,
  };
}

/** Between two ordinals for a term that is none of the segment's. */
function placeOf(column: TermColumn | undefined, term: string): number {
  let low = 0;
  let high = column?.valueCount ?? 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareUtf8(column!.term(middle), term);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low - 0.5;
}

function ordinals(options: StringKeyOptions, leaf: LeafReader, column: TermColumn): (doc: number) => number {
  const { mode, nested, prefix } = options;
  const [from, to] = prefix === undefined ? [0, column.valueCount] : column.prefixRange(prefix);
  const within = (ord: number) => ord >= from && ord < to;
  const own = (doc: number): number => {
    if (!column.has(doc)) return NONE;
    const [start, end] = [column.start(doc), column.end(doc)];
    if (prefix === undefined) return column.ord(mode === "min" ? start : end - 1);
    let found = NONE;
    for (let i = start; i < end; i++) {
      const ord = column.ord(i);
      if (within(ord) && (found === NONE || mode === "max")) found = ord;
    }
    return found;
  };
  if (!nested) return own;
  const children = childrenOf(leaf, nested, (child) => own(child) !== NONE);
  return (doc) => {
    let found = NONE;
    for (const child of children(doc)) {
      const ord = own(child);
      if (ord === NONE) continue;
      if (found === NONE || (mode === "min" ? ord < found : ord > found)) found = ord;
    }
    return found;
  };
}
