/** `_routing`: a stored field, left out where none is shown. */
import type { FetchSubPhase } from "./types.ts";

export const routing: FetchSubPhase = ({ shard, options }) =>
  options.storedFields
    ? ({ leaf, local }) => {
        const value = shard.snapshot.routing(leaf, local);
        return value === undefined ? {} : { _routing: value };
      }
    : undefined;
