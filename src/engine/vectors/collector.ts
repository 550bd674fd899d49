/** The best vectors of a search, each for itself or each for a group of which only the best counts. */
import { ScoreHeap } from "./hnsw/heap.ts";

export interface Collector {
  /** @returns whether it is among the best so far */
  collect(ord: number, score: number): boolean;
  /** What does not score above this is not among the best. */
  least(): number;
  /** Best first, equal scores by ordinal. */
  finish(): Ranked;
}

export interface Ranked {
  readonly ords: Int32Array;
  readonly scores: Float32Array;
}

const NONE = Number.NEGATIVE_INFINITY;

function ranked(ords: readonly number[], scores: readonly number[]): Ranked {
  const order = ords.map((_, at) => at).sort((a, b) => scores[b] - scores[a] || ords[a] - ords[b]);
  return { ords: Int32Array.from(order, (at) => ords[at]), scores: Float32Array.from(order, (at) => scores[at]) };
}

/** The `k` best (Lucene's TopKnnCollector). */
export function topCollector(k: number): Collector {
  const heap = new ScoreHeap("worst first", Math.min(k, 1024));
  return {
    collect(ord, score) {
      if (heap.size < k) heap.push(ord, score);
      else if (score > heap.topScore() || (score === heap.topScore() && ord < heap.topOrd()))
        heap.replaceTop(ord, score);
      else return false;
      return true;
    },
    least: () => (heap.size < k ? NONE : heap.topScore()),
    finish() {
      const ords = new Int32Array(heap.size);
      const scores = new Float32Array(heap.size);
      for (let at = heap.size - 1; at >= 0; at--) {
        ords[at] = heap.topOrd();
        scores[at] = heap.topScore();
        heap.pop();
      }
      return { ords, scores };
    },
  };
}

/** The best of each of the `k` best groups (DiversifyingNearestChildrenKnnCollector). */
export function groupCollector(k: number, groupOf: (ord: number) => number): Collector {
  const best = new Map<number, { ord: number; score: number }>();
  // Groups by the score that they had when they came in; one that has a better one by now stands here again.
  const heap = new ScoreHeap("worst first");
  /** Takes off what does not hold any more. */
  const settle = () => {
    for (;;) {
      const own = best.get(heap.topOrd());
      if (own !== undefined && own.score === heap.topScore()) return;
      heap.pop();
    }
  };
  return {
    collect(ord, score) {
      const group = groupOf(ord);
      const own = best.get(group);
      if (own !== undefined) {
        if (score < own.score || (score === own.score && ord >= own.ord)) return false;
        best.set(group, { ord, score });
        if (score > own.score) heap.push(group, score);
        return true;
      }
      if (best.size >= k) {
        settle();
        const worst = heap.topOrd();
        if (score < heap.topScore() || (score === heap.topScore() && group > worst)) return false;
        best.delete(worst);
        heap.pop();
      }
      best.set(group, { ord, score });
      heap.push(group, score);
      return true;
    },
    least() {
      if (best.size < k) return NONE;
      settle();
      return heap.topScore();
    },
    finish() {
      const kept = [...best.values()];
      return ranked(
        kept.map(({ ord }) => ord),
        kept.map(({ score }) => score),
      );
    },
  };
}
