/** The best corrections of a word: a heap with the worst one on top, as many as are inspected. */
import { compareUtf8 } from "../../query/lucene/utf8-order.ts";

export interface Correction {
  readonly term: string;
  readonly score: number;
  readonly freq: number;
}

export interface TermQueue {
  readonly size: number;
  /** The score of the worst; undefined of an empty queue. */
  worst(): number | undefined;
  add(correction: Correction): void;
  all(): readonly Correction[];
}

/** Lower scores are worse, and later terms among equal ones. */
const isWorse = (a: Correction, b: Correction) =>
  a.score === b.score ? compareUtf8(a.term, b.term) > 0 : a.score < b.score;

export function termQueue(most: number): TermQueue {
  const heap: Correction[] = [];
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  const up = (from: number) => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isWorse(heap[at], heap[parent])) return;
      swap(at, parent);
      at = parent;
    }
  };
  const down = () => {
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child >= heap.length) return;
      if (child + 1 < heap.length && isWorse(heap[child + 1], heap[child])) child++;
      if (!isWorse(heap[child], heap[at])) return;
      swap(at, child);
      at = child;
    }
  };
  return {
    get size() {
      return heap.length;
    },
    worst: () => heap[0]?.score,
    add(correction) {
      if (heap.length < most) {
        heap.push(correction);
        up(heap.length - 1);
      } else if (isWorse(heap[0], correction)) {
        heap[0] = correction;
        down();
      }
    },
    all: () => heap,
  };
}
