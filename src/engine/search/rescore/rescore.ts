/** The second pass over the best hits: another query's scores are combined with theirs (Elasticsearch's QueryRescorer). */
import { type Explanation, matched, unmatched } from "../../query/explanation.ts";
import { weightOf } from "../../query/profiler.ts";
import { confirmed } from "../../query/scorers/index.ts";
import type { IndexSearcher, Query, Scorer } from "../../query/types.ts";
import type { Slices } from "../../slices.ts";
import type { TopDocs } from "../top-docs.ts";

export type RescoreMode = "avg" | "max" | "min" | "total" | "multiply";

/** A second pass over the hits of one index. */
export interface RescorePass {
  /** Rewritten before it is searched. */
  readonly query: Query;
  /** How many of the best hits are scored again. */
  readonly windowSize: number;
  readonly queryWeight: number;
  readonly rescoreQueryWeight: number;
  readonly mode: RescoreMode;
}

/** Hits between two looks at the clock. */
const STEP = 512;
const f = Math.fround;

const COMBINE: Readonly<Record<RescoreMode, (first: number, second: number) => number>> = {
  avg: (first, second) => f(f(first + second) / 2),
  max: Math.max,
  min: Math.min,
  total: (first, second) => f(first + second),
  multiply: (first, second) => f(first * second),
};

/** As explanations name the modes. */
const MODE_NAMES: Readonly<Record<RescoreMode, string>> = {
  avg: "avg",
  max: "max",
  min: "min",
  total: "sum",
  multiply: "product",
};

interface Scored {
  readonly doc: number;
  score: number;
}

/** @returns the hits in their new order, and which of them were scored again */
export async function rescore(
  top: TopDocs,
  pass: RescorePass,
  searcher: IndexSearcher,
  slices: Slices,
): Promise<{ top: TopDocs; rescored: ReadonlySet<number> }> {
  const hits = Array.from(top.docs, (doc, i): Scored => ({ doc, score: top.scores[i] }));
  const window = hits.slice(0, pass.windowSize);
  await scoreAgain(window, pass, searcher, slices);
  // Hits beyond the window count as those that the second query does not match.
  for (const hit of hits.slice(pass.windowSize)) hit.score = f(hit.score * pass.queryWeight);
  hits.sort((a, b) => b.score - a.score || a.doc - b.doc);
  const docs = Int32Array.from(hits, ({ doc }) => doc);
  const scores = Float32Array.from(hits, ({ score }) => score);
  return { top: { ...top, docs, scores }, rescored: new Set(window.map(({ doc }) => doc)) };
}

async function scoreAgain(
  window: readonly Scored[],
  { query, queryWeight, rescoreQueryWeight, mode }: RescorePass,
  searcher: IndexSearcher,
  slices: Slices,
): Promise<void> {
  const form = searcher.profiler?.rewrite(query, searcher, true) ?? query;
  const weight = weightOf(form, searcher, "complete", 1);
  const leaves = searcher.leaves;
  let at = -1;
  let scorer: Scorer | undefined;
  let seen = 0;
  for (const hit of [...window].sort((a, b) => a.doc - b.doc)) {
    if (++seen % STEP === 0 && slices.due()) await slices.pause();
    while (at + 1 < leaves.length && leaves[at + 1].docBase <= hit.doc) {
      at++;
      scorer = undefined;
      if (at + 1 < leaves.length && leaves[at + 1].docBase <= hit.doc) continue;
      const own = weight.scorer(leaves[at]);
      scorer = own && confirmed(own);
    }
    const first = f(hit.score * queryWeight);
    const local = hit.doc - leaves[at].docBase;
    if (scorer && scorer.docID() < local) scorer.advance(local);
    const second = scorer?.docID() === local ? f(scorer.score() * rescoreQueryWeight) : undefined;
    hit.score = second === undefined ? first : f(COMBINE[mode](first, second));
  }
}

/** @param second why the second query matches; undefined for a hit that was not scored again */
export function explainRescore(first: Explanation, second: Explanation | undefined, pass: RescorePass): Explanation {
  const { queryWeight, rescoreQueryWeight, mode } = pass;
  const primary = first.match
    ? matched(f(first.value * queryWeight), "product of:", [first, matched(queryWeight, "primaryWeight")])
    : unmatched("First pass did not match", [first]);
  if (!second?.match) return primary;
  const secondary = matched(f(second.value * rescoreQueryWeight), "product of:", [
    second,
    matched(rescoreQueryWeight, "secondaryWeight"),
  ]);
  const value = COMBINE[mode](primary.value, secondary.value);
  return matched(value, `${MODE_NAMES[mode]} of:`, [primary, secondary]);
}
