/** Keys of numbers: columns of longs, doubles and floats, one value of each document by the sort's mode. */
import { illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import { shardError } from "../../query/dsl/index.ts";
import type { LeafReader, NumericColumn } from "../../segment/types.ts";
import { pickDouble, pickLong, type SortMode } from "./multi-value.ts";
import { childrenOf, type NestedChildren } from "./nested-values.ts";
import type { LeafKey, SortKey, SortValue } from "./types.ts";

export interface NumericKeyOptions {
  readonly field: string;
  readonly type: "LONG" | "DOUBLE" | "FLOAT";
  readonly descending: boolean;
  readonly mode: SortMode;
  /** Of documents without a value: what is wrong with it is told last. */
  missing(): number | bigint;
  readonly nested?: NestedChildren | undefined;
  /** The column of a segment. */
  column(leaf: LeafReader): NumericColumn | undefined;
  /** A value of the column as it is sorted by; left out: as it is. */
  readonly convert?: ((value: number | bigint) => number | bigint) | undefined;
  print(value: number | bigint): JsonValue;
  read(value: JsonValue): number | bigint;
}

export function numericKey(options: NumericKeyOptions): SortKey {
  const { field, type, descending } = options;
  return {
    field,
    type,
    descending,
    prepare: () => void options.missing(),
    leaf: (leaf) => {
      // Nested documents have no order, and so no middle.
      if (options.nested && options.mode === "median") {
        throw shardError(illegalArgument("Unsupported sort mode: MEDIAN"));
      }
      const read = reader(options, leaf);
      const value = type === "FLOAT" ? (doc: number) => Math.fround(Number(read(doc))) : read;
      return leafKey(value);
    },
    print: (value) => options.print(value as number | bigint),
    read: options.read,
  };
}

/** Numbers order themselves, whatever the segment. */
export function leafKey(value: (doc: number, score: number) => number | bigint): LeafKey {
  return { key: value, value, keyOf: (other: SortValue) => other as number | bigint };
}

function reader(options: NumericKeyOptions, leaf: LeafReader): (doc: number) => number | bigint {
  const { mode, nested, type, convert } = options;
  const missing = options.missing();
  const column = options.column(leaf);
  if (!column) return () => missing;
  const at = valueAt(column, convert);
  const pick = (values: (number | bigint)[]) =>
    values.length === 0 ? missing : type === "LONG" ? pickLong(values, mode) : pickDouble(values as number[], mode);
  const all = (doc: number, values: (number | bigint)[]) => {
    if (column.has(doc)) for (let i = column.start(doc); i < column.end(doc); i++) values.push(at(i));
  };
  if (nested) {
    const children = childrenOf(leaf, nested, (child) => column.has(child));
    return (doc) => {
      const values: (number | bigint)[] = [];
      for (const child of children(doc)) all(child, values);
      return pick(values);
    };
  }
  // A sum of one −0 is 0.
  if (column.single && (type === "LONG" || mode === "min" || mode === "max" || mode === "median")) {
    return (doc) => (column.has(doc) ? at(column.start(doc)) : missing);
  }
  if (mode === "min") return (doc) => (column.has(doc) ? at(column.start(doc)) : missing);
  if (mode === "max") return (doc) => (column.has(doc) ? at(column.end(doc) - 1) : missing);
  return (doc) => {
    const values: (number | bigint)[] = [];
    all(doc, values);
    return pick(values);
  };
}

function valueAt(column: NumericColumn, convert: NumericKeyOptions["convert"]): (index: number) => number | bigint {
  if (!column.wide) return convert ? (index) => convert(column.value(index)) : (index) => column.value(index);
  const exact = (index: number): number | bigint => {
    const value = column.value(index);
    return column.kind === "double" || Number.isSafeInteger(value) ? value : column.bigint(index);
  };
  return convert ? (index) => convert(exact(index)) : exact;
}
