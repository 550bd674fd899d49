/** `rescore`. */
import { parseRescores } from "../../../search/rescore/index.ts";
import type { RequestFeature } from "./types.ts";

export const rescoreKeys: RequestFeature = {
  keys: {
    rescore: {
      kinds: ["object", "list"],
      read(body, key, draft) {
        draft.rescores = parseRescores(body, key);
        draft.queries.push(...draft.rescores.map(({ query }) => query));
      },
    },
  },
};
