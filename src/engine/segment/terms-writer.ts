/**
 * Writes the inverted index of one field, term by term in order, document by document.
 *
 * - postings: for each term a head of varints (document frequency; total frequency beyond it; then by kind) and its blocks.
 *     1 document: the document; with positions, where they are.
 *     2 to 128 documents: with positions, where they are; the block.
 *     more: its first block in the table of blocks; where its impacts are; the blocks.
 *   A block: a byte of two width codes, gaps between documents less 1, frequencies less 1 (see packed.ts).
 * - blocks: for terms with more than one, columns of 32-bit numbers: last document, place in postings, in impacts, in positions.
 * - impacts: of each block and of each such term, the (frequency, norm) pairs that no other pair beats: a count, then for each the
 *   frequency (varint) and the norm (byte), norms ascending.
 * - positions: for each block a width code and the gaps between the positions of a document, so that any of them is read in place.
 */
import { illegalArgument } from "../errors.ts";
import { ByteBuffer, bytesOf, Uint32Buffer } from "./bytes.ts";
import { DictionaryWriter } from "./dictionary.ts";
import { type SectionData, sectionName } from "./file.ts";
import type { TermsMeta } from "./meta.ts";
import { pack, widthCode } from "./packed.ts";
import type { FieldInfo } from "./types.ts";

/** Documents of a block. */
export const BLOCK_SIZE = 128;

/** Impacts being collected: for each norm byte the largest frequency. */
class ImpactSet {
  readonly #maxFreq = new Uint32Array(256);
  #low = 256;
  #high = -1;

  add(freq: number, norm: number): void {
    if (freq > this.#maxFreq[norm]) this.#maxFreq[norm] = freq;
    if (norm < this.#low) this.#low = norm;
    if (norm > this.#high) this.#high = norm;
  }

  addAll(other: ImpactSet): void {
    for (let norm = other.#low; norm <= other.#high; norm++) {
      if (other.#maxFreq[norm] > 0) this.add(other.#maxFreq[norm], norm);
    }
  }

  /** A longer field never scores more: a pair counts when its frequency exceeds those of all smaller norms. */
  write(out: ByteBuffer): void {
    let count = 0;
    let best = 0;
    for (let norm = this.#low; norm <= this.#high; norm++) {
      if (this.#maxFreq[norm] > best) {
        best = this.#maxFreq[norm];
        count++;
      }
    }
    out.varint(count);
    best = 0;
    for (let norm = this.#low; norm <= this.#high; norm++) {
      if (this.#maxFreq[norm] > best) {
        best = this.#maxFreq[norm];
        out.varint(best);
        out.byte(norm);
      }
    }
  }

  clear(): void {
    if (this.#high >= 0) this.#maxFreq.fill(0, this.#low, this.#high + 1);
    this.#low = 256;
    this.#high = -1;
  }
}

export class TermsWriter {
  readonly #info: FieldInfo;
  readonly #norms: Uint8Array | undefined;
  readonly #hasFreqs: boolean;
  readonly #hasPositions: boolean;

  readonly #dictionary: DictionaryWriter;
  readonly #postingsAt: Uint32Buffer;
  readonly #postings = new ByteBuffer(1024);
  readonly #impacts = new ByteBuffer(64);
  readonly #positions = new ByteBuffer(1024);
  readonly #blockEnd = new Uint32Buffer();
  readonly #blockAt = new Uint32Buffer();
  readonly #blockImpactsAt = new Uint32Buffer();
  readonly #blockPositionsAt = new Uint32Buffer();
  #sumDocFreq = 0;
  #sumTotalTermFreq = 0;

  // The term that is being written.
  #docFreq = 0;
  #totalTermFreq = 0;
  #lastDoc = -1;
  #firstPositionsAt = 0;
  readonly #body = new ByteBuffer(1024);
  #bodyBlocks = 0;
  readonly #blockImpacts = new ImpactSet();
  readonly #termImpacts = new ImpactSet();

  // The block that is being filled.
  readonly #docs = new Uint32Array(BLOCK_SIZE);
  readonly #gaps = new Uint32Array(BLOCK_SIZE);
  readonly #freqs = new Uint32Array(BLOCK_SIZE);
  #count = 0;
  #maxGap = 0;
  #maxFreq = 0;
  readonly #positionGaps = new Uint32Buffer(BLOCK_SIZE);
  #maxPositionGap = 0;

  /** @param norms a byte for each document, where the field has norms */
  constructor(info: FieldInfo, norms: Uint8Array | undefined, expectedTerms = 16) {
    this.#info = info;
    this.#norms = norms;
    this.#hasFreqs = info.index === "freqs" || info.index === "positions";
    this.#hasPositions = info.index === "positions";
    this.#dictionary = new DictionaryWriter(expectedTerms);
    this.#postingsAt = new Uint32Buffer(expectedTerms + 1);
  }

  get size(): number {
    return this.#dictionary.size;
  }

  /** A document of the current term, after those before it. The frequency counts only where the field records it. */
  addDoc(doc: number, freq: number): void {
    if (this.#count === BLOCK_SIZE) this.#flushBlock(true);
    const gap = doc - this.#lastDoc - 1;
    const i = this.#count++;
    this.#docs[i] = doc;
    this.#gaps[i] = gap;
    if (gap > this.#maxGap) this.#maxGap = gap;
    const excess = this.#hasFreqs ? freq - 1 : 0;
    this.#freqs[i] = excess;
    if (excess > this.#maxFreq) this.#maxFreq = excess;
    this.#lastDoc = doc;
    this.#docFreq++;
    this.#totalTermFreq += excess + 1;
  }

  /** The next position of the current document, less the one before it (less 0 for the first). */
  addPositionGap(gap: number): void {
    this.#positionGaps.push(gap);
    if (gap > this.#maxPositionGap) this.#maxPositionGap = gap;
  }

  #flushBlock(severalBlocks: boolean): void {
    const count = this.#count;
    const positionsAt = this.#positions.length;
    if (this.#bodyBlocks === 0) this.#firstPositionsAt = positionsAt;
    if (severalBlocks) {
      this.#blockEnd.push(this.#lastDoc);
      this.#blockAt.push(this.#body.length);
      this.#blockImpactsAt.push(this.#impacts.length);
      if (this.#hasPositions) this.#blockPositionsAt.push(positionsAt);
      const norms = this.#norms;
      for (let i = 0; i < count; i++) {
        this.#blockImpacts.add(this.#freqs[i] + 1, norms === undefined ? 1 : norms[this.#docs[i]]);
      }
      this.#blockImpacts.write(this.#impacts);
      this.#termImpacts.addAll(this.#blockImpacts);
      this.#blockImpacts.clear();
    }
    const gapCode = widthCode(this.#maxGap);
    const freqCode = widthCode(this.#maxFreq);
    this.#body.byte(gapCode | (freqCode << 4));
    pack(this.#gaps, count, gapCode, this.#body);
    pack(this.#freqs, count, freqCode, this.#body);
    this.#writePositions();
    this.#bodyBlocks++;
    this.#count = 0;
    this.#maxGap = 0;
    this.#maxFreq = 0;
  }

  #writePositions(): void {
    if (!this.#hasPositions) return;
    const code = widthCode(this.#maxPositionGap);
    this.#positions.byte(code);
    pack(this.#positionGaps.values, this.#positionGaps.length, code, this.#positions);
    this.#positionGaps.length = 0;
    this.#maxPositionGap = 0;
  }

  /** Ends the current term under its bytes, which sort after those before it. A term without documents leaves nothing. */
  finishTerm(bytes: Uint8Array, from: number, to: number): void {
    const docFreq = this.#docFreq;
    if (docFreq === 0) return;
    const out = this.#postings;
    this.#dictionary.add(bytes, from, to);
    this.#postingsAt.push(out.length);
    out.varint(docFreq);
    if (this.#hasFreqs) out.varint(this.#totalTermFreq - docFreq);
    if (docFreq === 1) {
      out.varint(this.#lastDoc);
      if (this.#hasPositions) out.varint(this.#positions.length);
      this.#writePositions();
    } else {
      const several = docFreq > BLOCK_SIZE;
      this.#flushBlock(several);
      if (several) {
        const first = this.#blockAt.length - this.#bodyBlocks;
        out.varint(first);
        out.varint(this.#impacts.length);
        this.#termImpacts.write(this.#impacts);
        this.#termImpacts.clear();
        for (let i = first; i < this.#blockAt.length; i++) this.#blockAt.values[i] += out.length;
      } else if (this.#hasPositions) {
        out.varint(this.#firstPositionsAt);
      }
      out.append(this.#body.bytes, 0, this.#body.length);
    }
    if (out.length > 0xffffffff || this.#positions.length > 0xffffffff) {
      throw illegalArgument("a segment's postings of one field exceed 4 GiB; merge fewer segments into one");
    }
    this.#sumDocFreq += docFreq;
    this.#sumTotalTermFreq += this.#totalTermFreq;
    this.#docFreq = 0;
    this.#totalTermFreq = 0;
    this.#lastDoc = -1;
    this.#body.length = 0;
    this.#bodyBlocks = 0;
    this.#count = 0;
    this.#maxGap = 0;
    this.#maxFreq = 0;
  }

  /** @param docCount documents that have a term */
  finish(docCount: number): { sections: SectionData[]; meta: TermsMeta } {
    const name = this.#info.name;
    const sections: SectionData[] = [
      { name: sectionName(name, "terms"), parts: this.#dictionary.parts() },
      { name: sectionName(name, "postings"), parts: [bytesOf(this.#postingsAt.view()), this.#postings.view()] },
    ];
    const blocks = this.#blockEnd.length;
    if (blocks > 0) {
      const columns = [this.#blockEnd, this.#blockAt, this.#blockImpactsAt, this.#blockPositionsAt];
      const parts = columns.filter((column) => column.length > 0).map((column) => bytesOf(column.view()));
      sections.push({ name: sectionName(name, "blocks"), parts });
      sections.push({ name: sectionName(name, "impacts"), parts: [this.#impacts.view()] });
    }
    if (this.#hasPositions) sections.push({ name: sectionName(name, "positions"), parts: [this.#positions.view()] });
    return {
      sections,
      meta: {
        docCount,
        sumDocFreq: this.#sumDocFreq,
        sumTotalTermFreq: this.#sumTotalTermFreq,
        size: this.#dictionary.size,
        blocks,
      },
    };
  }
}
