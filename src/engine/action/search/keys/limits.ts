/** What ends a search early or leaves hits out: `timeout`, `min_score`, `terminate_after`. */
import { illegalArgument, unsupported } from "../../../errors.ts";
import { readFloat, readInt, textOf } from "../../../query/dsl/read.ts";
import { parseTime } from "../../params.ts";
import type { RequestFeature } from "./types.ts";

function refuseTermination(hits: number): void {
  if (hits < 0) throw illegalArgument("terminateAfter must be > 0");
  if (hits > 0) throw unsupported("terminate_after");
}

export const limitKeys: RequestFeature = {
  keys: {
    timeout: {
      kinds: ["scalar"],
      read(body, key, draft) {
        draft.timeout = parseTime(textOf(body[key]) ?? "", "timeout");
      },
    },
    min_score: {
      kinds: ["scalar"],
      read(body, key, draft) {
        const score = readFloat(body[key], body, key);
        // Nothing reaches what is no number.
        draft.minScore = Number.isNaN(score) ? Number.POSITIVE_INFINITY : score;
      },
    },
    terminate_after: {
      kinds: ["scalar"],
      read: (body, key) => refuseTermination(readInt(body[key])),
    },
  },
  params(params, draft) {
    draft.timeout = params.time("timeout") ?? draft.timeout;
    refuseTermination(params.int("terminate_after") ?? 0);
  },
};
