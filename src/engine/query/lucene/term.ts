/** Documents that hold a term, or one of several terms at one position, scored by the field's similarity. */
import { wellFormed } from "../../json/utf8.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import { bitSetIterator, FixedBitSet } from "../../segment/index.ts";
import type { DocIterator, FieldTerms, LeafReader } from "../../segment/types.ts";
import { type Explanation, explainWeight, matched, unmatched } from "../explanation.ts";
import { termMatches } from "../matches.ts";
import { matchesAt, type PooledScorer, type TermScorer, termScorer } from "../scorers/index.ts";
import { constantSimScorer, type SimScorer, simScorer } from "../similarity.ts";
import type { IndexSearcher, Query, ScoreMode } from "../types.ts";
import { booleanQuery } from "./boolean.ts";
import { matchNoneQuery } from "./constant.ts";
import { type IteratorQueryOptions, iteratorQuery } from "./iterator.ts";
import { synonymScorer } from "./synonym-scorer.ts";
import { compareUtf8 } from "./utf8-order.ts";

export interface TermQuery extends Query {
  readonly field: string;
  readonly term: string;
}

export function isTerm(query: Query): query is TermQuery {
  return typeof (query as Partial<TermQuery>).term === "string";
}

/**
 * A term of a field (Lucene's TermQuery).
 * @param docFreq the document frequency that it is scored by; its own when left out
 */
export function termQuery(field: string, term: string, docFreq?: number): TermQuery {
  const query: TermQuery = {
    className: "TermQuery",
    field,
    term,
    describe: () => `${field}:${wellFormed(term)}`,
    toString: () => `${field}:${JSON.stringify(term)}`,
    rewrite: () => query,
    visit: (visitor) => visitor.terms(query, field, [term]),
    createWeight(searcher, mode, boost) {
      const sim = similarityOf(searcher, mode, field, boost, () => [docFreq ?? searcher.docFreq(field, term)]);
      const scorer = (leaf: LeafReader) => leafScorer(leaf, field, term, sim);
      return {
        query,
        scorer,
        explain: (leaf, doc) =>
          explainTerm(scorer(leaf), query.describe(), doc, "freq, occurrences of term within document"),
        matches: (leaf, doc) => termMatches(leaf, doc, field, (terms) => ordsOf(terms, [term]), term),
      };
    },
  };
  return query;
}

/** The scoring of a field's terms; any constant where nobody asks for scores. */
export function similarityOf(
  searcher: IndexSearcher,
  mode: ScoreMode,
  field: string,
  boost: number,
  docFreqs: () => number[],
): SimScorer {
  const statistics = mode === "none" ? undefined : searcher.collectionStatistics(field);
  // No document has the field: there will be nothing to score.
  if (!statistics) return constantSimScorer(boost);
  return simScorer(searcher.similarity(field), boost, statistics, docFreqs());
}

function leafScorer(leaf: LeafReader, field: string, term: string, sim: SimScorer): TermScorer | undefined {
  const terms = leaf.segment.terms(field);
  const ord = terms ? terms.lookup(term) : -1;
  return terms && ord >= 0 ? termScorer(terms.postings(ord), leaf.segment.norms(field), sim) : undefined;
}

/** @param freqText what the frequency is called; "termFreq" prints it too */
function explainTerm(
  scorer: TermScorer | PooledScorer | undefined,
  text: string,
  doc: number,
  freqText: string,
): Explanation {
  if (!matchesAt(scorer, doc)) return unmatched("no matching term");
  const freq = scorer.freq();
  const shown = matched(freq, freqText === "termFreq" ? `termFreq=${javaFloat(freq)}` : freqText);
  return explainWeight(text, doc, scorer.sim.explain(shown, scorer.norm()));
}

/**
 * Terms at one position, scored as if they were one (Lucene's SynonymQuery): frequencies are added, the document frequency is the
 * largest one's.
 */
export function synonymQuery(field: string, terms: readonly string[]): Query {
  if (terms.length === 0) return matchNoneQuery("no terms");
  if (terms.length === 1) return termQuery(field, terms[0]);
  // A term that stands there twice counts twice.
  const sorted = [...terms].sort(compareUtf8);
  const distinct = [...new Set(terms)];
  const query: Query = {
    className: "SynonymQuery",
    describe: () => `Synonym(${sorted.map((term) => `${field}:${wellFormed(term)}`).join(" ")})`,
    toString: () => `Synonym(${sorted.map((term) => `${field}:${JSON.stringify(term)}`).join(" ")})`,
    rewrite: () => query,
    visit: (visitor) => visitor.terms(query, field, distinct),
    createWeight(searcher, mode, boost) {
      const sim = similarityOf(searcher, mode, field, boost, () => [
        Math.max(...distinct.map((term) => searcher.docFreq(field, term))),
      ]);
      const scorer = (leaf: LeafReader): TermScorer | PooledScorer | undefined => {
        const dictionary = leaf.segment.terms(field);
        if (!dictionary) return undefined;
        const norms = leaf.segment.norms(field);
        const postings = terms
          .map((term) => dictionary.lookup(term))
          .filter((ord) => ord >= 0)
          .map((ord) => dictionary.postings(ord));
        if (postings.length === 0) return undefined;
        return postings.length === 1 ? termScorer(postings[0], norms, sim) : synonymScorer(postings, norms, sim);
      };
      return {
        query,
        scorer,
        explain: (leaf, doc) => explainTerm(scorer(leaf), query.describe(), doc, "termFreq"),
        matches: (leaf, doc) => termMatches(leaf, doc, field, (terms) => ordsOf(terms, distinct), distinct.join(" ")),
      };
    },
  };
  return query;
}

/** Documents that hold any of the terms, without a score of their own (TermInSetQuery). */
export function termsQuery(
  field: string,
  terms: readonly string[],
  described: Pick<IteratorQueryOptions, "description" | "explained" | "className"> = {},
): Query {
  const distinct = [...new Set(terms)];
  if (distinct.length === 0) return matchNoneQuery("no terms");
  const key = `${field}:(${distinct.map((term) => JSON.stringify(term)).join(" ")})`;
  const iterator = (leaf: LeafReader) => {
    const dictionary = leaf.segment.terms(field);
    const ords = dictionary ? ordsOf(dictionary, distinct) : [];
    return ords.length === 0 ? undefined : ordsIterator(leaf, field, ords);
  };
  const description = `${field}:(${[...distinct].sort(compareUtf8).join(" ")})`;
  return iteratorQuery(key, iterator, {
    className: MANY_TERMS,
    parts: ({ segment }) => {
      const dictionary = segment.terms(field);
      return dictionary && fewTermsQuery(field, dictionary, ordsOf(dictionary, distinct));
    },
    description,
    field,
    visit: (visitor, query) => {
      if (distinct.length === 1) visitor.looseTerms(query, field, distinct);
      else visitor.matching(query, field, { ords: (terms) => ordsOf(terms, distinct) });
    },
    matches: (leaf, doc) => termMatches(leaf, doc, field, (terms) => ordsOf(terms, distinct), description),
    // Terms that Elasticsearch has as points are not searched one by one.
    ...(described.className === undefined ? {} : { ...described, parts: () => undefined }),
  });
}

/** Terms with one score for all (Lucene's class). */
export const MANY_TERMS = "MultiTermQueryConstantScoreBlendedWrapper";
/** So many terms of a segment are searched as clauses (AbstractMultiTermQueryConstantScoreWrapper). */
export const FEW_TERMS = 16;

/** The clauses as which few terms of a segment are searched: one alone where all documents of the field have it. */
export function fewTermsQuery(field: string, dictionary: FieldTerms, ords: readonly number[]): Query | undefined {
  if (ords.length === 0 || ords.length > FEW_TERMS) return undefined;
  const sorted = [...ords].sort((a, b) => a - b);
  const common = sorted.find((ord) => dictionary.docFreq(ord) === dictionary.docCount);
  if (common !== undefined) return termQuery(field, dictionary.term(common));
  return booleanQuery(sorted.map((ord) => ({ occur: "should", query: termQuery(field, dictionary.term(ord)) })));
}

/** Ords of those of the terms that a dictionary has. */
function ordsOf(dictionary: FieldTerms, terms: readonly string[]): number[] {
  return terms.map((term) => dictionary.lookup(term)).filter((ord) => ord >= 0);
}

/** Documents of any of the terms, by their ords. */
export function ordsIterator(leaf: LeafReader, field: string, ords: Iterable<number>): DocIterator {
  const dictionary = leaf.segment.terms(field)!;
  const list = [...ords];
  if (list.length === 1) return dictionary.postings(list[0]);
  const bits = new FixedBitSet(leaf.segment.maxDoc);
  for (const ord of list) {
    const postings = dictionary.postings(ord);
    while (postings.nextBlock()) for (let i = 0; i < postings.length; i++) bits.set(postings.docs[i]);
  }
  return bitSetIterator(bits, bits.cardinality());
}
