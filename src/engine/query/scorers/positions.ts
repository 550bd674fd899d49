/** Several terms' postings walked as one, positions merged (Lucene's UnionPostingsEnum): the terms of one place in a phrase. */
import type { Postings } from "../../segment/types.ts";
import { siftDown } from "./heap.ts";
import type { Positions } from "./phrase.ts";

interface Position {
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

export function unionPositions(postings: readonly Postings[]): Positions {
  if (postings.length === 1) return postings[0];
  /** The postings by their documents. */
  const heap: Postings[] = [...postings];
  const before = (a: Postings, b: Postings) => a.docID() < b.docID();
  let doc = -1;
  /** Document that `positions` are of; they are read when first asked for. */
  let read = -1;
  let positions: Position[] = [];
  let at = 0;
  const advance = (target: number): number => {
    while (heap[0].docID() < target) {
      heap[0].advance(target);
      siftDown(heap, before);
    }
    return (doc = heap[0].docID());
  };
  /** Visits those that stand on the document: below one that does not, none does. */
  const visit = (i: number, each: (at: Postings) => void): void => {
    if (i >= heap.length || heap[i].docID() !== doc) return;
    each(heap[i]);
    visit(2 * i + 1, each);
    visit(2 * i + 2, each);
  };
  return {
    docID: () => doc,
    nextDoc: () => advance(doc + 1),
    advance,
    cost: () => postings.reduce((sum, each) => sum + each.cost(), 0),
    freq() {
      let sum = 0;
      visit(0, (each) => {
        sum += each.freq();
      });
      return sum;
    },
    nextPosition() {
      if (read !== doc) {
        read = doc;
        at = 0;
        positions = [];
        visit(0, (each) => {
          for (let left = each.freq(); left > 0; left--) {
            const position = each.nextPosition();
            positions.push({ position, start: each.startOffset?.() ?? -1, end: each.endOffset?.() ?? -1 });
          }
        });
        positions.sort((a, b) => a.position - b.position);
      }
      return positions[at++].position;
    },
    startOffset: () => positions[at - 1].start,
    endOffset: () => positions[at - 1].end,
  };
}
