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
    // Not asked for where they are not there: no one is told of them who misspells another.
    if (params.has("version")) draft.version = params.flag("version") as boolean;
    if (params.has("seq_no_primary_term")) draft.seqNoPrimaryTerm = params.flag("seq_no_primary_term") as boolean;
    if (params.has("explain")) draft.explain = params.flag("explain") as boolean;
    draft.namedScores = params.flag("include_named_queries_score") ?? false;
    draft.trackScores = params.flag("track_scores") ?? draft.trackScores;
  },
};
