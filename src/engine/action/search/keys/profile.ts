/** `profile`: what the search took, part by part. What has no counterpart of its own in a profile here is refused by name. */
import { unsupported } from "../../../errors.ts";
import { readBoolean } from "../../../query/dsl/read.ts";
import type { Draft } from "../request.ts";
import type { RequestFeature } from "./types.ts";

/** What is asked for beside a profile and cannot be profiled. */
const APART: readonly (readonly [name: string, asked: (draft: Draft) => boolean])[] = [
  ["aggregations", ({ aggregations }) => aggregations !== undefined],
  ["suggest", ({ suggest }) => suggest !== undefined],
  ["knn", ({ knn }) => knn.length > 0],
  ["retriever", ({ retriever }) => retriever !== undefined],
  ["rescore", ({ rescores }) => rescores.length > 0],
  ["collapse", ({ collapse }) => collapse !== undefined],
  ["post_filter", ({ postFilter }) => postFilter !== undefined],
  ["min_score", ({ minScore }) => minScore !== undefined],
  ["terminate_after", ({ terminateAfter }) => terminateAfter > 0],
  ["scroll", ({ scroll }) => scroll !== undefined],
  ["slice", ({ slice }) => slice !== undefined],
  ["track_scores", ({ trackScores, sorts }) => trackScores && sorts.length > 0],
  ["docvalue_fields", ({ docValueFields }) => docValueFields.length > 0],
  [
    "stored_fields",
    ({ storedFields, storedFieldNames, withoutSource }) =>
      !storedFields || withoutSource || storedFieldNames.length > 0,
  ],
  ["dfs_query_then_fetch", ({ globalStatistics }) => globalStatistics],
  ["runtime_mappings", ({ runtimeMappings }) => runtimeMappings !== undefined],
];

export const profileKeys: RequestFeature = {
  keys: {
    profile: {
      kinds: ["scalar"],
      read(body, key, draft) {
        draft.profile = readBoolean(body[key]);
      },
    },
  },
  validate(draft) {
    const [name] = (draft.profile ? APART.find(([, asked]) => asked(draft)) : undefined) ?? [];
    if (name !== undefined) throw unsupported(`profile with ${name}`);
    return [];
  },
};
