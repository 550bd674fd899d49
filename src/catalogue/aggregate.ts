/** Counts and measures over metadata, beside or instead of passages. */
import type { estypes } from "@elastic/elasticsearch";
import { z } from "zod";
import {
  bothFilters,
  defineRetriever,
  filtersToQuery,
  hitToNode,
  type IndexFields,
  indexFields,
  type Strategy,
  type StrategyCall,
  type StrategyInput,
  type StrategyTarget,
  scaleField,
  valueField,
} from "../retrieval/index.ts";
import { textQuery } from "../retrieval/retriever.ts";
import { type CallOptions, callOptions, InvalidArgumentError, type NodeWithScore } from "../schema/index.ts";
import type { AnySearch } from "./run.ts";

/** Results of aggregations by name, as Elasticsearch gives them. */
export type Aggregations = Record<string, estypes.AggregationsAggregate>;

const METRICS = [
  "avg",
  "sum",
  "min",
  "max",
  "stats",
  "extended_stats",
  "value_count",
  "cardinality",
  "percentiles",
] as const;

const options = z.strictObject({
  by: z.array(z.string().min(1)).default([]).describe("metadata whose values are counted, such as level,category"),
  histogram: z.string().min(1).optional().describe("a date or a number among the metadata, counted by interval"),
  interval: z
    .union([z.number().positive(), z.string().min(1)])
    .default("month")
    .describe("of dates year, quarter, month, week, day; of numbers a width"),
  metrics: z
    .array(z.string().regex(/^[a-z_]+:.+$/, "must be measure:metadata, such as avg:days"))
    .default([])
    .describe(`measures of numbers, such as avg:days: ${METRICS.join(", ")}`),
  buckets: z.int().min(1).max(10_000).default(10).describe("most values of each"),
  aggs: z.record(z.string(), z.looseObject({})).optional().describe("aggregations of the DSL, as JSON"),
  hits: z.boolean().default(true).describe("whether passages come too"),
});

export const aggregate: Strategy<"aggregate", typeof options> = {
  name: "aggregate",
  title: "counts and measures over the metadata of what matches",
  goodFor: "how many, which kinds, when; facets beside hits. An empty question counts everything",
  options,
  request: (target, input, given, call) => aggregateRequest(target, input, given, call),
  retriever: (target, given, call) =>
    defineRetriever(
      async (input): Promise<NodeWithScore[]> => {
        const request = await aggregateRequest(target, input, given, call);
        const answer = await target.client.search(
          { index: target.index, _source: { excludes: ["embedding", "windows"] }, ...request },
          input.signal ? { signal: input.signal } : {},
        );
        call.aggregations?.((answer.aggregations ?? {}) as Aggregations, totalOf(answer));
        return answer.hits.hits.map(hitToNode);
      },
      { name: "aggregate", follow: false },
    ),
};

async function aggregateRequest(
  target: StrategyTarget,
  input: StrategyInput,
  given: z.output<typeof options>,
  call: StrategyCall,
): Promise<estypes.SearchRequest> {
  const fields = await indexFields(target, input);
  const filter = filtersToQuery(bothFilters(call.filters, input.filters));
  const all = input.query.trim() === "";
  const query = all ? { match_all: {} } : textQuery(target, input.query, []);
  const aggs = { ...namedAggregations(fields, given), ...checkedAggs(given.aggs, target.filters !== undefined) };
  return {
    query: filter ? { bool: { must: [query], filter: [filter] } } : query,
    // A count of everything needs no passages.
    size: given.hits && !all ? call.topK : 0,
    track_total_hits: true,
    ...(Object.keys(aggs).length > 0 ? { aggs } : {}),
  };
}

function namedAggregations(
  fields: IndexFields,
  { by, histogram, interval, metrics, buckets }: z.output<typeof options>,
): Record<string, estypes.AggregationsAggregationContainer> {
  const out: Record<string, estypes.AggregationsAggregationContainer> = {};
  for (const name of by) out[name] = { terms: { field: valueField(fields, name, "by"), size: buckets } };
  if (histogram !== undefined) {
    const { field, date } = scaleField(fields, histogram, "histogram");
    if (!date && typeof interval !== "number" && interval !== "month")
      throw new InvalidArgumentError(
        "interval",
        interval,
        `"${histogram}" is a number: its interval is a width, such as 10`,
      );
    out[histogram in out ? `${histogram} by ${interval}` : histogram] = date
      ? { date_histogram: { field, ...dateInterval(interval), min_doc_count: 1 } }
      : { histogram: { field, interval: typeof interval === "number" ? interval : 1, min_doc_count: 1 } };
  }
  for (const text of metrics) {
    const [measure, name] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
    if (!METRICS.includes(measure as (typeof METRICS)[number]))
      throw new InvalidArgumentError("metrics", text, `unknown measure "${measure}": known are ${METRICS.join(", ")}`);
    const counts = measure === "value_count" || measure === "cardinality";
    const field = counts ? valueField(fields, name, "metrics") : scaleField(fields, name, "metrics").field;
    out[text] = { [measure]: { field } } as estypes.AggregationsAggregationContainer;
  }
  return out;
}

function dateInterval(interval: number | string) {
  const calendar = ["year", "quarter", "month", "week", "day", "hour", "minute"];
  if (calendar.includes(String(interval)))
    return { calendar_interval: interval as estypes.AggregationsCalendarInterval };
  return { fixed_interval: typeof interval === "number" ? `${interval}d` : interval };
}

/** Within filters that always hold, nothing may be counted that looks past them. */
function checkedAggs(aggs: Record<string, object> | undefined, restricted: boolean) {
  if (!aggs) return {};
  if (restricted && looksPast(aggs)) {
    throw new InvalidArgumentError(
      "aggs",
      aggs,
      "aggregations that count passages outside the query (global, significant_terms, significant_text) are refused within filters that always hold",
    );
  }
  return aggs as Record<string, estypes.AggregationsAggregationContainer>;
}

const PAST = new Set(["global", "significant_terms", "significant_text"]);

function looksPast(aggs: Record<string, object>, depth = 0): boolean {
  if (depth > 100) return true;
  return Object.values(aggs).some((one) =>
    Object.entries(one as Record<string, unknown>).some(
      ([kind, body]) =>
        PAST.has(kind) ||
        ((kind === "aggs" || kind === "aggregations") &&
          typeof body === "object" &&
          body !== null &&
          looksPast(body as Record<string, object>, depth + 1)),
    ),
  );
}

function totalOf(answer: estypes.SearchResponse): number {
  const { total } = answer.hits;
  return typeof total === "number" ? total : (total?.value ?? 0);
}

/** Counts of what matches: the total, the aggregations as the DSL gives them, and the passages where they were asked for. */
export interface AggregateResult {
  /** Passages that matched. */
  total: number;
  aggregations: Aggregations;
  hits: NodeWithScore[];
}

/**
 * Counts over the metadata of what a question matches, or of everything.
 *
 * @example (await aggregateStrategy(collection, "", { by: ["level"] })).aggregations
 */
export async function aggregateStrategy(
  target: StrategyTarget,
  query: string,
  given: Omit<AnySearch, "strategy" | "onAggregations"> = {},
): Promise<AggregateResult> {
  const { runStrategy } = await import("./run.ts");
  let result: AggregateResult = { total: 0, aggregations: {}, hits: [] };
  const hits = await runStrategy(target, query, {
    ...given,
    strategy: "aggregate",
    onAggregations: (aggregations: Aggregations, total: number) => {
      result = { total, aggregations, hits: [] };
    },
  });
  return { ...result, hits };
}

/** A request of aggregations within the filters that always hold. */
export async function aggregateIndex(
  target: StrategyTarget,
  request: estypes.SearchRequest,
  call: CallOptions,
): Promise<{ aggregations?: Aggregations }> {
  const filter = filtersToQuery(target.filters);
  const { signal } = callOptions(call);
  const answer = await target.client.search(
    { index: target.index, ...request, ...(filter ? { query: filter } : {}) },
    signal ? { signal } : {},
  );
  return answer.aggregations ? { aggregations: answer.aggregations as Aggregations } : {};
}
