/** `_routing`: a stored field, left out where none is shown. */
import type { FetchSubPhase } from "./types.ts";

export const routing: FetchSubPhase = ({ shard, options }) => {
  const some = shard.snapshot.leaves.some(({ segment }) => segment.terms("_routing") !== undefined);
  if (!options.storedFields || !some) return undefined;
  return ({ leaf, local }, shown) => {
    const value = shard.snapshot.routing(leaf, local);
    if (value !== undefined) shown["_routing"] = value;
  };
};
