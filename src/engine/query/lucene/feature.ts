/**
 * Tokens with weights (Lucene's FeatureField): a weight is kept as a frequency, in the upper seventeen bits of its float, and is the score of
 * its token.
 */
import { FLOAT_DROPPED_BITS } from "../../mapping/fields/feature-value.ts";
import type { LeafReader } from "../../segment/types.ts";
import { type Explanation, matched, unmatched } from "../explanation.ts";
import { matchesAt, termScorer } from "../scorers/index.ts";
import type { SimScorer } from "../similarity.ts";
import type { Query } from "../types.ts";

const f = Math.fround;
const bits = new Int32Array(1);
const float = new Float32Array(bits.buffer);

/** The weight that a frequency stands for. */
function weightOf(freq: number): number {
  bits[0] = freq << FLOAT_DROPPED_BITS;
  return float[0];
}

/** Documents with a token, scored by its weight there (FeatureQuery with a linear function). */
export function featureQuery(field: string, token: string): Query {
  const query: Query = {
    className: "FeatureQuery",
    describe: () => `FeatureQuery(field=${field}, feature=${token}, function=LinearFunction)`,
    toString: () => `FeatureQuery(${JSON.stringify([field, token])})`,
    rewrite: () => query,
    createWeight(_searcher, _mode, boost) {
      const sim = linear(field, token, boost);
      const scorer = (leaf: LeafReader) => {
        const terms = leaf.segment.terms(field);
        const ord = terms ? terms.lookup(token) : -1;
        return terms && ord >= 0 ? termScorer(terms.postings(ord), undefined, sim) : undefined;
      };
      return {
        query,
        scorer,
        explain(leaf, doc) {
          const own = scorer(leaf);
          if (!matchesAt(own, doc)) return unmatched(`Feature ${token} is not in field ${field}`);
          return sim.explain(matched(own.freq(), ""), 1);
        },
      };
    },
  };
  return query;
}

function linear(field: string, token: string, boost: number): SimScorer {
  const weight = f(boost);
  return {
    score: (freq) => f(weight * weightOf(freq)),
    explain: ({ value }): Explanation =>
      matched(
        f(weight * weightOf(value)),
        `Linear function on the ${field} field for the ${token} feature, computed as w * S from:`,
        [matched(weight, "w, weight of this function"), matched(weightOf(value), "S, feature value")],
      ),
    scoreBlock(_docs, freqs, from, to, _norms, out) {
      for (let i = from; i < to; i++) out[i] = f(weight * weightOf(freqs[i]));
    },
  };
}
