/** Aggregations in the response: each shard's part, and all of them as one. */
import {
  aggregateShard,
  applyPipelines,
  type Internal,
  printAll,
  reduceAll,
  reduceContext,
} from "../../aggregations/index.ts";
import { createMemory } from "../../aggregations/support/memory.ts";
import { matchAllQuery } from "../../query/lucene/constant.ts";
import type { ResponseValue } from "../response-value.ts";
import type { ResponsePart } from "./response-parts.ts";
import { filtered } from "./shard-query.ts";

const wantedOf = ({ aggregations }: Parameters<ResponsePart["wanted"]>[0]) =>
  aggregations !== undefined && aggregations.aggregations.length + aggregations.pipelines.length > 0;

export const aggregationsPart: ResponsePart<readonly Internal[]> = {
  wanted: wantedOf,
  onShard({ shard, query, request, slices }) {
    return aggregateShard(
      request.aggregations!.aggregations,
      {
        query: shard.context,
        searcher: shard.searcher,
        mainQuery: query,
        everything: filtered(matchAllQuery(), shard.aliasFilter, shard.context),
        memory: createMemory(),
        slices,
      },
      request.minScore,
    );
  },
  reduce(results, request) {
    const context = reduceContext({ typedKeys: request.typedKeys });
    const reduced = reduceAll(
      results.map(({ result }) => result),
      context,
    );
    const computed = applyPipelines(reduced, request.aggregations!, context);
    return { aggregations: printAll(computed, context) as ResponseValue };
  },
};
