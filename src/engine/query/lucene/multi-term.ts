/** Queries for all terms that match something (Lucene's MultiTermQuery), and what they are rewritten to. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import type { FieldTerms, LeafReader, OrdinalColumn } from "../../segment/types.ts";
import { matched } from "../explanation.ts";
import { termMatches } from "../matches.ts";
import type { IndexSearcher, Query } from "../types.ts";
import type { MatchingTerms, QueryVisitor } from "../visitor.ts";
import { booleanQuery, type Clause } from "./boolean.ts";
import { boostQuery, constantScoreQuery, matchNoneQuery } from "./constant.ts";
import { type IteratorQueryOptions, iteratorQuery } from "./iterator.ts";
import { compareUtf8, ordinalsQuery } from "./ordinals.ts";
import { explainRuntimeScore } from "./runtime.ts";
import { FEW_TERMS, fewTermsQuery, MANY_TERMS, ordsIterator, termQuery } from "./term.ts";

/** The terms that a query stands for. */
export interface TermMatcher {
  /** Tells the query from all others on the field. */
  readonly text: string;
  /** Lucene's text of the query. */
  describe(field: string): string;
  /** What the query is called among those that look through doc values one by one. */
  readonly kind?: "Term" | "Prefix" | "Wildcard" | "Regexp" | "Fuzzy";
  /** The only term that can match, where that is known. */
  readonly term?: string;
  /** Ords of the matching terms, ascending; the first `most` are enough. */
  ords(terms: FieldTerms | OrdinalColumn, most?: number): readonly number[];
  /** How well a term matches, a float of at most 1; all match equally where it is left out. */
  boost?(term: string): number;
}

/** What the query becomes (`rewrite`): one score for all, each term's own, or that of the best terms. */
export type RewriteMethod =
  | { readonly kind: "constant_score" | "constant_score_boolean" | "scoring_boolean" }
  | { readonly kind: "top_terms" | "top_terms_boost" | "top_terms_blended_freqs"; readonly size: number };

export const CONSTANT_SCORE: RewriteMethod = { kind: "constant_score" };

export interface MultiTermQuery extends Query {
  readonly multiTerm: { readonly field: string; readonly matcher: TermMatcher; readonly rewrite: RewriteMethod };
}

export function isMultiTerm(query: Query): query is MultiTermQuery {
  return (query as Partial<MultiTermQuery>).multiTerm !== undefined;
}

/** The terms of the index that a query stands for, in the order of their bytes; the best ones where it asks for those. */
export function expandedTerms(searcher: IndexSearcher, { multiTerm }: MultiTermQuery, most: number): string[] {
  const { field, matcher, rewrite } = multiTerm;
  const size = "size" in rewrite ? Math.min(rewrite.size, most) : undefined;
  const terms = collectTerms(searcher, field, matcher, size ?? most + 1);
  return (size === undefined ? terms : bestOf(terms, size)).map(({ term }) => term);
}

/** @param maxClauses how many terms may be scored (`indices.query.bool.max_clause_count`) */
export function multiTermQuery(
  field: string,
  matcher: TermMatcher,
  rewrite: RewriteMethod,
  maxClauses: number,
  described: Pick<IteratorQueryOptions, "description" | "explained" | "className"> = {},
): MultiTermQuery {
  const multiTerm = { field, matcher, rewrite };
  const visit = (visitor: QueryVisitor, query: Query) => {
    if (matcher.term !== undefined) visitor.looseTerms(query, field, [matcher.term]);
    else visitor.matching(query, field, matcher);
  };
  if (rewrite.kind === "constant_score") {
    const iterator = (leaf: LeafReader) => {
      const terms = leaf.segment.terms(field);
      const ords = terms ? matcher.ords(terms) : [];
      return ords.length === 0 ? undefined : ordsIterator(leaf, field, ords);
    };
    const description = matcher.describe(field);
    const query = iteratorQuery(`${field}:${matcher.text}`, iterator, {
      className: MANY_TERMS,
      parts: ({ segment }) => {
        const terms = segment.terms(field);
        return terms && fewTermsQuery(field, terms, matcher.ords(terms, FEW_TERMS + 1));
      },
      description,
      visit,
      matches: (leaf, doc) => termMatches(leaf, doc, field, (terms) => matcher.ords(terms), description),
      // Terms that Elasticsearch has as points are not searched one by one.
      ...(described.className === undefined ? {} : { ...described, parts: () => undefined }),
    });
    return Object.assign(query, { multiTerm });
  }
  const query: MultiTermQuery = {
    multiTerm,
    describe: () => matcher.describe(field),
    toString: () => `${field}:${matcher.text}`,
    visit: (visitor) => visit(visitor, query),
    rewrite: (searcher) => rewriteToTerms(searcher, field, matcher, rewrite, maxClauses).rewrite(searcher),
    createWeight() {
      throw new Error("a query for many terms is rewritten before it is searched");
    },
  };
  return query;
}

/** The same over the doc values of a field without an index: all hits score alike. */
export function multiOrdinalQuery(field: string, matcher: TermMatcher): Query {
  const accepts = (column: OrdinalColumn) => {
    const ords = new Set(matcher.ords(column));
    return (ord: number) => ords.has(ord);
  };
  const className = `StringScriptField${matcher.kind}Query`;
  return ordinalsQuery(`${field}:ords ${matcher.text}`, field, accepts, {
    ...(matcher.kind === undefined ? {} : { className }),
    description: matcher.describe(field),
    explain(boost) {
      const text = matcher.describe(field);
      return matched(boost, boost === 1 ? text : `${text}^${javaFloat(boost)}`, [explainRuntimeScore(boost)]);
    },
  });
}

/** The best terms of the index, in the order of their bytes. */
export function topTerms(
  searcher: IndexSearcher,
  field: string,
  matching: MatchingTerms,
  size: number,
): readonly ScoredTerm[] {
  return bestOf(collectTerms(searcher, field, matching, size), size);
}

export interface ScoredTerm {
  readonly term: string;
  readonly boost: number;
}

function rewriteToTerms(
  searcher: IndexSearcher,
  field: string,
  matcher: TermMatcher,
  method: RewriteMethod,
  maxClauses: number,
): Query {
  if (!("size" in method)) {
    const terms = collectTerms(searcher, field, matcher, maxClauses + 1);
    if (terms.length > maxClauses) throw new EngineError("too_many_clauses", `maxClauseCount is set to ${maxClauses}`);
    const disjunction = anyOf(terms.map((scored) => scoredTerm(field, scored)));
    return method.kind === "scoring_boolean" ? disjunction : constantScoreQuery(disjunction);
  }
  const size = Math.min(method.size, maxClauses);
  const terms = topTerms(searcher, field, matcher, size);
  if (method.kind === "top_terms") return anyOf(terms.map((scored) => scoredTerm(field, scored)));
  if (method.kind === "top_terms_boost") {
    return anyOf(terms.map(({ term, boost }) => boostedBy(constantScoreQuery(termQuery(field, term)), boost)));
  }
  // Rare spellings must not score above the common one: all count as often as the most frequent (BlendedTermQuery).
  const docFreq = Math.max(0, ...terms.map(({ term }) => searcher.docFreq(field, term)));
  return anyOf(terms.map(({ term, boost }) => boostedBy(termQuery(field, term, docFreq), boost)));
}

function anyOf(queries: readonly Query[]): Query {
  if (queries.length === 0) return matchNoneQuery("no terms");
  return booleanQuery(queries.map((query): Clause => ({ occur: "should", query })));
}

const scoredTerm = (field: string, { term, boost }: ScoredTerm) => boostedBy(termQuery(field, term), boost);

function boostedBy(query: Query, boost: number): Query {
  if (boost < 0) {
    const shown = Number.isInteger(boost) ? boost.toFixed(1) : String(boost);
    throw illegalArgument(`boost must be a positive float, got ${shown}`);
  }
  return boostQuery(query, boost);
}

/** Terms of all segments in the order of their bytes. Where all match equally, the first `most` of each segment are enough. */
function collectTerms(searcher: IndexSearcher, field: string, matcher: MatchingTerms, most: number): ScoredTerm[] {
  const found = new Set<string>();
  for (const { segment } of searcher.leaves) {
    const terms = segment.terms(field);
    if (!terms) continue;
    for (const ord of matcher.ords(terms, matcher.boost ? undefined : Math.max(most, 1))) found.add(terms.term(ord));
  }
  return [...found].sort(compareUtf8).map((term) => ({ term, boost: matcher.boost?.(term) ?? 1 }));
}

/** The best `size` terms, the first in the order of bytes where they match equally; in that order. */
function bestOf(terms: readonly ScoredTerm[], size: number): ScoredTerm[] {
  if (size === 0 && terms.length > 0) {
    throw new EngineError("null_pointer_exception", 'Cannot read field "boost" because "t" is null', { status: 500 });
  }
  // A stable sort keeps the order of bytes among equals.
  const best = terms.length <= size ? [...terms] : [...terms].sort((a, b) => b.boost - a.boost).slice(0, size);
  // What has more edits than characters matches worse than nothing: it is found all the same.
  const positive = best.map(({ term, boost }) => ({ term, boost: Math.max(0, boost) }));
  return positive.sort((a, b) => compareUtf8(a.term, b.term));
}
