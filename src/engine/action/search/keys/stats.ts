/** `stats`: groups under which Elasticsearch counts searches; nothing is counted here. */
import type { JsonValue } from "../../../json/types.ts";
import { errorAt, tokenName } from "../../../query/dsl/read.ts";
import type { RequestFeature } from "./types.ts";

export const statsKeys: RequestFeature = {
  keys: {
    stats: {
      kinds: ["list"],
      read(body, key) {
        const groups = body[key] as readonly JsonValue[];
        for (const [i, group] of groups.entries()) {
          if (typeof group === "string") continue;
          throw errorAt(groups, { value: i }, `Expected [VALUE_STRING] in [stats] but found [${tokenName(group)}]`);
        }
      },
    },
  },
  params: (params) => params.accept("stats"),
};
