/** Several terms' postings walked as one, positions merged (Lucene's UnionPostingsEnum): the terms of one place in a phrase. */
import { NO_MORE_DOCS, type Postings } from "../../segment/types.ts";
import type { Positions } from "./phrase.ts";

export function unionPositions(postings: readonly Postings[]): Positions {
  if (postings.length === 1) return postings[0];
  let doc = -1;
  /** Document that `positions` are of; they are read when first asked for. */
  let read = -1;
  let positions: number[] = [];
  let at = 0;
  const settle = (): number => {
    doc = NO_MORE_DOCS;
    for (const each of postings) doc = Math.min(doc, each.docID());
    return doc;
  };
  const advance = (target: number): number => {
    for (const each of postings) if (each.docID() < target) each.advance(target);
    return settle();
  };
  const freq = (): number => {
    let sum = 0;
    for (const each of postings) if (each.docID() === doc) sum += each.freq();
    return sum;
  };
  return {
    docID: () => doc,
    nextDoc: () => advance(doc + 1),
    advance,
    cost: () => postings.reduce((sum, each) => sum + each.cost(), 0),
    freq,
    nextPosition() {
      if (read !== doc) {
        read = doc;
        at = 0;
        positions = [];
        for (const each of postings) {
          if (each.docID() === doc) for (let i = each.freq(); i > 0; i--) positions.push(each.nextPosition());
        }
        positions.sort((a, b) => a - b);
      }
      return positions[at++];
    },
  };
}
