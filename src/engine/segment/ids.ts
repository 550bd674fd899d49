/** What identifies root documents: ids as a sorted dictionary with its documents, sequence numbers and versions by root. */
import type { Slices } from "../slices.ts";
import { FixedBitSet, popCount } from "./bitset.ts";
import { bytesOf, Float64Buffer } from "./bytes.ts";
import { packNumbers, storageFor, viewNumbers } from "./columns.ts";
import { Dictionary, DictionaryWriter } from "./dictionary.ts";
import type { SectionData, SegmentFile } from "./file.ts";
import type { SegmentMeta } from "./meta.ts";
import { TermIds } from "./term-ids.ts";
import { type BitSet, NO_MORE_DOCS } from "./types.ts";

const IDS = "ids";
const ID_DOCS = "id documents";
const SEQ_NOS = "sequence numbers";
const VERSIONS = "versions";
const ROOTS = "roots";

export class IdGatherer {
  readonly #terms = new TermIds();
  /** Of each root: the number of its id, its document. */
  readonly #ids: number[] = [];
  readonly #docs: number[] = [];
  readonly #seqNos = new Float64Buffer();
  readonly #versions = new Float64Buffer();

  get count(): number {
    return this.#docs.length;
  }

  get ramBytes(): number {
    return this.#terms.ramBytes + this.#docs.length * 32;
  }

  add(doc: number, id: string, seqNo: number, version: number): void {
    this.#ids.push(this.#terms.idOf(id));
    this.#docs.push(doc);
    this.#seqNos.push(seqNo);
    this.#versions.push(version);
  }

  /** @param maxDoc number of documents, nested ones included */
  async finish(
    maxDoc: number,
    slices?: Slices,
  ): Promise<{ sections: SectionData[]; meta: Pick<SegmentMeta, "rootCount" | "seqNo" | "version"> }> {
    const roots = this.#docs.length;
    const { blob, starts, order } = await this.#terms.sorted(slices);
    const sorted = this.#rootsById(order);
    const dictionary = new DictionaryWriter(roots);
    const docs = new Uint32Array(roots);
    const ords = new Uint32Array(roots);
    for (let ord = 0; ord < roots; ord++) {
      const root = sorted[ord];
      dictionary.add(blob, starts[this.#ids[root]], starts[this.#ids[root] + 1]);
      docs[ord] = this.#docs[root];
      ords[root] = ord;
      if ((ord & 0xfff) === 0 && slices?.due()) await slices.pause();
    }
    const seqNo = storageFor(this.#seqNos.view());
    const version = storageFor(this.#versions.view());
    const sections: SectionData[] = [
      { name: IDS, parts: dictionary.parts() },
      { name: ID_DOCS, parts: [bytesOf(docs), bytesOf(ords)] },
      { name: SEQ_NOS, parts: [packNumbers(this.#seqNos.view(), seqNo)] },
      { name: VERSIONS, parts: [packNumbers(this.#versions.view(), version)] },
    ];
    if (roots < maxDoc) {
      const bits = new FixedBitSet(maxDoc);
      for (const doc of this.#docs) bits.set(doc);
      sections.push({ name: ROOTS, parts: [bytesOf(bits.words)] });
    }
    return { sections, meta: { rootCount: roots, seqNo, version } };
  }

  /** Roots in the order of their ids, equal ids in the order in which they were written. */
  #rootsById(order: Uint32Array): Uint32Array {
    const next = new Uint32Array(order.length);
    for (const id of this.#ids) next[id]++;
    let sum = 0;
    for (const id of order) {
      const count = next[id];
      next[id] = sum;
      sum += count;
    }
    const sorted = new Uint32Array(this.#ids.length);
    this.#ids.forEach((id, root) => {
      sorted[next[id]++] = root;
    });
    // The last of equal ids is the one that counts, also where a sorted index has put it before others.
    const seqNos = this.#seqNos.view();
    for (let from = 0; from < sorted.length; ) {
      const id = this.#ids[sorted[from]];
      let to = from + 1;
      while (to < sorted.length && this.#ids[sorted[to]] === id) to++;
      if (to - from > 1) sorted.subarray(from, to).sort((a, b) => seqNos[a] - seqNos[b]);
      from = to;
    }
    return sorted;
  }
}

export interface IdReader {
  roots(): BitSet | undefined;
  id(doc: number): string;
  seqNo(doc: number): number;
  version(doc: number): number;
  docOf(id: string): number;
  extraBytes(): number;
}

export function readIds(file: SegmentFile): IdReader {
  const { maxDoc, rootCount } = file.meta;
  const once = <T>(make: () => T): (() => T) => {
    let made: { value: T } | undefined;
    return () => (made ??= { value: make() }).value;
  };
  const roots = once(() => {
    if (rootCount === maxDoc) return undefined;
    const words = file.view(ROOTS, Uint32Array, 0, (maxDoc + 31) >>> 5);
    const before = new Uint32Array(words.length);
    let sum = 0;
    for (let w = 0; w < words.length; w++) {
      before[w] = sum;
      sum += popCount(words[w]);
    }
    if (sum !== rootCount) file.fail(ROOTS, "another number of documents than recorded");
    return { bits: new FixedBitSet(maxDoc, words), before };
  });
  const dictionary = once(() => {
    const ids = new Dictionary(file, IDS);
    if (ids.size !== rootCount) file.fail(IDS, "another number of ids than documents");
    return ids;
  });
  const docs = once(() => file.view(ID_DOCS, Uint32Array, 0, rootCount));
  const ords = once(() => file.view(ID_DOCS, Uint32Array, rootCount * 4, rootCount));
  const seqNos = once(() => viewNumbers(file, SEQ_NOS, file.meta.seqNo, 0, rootCount));
  const versions = once(() => viewNumbers(file, VERSIONS, file.meta.version, 0, rootCount));

  /** Place of a document's root among the roots. */
  const rootOf = (doc: number): number => {
    if (!(doc >= 0 && doc < maxDoc)) throw new RangeError(`document ${doc} is outside a segment of ${maxDoc}`);
    const set = roots();
    if (set === undefined) return doc;
    const root = set.bits.nextSetBit(doc);
    if (root === NO_MORE_DOCS) file.fail(ROOTS, "nested documents without a root");
    return set.before[root >>> 5] + popCount(set.bits.words[root >>> 5] & ((1 << (root & 31)) - 1));
  };
  return {
    roots: () => roots()?.bits,
    id: (doc) => dictionary().string(ords()[rootOf(doc)]),
    seqNo: (doc) => Number(seqNos()[rootOf(doc)]),
    version: (doc) => Number(versions()[rootOf(doc)]),
    docOf(id) {
      if (dictionary().lookup(id) < 0) return -1;
      return docs()[dictionary().seekAfter(id) - 1];
    },
    extraBytes: () => (maxDoc > rootCount ? maxDoc >>> 3 : 0),
  };
}
