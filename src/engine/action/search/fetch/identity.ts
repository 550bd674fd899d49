/** Where a hit is: its shard when it is explained, index, and id. */
import { printIdentity } from "../inner-hits/nested-identity.ts";
import type { FetchSubPhase } from "./types.ts";

export const identity: FetchSubPhase = ({ shard, options }) => {
  const { name } = shard.index;
  const place = options.explain ? { _shard: `[${name}][0]`, _node: "huiliu" } : {};
  return ({ leaf, local, nested }) => ({
    ...place,
    _index: name,
    // A nested document has the id of its root, whatever is stored.
    ...(options.storedFields || nested ? { _id: leaf.segment.id(local) } : {}),
    ...(nested ? { _nested: printIdentity(nested) } : {}),
  });
};
