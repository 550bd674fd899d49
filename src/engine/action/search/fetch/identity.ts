/** Where a hit is: its shard when it is explained, index, and id. */
import { printIdentity } from "../inner-hits/nested-identity.ts";
import type { FetchSubPhase } from "./types.ts";

export const identity: FetchSubPhase = ({ shard, options }) => {
  const { name } = shard.index;
  return ({ leaf, local, nested }, shown) => {
    if (options.explain) {
      shown["_shard"] = `[${name}][0]`;
      shown["_node"] = "huiliu";
    }
    shown["_index"] = name;
    // A nested document has the id of its root, whatever is stored.
    if (options.storedFields || nested) shown["_id"] = leaf.segment.id(local);
    if (nested) shown["_nested"] = printIdentity(nested);
  };
};
