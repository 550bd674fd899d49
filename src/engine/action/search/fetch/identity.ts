/** Where a hit is: its shard when it is explained, index, and id. */
import type { FetchSubPhase } from "./types.ts";

export const identity: FetchSubPhase = ({ shard, options }) => {
  const { name } = shard.index;
  const place = options.explain ? { _shard: `[${name}][0]`, _node: "huiliu" } : {};
  return ({ leaf, local }) => ({
    ...place,
    _index: name,
    ...(options.storedFields ? { _id: leaf.segment.id(local) } : {}),
  });
};
