/** Doc values that are text, as ordinals of a segment. */
import { EngineError } from "../../errors.ts";
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";
import type { LeafReader, OrdinalColumn } from "../../segment/types.ts";
import type { FieldSource } from "./fields.ts";

/** The ordinals of a document are those at `start(doc)` … `end(doc)` − 1, ascending. */
export interface Ordinals {
  readonly single: boolean;
  readonly valueCount: number;
  start(doc: number): number;
  end(doc: number): number;
  ord(index: number): number;
  term(ord: number): string;
  /** Of columns in which each document has exactly one: its ordinals by document. */
  readonly byDoc?: Uint8Array | Uint16Array | Uint32Array;
  /** Terms in the order of their ordinals, but for `missing`, which comes last when no document has it. */
  readonly first: number;
}

const NONE: Ordinals = {
  single: true,
  valueCount: 0,
  first: 0,
  start: () => 0,
  end: () => 0,
  ord: () => 0,
  term: () => "",
};

export function ordinalsOf(source: FieldSource | undefined, leaf: LeafReader): Ordinals {
  if (source?.constant !== undefined) return constantOrdinals(source.constant);
  if (source?.unreadable) {
    const reason = "String representation of doc values for vector fields is not supported";
    throw new EngineError("unsupported_operation_exception", reason, { status: 500 });
  }
  const column = source && leaf.segment.ordinals(source.column);
  if (!column) return NONE;
  return source.prefix === undefined ? columnOrdinals(column) : prefixed(column, source.prefix);
}

function constantOrdinals(term: string): Ordinals {
  return { single: true, valueCount: 1, first: 0, start: () => 0, end: () => 1, ord: () => 0, term: () => term };
}

function columnOrdinals({ single, valueCount, byDoc, has, start, end, ord, term }: OrdinalColumn): Ordinals {
  return {
    ...(byDoc === undefined ? {} : { byDoc }),
    single,
    valueCount,
    first: 0,
    start: (doc) => (has(doc) ? start(doc) : 0),
    end: (doc) => (has(doc) ? end(doc) : 0),
    ord,
    term,
  };
}

/** The terms with a prefix, which is cut off: a key of a `flattened` field. */
function prefixed(column: OrdinalColumn, prefix: string): Ordinals {
  const [from, to] = column.prefixRange(prefix);
  const { has, start, end, ord, term } = column;
  const seek = (doc: number, bound: number): number => {
    if (!has(doc)) return 0;
    let at = start(doc);
    const last = end(doc);
    while (at < last && ord(at) < bound) at++;
    return at;
  };
  return {
    single: column.single,
    valueCount: to,
    first: from,
    start: (doc) => seek(doc, from),
    end: (doc) => seek(doc, to),
    ord,
    term: (each) => term(each).slice(prefix.length),
  };
}

/** One term for documents that have none: it stands at index −1. */
export function withMissingTerm(ordinals: Ordinals, missing: string | undefined): Ordinals {
  if (missing === undefined) return ordinals;
  const { valueCount, first, start, end, ord, term } = ordinals;
  const known = find(ordinals, missing);
  const own = known < 0 ? valueCount : known;
  return {
    single: ordinals.single,
    valueCount: Math.max(valueCount, own + 1),
    first,
    start: (doc) => {
      const at = start(doc);
      return at < end(doc) ? at : -1;
    },
    end: (doc) => {
      const to = end(doc);
      return start(doc) < to ? to : 0;
    },
    ord: (index) => (index < 0 ? own : ord(index)),
    term: (each) => (each === valueCount ? missing : term(each)),
  };
}

function find({ first, valueCount, term }: Ordinals, wanted: string): number {
  for (let low = first, high = valueCount - 1; low <= high; ) {
    const middle = (low + high) >> 1;
    const order = compareUtf8(term(middle), wanted);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
