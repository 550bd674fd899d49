/** Sorting by the metadata fields that have values by document. */
import { IGNORED } from "../../mapping/metadata.ts";
import type { QueryContext } from "../../query/dsl/index.ts";
import type { LeafReader, NumericColumn } from "../../segment/types.ts";
import type { FieldSource } from "./field-sort.ts";
import type { TermColumn } from "./string-key.ts";

export function metadataSource(name: string, context: QueryContext): FieldSource {
  const common = { name, typeName: name, customFormats: false };
  switch (name) {
    case "_seq_no":
      return {
        ...common,
        kind: "number",
        plain: true,
        type: "LONG",
        column: ({ segment }) => rootNumbers(segment, segment.seqNo),
      };
    case "_version":
      return {
        ...common,
        kind: "number",
        plain: true,
        type: "LONG",
        column: ({ segment }) => rootNumbers(segment, segment.version),
      };
    case "_index":
      return { ...common, kind: "string", column: () => constant(context.indexName) };
    default:
      return { ...common, kind: "string", column: ({ segment }) => segment.ordinals(IGNORED.name) };
  }
}

type Segment = LeafReader["segment"];

/** A number of every root document. */
function rootNumbers(segment: Segment, read: (doc: number) => number): NumericColumn {
  const value = (doc: number) => read.call(segment, doc);
  return {
    kind: "long",
    docCount: segment.maxDoc,
    single: true,
    wide: false,
    has: () => true,
    start: (doc) => doc,
    end: (doc) => doc + 1,
    value,
    bigint: (doc) => BigInt(value(doc)),
    iterator: () => {
      throw new Error("numbers of documents are read by document");
    },
  };
}

/** The same term for every document. */
function constant(term: string): TermColumn {
  return {
    valueCount: 1,
    has: () => true,
    start: () => 0,
    end: () => 1,
    ord: () => 0,
    term: () => term,
    prefixRange: () => [0, 1],
  };
}
