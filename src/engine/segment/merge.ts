/**
 * Merges segments into one: documents keep their order or get that of a sorted index, deleted ones go. Vectors and norms are copied as they are; terms, postings and
 * columns are walked in order and written anew, since document numbers and ordinals change.
 */
import type { Slices } from "../slices.ts";
import { type StoredVector, storedLength } from "../vectors/types.ts";
import { Uint32Buffer } from "./bytes.ts";
import { mergeDictionaries, mergedSteps } from "./dictionary.ts";
import { concatenated, DELETED, type DocOrder } from "./doc-order.ts";
import { combineFieldInfos } from "./field-infos.ts";
import { type SectionData, writeFile } from "./file.ts";
import { IdGatherer } from "./ids.ts";
import type { FieldMeta } from "./meta.ts";
import { denseNorms, writeNorms } from "./norms.ts";
import { NumberGatherer, writeNumeric, writePoints } from "./numbers.ts";
import { sortedSets, writeOrdinals } from "./ordinals.ts";
import type { OpenSegment } from "./reader.ts";
import { TermsWriter } from "./terms-writer.ts";
import { type BitSet, type FieldInfo, NO_MORE_DOCS, type NumberKind, type SegmentReader } from "./types.ts";
import { type MergedVectors, VectorGatherer } from "./vectors.ts";

interface MergeSource {
  readonly segment: OpenSegment;
  /** New number of each old document, or DELETED. */
  readonly docMap: Uint32Array;
  readonly deletes: boolean;
  /** Its documents come in another order, or between those of others. */
  readonly scattered: boolean;
}

/**
 * @param leaves segments from openSegment, oldest first, each with its live documents (undefined: all of them; a deleted root's nested
 * documents are deleted too)
 * @param order where the documents come to stand, unless they stay as they are
 * @returns the merged segment as chunks of one blob
 * @throws corrupt() when a source is damaged: nothing of it is carried over
 */
export async function mergeSegments(
  leaves: readonly { readonly segment: SegmentReader; readonly live: BitSet | undefined }[],
  slices: Slices,
  order?: DocOrder,
): Promise<Uint8Array[]> {
  const { maps, maxDoc } = order ?? concatenated(leaves);
  const scattered = order !== undefined;
  const sources = leaves.map(({ segment }, i): MergeSource => {
    const docMap = maps[i];
    return { segment: segment as OpenSegment, docMap, deletes: docMap.includes(DELETED), scattered };
  });
  const ids = await mergeIds(sources, slices);
  const written = await ids.finish(maxDoc, slices);
  const sections: SectionData[] = [...written.sections];
  const infos = new Map<string, FieldInfo>();
  for (const { segment } of sources) {
    for (const info of segment.fieldInfos()) {
      const known = infos.get(info.name);
      infos.set(info.name, known === undefined ? info : combineFieldInfos(known, info));
    }
  }
  const fields: FieldMeta[] = [];
  for (const info of infos.values()) {
    const meta: { -readonly [K in keyof FieldMeta]: FieldMeta[K] } = { info };
    const norms = mergeNorms(sources, info, maxDoc, sections, meta);
    const terms = await mergeTerms(sources, info, maxDoc, norms, sections, slices);
    if (terms !== undefined) meta.terms = terms.meta;
    await mergeNumbers(sources, info, maxDoc, sections, meta, slices);
    mergeOrdinals(sources, info, maxDoc, sections, meta, terms?.sections);
    await mergeVectors(sources, info, maxDoc, sections, meta, slices);
    fields.push(meta);
    if (slices.due()) await slices.pause();
  }
  return writeFile({ maxDoc, ...written.meta, fields }, sections, slices);
}

type MutableMeta = { -readonly [K in keyof FieldMeta]: FieldMeta[K] };

async function mergeIds(sources: readonly MergeSource[], slices: Slices): Promise<IdGatherer> {
  const ids = new IdGatherer();
  const found: { doc: number; id: string; seqNo: number; version: number }[] = [];
  for (const { segment, docMap, scattered } of sources) {
    const roots = segment.roots();
    const next = (from: number) =>
      roots === undefined ? (from < docMap.length ? from : NO_MORE_DOCS) : roots.nextSetBit(from);
    for (let doc = next(0); doc !== NO_MORE_DOCS; doc = next(doc + 1)) {
      if (docMap[doc] === DELETED) continue;
      const root = { doc: docMap[doc], id: segment.id(doc), seqNo: segment.seqNo(doc), version: segment.version(doc) };
      if (scattered) found.push(root);
      else ids.add(root.doc, root.id, root.seqNo, root.version);
      if ((doc & 0xff) === 0 && slices.due()) await slices.pause();
    }
  }
  for (const { doc, id, seqNo, version } of found.sort(byDoc)) ids.add(doc, id, seqNo, version);
  return ids;
}

const byDoc = (a: { readonly doc: number }, b: { readonly doc: number }) => a.doc - b.doc;

function mergeNorms(
  sources: readonly MergeSource[],
  info: FieldInfo,
  maxDoc: number,
  sections: SectionData[],
  meta: MutableMeta,
): Uint8Array | undefined {
  const docs = new Uint32Buffer();
  const bytes = new Uint8Array(maxDoc);
  const scattered = sources.some((source) => source.scattered) ? new Uint8Array(maxDoc) : undefined;
  for (const { segment, docMap } of sources) {
    const norms = segment.norms(info.name);
    if (norms === undefined) continue;
    for (let doc = 0; doc < docMap.length; doc++) {
      if (norms[doc] === 0 || docMap[doc] === DELETED) continue;
      if (scattered !== undefined) {
        scattered[docMap[doc]] = norms[doc];
        continue;
      }
      bytes[docs.length] = norms[doc];
      docs.push(docMap[doc]);
    }
  }
  scattered?.forEach((norm, doc) => {
    if (norm === 0) return;
    bytes[docs.length] = norm;
    docs.push(doc);
  });
  if (docs.length === 0) return undefined;
  const written = writeNorms(info.name, docs, bytes, maxDoc);
  sections.push(written.section);
  meta.norms = written.meta;
  return denseNorms(docs.view(), bytes, maxDoc);
}

async function mergeTerms(
  sources: readonly MergeSource[],
  info: FieldInfo,
  maxDoc: number,
  norms: Uint8Array | undefined,
  sections: SectionData[],
  slices: Slices,
) {
  const inputs = sources.flatMap(({ segment, docMap, deletes, scattered }) => {
    const terms = segment.terms(info.name);
    return terms === undefined ? [] : [{ terms, docMap, deletes, scattered }];
  });
  if (inputs.length === 0) return undefined;
  const positions = info.index === "positions";
  const writer = new TermsWriter(info, norms, Math.max(...inputs.map(({ terms }) => terms.size)));
  const steps = mergedSteps(inputs.map(({ terms }) => terms.dictionary));
  const withDocs = inputs.some(({ deletes }) => deletes) ? new Uint8Array(maxDoc) : undefined;
  let work = 0;
  const scattered: { doc: number; freq: number; positions: number[] }[] = [];
  while (steps.next()) {
    for (let m = 0; m < steps.count; m++) {
      const { terms, docMap } = inputs[steps.members[m]];
      const postings = terms.postings(steps.ords[steps.members[m]], { positions });
      while (postings.nextBlock()) {
        const { docs, freqs, length } = postings;
        for (let i = 0; i < length; i++) {
          const old = postings.nextDoc();
          const doc = docMap[old];
          if (doc === DELETED) continue;
          if (inputs[steps.members[m]].scattered) {
            const at = positions ? Array.from({ length: freqs[i] }, () => postings.nextPosition()) : [];
            scattered.push({ doc, freq: freqs[i], positions: at });
            if (withDocs !== undefined) withDocs[doc] = 1;
            continue;
          }
          writer.addDoc(doc, freqs[i]);
          if (withDocs !== undefined) withDocs[doc] = 1;
          if (positions) {
            let last = 0;
            for (let k = freqs[i]; k > 0; k--) {
              const position = postings.nextPosition();
              writer.addPositionGap(position - last);
              last = position;
            }
          }
        }
        work += docs.length;
      }
    }
    for (const { doc, freq, positions } of scattered.sort(byDoc)) {
      writer.addDoc(doc, freq);
      positions.forEach((position, i) => {
        writer.addPositionGap(position - (i === 0 ? 0 : positions[i - 1]));
      });
    }
    scattered.length = 0;
    const { dictionary } = inputs[steps.members[0]].terms;
    const ord = steps.ords[steps.members[0]];
    writer.finishTerm(dictionary.blob, dictionary.starts[ord], dictionary.starts[ord + 1]);
    if (work > 4096) {
      work = 0;
      if (slices.due()) await slices.pause();
    }
  }
  if (writer.size === 0) return undefined;
  const docCount =
    withDocs === undefined
      ? inputs.reduce((sum, { terms }) => sum + terms.docCount, 0)
      : withDocs.reduce((sum, bit) => sum + bit, 0);
  const written = writer.finish(docCount);
  sections.push(...written.sections);
  return written;
}

async function mergeNumbers(
  sources: readonly MergeSource[],
  info: FieldInfo,
  maxDoc: number,
  sections: SectionData[],
  meta: MutableMeta,
  slices: Slices,
): Promise<void> {
  const column = new NumberGatherer();
  const points: { doc: number; value: number | bigint }[] = [];
  const found: { doc: number; value: number | bigint; kind: NumberKind }[] = [];
  for (const { segment, docMap, scattered } of sources) {
    const values = segment.numeric(info.name);
    if (values !== undefined) {
      const { iterator, start, end } = values;
      const documents = iterator();
      for (let doc = documents.nextDoc(); doc !== NO_MORE_DOCS; doc = documents.nextDoc()) {
        if (docMap[doc] === DELETED) continue;
        for (let i = start(doc); i < end(doc); i++) {
          if (scattered) found.push({ doc: docMap[doc], value: values.raw(i), kind: values.kind });
          else column.add(docMap[doc], values.raw(i), values.kind);
        }
        if ((doc & 0xff) === 0 && slices.due()) await slices.pause();
      }
    }
    // A column has the same numbers as the points.
    const index = values === undefined ? segment.points(info.name) : undefined;
    if (index === undefined) continue;
    for (let i = 0; i < index.size; i++) {
      const doc = docMap[index.docAt(i)];
      if (doc !== DELETED) points.push({ doc, value: index.valueAt(i) });
    }
  }
  for (const { doc, value, kind } of found.sort(byDoc)) column.add(doc, value, kind);
  if (column.length > 0) {
    const written = writeNumeric(info.name, column, maxDoc);
    sections.push(written.section);
    meta.numeric = written.meta;
  }
  if (info.points === "none") return;
  const kind = info.points;
  let all = column;
  if (points.length > 0) {
    all = new NumberGatherer();
    const { docs, values } = column.finish();
    for (let i = 0; i < docs.length; i++) points.push({ doc: docs[i], value: values[i] });
    points.sort(byDoc);
    for (const { doc, value } of points) all.add(doc, value, kind);
  }
  if (all.length === 0) return;
  const written = await writePoints(info.name, all, maxDoc, slices);
  sections.push(written.section);
  meta.points = written.meta;
}

function mergeOrdinals(
  sources: readonly MergeSource[],
  info: FieldInfo,
  maxDoc: number,
  sections: SectionData[],
  meta: MutableMeta,
  terms: readonly SectionData[] | undefined,
): void {
  const inputs = sources.flatMap(({ segment, docMap, deletes }) => {
    const column = segment.ordinals(info.name);
    if (column === undefined) return [];
    const docs = new Uint32Buffer();
    const ords = new Uint32Buffer();
    const used = deletes ? new Uint8Array(column.valueCount) : undefined;
    const iterator = column.iterator();
    for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc()) {
      if (docMap[doc] === DELETED) continue;
      const end = column.end(doc);
      for (let i = column.start(doc); i < end; i++) {
        const ord = column.ord(i);
        docs.push(docMap[doc]);
        ords.push(ord);
        if (used !== undefined) used[ord] = 1;
      }
    }
    return [{ dictionary: column.dictionary, used, docs, ords }];
  });
  const { writer, maps } = mergeDictionaries(inputs);
  const docs = new Uint32Buffer();
  const ords = new Uint32Buffer();
  const found: { doc: number; ord: number }[] = [];
  const scattered = sources.some((source) => source.scattered);
  inputs.forEach((input, source) => {
    for (let i = 0; i < input.docs.length; i++) {
      const doc = input.docs.values[i];
      const ord = maps[source][input.ords.values[i]];
      if (scattered) found.push({ doc, ord });
      else {
        docs.push(doc);
        ords.push(ord);
      }
    }
  });
  for (const { doc, ord } of found.sort(byDoc)) {
    docs.push(doc);
    ords.push(ord);
  }
  if (docs.length === 0) return;
  const sets = sortedSets(docs.view(), ords.view());
  const written = writeOrdinals(info.name, { ...sets, dictionary: writer }, maxDoc, terms);
  sections.push(...written.sections);
  meta.ordinals = written.meta;
}

async function mergeVectors(
  sources: readonly MergeSource[],
  info: FieldInfo,
  maxDoc: number,
  sections: SectionData[],
  meta: MutableMeta,
  slices: Slices,
): Promise<void> {
  if (info.vector === undefined) return;
  const gatherer = new VectorGatherer(info);
  const length = storedLength(info.vector);
  const merged: MergedVectors[] = [];
  const found: { doc: number; vector: StoredVector; magnitude: number }[] = [];
  let count = 0;
  for (const { segment, docMap, scattered } of sources) {
    const column = segment.vectors(info.name);
    if (column === undefined) continue;
    const ords = new Uint32Buffer();
    for (let ord = 0; ord < column.size; ord++) {
      const doc = docMap[column.doc(ord)];
      if (doc === DELETED) continue;
      const vector = column.data.subarray(ord * length, (ord + 1) * length) as StoredVector;
      if (scattered) found.push({ doc, vector, magnitude: column.magnitude(ord) });
      else gatherer.addStored(doc, vector, column.magnitude(ord));
      ords.push(ord);
      if ((ord & 0xff) === 0 && slices.due()) await slices.pause();
    }
    count += ords.length;
    merged.push({ column, ords: ords.view() });
  }
  if (count === 0) return;
  for (const { doc, vector, magnitude } of found.sort(byDoc)) gatherer.addStored(doc, vector, magnitude);
  // A graph is carried over where the vectors keep their order.
  const written = await gatherer.finish(info.vector, maxDoc, slices, found.length > 0 ? undefined : merged);
  sections.push(...written.sections);
  meta.vectors = written.meta;
}
