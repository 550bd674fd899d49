/** Every vector of a field, scored by its similarity to one (DenseVectorQuery): what `inner_hits` of `knn` look for. */
import { javaFloat } from "../../mapping/java-text.ts";
import { type LeafReader, NO_MORE_DOCS, type VectorColumn } from "../../segment/types.ts";
import type { StoredVector } from "../../vectors/types.ts";
import { matched, unmatched } from "../explanation.ts";
import { matchesAt } from "../scorers/index.ts";
import type { Query, Scorer, Weight } from "../types.ts";

export interface ExactVectors {
  /** Where the vectors are found in a segment. */
  readonly field: string;
  readonly vector: StoredVector;
  /** The least score of a hit. */
  readonly least: number;
  readonly boost: number;
}

export function exactVectorsQuery(options: ExactVectors): Query {
  const { field, vector, least, boost } = options;
  const text = `DenseVectorQuery.Floats[${field}]`;
  const query: Query = {
    className: "Floats",
    describe: () => text,
    toString: () => `${text}[${vector.join()}, ${least}, ${boost}]`,
    visit: () => {},
    rewrite: () => query,
    createWeight: (): Weight => {
      const scorer = (leaf: LeafReader): Scorer | undefined => {
        const vectors = leaf.segment.vectors(field);
        return vectors && vectorScorer(vectors, options);
      };
      return {
        query,
        scorer,
        explain(leaf, doc) {
          const own = scorer(leaf);
          if (own === undefined || !matchesAt(own, doc)) return unmatched(`No vector value found for field: ${field}`);
          return matched(own.score(), `found vector with calculated similarity: ${javaFloat(own.score())}`);
        },
      };
    },
  };
  return query;
}

/** Over the documents that have a vector which is near enough. */
function vectorScorer(vectors: VectorColumn, { vector, least, boost }: ExactVectors): Scorer {
  const similarity = vectors.space().scorer(vector);
  let ord = -1;
  let doc = -1;
  let score = 0;
  const from = (first: number): number => {
    for (ord = first; ord < vectors.size; ord++) {
      const found = similarity.score(ord);
      if (found < least) continue;
      score = Math.fround(found * boost);
      doc = vectors.doc(ord);
      return doc;
    }
    doc = NO_MORE_DOCS;
    return doc;
  };
  return {
    docID: () => doc,
    nextDoc: () => (doc === NO_MORE_DOCS ? doc : from(ord + 1)),
    advance: (target) => from(firstFrom(vectors, target)),
    cost: () => vectors.size,
    score: () => score,
    maxScore: () => Number.POSITIVE_INFINITY,
    advanceShallow: () => NO_MORE_DOCS,
    setMinCompetitiveScore: () => {},
  };
}

/** The first vector of a document at or after another one. */
function firstFrom(vectors: VectorColumn, target: number): number {
  let low = 0;
  let high = vectors.size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (vectors.doc(middle) < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
