/** `inner_hits` of a hit. */
import { printScore } from "../../print-score.ts";
import type { ResponseValue } from "../../response-value.ts";
import { type InnerSearch, innerSearches } from "../inner-hits/search.ts";
import { fetchHits } from "./index.ts";
import type { FetchContext, FetchedHit, FetchSubPhase } from "./types.ts";

export const innerHits: FetchSubPhase = (context) => {
  const { shard, options } = context;
  if (options.innerHits.length === 0) return undefined;
  const searches = innerSearches(shard, options.innerHits);
  if (searches.length === 0) return undefined;
  return async (hit, shown) => {
    const found: [name: string, hits: ResponseValue][] = [];
    for (const search of searches)
      found.push([search.name, { hits: await inner(search, hit, "_id" in shown, context) }]);
    shown["inner_hits"] = Object.fromEntries(found);
  };
};

async function inner(
  search: InnerSearch,
  hit: FetchedHit,
  rootShown: boolean,
  { slices, options, rescored }: FetchContext,
): Promise<ResponseValue> {
  const { hits, total, maxScore } = search.of(hit.leaf, hit.local);
  const { totalAsInt } = options;
  const own = { ...search.request.options, totalAsInt, ...(rootShown ? {} : { rootHidden: true }) };
  // The second passes of the search count in their explanations too.
  const foundBy = { queries: new Map([[search.shard, search.query]]), rescored: new Map([[search.shard, rescored]]) };
  return {
    total: totalAsInt ? total : { value: total, relation: "eq" },
    max_score: maxScore === undefined ? null : printScore(maxScore),
    hits: await fetchHits(hits, own, foundBy, slices),
  };
}
