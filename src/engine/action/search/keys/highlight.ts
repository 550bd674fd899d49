/** `highlight`. */
import { parseHighlight } from "../../../highlight/parse.ts";
import type { JsonObject } from "../../../json/types.ts";
import type { RequestFeature } from "./types.ts";

export const highlightKeys: RequestFeature = {
  keys: {
    highlight: {
      kinds: ["object"],
      read(body, key, draft) {
        draft.highlight = parseHighlight(body[key] as JsonObject);
        draft.queries.push(...draft.highlight.queries);
      },
    },
  },
};
