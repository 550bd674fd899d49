/** Sorts by what is no field: `_score`, `_doc`, and `_shard_doc` of a point in time. */

import { RAW_FLOAT, RAW_LONG } from "../../mapping/doc-value-format.ts";
import { leafKey } from "./numeric-key.ts";
import { readAfter, readAfterLong, readFloat, readInteger } from "./read-value.ts";
import type { SortBuilder, SortValue } from "./types.ts";

export const scoreSort = (descending: boolean): SortBuilder => ({
  name: "_score",
  descending,
  queries: [],
  build: () => ({
    field: "_score",
    type: "SCORE",
    descending,
    leaf: () => leafKey((_doc, score) => score),
    print: (value) => RAW_FLOAT.sortValue(value as number),
    read: (value) => readAfter(value, "Float", null, readFloat),
  }),
});

export const docSort = (descending: boolean): SortBuilder => ({
  name: "_doc",
  descending,
  queries: [],
  build: () => ({
    field: "_doc",
    type: "DOC",
    descending,
    leaf: ({ docBase }) => leafKey((doc) => doc + docBase),
    print: (value) => value as number,
    read: (value) => readAfter(value, "Integer", null, readInteger),
  }),
});

/** A document's place among all of a point in time: the shard's number above that of the document. */
export const shardDocSort = (descending: boolean): SortBuilder => ({
  name: "_shard_doc",
  descending,
  queries: [],
  build: ({ shardIndex }) => {
    const first = shardIndex * 2 ** 32;
    return {
      field: "_shard_doc",
      type: "LONG",
      descending,
      leaf: ({ docBase }) => leafKey((doc) => first + doc + docBase),
      print: (value: SortValue) => RAW_LONG.sortValue(value as number),
      read: (value) => readAfter(value, "Long", "_shard_doc", readAfterLong),
    };
  },
});
