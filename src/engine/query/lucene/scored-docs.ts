/** Documents with scores that are known already (the hits of a nearest-neighbour search, as a clause beside a query). */
import { type DocIterator, NO_MORE_DOCS } from "../../segment/types.ts";
import { type Explanation, unmatched } from "../explanation.ts";
import type { Query } from "../types.ts";

interface ScoredDocsQuery extends Query {
  readonly scoredDocs: true;
}

export function isScoredDocs(query: Query): boolean {
  return (query as Partial<ScoredDocsQuery>).scoredDocs === true;
}

/** How such documents are told of. */
export interface ScoredDocsTexts {
  readonly className: string;
  readonly description: string;
  /** Of a document with a score. */
  inside(score: number): Explanation;
  /** Of the others. */
  readonly outside: string;
}

/** @param docs ascending, in the order of the snapshot, with scores beside them */
export function scoredDocsQuery(
  { docs, scores }: { readonly docs: Int32Array; readonly scores: Float32Array },
  texts: ScoredDocsTexts,
): Query {
  const query: ScoredDocsQuery = {
    className: texts.className,
    scoredDocs: true,
    describe: () => texts.description,
    // Other scores are another query, although the documents are the same.
    toString: () => `DocAndScoreQuery[${docs.join(",")}][${scores.join(",")}]`,
    rewrite: () => query,
    createWeight: (_searcher, _mode, boost) => ({
      query,
      explain({ docBase }, doc) {
        const at = lowerBound(docs, docBase + doc);
        if (docs[at] !== docBase + doc) return unmatched(texts.outside);
        return texts.inside(Math.fround(scores[at] * boost));
      },
      scorer({ docBase, segment }) {
        const from = lowerBound(docs, docBase);
        const to = lowerBound(docs, docBase + segment.maxDoc);
        if (from === to) return undefined;
        let at = from - 1;
        const docID = () => (at < from ? -1 : at >= to ? NO_MORE_DOCS : docs[at] - docBase);
        const walk: DocIterator = {
          docID,
          nextDoc() {
            at++;
            return docID();
          },
          advance(target) {
            while (docID() < target) at++;
            return docID();
          },
          cost: () => to - from,
        };
        return {
          ...walk,
          score: () => Math.fround(scores[at] * boost),
          maxScore: () => Math.fround(Math.max(...scores.subarray(from, to)) * boost),
          advanceShallow: () => NO_MORE_DOCS,
          setMinCompetitiveScore: () => {},
        };
      },
    }),
  };
  return query;
}

function lowerBound(docs: Int32Array, target: number): number {
  let low = 0;
  let high = docs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (docs[middle] < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
