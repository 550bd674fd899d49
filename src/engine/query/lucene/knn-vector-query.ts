/** The nearest vectors as a query (Lucene's KnnFloatVectorQuery and its kin): it is searched for when it is rewritten, or before. */
import { javaFloat } from "../../mapping/java-text.ts";
import type { Slices } from "../../slices.ts";
import type { StoredVector } from "../../vectors/types.ts";
import { type Explanation, matched } from "../explanation.ts";
import type { IndexSearcher, Query } from "../types.ts";
import { matchNoneQuery } from "./constant.ts";
import { type NearestDocs, type NearestSearch, searchNearest } from "./nearest-vectors.ts";
import { scoredDocsQuery } from "./scored-docs.ts";

export interface KnnVectorQueryOptions extends NearestSearch {
  /** Hits score at least this: the raw similarity that was asked for, and its score. */
  readonly similarity?: { readonly raw: number; readonly score: number };
}

export interface KnnVectorQuery extends Query {
  readonly nearest: true;
  /** Searches in slices; afterwards the query is rewritten at once. */
  prepare(searcher: IndexSearcher, slices: Slices): Promise<NearestDocs>;
}

export const isNearest = (query: Query): query is KnnVectorQuery => "nearest" in query;

export function knnVectorQuery(options: KnnVectorQueryOptions): KnnVectorQuery {
  const known = new WeakMap<IndexSearcher, NearestDocs>();
  const { candidates, similarity } = options;
  const search = (searcher: IndexSearcher, slices?: Slices) =>
    searchNearest(options, searcher, slices && (() => slices.timedOut()));
  const keep = (searcher: IndexSearcher, found: NearestDocs): NearestDocs => {
    const kept = best(found, options);
    known.set(searcher, kept);
    return kept;
  };
  const query: KnnVectorQuery = {
    nearest: true,
    describe: () => describe(options),
    // Another vector may begin with the same number, and have another filter.
    toString: () => `${describe(options)}[${options.vector.join()}][${options.filter ?? ""}]`,
    async prepare(searcher, slices) {
      const done = known.get(searcher);
      if (done) return done;
      const steps = search(searcher, slices);
      for (;;) {
        const step = steps.next();
        if (step.done) return keep(searcher, step.value);
        if (slices.due()) await slices.pause();
      }
    },
    rewrite(searcher) {
      let found = known.get(searcher);
      if (!found) {
        const steps = search(searcher);
        let step = steps.next();
        while (!step.done) step = steps.next();
        found = keep(searcher, step.value);
      }
      if (found.docs.length === 0) return matchNoneQuery("no vectors");
      const within = `within top ${candidates}`;
      const description = `DocAndScore[${candidates}]`;
      return scoredDocsQuery(found, {
        className: similarity ? "VectorSimilarityQuery" : "DocAndScoreQuery",
        description: withSimilarity(description, similarity),
        outside: `not in top ${candidates}`,
        inside: (value): Explanation => {
          const inner = matched(value, within);
          return similarity ? matched(value, "vector similarity within limit", [inner]) : inner;
        },
      });
    },
    createWeight: (searcher, mode, boost) => query.rewrite(searcher).createWeight(searcher, mode, boost),
  };
  return query;
}

/** Of the candidates the `k` best, and of those what is near enough. */
function best(found: NearestDocs, { k, similarity }: KnnVectorQueryOptions): NearestDocs {
  let order = Array.from(found.docs.keys());
  if (k !== undefined && k < order.length) {
    order = order.sort((a, b) => found.scores[b] - found.scores[a] || a - b).slice(0, k);
    order.sort((a, b) => a - b);
  }
  if (similarity) order = order.filter((at) => found.scores[at] >= similarity.score);
  if (order.length === found.docs.length) return found;
  return {
    docs: Int32Array.from(order, (at) => found.docs[at]),
    scores: Float32Array.from(order, (at) => found.scores[at]),
  };
}

function describe({ field, vector, candidates, parents, similarity }: KnnVectorQueryOptions): string {
  const kind = vector instanceof Int8Array ? "Byte" : "Float";
  const name = parents ? `ESDiversifyingChildren${kind}KnnVectorQuery` : `ESKnn${kind}VectorQuery`;
  const query = `${name}:${field}[${first(vector)},...][${candidates}]`;
  return withSimilarity(query, similarity);
}

function withSimilarity(query: string, similarity: KnnVectorQueryOptions["similarity"]): string {
  if (!similarity) return query;
  const { raw, score } = similarity;
  return `VectorSimilarityQuery[similarity=${javaFloat(raw)}, docScore=${javaFloat(score)}, innerKnnQuery=${query}]`;
}

const first = (vector: StoredVector): string =>
  vector instanceof Int8Array ? String(vector[0]) : javaFloat(vector[0]);
