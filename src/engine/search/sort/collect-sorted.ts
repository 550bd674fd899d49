/**
 * Collects the best hits by keys, segment after segment (Lucene's TopFieldCollector). A document is compared with the last of the best by the
 * numbers that its segment's keys give, and its values are only read when it is among them.
 */
import { confirms } from "../../query/scorers/index.ts";
import type { Scorer } from "../../query/types.ts";
import { type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import type { Slices } from "../../slices.ts";
import { hitCandidates } from "../searcher.ts";
import { compareNumbers, compareRows } from "./order.ts";
import type { LeafKey, SortKey, SortValue } from "./types.ts";

export interface SortedDocs {
  /** Documents in the order of the snapshot, best first. */
  readonly docs: Int32Array;
  /** Their scores; NaN where nobody asked for them. */
  readonly scores: Float32Array;
  /** What each was sorted by. */
  readonly values: readonly (readonly SortValue[])[];
  /** The best score of all hits, where scores were asked for. */
  readonly maxScore: number | undefined;
  readonly total: number;
  readonly relation: "eq" | "gte";
  readonly timedOut: boolean;
}

export interface SortedLimits {
  readonly k: number;
  readonly totalHitsThreshold: number;
  readonly keys: readonly SortKey[];
  /** Hits up to this one, and those equal to it, are counted and left out; with a document only those up to it. */
  readonly after?: { readonly values: readonly SortValue[]; readonly doc?: number };
  readonly minScore?: number;
  /** All hits are scored. */
  readonly trackScores: boolean;
  readonly slices: Slices;
}

/** Documents between two looks at the clock. */
const STEP = 512;

interface Entry {
  readonly doc: number;
  readonly score: number;
  readonly values: readonly SortValue[];
}

/** @param sources a segment and the query's scorer of it, in document order */
export async function collectSorted(
  sources: Iterable<{ readonly leaf: LeafReader; readonly scorer: Scorer | undefined }>,
  limits: SortedLimits,
): Promise<SortedDocs> {
  const { keys, k, trackScores, minScore = Number.NEGATIVE_INFINITY, slices, totalHitsThreshold } = limits;
  for (const key of keys) key.prepare?.();
  const heap: Entry[] = [];
  const shown = trackScores || keys.some(({ type }) => type === "SCORE");
  const scored = shown || minScore > Number.NEGATIVE_INFINITY;
  const inDocOrder = keys.length > 0 && keys[0].type === "DOC" && !keys[0].descending;
  let total = 0;
  let maxScore = Number.NEGATIVE_INFINITY;
  let exceeded = totalHitsThreshold === 0;
  let timedOut = false;
  /** True when no later document can be among the best, and nobody counts any more. */
  const complete = () => inDocOrder && !trackScores && exceeded && heap.length === k;

  for (const { leaf, scorer } of sources) {
    if (complete() || timedOut) break;
    if (!scorer) continue;
    const first = firstWanted(limits, inDocOrder && exceeded) - leaf.docBase;
    if (first >= leaf.segment.maxDoc) continue;
    // What comes before it has been seen, and nobody counts it.
    let next = first > 0 ? scorer.advance(first) : scorer.nextDoc();
    const live = hitCandidates(leaf);
    const leafKeys = keys.map((key) => key.leaf(leaf));
    const after = limits.after && { keys: leafKeys.map((key, j) => key.keyOf(limits.after!.values[j])) };
    const afterDoc = limits.after?.doc ?? Number.POSITIVE_INFINITY;
    let bottom: (number | bigint)[] | undefined;
    const refreshBottom = () => {
      bottom = heap.length === k ? leafKeys.map((key, j) => key.keyOf(heap[0].values[j])) : undefined;
    };
    refreshBottom();
    for (let step = 0; next !== NO_MORE_DOCS; step++, next = scorer.nextDoc()) {
      if (step === STEP) {
        step = 0;
        if (slices.timedOut()) {
          timedOut = true;
          break;
        }
        if (slices.due()) await slices.pause();
        if (complete()) break;
      }
      const doc = next;
      if (live !== undefined && !live.get(doc)) continue;
      if (!confirms(scorer)) continue;
      const score = scored ? scorer.score() : Number.NaN;
      if (score < minScore) continue;
      total++;
      if (total > totalHitsThreshold) exceeded = true;
      if (score > maxScore) maxScore = score;
      if (k === 0) continue;
      if (bottom !== undefined && compareKeys(keys, leafKeys, doc, score, bottom) >= 0) continue;
      if (after !== undefined) {
        const order = compareKeys(keys, leafKeys, doc, score, after.keys);
        if (order < 0 || (order === 0 && doc + leaf.docBase <= afterDoc)) continue;
      }
      const entry = { doc: doc + leaf.docBase, score, values: leafKeys.map((key) => key.value(doc, score)) };
      if (heap.length < k) pushUp(heap, entry, keys);
      else replaceTop(heap, entry, keys);
      if (heap.length === k) refreshBottom();
    }
  }
  heap.sort((a, b) => compareRows(keys, a.values, b.values) || a.doc - b.doc);
  return {
    docs: Int32Array.from(heap, ({ doc }) => doc),
    scores: Float32Array.from(heap, ({ score }) => (shown ? score : Number.NaN)),
    values: heap.map(({ values }) => values),
    maxScore: trackScores && total > 0 ? maxScore : undefined,
    total: exceeded ? Math.min(totalHitsThreshold, Number.MAX_SAFE_INTEGER) : total,
    relation: exceeded ? "gte" : "eq",
    timedOut,
  };
}

/** In the order of documents those up to the last one that was shown are not looked at again. */
function firstWanted({ after }: SortedLimits, skipping: boolean): number {
  return skipping && after?.doc !== undefined ? after.doc + 1 : 0;
}

/** A document against the keys of another one: below 0 when it comes before. Documents come in order, so that an equal one is too late. */
function compareKeys(
  keys: readonly SortKey[],
  leafKeys: readonly LeafKey[],
  doc: number,
  score: number,
  others: readonly (number | bigint)[],
): number {
  for (let j = 0; j < keys.length; j++) {
    const own = leafKeys[j].key(doc, score);
    const other = others[j];
    const order = own < other ? -1 : own > other ? 1 : own === other && own !== 0 ? 0 : compareNumbers(own, other);
    if (order !== 0) return keys[j].descending ? -order : order;
  }
  return 0;
}

/** True when `a` is worse than `b`: it lies above it in the heap. */
function worse(a: Entry, b: Entry, keys: readonly SortKey[]): boolean {
  return (compareRows(keys, a.values, b.values) || a.doc - b.doc) > 0;
}

function pushUp(heap: Entry[], entry: Entry, keys: readonly SortKey[]): void {
  let i = heap.length;
  heap.push(entry);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (worse(heap[parent], entry, keys)) break;
    heap[i] = heap[parent];
    i = parent;
  }
  heap[i] = entry;
}

function replaceTop(heap: Entry[], entry: Entry, keys: readonly SortKey[]): void {
  let i = 0;
  for (let child = 1; child < heap.length; child = 2 * i + 1) {
    if (child + 1 < heap.length && worse(heap[child + 1], heap[child], keys)) child++;
    if (worse(entry, heap[child], keys)) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = entry;
}
