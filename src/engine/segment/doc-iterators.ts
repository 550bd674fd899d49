/** Plain walks over documents: all of them, a bit set, a sorted array. */
import { firstAtLeast } from "./postings.ts";
import { type BitSet, type DocIterator, NO_MORE_DOCS } from "./types.ts";

/** Documents 0 to `maxDoc` − 1. */
export function denseIterator(maxDoc: number): DocIterator {
  let doc = -1;
  const to = (target: number) => (doc = target < maxDoc ? target : NO_MORE_DOCS);
  return {
    docID: () => doc,
    nextDoc: () => (doc === NO_MORE_DOCS ? doc : to(doc + 1)),
    advance: to,
    cost: () => maxDoc,
  };
}

/** All documents from one on. */
export function rangeIterator(from: number, maxDoc: number): DocIterator {
  let doc = -1;
  const to = (target: number) => (doc = target < maxDoc ? target : NO_MORE_DOCS);
  return {
    docID: () => doc,
    nextDoc: () => (doc === NO_MORE_DOCS ? doc : to(Math.max(doc + 1, from))),
    advance: (target) => to(Math.max(target, from)),
    cost: () => Math.max(0, maxDoc - from),
  };
}

/** @param cost number of set bits, or a guess at it */
export function bitSetIterator(bits: BitSet, cost: number): DocIterator {
  let doc = -1;
  return {
    docID: () => doc,
    nextDoc: () => (doc === NO_MORE_DOCS ? doc : (doc = bits.nextSetBit(doc + 1))),
    advance: (target) => (doc = bits.nextSetBit(target)),
    cost: () => cost,
  };
}

/** @param docs ascending, each once */
export function arrayIterator(docs: Int32Array | Uint32Array): DocIterator {
  let index = -1;
  let doc = -1;
  return {
    docID: () => doc,
    nextDoc: () => (doc = ++index < docs.length ? docs[index] : NO_MORE_DOCS),
    advance(target) {
      index = firstAtLeast(docs, Math.max(index, 0), docs.length, target);
      doc = index < docs.length ? docs[index] : NO_MORE_DOCS;
      return doc;
    },
    cost: () => docs.length,
  };
}
