/** A term in several fields, scored as if it were equally rare in all of them (Elasticsearch's BlendedTermQuery, of cross_fields). */
import { illegalArgument } from "../../errors.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import type { IndexSearcher, Query } from "../types.ts";
import { boostQuery } from "./constant.ts";
import { disMaxQuery } from "./dis-max.ts";
import { termQuery } from "./term.ts";

export interface BlendedTerm {
  readonly field: string;
  readonly term: string;
  /** Weight of the field, a float32. */
  readonly boost: number;
}

export function blendedTermQuery(terms: readonly BlendedTerm[], tieBreaker: number): Query {
  const text = terms.map(
    ({ field, term, boost }) => `${field}:${JSON.stringify(term)}${boost === 1 ? "" : `^${boost}`}`,
  );
  const query: Query = {
    describe() {
      const parts = terms.map(
        ({ field, term, boost }) => `${field}:${term}${boost === 1 ? "" : `^${javaFloat(boost)}`}`,
      );
      return `blended(terms:[${parts.join(", ")}])`;
    },
    toString: () => `blended(terms:[${text.join(", ")}])~${tieBreaker}`,
    visit: (visitor) => visitor.rewritten(query, (searcher) => query.rewrite(searcher), terms),
    rewrite(searcher) {
      if (!(tieBreaker >= 0 && tieBreaker <= 1)) {
        throw illegalArgument("tieBreakerMultiplier must be in [0, 1]", { metadata: { phase: "shard" } });
      }
      const docFreqs = blendedDocFreqs(searcher, terms);
      const queries = terms.map(({ field, term, boost }, i) => boostQuery(termQuery(field, term, docFreqs[i]), boost));
      return disMaxQuery(queries, tieBreaker).rewrite(searcher);
    },
    createWeight() {
      throw new Error("a blended query is rewritten before it is searched");
    },
  };
  return query;
}

/**
 * The document frequencies under which the terms are scored: the largest of them, and one more for each field in which the term is rarer
 * than in the one before. None is above the number of documents with the field, nor above the tokens of the shortest field.
 */
function blendedDocFreqs(searcher: IndexSearcher, terms: readonly BlendedTerm[]): number[] {
  const own = terms.map(({ field, term }) => searcher.docFreq(field, term));
  const largest = Math.max(...own);
  if (terms.length <= 1 || largest === 0) return own;
  let most = searcher.maxDoc;
  for (const [i, { field }] of terms.entries()) {
    if (own[i] > 0) most = Math.min(most, searcher.collectionStatistics(field)!.sumTotalTermFreq);
  }
  const blended = [...own];
  const byDocFreq = terms.map((_, i) => i).sort((a, b) => own[b] - own[a]);
  let docFreq = Math.min(most, largest);
  let before = own[byDocFreq[0]];
  for (const i of byDocFreq) {
    if (own[i] === 0) break;
    if (before > own[i]) docFreq++;
    before = own[i];
    blended[i] = Math.min(docFreq, searcher.collectionStatistics(terms[i].field)!.docCount, most);
  }
  return blended;
}
