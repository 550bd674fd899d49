/** `aggs`: what is computed of all documents that match. */
import { parseDefinitions, pipelineErrors, queriesOf } from "../../../aggregations/index.ts";
import { isObject } from "../../../query/dsl/read.ts";
import type { BodyKey, RequestFeature } from "./types.ts";

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
  validate({ aggregations: given }) {
    return given ? pipelineErrors({ siblings: given.aggregations, pipelines: given.pipelines }) : [];
  },
};
