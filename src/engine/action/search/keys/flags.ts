/** What each hit says besides: its version, sequence number, score, explanation, the scores of named queries. */
import { readBoolean } from "../../../query/dsl/read.ts";
import type { Draft } from "../request.ts";
import type { BodyKey, RequestFeature } from "./types.ts";

const flag = (name: "version" | "seqNoPrimaryTerm" | "explain" | "trackScores"): BodyKey => ({
  kinds: ["scalar"],
  read(body, key, draft: Draft) {
    draft[name] = readBoolean(body[key]);
  },
});

export const flagKeys: RequestFeature = {
  keys: {
    version: flag("version"),
    seq_no_primary_term: flag("seqNoPrimaryTerm"),
    explain: flag("explain"),
    track_scores: flag("trackScores"),
  },
  params(params, draft) {
    draft.version = params.flag("version") ?? draft.version;
    draft.seqNoPrimaryTerm = params.flag("seq_no_primary_term") ?? draft.seqNoPrimaryTerm;
    draft.explain = params.flag("explain") ?? draft.explain;
    draft.namedScores = params.flag("include_named_queries_score") ?? false;
    draft.trackScores = params.flag("track_scores") ?? draft.trackScores;
  },
};
