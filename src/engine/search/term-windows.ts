/**
 * Top hits of terms, and of what is made up of terms, read from the blocks of their postings directly.
 *
 * Documents are taken in windows. In a window the scores of the terms are added up in an array by document. When hits need not be counted
 * any more, each window has a bound: what the terms' best scores in the blocks that reach into it make together (block-max). Windows below the
 * worst of the best hits are left out, the most promising ones come first; and inside a window terms that together cannot lift a document
 * into the best (MAXSCORE: the non-essential ones) are looked up only for documents that the others found. How scores of terms combine is a
 * plan: `window-plans.ts`.
 */
import { type BulkTerm, TermScorer } from "../query/scorers/index.ts";
import type { BitSet } from "../segment/types.ts";
import type { TopQueue } from "./top-queue.ts";
import { NARROW, TermCursor, WIDE } from "./window-cursors.ts";
import { bestPlan, optionalPlan, sumPlan, type WindowPlan } from "./window-plans.ts";

/** Terms, and how their scores combine. */
export type BulkShape =
  | { readonly kind: "sum"; readonly terms: readonly BulkTerm[] }
  | { readonly kind: "best"; readonly sums: readonly (readonly BulkTerm[])[]; readonly tieBreaker: number }
  | { readonly kind: "optional"; readonly required: readonly BulkTerm[]; readonly optional: readonly BulkTerm[] };

/** What is done a step at a time, so that the caller can give the thread back in between. */
export interface Steps {
  /** Does a part of the work; false when nothing is left. */
  next(): boolean;
}

/** What is collected of a segment. */
export interface WindowTarget {
  /** Documents that count; undefined: all. */
  readonly accepted: BitSet | undefined;
  /** Added to the documents that are offered. */
  readonly docBase: number;
  /** The number of hits is known already: no hit needs to be counted. */
  readonly known: boolean;
  readonly queue: TopQueue;
}

export function termSteps(shape: BulkShape, target: WindowTarget): Steps {
  if (shape.kind === "best") return windowSteps(bestPlan(shape.sums, shape.tieBreaker, target), target);
  if (shape.kind === "optional") return windowSteps(optionalPlan(shape.required, shape.optional, target), target);
  const [only] = shape.terms;
  return shape.terms.length === 1 && only instanceof TermScorer
    ? singleTermSteps(new TermCursor(only), target)
    : windowSteps(sumPlan(shape.terms, target), target);
}

/** The `count` places with the highest bounds, in their own order. */
function mostPromising(bounds: Float32Array, count: number): number[] {
  if (bounds.length <= count) return Array.from(bounds, (_, i) => i);
  const sorted = bounds.slice().sort();
  const least = sorted[sorted.length - count];
  const places: number[] = [];
  for (let i = 0; i < bounds.length && places.length < count; i++) if (bounds[i] >= least) places.push(i);
  return places;
}

function singleTermSteps(cursor: TermCursor, { accepted, docBase, known, queue }: WindowTarget): Steps {
  const { ends, scorer } = cursor;
  const blocks = ends.length;
  const { minScore } = queue;

  const takeBlock = (block: number, counting: boolean): void => {
    cursor.load(block);
    const scores = cursor.score();
    const { docs, length } = scorer.postings;
    let hits = 0;
    for (let i = 0; i < length; i++) {
      const score = scores[i];
      if (!counting && score < queue.worst) continue;
      if (accepted !== undefined && !accepted.get(docs[i])) continue;
      if (score < minScore) continue;
      hits++;
      queue.offer(docs[i] + docBase, score);
    }
    if (counting) queue.count(hits);
  };
  const firstDoc = (block: number) => docBase + (block === 0 ? 0 : ends[block - 1] + 1);

  const done = new Uint8Array(blocks);
  let block = 0;
  if ((known || queue.exceeded) && blocks > 4 && queue.k > 0) {
    const bounds = new Float32Array(blocks);
    for (let b = 0; b < blocks; b++) bounds[b] = scorer.blockMax(b);
    for (const b of mostPromising(bounds, Math.min(queue.k, 16))) {
      takeBlock(b, false);
      done[b] = 1;
    }
  }
  return {
    next() {
      const end = Math.min(blocks, block + 64);
      for (; block < end; block++) {
        if (done[block] !== 0) continue;
        const counting = !known && !queue.exceeded;
        if (!counting && queue.hopeless(scorer.blockMax(block), firstDoc(block))) continue;
        takeBlock(block, counting);
      }
      return block < blocks;
    },
  };
}

function windowSteps(plan: WindowPlan, { docBase, known, queue }: WindowTarget): Steps {
  const { end } = plan;
  /** Where the windows begin that are chosen by their bounds. */
  let first = 0;
  let done: Uint8Array | undefined;
  let bounds: Float32Array | undefined;
  const takeBest = (w: number): void => {
    const start = first + w * NARROW;
    plan.takeBest(start, Math.min(NARROW, end - start), w);
  };
  const countless = () => known || queue.exceeded;
  /** From where hits need not be counted, the bounds of all windows; the most promising are taken at once. */
  const chooseWindows = (from: number): void => {
    const windows = Math.ceil((end - from) / NARROW);
    first = from;
    bounds = plan.bounds(from, windows);
    done = new Uint8Array(windows);
    if (queue.k === 0) return;
    for (const w of mostPromising(bounds, 4)) {
      takeBest(w);
      done[w] = 1;
    }
  };
  let start = 0;
  return {
    next() {
      if (!countless()) {
        const width = Math.min(WIDE, end - start);
        plan.takeAll(start, width);
        start += width;
        return start < end;
      }
      if (done === undefined || bounds === undefined) {
        chooseWindows(start);
        return start < end;
      }
      for (let i = 0; i < 8 && start < end; i++, start += NARROW) {
        const w = (start - first) / NARROW;
        if (done[w] !== 0 || queue.hopeless(bounds[w], start + docBase)) continue;
        takeBest(w);
      }
      return start < end;
    },
  };
}
