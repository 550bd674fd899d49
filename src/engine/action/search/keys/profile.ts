/** `profile`: what the search took, part by part. */
import { readBoolean } from "../../../query/dsl/read.ts";
import type { RequestFeature } from "./types.ts";

export const profileKeys: RequestFeature = {
  keys: {
    profile: {
      kinds: ["scalar"],
      read(body, key, draft) {
        draft.profile = readBoolean(body[key]);
      },
    },
  },
};
