/** `matched_queries`: the named queries that match a hit, with their scores where they are wanted, in the order of Java's hash map. */
import { hashOrder } from "../../../mapping/java-text.ts";
import { confirmed } from "../../../query/scorers/index.ts";
import type { Scorer } from "../../../query/types.ts";
import type { LeafReader } from "../../../segment/types.ts";
import { printScore } from "../../print-score.ts";
import type { FetchContext, FetchedHit, FetchSubPhase } from "./types.ts";

export const matchedQueries: FetchSubPhase = (context) => {
  if (context.shard.context.named.length === 0) return undefined;
  const scored = context.options.namedScores;
  const matched = matches(context);
  return (hit, shown) => {
    const names = matched.get(hit)!;
    if (names.size === 0) return;
    shown["matched_queries"] = scored
      ? Object.fromEntries([...names].map(([name, score]) => [name, printScore(score)]))
      : [...names.keys()];
  };
};

function matches({ shard, hits, options }: FetchContext): Map<FetchedHit, Map<string, number>> {
  const matched = new Map(hits.map((hit) => [hit, new Map<string, number>()]));
  const queries = new Map(shard.context.named.map(({ name, query }) => [name, query]));
  for (const name of hashOrder([...queries.keys()])) {
    const query = queries.get(name)!.rewrite(shard.searcher);
    const weight = query.createWeight(shard.searcher, options.namedScores ? "complete" : "none", 1);
    const walks = new Map<LeafReader, Scorer | undefined>();
    for (const hit of hits) {
      const { leaf, local } = hit;
      if (!walks.has(leaf)) walks.set(leaf, optional(weight.scorer(leaf)));
      const walk = walks.get(leaf);
      if (walk && walk.docID() < local) walk.advance(local);
      if (walk?.docID() === local) matched.get(hit)!.set(name, options.namedScores ? walk.score() : 0);
    }
  }
  return matched;
}

const optional = (scorer: Scorer | undefined) => scorer && confirmed(scorer);
