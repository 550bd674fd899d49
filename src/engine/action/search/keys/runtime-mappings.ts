/** `runtime_mappings`: runtime fields of this search alone. */
import type { JsonObject } from "../../../json/types.ts";
import type { RequestFeature } from "./types.ts";

export const runtimeMappingsKeys: RequestFeature = {
  keys: {
    runtime_mappings: {
      kinds: ["object"],
      // What is wrong in it is told by the shards, each for its own mapping.
      read(body, key, draft) {
        draft.runtimeMappings = body[key] as JsonObject;
      },
    },
  },
};
