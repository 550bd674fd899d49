/** The terms of one field: dictionary and postings, read from their sections when first used. */
import { Dictionary } from "./dictionary.ts";
import { type SegmentFile, sectionName } from "./file.ts";
import { intersect } from "./intersect.ts";
import type { FieldMeta, TermsMeta } from "./meta.ts";
import { BlockPostings, type PostingsData } from "./postings.ts";
import type { FieldTerms } from "./types.ts";

/** FieldTerms as the segment itself uses them: the dictionary can be walked over, and postings know their statistics. */
export interface SegmentTerms extends FieldTerms {
  readonly dictionary: Dictionary;
  postings(ord: number, options?: { positions?: boolean }): BlockPostings;
}

/** @param norms norms of the field, for the impacts of short terms */
export function readTerms(
  file: SegmentFile,
  field: FieldMeta,
  meta: TermsMeta,
  norms: () => Uint8Array | undefined,
): SegmentTerms {
  const dictionary = new Dictionary(file, sectionName(field, "terms"));
  const postingsSection = sectionName(field, "postings");
  const blocksSection = sectionName(field, "blocks");
  const { size, blocks } = meta;
  if (dictionary.size !== size) file.fail(sectionName(field, "terms"), "another number of terms than recorded");
  const starts = file.view(postingsSection, Uint32Array, 0, size);
  const hasPositions = field.info.index === "positions";
  const column = (i: number) =>
    blocks === 0 ? new Uint32Array(0) : file.view(blocksSection, Uint32Array, i * blocks * 4, blocks);
  let impacts: Uint8Array | undefined;
  let positions: Uint8Array | undefined;
  const data: PostingsData = {
    hasFreqs: hasPositions || field.info.index === "freqs",
    hasPositions,
    bytes: file.section(postingsSection).subarray(size * 4),
    maxDoc: file.meta.maxDoc,
    blockEnds: column(0),
    blockAt: column(1),
    blockImpactsAt: column(2),
    blockPositionsAt: hasPositions ? column(3) : new Uint32Array(0),
    impacts: () => (impacts ??= file.section(sectionName(field, "impacts"))),
    positions: () => (positions ??= file.section(sectionName(field, "positions"))),
    norms,
    fail: (what) => file.fail(postingsSection, what),
  };
  const check = (ord: number) => {
    if (!(ord >= 0 && ord < size)) throw new RangeError(`term ${ord} is outside a field of ${size} terms`);
  };
  const cursor = file.cursor(postingsSection);
  const seek = (ord: number) => {
    check(ord);
    cursor.position = size * 4 + starts[ord];
  };
  return {
    info: field.info,
    size,
    docCount: meta.docCount,
    sumDocFreq: meta.sumDocFreq,
    sumTotalTermFreq: meta.sumTotalTermFreq,
    dictionary,
    lookup: (term) => dictionary.lookup(term),
    seekCeil: (term) => dictionary.seekCeil(term),
    term: (ord) => dictionary.string(ord),
    intersect: (automaton, most) => intersect(dictionary, automaton, most),
    prefixRange: (prefix) => dictionary.prefixRange(prefix),
    termBytes: (ord) => dictionary.bytes(ord),
    docFreq(ord) {
      seek(ord);
      return cursor.varint();
    },
    totalTermFreq(ord) {
      seek(ord);
      const docFreq = cursor.varint();
      return data.hasFreqs ? docFreq + cursor.varint() : docFreq;
    },
    postings(ord, options) {
      check(ord);
      return new BlockPostings(data, starts[ord], options?.positions ?? false);
    },
  };
}
