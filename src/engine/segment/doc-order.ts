/** The order of documents in an index that is sorted (`index.sort.*`): by the values of fields, equal ones as they were before. */
import { compareUtf8 } from "../query/lucene/utf8-order.ts";
import { type BitSet, NO_MORE_DOCS, type SegmentReader } from "./types.ts";

export interface DocSortField {
  /** The column of its values. */
  readonly column: string;
  readonly kind: "numbers" | "text";
  readonly descending: boolean;
  /** Which of several values counts. */
  readonly mode: "min" | "max";
  readonly missingFirst: boolean;
}

export type DocSort = readonly DocSortField[];

/** What stands in a document map for a deleted document. */
export const DELETED = 0xffffffff;

export interface DocOrder {
  /** For each segment the new number of each old document, or DELETED. */
  readonly maps: readonly Uint32Array[];
  readonly maxDoc: number;
}

interface Leaf {
  readonly segment: SegmentReader;
  /** Undefined: all. */
  readonly live: BitSet | undefined;
}

type Value = number | bigint | string | undefined;

interface Block {
  readonly leaf: number;
  readonly first: number;
  readonly root: number;
  readonly values: readonly Value[];
}

/** Documents one segment after the other. */
export function concatenated(leaves: readonly Leaf[]): DocOrder {
  let maxDoc = 0;
  const maps = leaves.map(({ segment, live }) => {
    const map = new Uint32Array(segment.maxDoc);
    for (let doc = 0; doc < map.length; doc++) {
      map[doc] = live === undefined || live.get(doc) ? maxDoc++ : DELETED;
    }
    return map;
  });
  return { maps, maxDoc };
}

/** Roots in their order, each behind its nested documents. */
export function sorted(leaves: readonly Leaf[], sort: DocSort): DocOrder {
  const blocks = leaves.flatMap((leaf, i) => blocksOf(leaf, i, sort));
  blocks.sort((a, b) => {
    for (const [i, field] of sort.entries()) {
      const order = compareValues(a.values[i], b.values[i], field);
      if (order !== 0) return order;
    }
    return 0;
  });
  const maps = leaves.map(({ segment }) => new Uint32Array(segment.maxDoc).fill(DELETED));
  let maxDoc = 0;
  for (const { leaf, first, root } of blocks) for (let doc = first; doc <= root; doc++) maps[leaf][doc] = maxDoc++;
  return { maps, maxDoc };
}

function blocksOf({ segment, live }: Leaf, leaf: number, sort: DocSort): Block[] {
  const readers = sort.map((field) => valuesOf(segment, field));
  const roots = segment.roots();
  const blocks: Block[] = [];
  for (let first = 0; first < segment.maxDoc; ) {
    const root = roots === undefined ? first : roots.nextSetBit(first);
    if (root === NO_MORE_DOCS) break;
    if (live === undefined || live.get(root))
      blocks.push({ leaf, first, root, values: readers.map((read) => read(root)) });
    first = root + 1;
  }
  return blocks;
}

function valuesOf(segment: SegmentReader, { column: name, kind, mode }: DocSortField): (doc: number) => Value {
  if (kind === "text") {
    const column = segment.ordinals(name);
    if (!column) return () => undefined;
    const { has, start, end, ord, term } = column;
    return (doc) => (has(doc) ? term(ord(mode === "min" ? start(doc) : end(doc) - 1)) : undefined);
  }
  const column = segment.numeric(name);
  if (!column) return () => undefined;
  const { has, start, end, value, bigint, wide } = column;
  return (doc) => {
    if (!has(doc)) return undefined;
    const at = mode === "min" ? start(doc) : end(doc) - 1;
    return wide ? bigint(at) : value(at);
  };
}

function compareValues(a: Value, b: Value, { descending, missingFirst }: DocSortField): number {
  if (a === undefined || b === undefined) {
    if (a === b) return 0;
    return (a === undefined) === missingFirst ? -1 : 1;
  }
  const order = typeof a === "string" ? compareUtf8(a, b as string) : compareNumbers(a, b as number | bigint);
  return descending ? -order : order;
}

/** Doubles as Java compares them: −0 stands before 0, and NaN does not occur. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Object.is(a, b) || typeof a !== typeof b ? 0 : Object.is(a, -0) ? -1 : Object.is(b, -0) ? 1 : 0;
}
