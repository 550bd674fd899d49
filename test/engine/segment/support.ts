/** A naive model of a segment, and random documents for it. */
import fc from "fast-check";
import { crc32 } from "../../../src/engine/segment/crc32.ts";
import { createSegmentBuilder, openSegment } from "../../../src/engine/segment/index.ts";
import type {
  BitSet,
  DocBlock,
  DocIterator,
  FieldInfo,
  IndexableField,
  LuceneDoc,
  SegmentReader,
} from "../../../src/engine/segment/types.ts";
import { NO_MORE_DOCS } from "../../../src/engine/segment/types.ts";

const field = (name: string, parts: Partial<FieldInfo>): FieldInfo => ({
  name,
  index: "none",
  norms: false,
  docValues: "none",
  points: "none",
  ...parts,
});

export const BODY = field("body", { index: "positions", norms: true });
export const TITLE = field("title", { index: "freqs", norms: true });
export const TAG = field("tag", { index: "docs", docValues: "ordinals" });
export const COUNT = field("count", { docValues: "long", points: "long" });
export const PRICE = field("price", { docValues: "double", points: "double" });
export const VECTOR = field("vector", { vector: { dims: 3, similarity: "cosine" } });

export function join(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

export function open(bytes: Uint8Array, name = "s"): SegmentReader {
  return openSegment(name, {
    size: bytes.length,
    read: (offset, length) => bytes.slice(offset, offset + length),
    crc32,
    location: `memory/${name}`,
  });
}

export async function build(blocks: readonly DocBlock[]): Promise<Uint8Array> {
  const builder = createSegmentBuilder();
  for (const block of blocks) builder.add(block);
  return join(await builder.build());
}

export function text(info: FieldInfo, terms: readonly string[], gaps?: readonly number[]): IndexableField {
  let position = -1;
  const positions = terms.map((_, i) => (position += gaps?.[i] ?? 1)).map((p) => Math.max(p, 0));
  return { kind: "terms", field: info, terms, positions, length: terms.length };
}

export function block(id: string, fields: readonly IndexableField[], nested: readonly LuceneDoc[] = []): DocBlock {
  return { id, seqNo: 0, version: 1, docs: [...nested, { fields }] };
}

/** Terms of a small vocabulary, so that they meet, and any strings. */
const term = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("a", "b", "c", "aa", "ab", "你", "好", "你好", "\u{1f600}", "\uffff", "", "\0"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom("\ud83d", "\ude00", "x\ud800y", "\ufffd", "\ufeffbom", "e\u0301") },
);

const long = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -200, max: 200 }) },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
);
const double = fc.oneof(fc.constantFrom(0, -0, 1, 1.5, -2), fc.double({ noNaN: true }));

const tokens = (info: FieldInfo) =>
  fc
    .array(
      fc.tuple(
        term,
        fc.nat({ max: 300 }).map((n) => (n > 20 ? 1 : n)),
      ),
      { maxLength: 12 },
    )
    .map((list) =>
      text(
        info,
        list.map(([t]) => t),
        list.map(([, gap]) => gap),
      ),
    );

const fields: fc.Arbitrary<IndexableField[]> = fc
  .record(
    {
      body: tokens(BODY),
      title: tokens(TITLE),
      tag: fc.array(term, { maxLength: 4 }).map((values): IndexableField[] => [
        { kind: "terms", field: TAG, terms: values, length: values.length },
        { kind: "ordinals", field: TAG, values },
      ]),
      count: fc
        .array(long, { maxLength: 3 })
        .map((values): IndexableField => ({ kind: "numbers", field: COUNT, values })),
      price: fc
        .array(double, { maxLength: 2 })
        .map((values): IndexableField => ({ kind: "numbers", field: PRICE, values })),
      vector: fc
        .array(fc.float({ noNaN: true, min: -4, max: 4 }), { minLength: 3, maxLength: 3 })
        .map((values): IndexableField => ({ kind: "vector", field: VECTOR, vector: Float32Array.from(values) })),
    },
    { requiredKeys: [] },
  )
  .map((record) => Object.values(record).flat());

export const blocks = (options: { nested: boolean; maxLength?: number }): fc.Arbitrary<DocBlock[]> =>
  fc.array(
    fc.record({
      id: fc.oneof(fc.constantFrom("1", "2", "é"), fc.string({ unit: "binary", maxLength: 6 })),
      seqNo: fc.nat({ max: 2 ** 40 }),
      version: fc.integer({ min: 1, max: 300 }),
      docs: fc
        .tuple(
          options.nested
            ? fc.array(fc.tuple(fc.constantFrom("parts", "parts.more"), fields), { maxLength: 2 })
            : fc.constant([]),
          fields,
        )
        .map(([nested, root]): LuceneDoc[] => [
          ...nested.map(([nestedPath, own]) => ({ nestedPath, fields: own })),
          { fields: root },
        ]),
    }),
    { maxLength: options.maxLength ?? 12 },
  );

export function docsOf(iterator: DocIterator): number[] {
  const docs: number[] = [];
  for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc()) docs.push(doc);
  return docs;
}

/** A string as UTF-8 brings it back. */
const clean = (s: string): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(s));
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

interface ModelDoc {
  readonly root: boolean;
  readonly id: string;
  readonly seqNo: number;
  readonly version: number;
  readonly fields: readonly IndexableField[];
}

export function modelOf(list: readonly DocBlock[], live?: BitSet): ModelDoc[] {
  const all = list.flatMap(({ id, seqNo, version, docs }) =>
    docs.map(
      (doc, i): ModelDoc => ({ root: i === docs.length - 1, id: clean(id), seqNo, version, fields: doc.fields }),
    ),
  );
  return all.filter((_, doc) => live === undefined || live.get(doc));
}

/** All that a segment says, as plain data, asked through its public interface. */
export function dump(segment: SegmentReader): unknown {
  return {
    maxDoc: segment.maxDoc,
    docs: Array.from({ length: segment.maxDoc }, (_, doc) => ({
      root: segment.roots()?.get(doc) ?? true,
      id: segment.id(doc),
      seqNo: segment.seqNo(doc),
      version: segment.version(doc),
    })),
    terms: [BODY, TITLE, TAG].map(({ name }) => dumpTerms(segment, name)),
    norms: [BODY, TITLE].map(({ name }) => Array.from(segment.norms(name) ?? new Uint8Array(segment.maxDoc))),
    numbers: [COUNT, PRICE].map(({ name }) => dumpNumbers(segment, name)),
    tags: dumpTags(segment),
    vectors: dumpVectors(segment),
  };
}

function dumpTerms(segment: SegmentReader, name: string) {
  const terms = segment.terms(name);
  if (terms === undefined) return undefined;
  const positions = terms.info.index === "positions";
  return {
    docCount: terms.docCount,
    sumDocFreq: terms.sumDocFreq,
    sumTotalTermFreq: terms.sumTotalTermFreq,
    terms: Array.from({ length: terms.size }, (_, ord) => {
      const postings = terms.postings(ord, { positions });
      return {
        term: terms.term(ord),
        docFreq: terms.docFreq(ord),
        totalTermFreq: terms.totalTermFreq(ord),
        docs: docsOf(postings),
        entries: entriesOf(terms.postings(ord, { positions }), positions),
      };
    }),
  };
}

function entriesOf(
  postings: ReturnType<NonNullable<ReturnType<SegmentReader["terms"]>>["postings"]>,
  positions: boolean,
) {
  const entries: { doc: number; freq: number; positions: number[] }[] = [];
  for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
    const freq = postings.freq();
    entries.push({
      doc,
      freq,
      positions: positions ? Array.from({ length: freq }, () => postings.nextPosition()) : [],
    });
  }
  return entries;
}

function dumpNumbers(segment: SegmentReader, name: string) {
  const column = segment.numeric(name);
  const points = segment.points(name);
  const exact = (i: number): number | bigint =>
    column?.kind === "long" ? column.bigint(i) : (column?.value(i) ?? Number.NaN);
  return {
    docs: column === undefined ? [] : docsOf(column.iterator()),
    values: Array.from({ length: segment.maxDoc }, (_, doc) => {
      if (column === undefined) return [];
      const values = [];
      for (let i = column.start(doc); i < column.end(doc); i++) values.push(exact(i));
      return values;
    }),
    docCount: column?.docCount ?? 0,
    points: points === undefined ? undefined : { size: points.size, docCount: points.docCount },
  };
}

function dumpTags(segment: SegmentReader) {
  const column = segment.ordinals(TAG.name);
  return {
    size: column?.valueCount ?? 0,
    values: Array.from({ length: segment.maxDoc }, (_, doc) => {
      if (column === undefined) return [];
      const values: string[] = [];
      for (let i = column.start(doc); i < column.end(doc); i++) values.push(column.term(column.ord(i)));
      return values;
    }),
  };
}

function dumpVectors(segment: SegmentReader) {
  const column = segment.vectors(VECTOR.name);
  if (column === undefined) return [];
  return Array.from({ length: column.size }, (_, ord) => ({
    doc: column.doc(ord),
    back: column.ord(column.doc(ord)),
    vector: Array.from((column.data as Float32Array).subarray(ord * 3, ord * 3 + 3)),
    magnitude: column.magnitude(ord),
  }));
}

/** The same data out of the documents themselves. */
export function dumpModel(docs: readonly ModelDoc[], norm: (length: number) => number): unknown {
  const of = <K extends IndexableField["kind"]>(doc: ModelDoc, name: string, kind: K) =>
    doc.fields.filter((f): f is Extract<IndexableField, { kind: K }> => f.kind === kind && f.field.name === name);
  const numbers = (info: FieldInfo) => {
    const values = docs.map((doc) =>
      of(doc, info.name, "numbers")
        .flatMap((f) => f.values)
        .map((v) => (info.docValues === "long" ? BigInt(v) : v))
        .sort((a, b) =>
          a < b ? -1 : a > b ? 1 : a === 0 ? (Object.is(a, -0) ? -1 : 1) - (Object.is(b, -0) ? -1 : 1) : 0,
        ),
    );
    const withValue = values.flatMap((list, doc) => (list.length > 0 ? [doc] : []));
    return {
      docs: withValue,
      values,
      docCount: withValue.length,
      points: withValue.length === 0 ? undefined : { size: values.flat().length, docCount: withValue.length },
    };
  };
  const tags = docs.map((doc) =>
    [...new Set(of(doc, TAG.name, "ordinals").flatMap((f) => f.values.map(clean)))].sort(byBytes),
  );
  return {
    maxDoc: docs.length,
    docs: docs.map((doc, i) => {
      const root = docs.slice(i).find((other) => other.root) ?? doc;
      return { root: doc.root, id: root.id, seqNo: root.seqNo, version: root.version };
    }),
    terms: [BODY, TITLE, TAG].map((info) => modelTerms(docs, info)),
    norms: [BODY, TITLE].map((info) =>
      docs.map((doc) => {
        const own = of(doc, info.name, "terms");
        return own.length === 0 ? 0 : own[0].length === 0 ? 255 : norm(own[0].length);
      }),
    ),
    numbers: [COUNT, PRICE].map(numbers),
    tags: { size: new Set(tags.flat()).size, values: tags },
    vectors: docs
      .flatMap((doc, i) => of(doc, VECTOR.name, "vector").map(({ vector }) => ({ doc: i, vector })))
      .map(({ doc, vector }, ord) => {
        let sum = 0;
        for (const v of vector) sum = Math.fround(sum + Math.fround(v * v));
        const magnitude = Math.abs(Math.fround(sum - 1)) > Math.fround(0.001) ? Math.fround(Math.sqrt(sum)) : 1;
        return { doc, back: ord, vector: Array.from(vector, (v) => Math.fround(v / magnitude)), magnitude };
      }),
  };
}

function modelTerms(docs: readonly ModelDoc[], info: FieldInfo) {
  const byTerm = new Map<string, { doc: number; freq: number; positions: number[] }[]>();
  const documents = new Set<number>();
  docs.forEach((doc, i) => {
    for (const f of doc.fields) {
      if (f.kind !== "terms" || f.field.name !== info.name) continue;
      f.terms.forEach((raw, k) => {
        documents.add(i);
        const entries = byTerm.get(clean(raw)) ?? [];
        byTerm.set(clean(raw), entries);
        let entry = entries.at(-1);
        if (entry?.doc !== i) entries.push((entry = { doc: i, freq: 0, positions: [] }));
        if (info.index !== "docs" || entry.freq === 0) entry.freq++;
        if (info.index === "positions") entry.positions.push(f.positions?.[k] ?? -1);
      });
    }
  });
  if (byTerm.size === 0) return undefined;
  const terms = [...byTerm].sort(([a], [b]) => byBytes(a, b));
  const sum = (entries: { freq: number }[]) => entries.reduce((total, { freq }) => total + freq, 0);
  return {
    docCount: documents.size,
    sumDocFreq: terms.reduce((total, [, entries]) => total + entries.length, 0),
    sumTotalTermFreq: terms.reduce((total, [, entries]) => total + sum(entries), 0),
    terms: terms.map(([name, entries]) => ({
      term: name,
      docFreq: entries.length,
      totalTermFreq: sum(entries),
      docs: entries.map(({ doc }) => doc),
      entries,
    })),
  };
}
