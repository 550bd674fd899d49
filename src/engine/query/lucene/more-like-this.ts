/** Documents with the telling terms of other texts (Elasticsearch's MoreLikeThisQuery): those that are frequent there and rare here. */
import type { EngineError } from "../../errors.ts";
import { hashOrder } from "../../mapping/java-text.ts";
import { pop, siftDown, siftUp } from "../scorers/heap.ts";
import type { IndexSearcher, Query } from "../types.ts";
import { booleanQuery, type Clause } from "./boolean.ts";
import { boostQuery } from "./constant.ts";
import { termQuery } from "./term.ts";

/** How often each term occurs. */
export type TermCounts = ReadonlyMap<string, number>;

export interface MoreLikeThisOptions {
  readonly maxQueryTerms: number;
  readonly minTermFreq: number;
  readonly minDocFreq: number;
  readonly maxDocFreq: number;
  /** Factor of the terms' scores as boosts; 0: no boosts. */
  readonly boostTerms: number;
}

export interface MoreLikeThis extends MoreLikeThisOptions {
  /** Terms of documents, by field. */
  readonly documents?: ReadonlyMap<string, TermCounts>;
  /** Terms of texts, each searched in that of the fields where it is most frequent. */
  readonly texts?: { readonly counts: TermCounts; readonly fields: readonly string[] };
  /** What is wrong with the texts, told when the query is rewritten. */
  readonly failure?: EngineError | undefined;
  /** Lucene's text. */
  readonly description: string;
  /** Applies `minimum_should_match` to the terms of the documents, and to those of the texts. */
  atLeast(query: Query): Query;
  /** Tells it from all others. */
  readonly key: string;
}

export function moreLikeThisQuery(like: MoreLikeThis): Query {
  const query: Query = {
    describe: () => like.description,
    toString: () => `moreLikeThis(${like.key})`,
    visit: (visitor) => visitor.rewritten(query, (searcher) => query.rewrite(searcher)),
    rewrite(searcher) {
      if (like.failure) throw like.failure;
      const should: Query[] = [];
      if (like.documents) {
        const fields = hashOrder([...like.documents.keys()]);
        const clauses = fields.flatMap((field) => tellingTerms(searcher, like.documents!.get(field)!, [field], like));
        should.push(like.atLeast(booleanQuery(clauses)));
      }
      if (like.texts) {
        should.push(like.atLeast(booleanQuery(tellingTerms(searcher, like.texts.counts, like.texts.fields, like))));
      }
      return booleanQuery(should.map((each) => ({ occur: "should", query: each }))).rewrite(searcher);
    },
    createWeight() {
      throw new Error("more_like_this is rewritten before it is searched");
    },
  };
  return query;
}

interface ScoredTerm {
  readonly field: string;
  readonly term: string;
  readonly score: number;
}

const before = (a: ScoredTerm, b: ScoredTerm) => a.score < b.score;

/** ClassicSimilarity.idf */
const classicIdf = (docFreq: number, docs: number) => Math.fround(Math.log((docs + 1) / (docFreq + 1)) + 1);

/** The best terms, the least of them first: its score is the measure of the boosts. */
function tellingTerms(
  searcher: IndexSearcher,
  counts: TermCounts,
  fields: readonly string[],
  { maxQueryTerms, minTermFreq, minDocFreq, maxDocFreq, boostTerms }: MoreLikeThisOptions,
): Clause[] {
  const docs = searcher.leaves.reduce(
    (sum, { segment, live }) => sum + (live ? live.cardinality() : segment.maxDoc),
    0,
  );
  const limit = Math.min(maxQueryTerms, counts.size);
  const best: ScoredTerm[] = [];
  for (const term of hashOrder([...counts.keys()])) {
    const freq = counts.get(term)!;
    if (minTermFreq > 0 && freq < minTermFreq) continue;
    let field = fields[0];
    let docFreq = 0;
    for (const each of fields) {
      const own = searcher.docFreq(each, term);
      if (own > docFreq) [field, docFreq] = [each, own];
    }
    if (docFreq === 0 || docFreq > maxDocFreq || (minDocFreq > 0 && docFreq < minDocFreq)) continue;
    const score = Math.fround(freq * classicIdf(docFreq, docs));
    if (best.length < limit) {
      best.push({ field, term, score });
      siftUp(best, before);
    } else if (best[0].score < score) {
      best[0] = { field, term, score };
      siftDown(best, before);
    }
  }
  const clauses: Clause[] = [];
  let least: number | undefined;
  for (let next = pop(best, before); next !== undefined; next = pop(best, before)) {
    least ??= next.score;
    const query = termQuery(next.field, next.term);
    const boost = Math.fround(Math.fround(boostTerms * next.score) / least);
    clauses.push({ occur: "should", query: boostTerms === 0 ? query : boostQuery(query, boost) });
  }
  return clauses;
}
