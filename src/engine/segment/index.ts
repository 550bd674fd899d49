/**
 * Segments: immutable, column-shaped parts of an index.
 *
 * A builder gathers analysed documents in memory (`builder.ts`) and lays them out as one file (`file.ts`: sections with checksums, read
 * lazily). By structure: terms and postings (`terms-gatherer.ts`, `terms-writer.ts`, `terms-reader.ts`, `postings.ts`, `dictionary.ts`,
 * `packed.ts`), norms (`norms.ts`), columns (`columns.ts` under `numbers.ts`, `ordinals.ts`, `vectors.ts`), points (`numbers.ts`), what
 * identifies documents (`ids.ts`). `merge.ts` makes one segment of several,
 * in the order that `doc-order.ts` gives.
 */
export { FixedBitSet } from "./bitset.ts";
export { createSegmentBuilder, type SegmentBuilder } from "./builder.ts";
export { arrayIterator, bitSetIterator, denseIterator, rangeIterator } from "./doc-iterators.ts";
export { type DocOrder, type DocSort, type DocSortField, sorted as sortedDocs } from "./doc-order.ts";
export type { SegmentSource } from "./file.ts";
export { mergeSegments } from "./merge.ts";
export { decodeLength, EMPTY_FIELD_NORM, encodeLength } from "./norms.ts";
export { compareNumbers, halvesOf } from "./numbers.ts";
export { openSegment } from "./reader.ts";
