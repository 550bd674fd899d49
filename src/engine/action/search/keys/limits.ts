/** What ends a search early or leaves hits out: `timeout`, `min_score`, `terminate_after`. */
import { illegalArgument } from "../../../errors.ts";
import { readFloat, readInt, textOf } from "../../../query/dsl/read.ts";
import { parseTime } from "../../params.ts";
import type { RequestFeature } from "./types.ts";

export function checkTermination(hits: number): number {
  if (hits < 0) throw illegalArgument("terminateAfter must be > 0");
  return hits;
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
      read(body, key, draft) {
        draft.terminateAfter = checkTermination(readInt(body[key]));
      },
    },
  },
  params(params, draft) {
    draft.timeout = params.time("timeout") ?? draft.timeout;
    const terminateAfter = params.int("terminate_after");
    if (terminateAfter !== undefined) draft.terminateAfter = checkTermination(terminateAfter);
  },
};
