import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { withRuntimeColumns } from "../../../src/engine/search/runtime-columns.ts";
import { type LeafReader, NO_MORE_DOCS, type SegmentReader } from "../../../src/engine/segment/types.ts";
import { mappingOf } from "../mapping/support.ts";

const SOURCES: readonly (JsonObject | undefined)[] = [
  { n: [3, "1"], k: ["b", "a", "b"] },
  undefined,
  { n: "none", k: "é" },
  { n: 9007199254740993n.toString() },
];
const mapping = mappingOf({
  runtime: { n: { type: "long" }, k: { type: "keyword" } },
  properties: { other: { type: "long" } },
});
const own = { kind: "long" };
const segment = { maxDoc: SOURCES.length, numeric: (name: string) => (name === "other" ? own : undefined) };
const leaf = { segment: segment as unknown as SegmentReader, live: undefined, docBase: 0 } as LeafReader;
const [{ segment: columns }] = withRuntimeColumns(
  [leaf],
  () => mapping,
  (_leaf, doc) => SOURCES[doc],
);

it("numbers come from each source as it is looked at, ascending", () => {
  const column = columns.numeric("n")!;
  const values = (doc: number) => {
    const [from, to] = [column.start(doc), column.end(doc)];
    return Array.from({ length: to - from }, (_, i) => column.bigint(from + i));
  };
  expect([0, 1, 2, 3].map(values)).toEqual([[1n, 3n], [], [], [9007199254740993n]]);
  const docs = column.iterator();
  expect([docs.nextDoc(), docs.nextDoc(), docs.nextDoc()]).toEqual([0, 3, NO_MORE_DOCS]);
});

it("terms are sorted over the segment, each once in a document", () => {
  const column = columns.ordinals("k")!;
  const terms = (doc: number) =>
    Array.from({ length: column.end(doc) - column.start(doc) }, (_, i) =>
      column.term(column.ord(column.start(doc) + i)),
    );
  expect([0, 1, 2, 3].map(terms)).toEqual([["a", "b"], [], ["é"], []]);
  expect([column.lookup("b"), column.lookup("c"), column.prefixRange("b"), column.docCount]).toEqual([
    1,
    -1,
    [1, 2],
    2,
  ]);
});

it("a runtime field hides a column of its name and kind, and leaves the others", () => {
  expect(columns.numeric("k")).toBeUndefined();
  expect(columns.ordinals("n")).toBeUndefined();
  expect(columns.numeric("other")).toBe(own);
});
