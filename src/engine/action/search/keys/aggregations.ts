/** `aggs`: what is computed of all documents that match. */
import { parseDefinitions, pipelineErrors, queriesOf, registerAggregations } from "../../../aggregations/index.ts";
import { unsupported } from "../../../errors.ts";
import { isObject } from "../../../query/dsl/read.ts";
import { parseTopHits } from "../top-hits.ts";
import type { BodyKey, RequestFeature } from "./types.ts";

// What shows hits takes the keys of a search.
registerAggregations({ top_hits: parseTopHits }, {}, []);

const aggregations: BodyKey = {
  kinds: ["object"],
  read(body, key, draft) {
    const value = body[key];
    if (!isObject(value)) return;
    draft.aggregations = parseDefinitions(value);
    draft.queries.push(...queriesOf(draft.aggregations));
  },
};

export const aggregationKeys: RequestFeature = {
  keys: { aggs: aggregations, aggregations },
  params(params, draft) {
    draft.typedKeys = params.flag("typed_keys") ?? false;
  },
  validate({ aggregations: given, terminateAfter, postFilter }) {
    // Where a search stops early depends on what is asked for beside the hits.
    const global = given?.aggregations.some(({ type }) => type === "global");
    if (given && terminateAfter > 0 && (global || postFilter)) {
      throw unsupported(`terminate_after with ${global ? "global aggregations" : "aggregations and a post_filter"}`);
    }
    return given ? pipelineErrors({ siblings: given.aggregations, pipelines: given.pipelines }) : [];
  },
};
