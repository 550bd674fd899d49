/** Documents that match as many of some queries as each of them asks for (Lucene's CoveringQuery). */
import { type LeafReader, NO_MORE_DOCS } from "../../segment/types.ts";
import { type Explanation, matched, unmatched } from "../explanation.ts";
import { joinedMatches, matchesOf } from "../matches.ts";
import { weightOf } from "../profiler.ts";
import { confirmed, constantScorer, disjunctionScorer } from "../scorers/index.ts";
import type { Query, Scorer } from "../types.ts";
import { matchNoneQuery } from "./constant.ts";

/** How many queries a document of a segment must match; undefined where it does not say. */
export interface LeastMatches {
  /** Tells it from all others. */
  readonly text: string;
  /** The same for all documents. */
  readonly constant?: number;
  of(leaf: LeafReader): (doc: number) => number | undefined;
}

export function coveringQuery(queries: readonly Query[], least: LeastMatches): Query {
  const query: Query = {
    className: "CoveringQuery",
    describe: () =>
      `CoveringQuery(queries=[${queries.map((inner) => inner.describe()).join(", ")}], minimumNumberMatch=${least.text})`,
    toString: () => `covering(${queries.join(" ")}, ${least.text})`,
    visit: (visitor) =>
      visitor.parts(
        query,
        queries.map((inner) => ({ query: inner, kind: "should" })),
      ),
    rewrite(searcher) {
      // More than there are: no document matches as many.
      if (least.constant !== undefined && least.constant > queries.length) return matchNoneQuery("too few queries");
      const rewritten = queries.map((inner) => inner.rewrite(searcher));
      return rewritten.every((inner, i) => inner === queries[i]) ? query : coveringQuery(rewritten, least);
    },
    createWeight(searcher, mode, boost) {
      const weights = queries.map((inner) => weightOf(inner, searcher, mode === "top" ? "complete" : mode, boost));
      return {
        query,
        matches(leaf, doc) {
          const number = least.of(leaf)(doc);
          if (number === undefined) return undefined;
          const found = weights.map((weight) => matchesOf(weight, leaf, doc)).filter((each) => each !== undefined);
          return found.length < Math.max(1, number) ? undefined : joinedMatches(found);
        },
        scorer(leaf) {
          const scorers = weights.map((weight) => weight.scorer(leaf)).filter((scorer) => scorer !== undefined);
          if (scorers.length === 0) return undefined;
          return coveringScorer(
            scorers,
            weights.map((weight) => weight.scorer(leaf)),
            least.of(leaf),
          );
        },
        explain(leaf, doc): Explanation {
          const number = least.of(leaf)(doc);
          if (number === undefined) return unmatched("minimumNumberMatch has no value on the current document");
          const details = weights.map((weight) => weight.explain(leaf, doc));
          const matching = details.filter(({ match }) => match);
          const text = `${matching.length} matches for ${Math.max(1, number)} required matches`;
          if (matching.length < Math.max(1, number)) return unmatched(text, details);
          const sum = matching.reduce((total, { value }) => total + value, 0);
          return matched(sum, `${text}, sum of:`, details);
        },
      };
    },
  };
  return query;
}

/** @param leads scorers that find the documents @param followers the same, that count and score them */
function coveringScorer(
  leads: readonly Scorer[],
  followers: readonly (Scorer | undefined)[],
  least: (doc: number) => number | undefined,
): Scorer {
  const union = disjunctionScorer(leads.map((lead) => constantScorer(confirmed(lead), 0)));
  const counted = followers.filter((scorer) => scorer !== undefined).map(confirmed);
  const enough = (doc: number): boolean => {
    const number = least(doc);
    if (number === undefined) return false;
    let count = 0;
    for (const scorer of counted) {
      if (scorer.docID() < doc) scorer.advance(doc);
      if (scorer.docID() === doc) count++;
    }
    return count >= Math.max(1, number);
  };
  const settle = (from: number): number => {
    let doc = from;
    while (doc !== NO_MORE_DOCS && !enough(doc)) doc = union.nextDoc();
    return doc;
  };
  return {
    docID: () => union.docID(),
    nextDoc: () => settle(union.nextDoc()),
    advance: (target) => settle(union.advance(target)),
    cost: () => union.cost(),
    score() {
      let sum = 0;
      for (const scorer of counted) if (scorer.docID() === union.docID()) sum += scorer.score();
      return Math.fround(sum);
    },
    maxScore: () => Number.POSITIVE_INFINITY,
    advanceShallow: () => NO_MORE_DOCS,
    setMinCompetitiveScore: () => {},
  };
}
