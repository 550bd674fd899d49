/** What each aggregation did and took on a shard (Elasticsearch's AggregationProfiler): aggregators are wrapped so that every call is measured. */
import type { ResponseValue } from "../../action/response-value.ts";
import { type Breakdown, createBreakdown, nanosSince } from "../../search/profile/breakdown.ts";
import { type Aggregator, type Definition, type Internal, NO_BUCKET } from "../types.ts";
import { aggregatorClass } from "./aggregator-class.ts";

/** Elasticsearch's AggregationTimingType. What is reduced is reduced of all shards together, never within one. */
const KINDS = [
  "initialize",
  "build_leaf_collector",
  "collect",
  "post_collection",
  "build_aggregation",
  "reduce",
] as const;

type Work = Breakdown<(typeof KINDS)[number]>;

interface Part {
  readonly definition: Definition;
  readonly work: Work;
  readonly children: Part[];
  className: string | undefined;
  result: Internal | undefined;
  /** Buckets around it that it was built for. */
  built: number;
}

export interface AggregationProfile {
  /** Makes an aggregator, those within it included, and measures it from then on. */
  aggregator(definition: Definition, bind: () => Aggregator): Aggregator;
  print(): ResponseValue[];
}

export function createAggregationProfile(): AggregationProfile {
  const roots: Part[] = [];
  const open: Part[] = [];
  return {
    aggregator(definition, bind) {
      const part: Part = {
        definition,
        work: createBreakdown(KINDS),
        children: [],
        className: undefined,
        result: undefined,
        built: 0,
      };
      (open.at(-1)?.children ?? roots).push(part);
      open.push(part);
      try {
        return measured(part.work.time("initialize", bind), part);
      } finally {
        open.pop();
      }
    },
    print: () => roots.map(printPart),
  };
}

function measured(aggregator: Aggregator, part: Part): Aggregator {
  const { work } = part;
  const { finish } = aggregator;
  part.className = aggregator.className;
  return {
    ...aggregator,
    leaf(leaf, scores) {
      const collect = work.time("build_leaf_collector", () => aggregator.leaf(leaf, scores));
      if (collect === undefined) return undefined;
      return (doc, bucket) => {
        const began = performance.now();
        collect(doc, bucket);
        work.add("collect", nanosSince(began));
      };
    },
    async finish() {
      const began = performance.now();
      await finish?.();
      work.add("post_collection", nanosSince(began));
    },
    build(bucket) {
      const built = work.time("build_aggregation", () => aggregator.build(bucket));
      if (bucket !== NO_BUCKET) part.built++;
      part.result ??= built;
      return built;
    },
  };
}

function printPart({ definition, work, children, className: own, result, built }: Part): ResponseValue {
  const { className, debug } = aggregatorClass(definition, result?.kind.typedName);
  return {
    type: own ?? className,
    description: definition.name,
    time_in_nanos: work.total(),
    breakdown: work.print(),
    ...(built > 0 ? { debug: { built_buckets: built, ...debug } } : {}),
    ...(children.length > 0 ? { children: children.map(printPart) } : {}),
  };
}
