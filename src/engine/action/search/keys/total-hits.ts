/** `track_total_hits`, and the total as a number. */
import { illegalArgument } from "../../../errors.ts";
import type { JsonValue } from "../../../json/types.ts";
import { readInt } from "../../../query/dsl/read.ts";
import { DEFAULT_TRACKED, type Draft } from "../request.ts";
import type { RequestFeature } from "./types.ts";

function readTracking(value: JsonValue): number {
  if (value === true || value === "true") return Number.POSITIVE_INFINITY;
  if (value === false || value === "false") return -1;
  const hits = readInt(value);
  if (hits < -1) throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${hits}`);
  return hits;
}

/** `rest_total_hits_as_int` counts all hits. */
function readTotalAsInt(draft: Draft): void {
  const { trackTotalHits } = draft;
  if (trackTotalHits >= 0 && trackTotalHits !== DEFAULT_TRACKED && Number.isFinite(trackTotalHits)) {
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${trackTotalHits}`,
    );
  }
  if (trackTotalHits >= 0) draft.trackTotalHits = Number.POSITIVE_INFINITY;
  draft.totalAsInt = true;
}

export const totalHitsKeys: RequestFeature = {
  keys: {
    track_total_hits: {
      kinds: ["scalar"],
      read(body, key, draft) {
        draft.trackTotalHits = draft.tracking = readTracking(body[key]);
      },
    },
  },
  params(params, draft) {
    const tracking = params.text("track_total_hits");
    if (tracking === "true" || tracking === "false") draft.trackTotalHits = draft.tracking = readTracking(tracking);
    else if (tracking !== undefined)
      draft.trackTotalHits = draft.tracking = readTracking(params.int("track_total_hits")!);
    if (params.flag("rest_total_hits_as_int")) readTotalAsInt(draft);
  },
};
