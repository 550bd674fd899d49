/** Clauses joined (Lucene's BooleanQuery): must, filter, should and must_not. */
import type { LeafReader } from "../../segment/types.ts";
import { type Explanation, matched, unmatched } from "../explanation.ts";
import { joinedMatches, type Matches, matchesOf } from "../matches.ts";
import { weightOf } from "../profiler.ts";
import {
  conjunctionScorer,
  disjunctionScorer,
  matchesAt,
  minShouldMatchScorer,
  reqExclScorer,
  reqOptScorer,
} from "../scorers/index.ts";
import type { IndexSearcher, Query, ScoreMode, Scorer, Weight } from "../types.ts";
import type { QueryVisitor } from "../visitor.ts";
import {
  boostQuery,
  constantScoreQuery,
  matchAllQuery,
  matchesAll,
  matchesNone,
  matchNoneQuery,
  unboosted,
} from "./constant.ts";

export type Occur = "must" | "filter" | "should" | "must_not";

export interface Clause {
  readonly occur: Occur;
  readonly query: Query;
}

export interface BooleanQuery extends Query {
  readonly clauses: readonly Clause[];
  /** How many of the should clauses must match. 0 where there is a must or a filter means none has to; otherwise one. */
  readonly minShouldMatch: number;
}

export function isBoolean(query: Query): query is BooleanQuery {
  return Array.isArray((query as Partial<BooleanQuery>).clauses);
}

const MARK: Record<Occur, string> = { must: "+", filter: "#", should: "", must_not: "-" };

export function booleanQuery(clauses: readonly Clause[], minShouldMatch = 0): BooleanQuery {
  const query: BooleanQuery = {
    className: "BooleanQuery",
    clauses,
    minShouldMatch,
    describe() {
      const parts = clauses.map(({ occur, query: inner }) => {
        const text = inner.describe();
        return `${MARK[occur]}${isBoolean(inner) ? `(${text})` : text}`;
      });
      return minShouldMatch > 0 ? `(${parts.join(" ")})~${minShouldMatch}` : parts.join(" ");
    },
    toString() {
      const text = clauses.map(({ occur, query: inner }) => `${MARK[occur]}(${inner})`).join(" ");
      return minShouldMatch > 0 ? `(${text})~${minShouldMatch}` : `(${text})`;
    },
    rewrite: (searcher) => rewriteBoolean(query, searcher),
    visit: (visitor: QueryVisitor) =>
      visitor.parts(
        query,
        clauses.map(({ occur, query: inner }) => ({ query: inner, kind: occur })),
      ),
    createWeight: (searcher, mode, boost) => booleanWeight(query, searcher, mode, boost),
  };
  return query;
}

const count = (clauses: readonly Clause[], occur: Occur) => clauses.filter((clause) => clause.occur === occur).length;

/** The simplifications of BooleanQuery.rewrite that decide whether anything matches, or that make disjunctions flat. */
function rewriteBoolean(query: BooleanQuery, searcher: IndexSearcher): Query {
  const { minShouldMatch } = query;
  let clauses: Clause[] = [];
  for (const { occur, query: inner } of query.clauses) {
    const rewritten = inner.rewrite(searcher);
    if (!matchesNone(rewritten)) clauses.push({ occur, query: rewritten });
    // What comes behind it is not looked at, and cannot fail.
    else if (occur === "must" || occur === "filter") return rewritten;
  }
  if (clauses.length === 0) return matchNoneQuery("empty BooleanQuery");
  const should = count(clauses, "should");
  const required = count(clauses, "must") + count(clauses, "filter");
  if (should < minShouldMatch) return matchNoneQuery("SHOULD clause count less than minimumNumberShouldMatch");
  if (should + required === 0) return matchNoneQuery("pure negative BooleanQuery");
  clauses = withoutRepetition(clauses, "must");
  if (minShouldMatch <= 1) clauses = withoutRepetition(clauses, "should");
  clauses = withoutIdleFilters(clauses);
  const constant = filteredMatchAll(clauses, minShouldMatch);
  if (constant) return constant.rewrite(searcher);
  if (clauses.length === 1) {
    const [{ occur, query: only }] = clauses;
    if (occur === "must" || occur === "should") return only;
    return boostQuery(constantScoreQuery(only), 0).rewrite(searcher);
  }
  // All should clauses must match: they are must clauses.
  if (should > 0 && should === minShouldMatch) {
    const all = clauses.map((clause) => (clause.occur === "should" ? { ...clause, occur: "must" as const } : clause));
    return booleanQuery(all);
  }
  return booleanQuery(minShouldMatch <= 1 ? flatDisjunction(clauses) : clauses, minShouldMatch);
}

/** Filters that match everything are left out where something else is required. */
function withoutIdleFilters(clauses: Clause[]): Clause[] {
  const idle = ({ occur, query }: Clause) => occur === "filter" && matchesAll(query);
  const required = (clause: Clause) => clause.occur === "must" || (clause.occur === "filter" && !idle(clause));
  return clauses.some(required) ? clauses.filter((clause) => !idle(clause)) : clauses;
}

/** Everything, where filters match: they have the score of everything (a rule of BooleanQuery.rewrite). */
function filteredMatchAll(clauses: readonly Clause[], minShouldMatch: number): Query | undefined {
  const musts = clauses.filter(({ occur }) => occur === "must");
  if (musts.length !== 1 || count(clauses, "filter") === 0) return undefined;
  const { query, boost } = unboosted(musts[0].query);
  if (!matchesAll(query)) return undefined;
  const filters = booleanQuery(clauses.filter(({ occur }) => occur === "filter" || occur === "must_not"));
  const constant = boostQuery(constantScoreQuery(filters), boost);
  const optional = clauses.filter(({ occur }) => occur === "should");
  return booleanQuery([{ occur: "must", query: constant }, ...optional], minShouldMatch);
}

/** A clause that comes again is one whose boosts are added up: where the first of them stood. */
function withoutRepetition(clauses: readonly Clause[], occur: Occur): Clause[] {
  const boosts = new Map<string, { readonly query: Query; boost: number }>();
  let again = false;
  for (const clause of clauses) {
    if (clause.occur !== occur) continue;
    const { query, boost } = unboosted(clause.query);
    const key = String(query);
    const known = boosts.get(key);
    if (known) known.boost += boost;
    else boosts.set(key, { query, boost });
    again ||= known !== undefined;
  }
  if (!again) return [...clauses];
  return clauses.flatMap((clause) => {
    if (clause.occur !== occur) return [clause];
    const key = String(unboosted(clause.query).query);
    const first = boosts.get(key);
    boosts.delete(key);
    return first ? [{ occur, query: boostQuery(first.query, first.boost) }] : [];
  });
}

/** The should clauses of a disjunction within a disjunction are its own: block-max skipping works on a flat list. */
function flatDisjunction(clauses: readonly Clause[]): Clause[] {
  return clauses.flatMap((clause) => {
    const { query } = clause;
    const flat =
      clause.occur === "should" &&
      isBoolean(query) &&
      query.minShouldMatch <= 1 &&
      query.clauses.every((inner) => inner.occur === "should");
    return flat ? flatDisjunction(query.clauses) : [clause];
  });
}

function booleanWeight(query: BooleanQuery, searcher: IndexSearcher, mode: ScoreMode, boost: number): Weight {
  const scored = mode !== "none";
  const weights = query.clauses.map(({ occur, query: inner }) => ({
    query: inner,
    occur,
    weight:
      occur === "must" || occur === "should" ? weightOf(inner, searcher, mode, boost) : searcher.filterWeight(inner),
  }));
  const required = count(query.clauses, "must") + count(query.clauses, "filter");
  const weight: Weight = {
    query,
    explain: (leaf, doc) => explainBoolean(weights, weight, query.minShouldMatch, leaf, doc),
    matches: (leaf, doc) =>
      booleanMatches(
        // What is optional counts for nothing where nobody asks for scores (BooleanQuery.rewriteNoScoring).
        scored || required === 0 || query.minShouldMatch > 0
          ? weights
          : weights.filter(({ occur }) => occur !== "should"),
        query.minShouldMatch,
        leaf,
        doc,
      ),
    scorer(leaf) {
      const scorers: Record<Occur, Scorer[]> = { must: [], filter: [], should: [], must_not: [] };
      for (const { occur, weight } of weights) {
        const scorer = weight.scorer(leaf);
        if (scorer) scorers[occur].push(scorer);
        else if (occur === "must" || occur === "filter") return undefined;
      }
      const positive = combine(scorers, required, query.minShouldMatch, scored);
      if (!positive || scorers.must_not.length === 0) return positive;
      const excluded = scorers.must_not.length === 1 ? scorers.must_not[0] : disjunctionScorer(scorers.must_not);
      return reqExclScorer(positive, excluded);
    },
  };
  return weight;
}

/** BooleanWeight.matches */
function booleanMatches(
  clauses: readonly { readonly occur: Occur; readonly weight: Weight }[],
  minShouldMatch: number,
  leaf: LeafReader,
  doc: number,
): Matches | undefined {
  const found: Matches[] = [];
  let optional = 0;
  for (const { occur, weight } of clauses) {
    const matches = matchesOf(weight, leaf, doc);
    if (occur === "must_not" ? matches : !matches && occur !== "should") return undefined;
    if (!matches || occur === "must_not") continue;
    found.push(matches);
    if (occur === "should") optional++;
  }
  return optional < minShouldMatch ? undefined : joinedMatches(found);
}

/** BooleanWeight.explain: the clauses that score, and those that had to match; or those that were in the way. */
function explainBoolean(
  clauses: readonly { readonly occur: Occur; readonly query: Query; readonly weight: Weight }[],
  whole: Weight,
  minShouldMatch: number,
  leaf: LeafReader,
  doc: number,
): Explanation {
  const parts: Explanation[] = [];
  let failed = false;
  let matching = 0;
  let optional = 0;
  for (const { occur, query: clause, weight } of clauses) {
    const part = weight.explain(leaf, doc);
    const required = occur === "must" || occur === "filter";
    if (!part.match) {
      if (!required) continue;
      parts.push(unmatched(`no match on required clause (${clause.describe()})`, [part]));
      failed = true;
    } else if (occur === "must_not") {
      parts.push(unmatched(`match on prohibited clause (${clause.describe()})`, [part]));
      failed = true;
    } else {
      const filter = [matched(0, "# clause"), part];
      parts.push(occur === "filter" ? matched(0, "match on required clause, product of:", filter) : part);
      matching++;
      if (occur === "should") optional++;
    }
  }
  if (failed) return unmatched("Failure to meet condition(s) of required/prohibited clause(s)", parts);
  if (matching === 0) return unmatched("No matching clauses", parts);
  if (optional < minShouldMatch) {
    return unmatched(`Failure to match minimum number of optional clauses: ${minShouldMatch}`, parts);
  }
  // The scorer rounds in ways of its own: its score is the value.
  const scorer = whole.scorer(leaf);
  return matched(matchesAt(scorer, doc) ? scorer.score() : 0, "sum of:", parts);
}

function combine(
  scorers: Record<Occur, Scorer[]>,
  required: number,
  minShouldMatch: number,
  scored: boolean,
): Scorer | undefined {
  const { must, filter, should } = scorers;
  if (should.length < minShouldMatch) return undefined;
  const scoring = scored ? must : [];
  if (required === 0) {
    if (should.length === 0) return undefined;
    if (minShouldMatch > 1) return minShouldMatchScorer(should, minShouldMatch);
    return should.length === 1 ? should[0] : disjunctionScorer(should);
  }
  const all = [...must, ...filter];
  if (minShouldMatch > 0) {
    const optional = minShouldMatch === 1 ? disjunctionOf(should) : minShouldMatchScorer(should, minShouldMatch);
    if (!optional) return undefined;
    return conjunctionScorer([...all, optional], scored ? [...must, optional] : []);
  }
  const conjunction = all.length === 1 && must.length === 1 ? must[0] : conjunctionScorer(all, scoring);
  if (should.length === 0 || !scored) return conjunction;
  return reqOptScorer(conjunction, disjunctionOf(should));
}

function disjunctionOf(scorers: readonly Scorer[]): Scorer {
  return scorers.length === 1 ? scorers[0] : disjunctionScorer(scorers);
}

/** A query of negations alone excludes from all documents, whose scores are 0 (Elasticsearch's fixNegativeQueryIfNeeded). */
export function withoutPureNegation(query: BooleanQuery): BooleanQuery {
  if (query.clauses.length === 0 || query.clauses.some(({ occur }) => occur !== "must_not")) return query;
  return booleanQuery([...query.clauses, { occur: "filter", query: matchAllQuery() }], query.minShouldMatch);
}
