/** Reads the postings of one term block by block (the layout: terms-writer.ts). */
import { counted } from "../work.ts";
import { ByteCursor } from "./bytes.ts";
import { packedAt, packedLength, unpackDocs, unpackFreqs } from "./packed.ts";
import { BLOCK_SIZE } from "./terms-writer.ts";
import { NO_MORE_DOCS, type Postings } from "./types.ts";

/** The sections of a field that its postings lie in. Impacts and positions are read when first asked for. */
export interface PostingsData {
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly bytes: Uint8Array;
  readonly maxDoc: number;
  readonly blockEnds: Uint32Array;
  readonly blockAt: Uint32Array;
  readonly blockImpactsAt: Uint32Array;
  readonly blockPositionsAt: Uint32Array;
  impacts(): Uint8Array;
  positions(): Uint8Array;
  norms(): Uint8Array | undefined;
  fail(what: string): never;
}

interface Impact {
  readonly freq: number;
  readonly norm: number;
}

const NO_FREQS = new Int32Array(0);

/** A class for its speed: every query walks over many of these. */
export class BlockPostings implements Postings {
  readonly docs: Int32Array;
  readonly blockEnds: Uint32Array | Int32Array;
  readonly docFreq: number;
  readonly totalTermFreq: number;
  length = 0;
  block = -1;

  readonly #data: PostingsData;
  readonly #withPositions: boolean;
  /** Place of the term's first block in the table, -1 when it has one block only, which is `#only` in the postings. */
  readonly #first: number;
  readonly #only: number;
  readonly #termImpactsAt: number;
  readonly #onlyPositionsAt: number;
  #freqs: Int32Array = NO_FREQS;
  #freqsLoaded = false;
  #freqsAt = 0;
  #freqsCode = 0;
  #index = -1;
  #doc = -1;
  #shallow = 0;

  // Positions of the loaded block: where the current document's begin, and the next one of it.
  #positionsAt = -1;
  #positionsCode = 0;
  #positionsDoc = 0;
  #positionsStart = 0;
  #nextPosition = 0;
  #position = 0;

  constructor(data: PostingsData, at: number, withPositions: boolean) {
    this.#data = data;
    this.#withPositions = withPositions && data.hasPositions;
    const cursor = new ByteCursor(data.bytes, () => data.fail("postings that end too early"));
    cursor.position = at;
    const docFreq = cursor.varint();
    this.docFreq = docFreq;
    this.totalTermFreq = data.hasFreqs ? docFreq + cursor.varint() : docFreq;
    this.docs = new Int32Array(Math.min(docFreq, BLOCK_SIZE));
    this.#first = -1;
    this.#only = -1;
    this.#termImpactsAt = -1;
    this.#onlyPositionsAt = -1;
    if (docFreq > BLOCK_SIZE) {
      this.#first = cursor.varint();
      this.#termImpactsAt = cursor.varint();
      const blocks = Math.ceil(docFreq / BLOCK_SIZE);
      if (this.#first + blocks > data.blockEnds.length) data.fail("a term with blocks that do not exist");
      this.blockEnds = data.blockEnds.subarray(this.#first, this.#first + blocks);
      return;
    }
    if (docFreq === 1) {
      this.docs[0] = cursor.varint();
      this.#freqs = Int32Array.of(this.totalTermFreq);
      if (data.hasPositions) this.#onlyPositionsAt = cursor.varint();
    } else {
      if (data.hasPositions) this.#onlyPositionsAt = cursor.varint();
      this.#only = cursor.position;
      this.#decode(this.#only, docFreq, -1);
    }
    if (this.docs[docFreq - 1] >= data.maxDoc) data.fail("a document that does not exist");
    this.blockEnds = this.docs.subarray(docFreq - 1);
  }

  #decode(at: number, count: number, before: number): void {
    if (counted !== undefined) counted.postings += count;
    const { bytes } = this.#data;
    const head = bytes[at];
    const docsLength = packedLength(head & 7, count);
    this.#freqsAt = at + 1 + docsLength;
    this.#freqsCode = (head >>> 4) & 7;
    if (!(this.#freqsAt + packedLength(this.#freqsCode, count) <= bytes.length)) {
      this.#data.fail("postings that end too early");
    }
    unpackDocs(bytes, at + 1, head & 7, count, before, this.docs);
    this.#freqsLoaded = false;
  }

  get freqs(): Int32Array {
    if (!this.#freqsLoaded) this.#loadFreqs();
    return this.#freqs;
  }

  #loadFreqs(): void {
    this.#freqsLoaded = true;
    if (this.docFreq === 1) return;
    if (this.#freqs.length === 0) this.#freqs = new Int32Array(this.docs.length);
    const count = this.#first < 0 ? this.docFreq : this.length;
    unpackFreqs(this.#data.bytes, this.#freqsAt, this.#freqsCode, count, this.#freqs);
  }

  seekBlock(block: number): void {
    const blocks = this.blockEnds.length;
    if (block === this.block || block >= blocks) {
      if (block >= blocks) {
        this.length = 0;
        this.#doc = NO_MORE_DOCS;
      }
      this.block = block;
      this.#index = block >= blocks ? 0 : -1;
      return;
    }
    this.block = block;
    this.length = block === blocks - 1 ? this.docFreq - block * BLOCK_SIZE : BLOCK_SIZE;
    if (this.#first >= 0) {
      const before = block === 0 ? -1 : this.blockEnds[block - 1];
      this.#decode(this.#data.blockAt[this.#first + block], this.length, before);
    }
    this.#index = -1;
    this.#positionsAt = -1;
  }

  nextBlock(): boolean {
    this.seekBlock(this.block + 1);
    return this.block < this.blockEnds.length;
  }

  docID(): number {
    return this.#doc;
  }

  nextDoc(): number {
    if (++this.#index >= this.length) {
      if (this.#doc === NO_MORE_DOCS || !this.nextBlock()) return this.#doc;
      this.#index = 0;
    }
    this.#doc = this.docs[this.#index];
    return this.#doc;
  }

  advance(target: number): number {
    const ends = this.blockEnds;
    let block = Math.max(this.block, 0);
    if (block < ends.length && ends[block] < target) {
      block = firstAtLeast(ends, block + 1, ends.length, target);
    }
    if (block !== this.block) this.seekBlock(block);
    if (block >= ends.length) return this.#doc;
    this.#index = firstAtLeast(this.docs, this.#index + 1, this.length, target);
    this.#doc = this.docs[this.#index];
    return this.#doc;
  }

  cost(): number {
    return this.docFreq;
  }

  freq(): number {
    return this.freqAt(this.#index);
  }

  freqAt(index: number): number {
    if (this.#freqsLoaded || this.docFreq === 1) return this.freqs[index];
    return 1 + packedAt(this.#data.bytes, this.#freqsAt, this.#freqsCode, index);
  }

  nextPosition(): number {
    const positions = this.#findPositions();
    this.#position += packedAt(positions, this.#positionsAt, this.#positionsCode, this.#nextPosition++);
    return this.#position;
  }

  readPositions(out: Int32Array): void {
    const positions = this.#findPositions();
    const count = this.freqAt(this.#index);
    let position = 0;
    if (this.#positionsCode === 4) {
      // One byte each is the rule.
      const at = this.#positionsAt + this.#positionsStart;
      for (let i = 0; i < count; i++) out[i] = position += positions[at + i];
      return;
    }
    for (let i = 0; i < count; i++) {
      out[i] = position += packedAt(positions, this.#positionsAt, this.#positionsCode, this.#positionsStart + i);
    }
  }

  /** To the current document's positions. */
  #findPositions(): Uint8Array {
    if (!this.#withPositions) throw new Error("positions were not asked for, or the field does not record them");
    const positions = this.#data.positions();
    if (this.#positionsAt < 0) this.#openPositions(positions);
    const index = this.#index;
    if (this.#positionsDoc === index) return positions;
    const { freqs } = this;
    let i = this.#positionsDoc;
    let start = this.#positionsStart;
    if (i < 0 || i > index) {
      i = 0;
      start = 0;
    }
    for (; i < index; i++) start += freqs[i];
    if (!(this.#positionsAt + packedLength(this.#positionsCode, start + freqs[index]) <= positions.length)) {
      this.#data.fail("positions that end too early");
    }
    this.#positionsDoc = index;
    this.#positionsStart = start;
    this.#nextPosition = start;
    this.#position = 0;
    return positions;
  }

  #openPositions(positions: Uint8Array): void {
    if (counted !== undefined) counted.positionBlocks++;
    const at = this.#first < 0 ? this.#onlyPositionsAt : this.#data.blockPositionsAt[this.#first + this.block];
    if (!(at < positions.length)) this.#data.fail("positions that end too early");
    this.#positionsAt = at + 1;
    this.#positionsCode = positions[at] & 7;
    this.#positionsDoc = -1;
  }

  shallowAdvance(target: number): void {
    const ends = this.blockEnds;
    if (this.#shallow < this.block) this.#shallow = this.block;
    if (this.#shallow < ends.length && ends[this.#shallow] < target) {
      this.#shallow = firstAtLeast(ends, this.#shallow + 1, ends.length, target);
    }
  }

  blockLastDoc(): number {
    return this.#shallow < this.blockEnds.length ? this.blockEnds[this.#shallow] : NO_MORE_DOCS;
  }

  blockImpacts(): readonly Impact[] {
    return this.#shallow < this.blockEnds.length ? this.#impactsOf(this.#shallow) : [];
  }

  impacts(): readonly Impact[] {
    return this.#first < 0 ? this.#onlyImpacts() : this.#readImpacts(this.#termImpactsAt);
  }

  #impactsOf(block: number): Impact[] {
    return this.#first < 0 ? this.#onlyImpacts() : this.#readImpacts(this.#data.blockImpactsAt[this.#first + block]);
  }

  #readImpacts(at: number): Impact[] {
    const impacts: Impact[] = [];
    this.#visitImpacts(at, (freq, norm) => impacts.push({ freq, norm }));
    return impacts;
  }

  #visitImpacts(at: number, visit: (freq: number, norm: number) => void): void {
    const cursor = new ByteCursor(this.#data.impacts(), () => this.#data.fail("impacts that end too early"));
    cursor.position = at;
    for (let count = cursor.varint(); count > 0; count--) visit(cursor.varint(), cursor.byte());
  }

  /** A term of one block has no impacts on disk: its few documents say them. */
  #onlyImpacts(): Impact[] {
    const norms = this.#data.norms();
    const { freqs } = this;
    const pairs = Array.from(this.docs, (doc, i) => ({ freq: freqs[i], norm: norms === undefined ? 1 : norms[doc] }));
    pairs.sort((a, b) => a.norm - b.norm || b.freq - a.freq);
    let best = 0;
    return pairs.filter(({ freq }) => freq > best && (best = freq) > 0);
  }

  blockMaxScore(block: number, scorer: { score(freq: number, norm: number): number }): number {
    if (counted !== undefined) counted.bounds++;
    let best = Number.NEGATIVE_INFINITY;
    if (this.#first < 0) {
      const norms = this.#data.norms();
      const { freqs, docs } = this;
      for (let i = 0; i < docs.length; i++) {
        const score = scorer.score(freqs[i], norms === undefined ? 1 : norms[docs[i]]);
        if (score > best) best = score;
      }
      return best;
    }
    const bytes = this.#data.impacts();
    let at = this.#data.blockImpactsAt[this.#first + block];
    // Counts and frequencies of one byte are the rule; a longer one takes the general way.
    const count = bytes[at++];
    for (let i = 0; i < count; i++) {
      const freq = bytes[at++];
      if (freq > 0x7f || at >= bytes.length) return this.#blockMaxScoreSlowly(block, scorer);
      const score = scorer.score(freq, bytes[at++]);
      if (score > best) best = score;
    }
    return best;
  }

  #blockMaxScoreSlowly(block: number, scorer: { score(freq: number, norm: number): number }): number {
    let best = Number.NEGATIVE_INFINITY;
    this.#visitImpacts(this.#data.blockImpactsAt[this.#first + block], (freq, norm) => {
      best = Math.max(best, scorer.score(freq, norm));
    });
    return best;
  }
}

/** First index in [from, to) whose number is at least `target`, `to` when there is none; near ones are found soonest. */
export function firstAtLeast(sorted: Int32Array | Uint32Array, from: number, to: number, target: number): number {
  let low = from;
  let step = 1;
  let high = from;
  while (high < to && sorted[high] < target) {
    low = high + 1;
    high += step;
    step <<= 1;
  }
  if (high > to) high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
