/**
 * Doc values of runtime fields, for what sorts, groups or prints by doc values: columns that read the sources of a segment. Numbers are read
 * document by document as they are asked for; terms need the whole segment at once, because their ordinals are places in its sorted terms.
 */
import type { MappedField, Mapping } from "../mapping/types.ts";
import { acceptsText } from "../query/automaton/byte-automaton.ts";
import { compareUtf8 } from "../query/lucene/utf8-order.ts";
import type { IndexSearcher } from "../query/types.ts";
import { arrayIterator } from "../segment/index.ts";
import type { ByteAutomaton, LeafReader, NumericColumn, OrdinalColumn, SegmentReader } from "../segment/types.ts";

type Source = NonNullable<IndexSearcher["source"]>;

/** Leaves whose segments have the columns of runtime fields too, which hide others of their names. */
export function withRuntimeColumns(
  leaves: readonly LeafReader[],
  mapping: () => Mapping,
  source: Source,
): LeafReader[] {
  return leaves.map((leaf) => {
    const { segment } = leaf;
    const known = new Map<string, NumericColumn | OrdinalColumn>();
    const column = <C>(name: string, kind: "number" | "term", make: (field: MappedField) => C): C | undefined => {
      const field = mapping().field(name);
      if (!field?.runtime || (field.info.docValues === "ordinals") !== (kind === "term")) return undefined;
      const made = (known.get(name) as C | undefined) ?? make(field);
      known.set(name, made as NumericColumn | OrdinalColumn);
      return made;
    };
    const hidden = (name: string) => mapping().field(name)?.runtime !== undefined;
    const withColumns: SegmentReader = {
      ...segment,
      numeric: (name) =>
        hidden(name) ? column(name, "number", (field) => numbersOf(field, leaf, source)) : segment.numeric(name),
      ordinals: (name) =>
        hidden(name) ? column(name, "term", (field) => termsOf(field, leaf, source)) : segment.ordinals(name),
    };
    return { ...leaf, segment: withColumns };
  });
}

function valuesOf(field: MappedField, leaf: LeafReader, source: Source) {
  return (doc: number) => {
    const json = source(leaf, doc);
    return json === undefined ? [] : field.runtime!.values(json);
  };
}

function numbersOf(field: MappedField, leaf: LeafReader, source: Source): NumericColumn {
  const read = valuesOf(field, leaf, source);
  let at = -1;
  let values: readonly (number | bigint)[] = [];
  const load = (doc: number) => {
    if (doc !== at) values = read(doc) as readonly (number | bigint)[];
    at = doc;
    return values.length;
  };
  return {
    kind: field.info.docValues === "double" ? "double" : "long",
    docCount: leaf.segment.maxDoc,
    single: false,
    // Any document may have a long beyond 2^53.
    wide: field.info.docValues === "long",
    has: (doc) => load(doc) > 0,
    start(doc) {
      load(doc);
      return 0;
    },
    end: load,
    value: (index) => Number(values[index]),
    bigint: (index) => BigInt(values[index]),
    iterator: () => docsWith(leaf.segment.maxDoc, (doc) => load(doc) > 0),
  };
}

function docsWith(maxDoc: number, has: (doc: number) => boolean) {
  const docs: number[] = [];
  for (let doc = 0; doc < maxDoc; doc++) if (has(doc)) docs.push(doc);
  return arrayIterator(Int32Array.from(docs));
}

function termsOf(field: MappedField, leaf: LeafReader, source: Source): OrdinalColumn {
  const { maxDoc } = leaf.segment;
  const read = valuesOf(field, leaf, source);
  const perDoc = Array.from({ length: maxDoc }, (_, doc) => read(doc) as readonly string[]);
  const terms = [...new Set(perDoc.flat())].sort(compareUtf8);
  const ordOf = new Map(terms.map((term, ord) => [term, ord]));
  const starts = new Int32Array(maxDoc + 1);
  const ords: number[] = [];
  let docCount = 0;
  for (const [doc, values] of perDoc.entries()) {
    const own = [...new Set(values)].map((term) => ordOf.get(term) as number).sort((a, b) => a - b);
    ords.push(...own);
    starts[doc + 1] = ords.length;
    if (own.length > 0) docCount++;
  }
  return {
    docCount,
    single: false,
    valueCount: terms.length,
    has: (doc) => starts[doc + 1] > starts[doc],
    start: (doc) => starts[doc],
    end: (doc) => starts[doc + 1],
    ord: (index) => ords[index],
    term: (ord) => terms[ord],
    lookup: (term) => ordOf.get(term) ?? -1,
    iterator: () => docsWith(maxDoc, (doc) => starts[doc + 1] > starts[doc]),
    intersect: (automaton, most = Number.POSITIVE_INFINITY) => accepted(terms, automaton).slice(0, most),
    prefixRange(prefix) {
      const from = terms.findIndex((term) => term.startsWith(prefix));
      return from < 0 ? [0, 0] : [from, from + terms.filter((term) => term.startsWith(prefix)).length];
    },
  };
}

function accepted(terms: readonly string[], automaton: ByteAutomaton): number[] {
  return [...terms.keys()].filter((ord) => acceptsText(automaton, terms[ord]));
}
