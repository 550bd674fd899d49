/**
 * An index of one document: the terms of a field that was analysed again, in the place of those of its segment (Lucene's MemoryIndex and
 * OverlaySingleDocTermsLeafReader). Queries find in it where their terms lie in the text.
 */

import { compareUtf8 } from "../query/lucene/utf8-order.ts";
import type { IndexSearcher, Query } from "../query/types.ts";
import {
  type ByteAutomaton,
  type FieldInfo,
  type FieldTerms,
  type LeafReader,
  NO_MORE_DOCS,
  type Postings,
  type SegmentReader,
} from "../segment/types.ts";
import type { AnalyzedText } from "./analyzed-text.ts";

const encoder = new TextEncoder();

/** The terms of a text as a field's of one document. @param positions false: term vectors have kept none */
export function textTerms(field: string, doc: number, text: AnalyzedText, positions = true): FieldTerms {
  const places = new Map<string, number[]>();
  for (const [i, term] of text.terms.entries()) {
    const known = places.get(term);
    if (known) known.push(i);
    else places.set(term, [i]);
  }
  const sorted = [...places.keys()].sort(compareUtf8);
  const ords = new Map(sorted.map((term, ord) => [term, ord]));
  const info: FieldInfo = {
    name: field,
    index: positions ? "positions" : "freqs",
    norms: false,
    docValues: "none",
    points: "none",
  };
  const ceil = (term: string): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareUtf8(sorted[middle], term) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const freq = (ord: number) => places.get(sorted[ord])!.length;
  return {
    info,
    size: sorted.length,
    docCount: 1,
    sumDocFreq: sorted.length,
    sumTotalTermFreq: text.terms.length,
    lookup: (term) => ords.get(term) ?? -1,
    seekCeil: ceil,
    term: (ord) => sorted[ord],
    termBytes: (ord) => encoder.encode(sorted[ord]),
    docFreq: () => 1,
    totalTermFreq: freq,
    postings: (ord) => textPostings(doc, text, places.get(sorted[ord])!),
    prefixRange(prefix) {
      const from = ceil(prefix);
      let to = from;
      while (to < sorted.length && sorted[to].startsWith(prefix)) to++;
      return [from, to];
    },
    intersect(automaton, most = Number.POSITIVE_INFINITY) {
      const found: number[] = [];
      for (let ord = 0; ord < sorted.length && found.length < most; ord++) {
        if (accepts(automaton, encoder.encode(sorted[ord]))) found.push(ord);
      }
      return found;
    },
  };
}

function accepts(automaton: ByteAutomaton, bytes: Uint8Array): boolean {
  let state = automaton.start;
  for (const byte of bytes) {
    state = automaton.step(state, byte);
    if (state < 0) return false;
  }
  return automaton.accepts(state);
}

/** @param places of the term's tokens in the text */
function textPostings(doc: number, text: AnalyzedText, places: readonly number[]): Postings {
  const impact = [{ freq: places.length, norm: 1 }];
  let at = -1;
  let next = 0;
  const advance = (target: number): number => {
    at = at < doc && target <= doc ? doc : NO_MORE_DOCS;
    return at;
  };
  const docs = Int32Array.of(doc);
  let block = -1;
  return {
    docs,
    freqs: Int32Array.of(places.length),
    blockEnds: docs,
    get length() {
      return block < 0 ? 0 : 1;
    },
    get block() {
      return block;
    },
    docID: () => at,
    nextDoc: () => advance(at + 1),
    advance,
    cost: () => 1,
    freq: () => places.length,
    nextPosition: () => text.positions[places[next++]],
    startOffset: () => text.starts[places[next - 1]],
    endOffset: () => text.ends[places[next - 1]],
    freqAt: () => places.length,
    nextBlock: () => ++block === 0,
    seekBlock(wanted) {
      block = wanted;
    },
    shallowAdvance() {},
    blockLastDoc: () => doc,
    blockImpacts: () => impact,
    impacts: () => impact,
    blockMaxScore: (_block, scorer) => scorer.score(places.length, 1),
  };
}

/** A segment in which some fields have other terms. */
export function overlaid(leaf: LeafReader, terms: (field: string) => FieldTerms | undefined): LeafReader {
  const { segment } = leaf;
  const overlay: SegmentReader = {
    name: segment.name,
    maxDoc: segment.maxDoc,
    fieldInfos: () => segment.fieldInfos(),
    terms: (field) => terms(field) ?? segment.terms(field),
    norms: (field) => segment.norms(field),
    numeric: (field) => segment.numeric(field),
    ordinals: (field) => segment.ordinals(field),
    points: (field) => segment.points(field),
    vectors: (field) => segment.vectors(field),
    roots: () => segment.roots(),
    id: (doc) => segment.id(doc),
    seqNo: (doc) => segment.seqNo(doc),
    version: (doc) => segment.version(doc),
    docOf: (id) => segment.docOf(id),
    residentBytes: () => segment.residentBytes(),
    verify: () => segment.verify(),
  };
  return { segment: overlay, live: leaf.live, docBase: leaf.docBase };
}

/** A searcher of one segment, which keeps nothing; scores are not asked for. */
export function searcherOf(leaf: LeafReader): IndexSearcher {
  const searcher: IndexSearcher = {
    leaves: [leaf],
    maxDoc: leaf.segment.maxDoc,
    collectionStatistics: (field) => leaf.segment.terms(field),
    docFreq: (field, term) => {
      const terms = leaf.segment.terms(field);
      const ord = terms ? terms.lookup(term) : -1;
      return terms && ord >= 0 ? terms.docFreq(ord) : 0;
    },
    totalTermFreq: (field, term) => {
      const terms = leaf.segment.terms(field);
      const ord = terms ? terms.lookup(term) : -1;
      return terms && ord >= 0 ? terms.totalTermFreq(ord) : 0;
    },
    similarity: () => ({ type: "boolean" }),
    filterWeight: (query: Query) => query.rewrite(searcher).createWeight(searcher, "none", 1),
  };
  return searcher;
}
