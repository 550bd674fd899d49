/** `_ignored`: fields of the document whose values were ignored. It is a stored field, and left out where none is shown. */
import { ordinalsOf } from "../fields/doc-values.ts";
import type { FetchSubPhase } from "./types.ts";

export const ignored: FetchSubPhase = ({ options, shard }) => {
  const some = shard.snapshot.leaves.some(({ segment }) => segment.ordinals("_ignored") !== undefined);
  if (!options.storedFields || !some) return undefined;
  return ({ leaf, local }, shown) => {
    const names = ordinalsOf(leaf, "_ignored", local);
    if (names.length > 0) shown["_ignored"] = names;
  };
};
