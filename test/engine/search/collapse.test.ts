import { describe, expect, it } from "vitest";
import { type GroupHead, GroupHeap } from "../../../src/engine/search/collapse/group-heap.ts";

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

const better = (a: GroupHead, b: GroupHead) => (b.values[0] as number) - (a.values[0] as number) || a.doc - b.doc;

/** All groups with their best document, best first. */
function byHand(offered: readonly GroupHead[], k: number): GroupHead[] {
  const best = new Map<string | undefined, GroupHead>();
  for (const head of offered) {
    const known = best.get(head.group);
    if (!known || better(head, known) < 0) best.set(head.group, head);
  }
  return [...best.values()].sort(better).slice(0, k);
}

describe("groups", () => {
  it.each([
    [1, 7],
    [3, 1],
    [10, 40],
    [50, 20],
    [0, 5],
  ])("the best %i of %i groups are kept, each with its best document", (k, groups) => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = numbers(seed);
      const offered = Array.from({ length: 120 }, (_, doc): GroupHead => {
        const group = next() % groups;
        // Few scores, so that many are equal.
        return { group: group === 0 ? undefined : String(group), doc, score: 0, values: [(next() >>> 8) % 9], at: -1 };
      });
      const heap = new GroupHeap(k, better);
      for (const head of offered) heap.offer({ ...head });
      const kept = heap.sorted().map(({ group, doc }) => [group, doc]);
      expect(kept).toEqual(byHand(offered, k).map(({ group, doc }) => [group, doc]));
    }
  });
});
