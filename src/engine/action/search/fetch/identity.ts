/** Where a hit is: its shard when it is explained, index, and id. */
import { printIdentity } from "../inner-hits/nested-identity.ts";
import { highlightsAny } from "./highlight.ts";
import type { FetchContext, FetchSubPhase } from "./types.ts";

export const identity: FetchSubPhase = (context) => {
  const { shard, options } = context;
  const { name } = shard.index;
  const own = options.storedFields || readsDocument(context);
  return ({ leaf, local, nested }, shown) => {
    if (options.explain) {
      shown["_shard"] = `[${name}][0]`;
      shown["_node"] = "huiliu";
    }
    shown["_index"] = name;
    // A nested document has the id of its root, whatever is asked of its own: unless the root's is not shown.
    if (nested ? !options.rootHidden : own) shown["_id"] = leaf.segment.id(local);
    if (nested) shown["_nested"] = printIdentity(nested);
  };
};

/** Whether a part reads the stored document: with that comes its id, although `_none_` is asked for (StoredFieldsSpec). */
function readsDocument({ shard, options }: Pick<FetchContext, "shard" | "options">): boolean {
  return (
    options.fields.length > 0 ||
    (options.highlight !== undefined && highlightsAny(shard, options.highlight.fields)) ||
    options.innerHits.some(({ readsSource }) => readsSource)
  );
}
