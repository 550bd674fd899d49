/**
 * A rewritten query in the form in which Lucene searches it, which a profile shows: rules of BooleanQuery.rewrite and of rewriteNoScoring that
 * change neither hits nor scores, and that a search is not in need of.
 */
import { booleanQuery, type Clause, isBoolean, type Occur } from "../../query/lucene/boolean.ts";
import {
  boostQuery,
  constantScoreQuery,
  inner,
  matchesAll,
  matchNoneQuery,
  unboosted,
} from "../../query/lucene/constant.ts";
import type { IndexSearcher, Query } from "../../query/types.ts";

/** Rounds of rules (IndexSearcher.rewrite goes on until nothing changes; each round makes the query smaller or its clauses filters). */
const ROUNDS = 16;

/** @param scored whether anyone asks for scores: where nobody does, hits all have one */
export function luceneForm(query: Query, searcher: IndexSearcher, scored: boolean): Query {
  let form = (scored ? query : constantScoreQuery(query)).rewrite(searcher);
  for (let round = 0; round < ROUNDS; round++) {
    const next = formOf(form).rewrite(searcher);
    if (String(next) === String(form)) break;
    form = next;
  }
  return form;
}

function formOf(query: Query): Query {
  if (isBoolean(query)) return booleanForm(query.clauses, query.minShouldMatch);
  const part = inner(query);
  if (part === undefined) return query;
  if (query.className === "ConstantScoreQuery") return constantScoreQuery(unscored(part));
  const { query: scored, boost } = unboosted(query);
  return boostQuery(formOf(scored), boost);
}

const has = (clauses: readonly Clause[], occur: Occur, query: Query) =>
  clauses.some((clause) => clause.occur === occur && String(clause.query) === String(query));

function booleanForm(given: readonly Clause[], minShouldMatch: number): Query {
  const clauses = given.map(({ occur, query }) => ({
    occur,
    query: occur === "filter" || occur === "must_not" ? unscored(query) : formOf(query),
  }));
  for (const { occur, query } of clauses) {
    if ((occur === "must" || occur === "filter") && has(clauses, "must_not", query)) {
      return matchNoneQuery("FILTER or MUST clause also in MUST_NOT");
    }
  }
  if (clauses.some(({ occur, query }) => occur === "must_not" && matchesAll(query))) {
    return matchNoneQuery("MUST_NOT clause is MatchAllDocsQuery");
  }
  let least = minShouldMatch;
  const joined = clauses.map((clause) => {
    if (clause.occur !== "should" || !has(clauses, "filter", clause.query)) return clause;
    least = Math.max(0, least - 1);
    return { ...clause, occur: "must" as const };
  });
  return booleanQuery(withoutAll(withoutRepetition(joined)), least);
}

/** Filters and what is excluded, once; and no filter for what must match anyway. */
function withoutRepetition(clauses: readonly Clause[]): readonly Clause[] {
  return clauses.filter(({ occur, query }, i) => {
    if (occur !== "filter" && occur !== "must_not") return true;
    return !has(clauses.slice(0, i), occur, query) && !(occur === "filter" && has(clauses, "must", query));
  });
}

/** A filter for everything filters nothing where something else is required. */
function withoutAll(clauses: readonly Clause[]): readonly Clause[] {
  const left = clauses.filter(({ occur, query }) => occur !== "filter" || !matchesAll(query));
  return left.some(({ occur }) => occur === "must" || occur === "filter") ? left : clauses;
}

/** BooleanQuery.rewriteNoScoring, and ConstantScoreQuery.rewrite. */
function unscored(query: Query): Query {
  const part = inner(query);
  if (part !== undefined) return unscored(part);
  if (!isBoolean(query)) return formOf(query);
  const required = query.clauses.some(({ occur }) => occur === "must" || occur === "filter");
  const clauses = query.clauses
    .filter(({ occur }) => occur !== "should" || !required || query.minShouldMatch > 0)
    .map(({ occur, query: each }) => ({
      occur: occur === "must" ? ("filter" as const) : occur,
      query: unscored(each),
    }));
  if (clauses.length === 1 && clauses[0].occur !== "must_not") return clauses[0].query;
  return booleanForm(clauses, query.minShouldMatch);
}
