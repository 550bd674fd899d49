/**
 * The inverted index of one field while documents come: one stream of varints, in document order, which the build sorts by term.
 *
 * Stream, for each document: gap from the last document, number of tokens, and for each token the number of its term (terms are numbered
 * as they come, so that frequent ones get one byte) and, with positions, the gap from the last position. Weights of tokens take the place of
 * positions: they come in ascending order, one for each token of a document.
 */
import type { Slices } from "../slices.ts";
import { ByteBuffer, Uint32Buffer } from "./bytes.ts";
import type { SectionData } from "./file.ts";
import type { FieldMeta } from "./meta.ts";
import { denseNorms, EMPTY_FIELD_NORM, encodeLength, writeNorms } from "./norms.ts";
import { TermIds } from "./term-ids.ts";
import { TermsWriter } from "./terms-writer.ts";
import { readTokens, type Tokens } from "./tokens.ts";
import type { FieldInfo } from "./types.ts";

/** Tokens (bytes of the stream) that are worked off between two looks at the clock: a few milliseconds. */
const TOKENS_AT_ONCE = 0x4000;

export class TermsGatherer {
  readonly #terms = new TermIds();
  /** Tokens of each term, by its number. */
  #tokens = new Uint32Array(64);
  readonly #stream = new ByteBuffer(256);
  /** Positions, or weights. */
  readonly #positions: boolean;
  readonly #weights: boolean;
  readonly #norms: boolean;
  #lastDoc = -1;
  #tokenCount = 0;
  readonly #normDocs = new Uint32Buffer();
  readonly #lengths = new Uint32Buffer();

  constructor(info: FieldInfo) {
    this.#weights = info.weights === true;
    this.#positions = info.index === "positions" || this.#weights;
    this.#norms = info.norms;
  }

  get ramBytes(): number {
    return (
      this.#stream.bytes.length +
      this.#terms.ramBytes +
      this.#tokens.byteLength +
      this.#normDocs.values.byteLength +
      this.#lengths.values.byteLength
    );
  }

  add(doc: number, terms: readonly string[], positions: readonly number[] | undefined, length: number): void {
    if (this.#norms) this.#addLength(doc, length);
    if (terms.length === 0) return;
    if (this.#positions && positions?.length !== terms.length) {
      throw new Error(`${terms.length} tokens came with ${positions?.length ?? 0} positions`);
    }
    const stream = this.#stream;
    stream.varint(doc - Math.max(this.#lastDoc, 0));
    stream.varint(terms.length);
    let last = 0;
    for (let i = 0; i < terms.length; i++) {
      this.#addTerm(this.#terms.idOf(terms[i]));
      if (this.#positions && positions !== undefined) {
        const position = positions[i];
        if (!(position >= last)) throw new Error(`position ${position} comes after position ${last}`);
        stream.varint(position - last);
        last = position;
      }
    }
    this.#tokenCount += terms.length;
    this.#lastDoc = doc;
  }

  /** As `add`, of tokens in bytes. */
  addTokens(doc: number, tokens: Tokens, length: number): void {
    if (this.#norms) this.#addLength(doc, length);
    if (tokens.count === 0) return;
    if (this.#positions && !tokens.positions) throw new Error(`${tokens.count} tokens came without positions`);
    const stream = this.#stream;
    stream.varint(doc - Math.max(this.#lastDoc, 0));
    stream.varint(tokens.count);
    let last = 0;
    readTokens(tokens, (from, to, position) => {
      this.#addTerm(this.#terms.idOfBytes(tokens.bytes, from, to));
      if (!this.#positions) return;
      stream.varint(position - last);
      last = position;
    });
    this.#tokenCount += tokens.count;
    this.#lastDoc = doc;
  }

  #addTerm(id: number): void {
    if (id >= this.#tokens.length) {
      const grown = new Uint32Array(this.#tokens.length * 2);
      grown.set(this.#tokens);
      this.#tokens = grown;
    }
    this.#tokens[id]++;
    this.#stream.varint(id);
  }

  #addLength(doc: number, length: number): void {
    const count = this.#normDocs.length;
    if (count > 0 && this.#normDocs.values[count - 1] === doc) {
      this.#lengths.values[count - 1] += length;
    } else {
      this.#normDocs.push(doc);
      this.#lengths.push(length);
    }
  }

  async finish(
    info: FieldInfo,
    maxDoc: number,
    slices: Slices | undefined,
  ): Promise<{ sections: SectionData[]; meta: Pick<FieldMeta, "terms" | "norms"> }> {
    const sections: SectionData[] = [];
    let norms: Uint8Array | undefined;
    let normsMeta: FieldMeta["norms"];
    if (this.#normDocs.length > 0) {
      const lengths = this.#lengths.view();
      const bytes = new Uint8Array(lengths.length);
      for (let i = 0; i < bytes.length; i++) bytes[i] = lengths[i] === 0 ? EMPTY_FIELD_NORM : encodeLength(lengths[i]);
      const written = writeNorms(info.name, this.#normDocs, bytes, maxDoc);
      sections.push(written.section);
      normsMeta = written.meta;
      norms = denseNorms(this.#normDocs.view(), bytes, maxDoc);
      if (slices?.due()) await slices.pause();
    }
    if (this.#tokenCount === 0) return { sections, meta: { norms: normsMeta } };
    const written = await this.#writeTerms(info, norms, slices);
    return { sections: [...sections, ...written.sections], meta: { norms: normsMeta, terms: written.meta } };
  }

  async #writeTerms(info: FieldInfo, norms: Uint8Array | undefined, slices: Slices | undefined) {
    const { blob, starts, order } = await this.#terms.sorted(slices);
    const size = order.length;
    // Counting sort: the tokens of each term together, in document order.
    const next = new Uint32Array(size);
    const ends = new Uint32Array(size);
    let sum = 0;
    for (let ord = 0; ord < size; ord++) {
      next[order[ord]] = sum;
      sum += this.#tokens[order[ord]];
      ends[ord] = sum;
    }
    if (slices?.due()) await slices.pause();
    // Large arrays are the system's to clear, and may set off the garbage collector.
    const docs = new Uint32Array(this.#tokenCount);
    if (slices?.due()) await slices.pause();
    const positions = this.#positions ? new Uint32Array(this.#tokenCount) : undefined;
    const docCount = await this.#sortTokens(next, docs, positions, slices);
    const writer = new TermsWriter(info, norms, size);
    let from = 0;
    let asked = 0;
    for (let ord = 0; ord < size; ord++) {
      const to = ends[ord];
      for (let at = from; at < to; ) {
        const enough = Math.min(to, at + TOKENS_AT_ONCE);
        if (this.#weights && positions) at = writeWeights(writer, docs, positions, at, enough);
        else at = writeDocs(writer, docs, positions, at, to, enough);
        if (at - asked < TOKENS_AT_ONCE) continue;
        asked = at;
        if (slices?.due()) await slices.pause();
      }
      writer.finishTerm(blob, starts[order[ord]], starts[order[ord] + 1]);
      from = to;
    }
    return writer.finish(docCount);
  }

  /** Puts each token's document and position where `next` of its term says. Returns the number of documents. */
  async #sortTokens(
    next: Uint32Array,
    docs: Uint32Array,
    positions: Uint32Array | undefined,
    slices: Slices | undefined,
  ): Promise<number> {
    const state = { at: 0, doc: 0, docCount: 0 };
    const end = this.#stream.length;
    while (state.at < end) {
      sortSomeTokens(this.#stream.bytes, Math.min(end, state.at + TOKENS_AT_ONCE), state, next, docs, positions);
      if (slices?.due()) await slices.pause();
    }
    return state.docCount;
  }
}

/** Reads whole documents of the stream up to at least `until`. */
function sortSomeTokens(
  bytes: Uint8Array,
  until: number,
  state: { at: number; doc: number; docCount: number },
  next: Uint32Array,
  docs: Uint32Array,
  positions: Uint32Array | undefined,
): void {
  let { at, doc, docCount } = state;
  const varint = (): number => {
    let b = bytes[at++];
    let value = b & 0x7f;
    for (let shift = 7; b > 0x7f; shift += 7) {
      b = bytes[at++];
      value |= (b & 0x7f) << shift;
    }
    return value >>> 0;
  };
  while (at < until) {
    const gap = varint();
    if (gap > 0 || docCount === 0) docCount++;
    doc += gap;
    let position = 0;
    for (let count = varint(); count > 0; count--) {
      const term = varint();
      const slot = next[term]++;
      docs[slot] = doc;
      if (positions !== undefined) {
        position += varint();
        positions[slot] = position;
      }
    }
  }
  state.at = at;
  state.doc = doc;
  state.docCount = docCount;
}

/** Writes documents with the weights of one term. */
function writeWeights(
  writer: TermsWriter,
  docs: Uint32Array,
  weights: Uint32Array,
  from: number,
  enough: number,
): number {
  for (let i = from; i < enough; i++) writer.addDoc(docs[i], weights[i]);
  return enough;
}

/** Writes the tokens of one term, which end at `to`, in whole documents until `enough`. Returns where the next one begins. */
function writeDocs(
  writer: TermsWriter,
  docs: Uint32Array,
  positions: Uint32Array | undefined,
  from: number,
  to: number,
  enough: number,
): number {
  let i = from;
  while (i < enough) {
    const doc = docs[i];
    let end = i + 1;
    while (end < to && docs[end] === doc) end++;
    writer.addDoc(doc, end - i);
    if (positions !== undefined) {
      let last = 0;
      for (; i < end; i++) {
        // Two fields of one document may bring a position again; within a term they are ascending.
        const position = Math.max(last, positions[i]);
        writer.addPositionGap(position - last);
        last = position;
      }
    }
    i = end;
  }
  return i;
}
