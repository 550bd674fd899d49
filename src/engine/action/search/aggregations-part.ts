/** Aggregations in the response: each shard's part, and all of them as one. */
import {
  type AggregationContext,
  applyPipelines,
  type BoundAggregations,
  bindAggregations,
  type Internal,
  printAll,
  reduceAll,
  reduceContext,
} from "../../aggregations/index.ts";
import type { AggregationProfile } from "../../aggregations/profile/aggregation-profile.ts";
import { createMemory } from "../../aggregations/support/memory.ts";
import { parseJson } from "../../json/parse.ts";
import type { JsonObject } from "../../json/types.ts";
import { matchAllQuery } from "../../query/lucene/constant.ts";
import type { LeafReader } from "../../segment/types.ts";
import type { Slices } from "../../slices.ts";
import type { ResponseValue } from "../response-value.ts";
import { extractRawValues } from "./fields/extract.ts";
import type { SearchRequest } from "./request.ts";
import type { ResponsePart } from "./response-parts.ts";
import type { Shard } from "./shard.ts";
import { filtered } from "./shard-query.ts";
import { fetchTopHits } from "./top-hits.ts";

const wantedOf = ({ aggregations }: Parameters<ResponsePart["wanted"]>[0]) =>
  aggregations !== undefined && aggregations.aggregations.length + aggregations.pipelines.length > 0;

const NONE: BoundAggregations = { needsScores: false, create() {}, collect: async () => [] };

export function aggregationsOf(
  shard: Shard,
  request: SearchRequest,
  slices: Slices,
  profile?: AggregationProfile,
): BoundAggregations {
  if (request.aggregations === undefined) return NONE;
  return bindAggregations(request.aggregations.aggregations, {
    query: shard.context,
    searcher: shard.searcher,
    everything: () => filtered(matchAllQuery(), shard.aliasFilter, shard.context),
    memory: createMemory(),
    slices,
    sourceValues: sourceValuesOf(shard),
    shard,
    ...(profile ? { profile } : {}),
  });
}

export const aggregationsPart: ResponsePart<readonly Internal[]> = {
  wanted: wantedOf,
  collector({ aggregations }) {
    const names = aggregations!.aggregations.map(({ name }) => name);
    return { name: `AggregatorCollector: [${names.join(", ")}]`, reason: "aggregation" };
  },
  async onShard({ query, built, request, slices }) {
    const results = await built.aggregations.collect(query, request.minScore);
    await fetchTopHits(results, slices, request);
    return results;
  },
  reduce(results, request) {
    const context = reduceContext({ typedKeys: request.typedKeys, totalAsInt: request.totalAsInt });
    const reduced = reduceAll(
      results.map(({ result }) => result),
      context,
    );
    const computed = applyPipelines(reduced, request.aggregations!, context);
    return { aggregations: printAll(computed, context) as ResponseValue };
  },
};

/** Reads a document once for all its paths. */
function sourceValuesOf({ snapshot }: Shard): NonNullable<AggregationContext["sourceValues"]> {
  let read: { leaf: LeafReader; doc: number; source: JsonObject } | undefined;
  return (leaf, doc, path) => {
    if (read?.leaf !== leaf || read.doc !== doc) {
      const source = snapshot.source(leaf, doc);
      read = { leaf, doc, source: source ? (parseJson(source) as JsonObject) : {} };
    }
    return extractRawValues(read.source, path);
  };
}
