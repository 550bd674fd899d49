/** Ordinal columns: sets of strings by document, as places in a sorted dictionary. */
import type { Slices } from "../slices.ts";
import { compareBytes, Uint32Buffer } from "./bytes.ts";
import { ordinalStorage, readColumn, writeColumn } from "./columns.ts";
import { Dictionary, DictionaryWriter } from "./dictionary.ts";
import { type SectionData, type SegmentFile, sectionName } from "./file.ts";
import { intersect } from "./intersect.ts";
import type { FieldMeta } from "./meta.ts";
import { TermIds } from "./term-ids.ts";
import type { OrdinalColumn } from "./types.ts";

/** String sets of one field, document after document. */
export class OrdinalGatherer {
  readonly docs = new Uint32Buffer();
  readonly ids = new Uint32Buffer();
  readonly terms = new TermIds();

  get ramBytes(): number {
    return this.docs.values.byteLength + this.ids.values.byteLength + this.terms.ramBytes;
  }

  add(doc: number, value: string): void {
    this.docs.push(doc);
    this.ids.push(this.terms.idOf(value));
  }

  async finish(slices?: Slices): Promise<{ docs: Uint32Array; ords: Uint32Array; dictionary: DictionaryWriter }> {
    const { blob, starts, order } = await this.terms.sorted(slices);
    const dictionary = new DictionaryWriter(order.length);
    const rank = new Uint32Array(order.length);
    for (let ord = 0; ord < order.length; ord++) {
      rank[order[ord]] = ord;
      dictionary.add(blob, starts[order[ord]], starts[order[ord] + 1]);
      if ((ord & 0xfff) === 0 && slices?.due()) await slices.pause();
    }
    const { docs, ords } = sortedSets(
      this.docs.view(),
      this.ids.view().map((id) => rank[id]),
    );
    return { docs, ords, dictionary };
  }
}

/** Brings the ords of each document into order, each once. Works in place. */
export function sortedSets(docs: Uint32Array, ords: Uint32Array): { docs: Uint32Array; ords: Uint32Array } {
  let out = 0;
  for (let from = 0; from < docs.length; ) {
    const doc = docs[from];
    let to = from + 1;
    while (to < docs.length && docs[to] === doc) to++;
    if (to - from > 1) ords.subarray(from, to).sort();
    const first = out;
    for (let i = from; i < to; i++) {
      if (out > first && ords[out - 1] === ords[i]) continue;
      docs[out] = doc;
      ords[out++] = ords[i];
    }
    from = to;
  }
  return { docs: docs.subarray(0, out), ords: ords.subarray(0, out) };
}

/** @param terms sections of the field's inverted terms, whose dictionary is shared when it is the same */
export function writeOrdinals(
  field: string,
  column: { docs: Uint32Array; ords: Uint32Array; dictionary: DictionaryWriter },
  maxDoc: number,
  terms: readonly SectionData[] | undefined,
): { sections: SectionData[]; meta: FieldMeta["ordinals"] } {
  const { parts, meta } = writeColumn(column.docs, column.ords, ordinalStorage(column.dictionary.size), maxDoc);
  const sections: SectionData[] = [{ name: sectionName(field, "ordinals"), parts }];
  const dictionary = column.dictionary.parts();
  const inverted = terms?.find((section) => section.name === sectionName(field, "terms"))?.parts;
  const shared = inverted?.every((part, i) => sameBytes(part, dictionary[i])) ?? false;
  if (!shared) sections.push({ name: sectionName(field, "ordinal terms"), parts: dictionary });
  return { sections, meta: { ...meta, shared } };
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, 0, a.length, b, 0, b.length) === 0;
}

export function ordinalDictionary(file: SegmentFile, field: FieldMeta): Dictionary {
  return new Dictionary(file, sectionName(field, field.ordinals?.shared ? "terms" : "ordinal terms"));
}

export function readOrdinals(
  file: SegmentFile,
  field: FieldMeta,
): (OrdinalColumn & { dictionary: Dictionary; extraBytes: number }) | undefined {
  const meta = field.ordinals;
  if (meta === undefined) return undefined;
  const dictionary = ordinalDictionary(file, field);
  const { values, docCount, single, has, start, end, iterator, extraBytes } = readColumn(
    file,
    sectionName(field, "ordinals"),
    meta,
  );
  const ords = values as Uint32Array;
  return {
    ...(meta.single && meta.dense ? { byDoc: ords } : {}),
    docCount,
    single,
    valueCount: dictionary.size,
    has,
    start,
    end,
    ord: (index) => ords[index],
    term: (ord) => dictionary.string(ord),
    lookup: (term) => dictionary.lookup(term),
    intersect: (automaton, most) => intersect(dictionary, automaton, most),
    prefixRange: (prefix) => dictionary.prefixRange(prefix),
    iterator,
    dictionary,
    extraBytes,
  };
}
