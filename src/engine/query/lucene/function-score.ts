/** Hits of a query with scores that functions change (Elasticsearch's FunctionScoreQuery). */
import { EngineError } from "../../errors.ts";
import { javaFloat } from "../../mapping/java-text.ts";
import type { LeafReader } from "../../segment/types.ts";
import { type Explanation, matched, unmatched } from "../explanation.ts";
import { matchesOf } from "../matches.ts";
import { confirms, matchesAt } from "../scorers/index.ts";
import type { Query, Scorer, Weight } from "../types.ts";
import { filterAt } from "./filter-at.ts";
import type { LeafScoreFunction, ScoreFunction } from "./score-functions.ts";

/** A function for all hits, or for those that a filter matches. */
export interface FilteredFunction {
  readonly filter: Query | undefined;
  readonly function: ScoreFunction;
}

export const FUNCTION_SCORE_MODES = ["first", "avg", "max", "sum", "min", "multiply"] as const;
/** How the results of the functions become one factor. */
export type FunctionScoreMode = (typeof FUNCTION_SCORE_MODES)[number];

/** How the query's score and the factor become the score (CombineFunction), in doubles. */
export const BOOST_MODES = {
  multiply: (score: number, factor: number) => score * factor,
  replace: (_score: number, factor: number) => factor,
  sum: (score: number, factor: number) => score + factor,
  avg: (score: number, factor: number) => (factor + score) / 2,
  min: Math.min,
  max: Math.max,
} as const;
export type BoostMode = keyof typeof BOOST_MODES;

export const MAX_FLOAT = (2 - 2 ** -23) * 2 ** 127;

export interface FunctionScoreOptions {
  readonly functions: readonly FilteredFunction[];
  readonly scoreMode: FunctionScoreMode;
  readonly boostMode: BoostMode;
  /** The factor is at most this. */
  readonly maxBoost: number;
  /** Hits below it are none. */
  readonly minScore: number | undefined;
}

export function functionScoreQuery(inner: Query, options: FunctionScoreOptions): Query {
  const { functions, boostMode, minScore } = options;
  const query: Query = {
    className: "FunctionScoreQuery",
    describe: () => `function score (${inner.describe()}, functions: [${functions.map(describe).join("")}])`,
    toString() {
      const texts = functions.map(({ filter, function: { text } }) => `{${filter ?? ""}: ${text}}`);
      const { scoreMode, maxBoost } = options;
      return `function score (${inner}, [${texts.join("")}], ${scoreMode}, ${boostMode}, ${maxBoost}, ${minScore})`;
    },
    visit: (visitor) => visitor.parts(query, [{ query: inner, kind: "boost", boost: 1 }]),
    rewrite(searcher) {
      const rewritten = inner.rewrite(searcher);
      const filters = functions.map(({ filter }) => filter?.rewrite(searcher));
      if (rewritten === inner && filters.every((filter, i) => filter === functions[i].filter)) return query;
      const changed = functions.map(({ function: each }, i) => ({ filter: filters[i], function: each }));
      return functionScoreQuery(rewritten, { ...options, functions: changed });
    },
    createWeight(searcher, mode, boost) {
      if (mode === "none" && minScore === undefined) {
        // Lucene binds the filters all the same.
        if (searcher.profiler) for (const { filter } of functions) if (filter) searcher.filterWeight(filter);
        return { ...inner.createWeight(searcher, mode, boost), query };
      }
      const scored = boostMode !== "replace";
      const weight = inner.createWeight(searcher, scored ? "complete" : "none", boost);
      const filters = functions.map(({ filter }) => filter && searcher.filterWeight(filter));
      const factorsOf = (leaf: LeafReader) => leafFactor(leaf, options, filters);
      return {
        query,
        // With a least score it only matches or not, as Elasticsearch's has no matches of its own.
        ...(minScore === undefined ? { matches: (leaf: LeafReader, doc: number) => matchesOf(weight, leaf, doc) } : {}),
        scorer(leaf) {
          const scorer = weight.scorer(leaf);
          if (scorer === undefined) return undefined;
          const factored = functionScorer(scorer, factorsOf(leaf), options, scored);
          return minScore === undefined ? factored : minScoreScorer(factored, minScore);
        },
        explain: (leaf, doc) => explain(options, { weight, filters, factor: factorsOf(leaf) }, leaf, doc),
      };
    },
  };
  return query;
}

function describe({ filter, function: { shown } }: FilteredFunction): string {
  return `{${filter === undefined ? shown : "org.elasticsearch.common.lucene.search.function.FunctionScoreQuery$FilterScoreFunction"}}`;
}

/** The factor of a document, from the functions whose filters match it. */
type LeafFactor = (doc: number) => number;

function leafFactor(
  leaf: LeafReader,
  { functions, scoreMode }: FunctionScoreOptions,
  filters: readonly (Weight | undefined)[],
): LeafFactor {
  const parts = functions.map(({ function: each }, i) => {
    const filter = filters[i];
    return {
      weight: each.weight,
      scored: each.leaf(leaf),
      matches: filter ? filterAt(filter.scorer(leaf)) : () => true,
    };
  });
  return (doc) => {
    let factor = scoreMode === "multiply" ? 1 : scoreMode === "sum" || scoreMode === "avg" ? 0 : undefined;
    let weights = 0;
    for (const { weight, scored, matches } of parts) {
      if (!matches(doc)) continue;
      const score = scored.score(doc);
      if (scoreMode === "first") return score;
      weights += weight;
      if (scoreMode === "multiply") factor = (factor as number) * score;
      else if (scoreMode === "min") factor = factor === undefined ? score : Math.min(score, factor);
      else if (scoreMode === "max") factor = factor === undefined ? score : Math.max(score, factor);
      else factor = (factor as number) + score;
    }
    if (scoreMode === "sum" || scoreMode === "avg") {
      // Functions whose weights are all 0 are as good as none.
      if (weights === 0) return 1;
      return scoreMode === "avg" ? (factor as number) / weights : (factor as number);
    }
    return factor ?? 1;
  };
}

function functionScorer(
  scorer: Scorer,
  factor: LeafFactor,
  { functions, boostMode, maxBoost }: FunctionScoreOptions,
  scored: boolean,
): Scorer {
  const combine = BOOST_MODES[boostMode];
  return {
    docID: () => scorer.docID(),
    nextDoc: () => scorer.nextDoc(),
    advance: (target) => scorer.advance(target),
    cost: () => scorer.cost(),
    score() {
      const own = scored ? scorer.score() : 0;
      if (functions.length === 0) return own;
      const doc = scorer.docID();
      const score = Math.fround(combine(own, Math.min(factor(doc), maxBoost)));
      if (score >= 0) return score;
      const reason = `function score query returned an invalid score: ${javaFloat(score)} for doc: ${doc}`;
      throw new EngineError("exception", reason, { status: 500, metadata: { phase: "shard" } });
    },
    maxScore: () => Number.POSITIVE_INFINITY,
    advanceShallow: (target) => scorer.advanceShallow(target),
    setMinCompetitiveScore: () => {},
    ...(scorer.twoPhase ? { twoPhase: scorer.twoPhase } : {}),
  };
}

/** Only hits of a score: what a score is found in the second phase (MinScoreScorer). */
function minScoreScorer(scorer: Scorer, minScore: number): Scorer {
  let score = 0;
  return {
    ...scorer,
    score: () => score,
    twoPhase: {
      matchCost: 1000 + (scorer.twoPhase?.matchCost ?? 0),
      matches() {
        if (!confirms(scorer)) return false;
        score = scorer.score();
        return score >= minScore;
      },
    },
  };
}

interface ExplainedParts {
  readonly weight: Weight;
  readonly filters: readonly (Weight | undefined)[];
  readonly factor: LeafFactor;
}

function explain(
  options: FunctionScoreOptions,
  { weight, filters, factor }: ExplainedParts,
  leaf: LeafReader,
  doc: number,
): Explanation {
  const own = weight.explain(leaf, doc);
  if (!own.match) return own;
  const { functions, scoreMode, boostMode, maxBoost, minScore } = options;
  let whole = own;
  if (functions.length > 0) {
    const each = functions.flatMap(({ filter, function: of }, i) => {
      const matcher = filters[i];
      if (matcher && !matchesAt(matcher.scorer(leaf), doc)) return [];
      return [explainFunction(filter, of.leaf(leaf), doc)];
    });
    const single = functions.length === 1 && functions[0].filter === undefined;
    const factors =
      each.length === 0
        ? matched(1, "No function matched")
        : single
          ? each[0]
          : matched(factor(doc), `function score, score mode [${scoreMode}]`, each);
    whole = combined(boostMode, own, factors, maxBoost);
  }
  if (minScore === undefined || !(minScore > whole.value)) return whole;
  const text = `Score value is too low, expected at least ${javaFloat(minScore)} but got ${javaFloat(whole.value)}`;
  return unmatched(text, [whole]);
}

function explainFunction(filter: Query | undefined, of: LeafScoreFunction, doc: number): Explanation {
  const explained = of.explain(doc);
  if (filter === undefined) return explained;
  const why = matched(1, `match filter: ${filter.describe()}`);
  return matched(explained.value, "function score, product of:", [why, explained]);
}

const COMBINED: Record<BoostMode, string> = {
  multiply: "function score, product of:",
  replace: "",
  sum: "sum of",
  avg: "avg of",
  min: "min of",
  max: "max of:",
};

/** CombineFunction.explain */
function combined(mode: BoostMode, score: Explanation, factor: Explanation, maxBoost: number): Explanation {
  const least = matched(Math.min(factor.value, maxBoost), "min of:", [factor, matched(maxBoost, "maxBoost")]);
  if (mode === "replace") return least;
  return matched(BOOST_MODES[mode](score.value, least.value), COMBINED[mode], [score, least]);
}
