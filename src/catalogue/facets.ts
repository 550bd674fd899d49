/** Facets: the metadata of what matches, counted in the way that suits each: values, months, ranges of numbers. */
import type { estypes } from "@elastic/elasticsearch";
import { indexFields, isDate, isNumber, type StrategyTarget, scaleField, valueField } from "../retrieval/index.ts";
import { type CallOptions, callOptions, type Filters } from "../schema/index.ts";
import { type Aggregations, aggregateStrategy } from "./aggregate.ts";

/** The passages that match, counted by one of their metadata. */
export interface Facet {
  /** Name of the metadata. */
  field: string;
  kind: "values" | "dates" | "numbers";
  /** Length of a bucket of dates, as Elasticsearch writes it (`1M`), or width of one of numbers. */
  interval?: string;
  /** Values: those that occur most first. Dates and numbers: in their order, `key` is where one begins. */
  buckets: { key: string | number | boolean; label: string; count: number }[];
  /** What other values have. */
  other: number;
}

/** Which metadata are counted, among which passages, and how many buckets of each. */
export interface FacetOptions extends CallOptions {
  filters?: Filters;
  /** Names of metadata. Default: all that say something of what matches. */
  fields?: readonly string[];
  /** Buckets of each at most. Default 10. */
  buckets?: number;
}

/** What belongs to the layout, or is another for each file: nothing to choose by. */
const UNTOLD = new Set(["_node_content", "_node_type", "document_id", "doc_id", "ref_doc_id", "file"]);
/** Metadata that is looked at. */
const MOST_FIELDS = 24;
/** Facets where nothing is named. */
const MOST_FACETS = 8;

interface Planned {
  field: string;
  kind: Facet["kind"];
  full: string;
}

/**
 * Counts of what a question's words match, or of everything, by metadata.
 *
 * @example (await facets(collection, "leave")).facets[0].buckets
 */
export async function facets(
  target: StrategyTarget,
  query: string,
  { filters, fields: wanted, buckets = 10, ...options }: FacetOptions = {},
): Promise<{ total: number; facets: Facet[] }> {
  const call = callOptions(options);
  const planned = await plan(target, wanted, call);
  const ask = (aggs: Record<string, estypes.AggregationsAggregationContainer>) =>
    aggregateStrategy(target, query, { ...call, ...(filters ? { filters } : {}), hits: false, aggs });
  const first = await ask(Object.fromEntries(planned.flatMap((one, i) => firstLook(one, i, buckets))));
  const counted = planned.map((one, i) => ({
    one,
    i,
    distinct: numberIn(first.aggregations[`distinct ${i}`], "value"),
  }));
  // Numbers of many values are ranges: how wide follows from the smallest and the largest.
  const wide = counted.flatMap(({ one, i, distinct }) => {
    if (one.kind !== "numbers" || distinct <= buckets) return [];
    const [min, max] = ["min", "max"].map((bound) => numberIn(first.aggregations[`stats ${i}`], bound)) as [
      number,
      number,
    ];
    return [{ one, i, interval: niceWidth(max - min, buckets) }];
  });
  const second =
    wide.length === 0
      ? undefined
      : await ask(
          Object.fromEntries(
            wide.map(({ one, i, interval }) => [
              `range ${i}`,
              { histogram: { field: one.full, interval, min_doc_count: 0 } },
            ]),
          ),
        );
  const out = counted.flatMap(({ one, i, distinct }) => {
    const range = wide.find((other) => other.i === i);
    const facet = range
      ? intervals(one, String(range.interval), second!.aggregations[`range ${i}`])
      : one.kind === "dates"
        ? intervals(one, undefined, first.aggregations[`dates ${i}`])
        : values(one, first.aggregations[`values ${i}`]);
    const named = wanted !== undefined;
    const tells = facet.buckets.length > 1 && (one.kind !== "values" || distinct <= Math.max(50, first.total / 4));
    return named || tells ? [{ facet, distinct }] : [];
  });
  const few = wanted ? out : out.sort((a, b) => weight(a) - weight(b)).slice(0, MOST_FACETS);
  return { total: first.total, facets: few.map(({ facet }) => facet) };
}

/** Those of few values first, scales last. */
const weight = ({ facet, distinct }: { facet: Facet; distinct: number }) =>
  facet.kind === "values" ? distinct : 1000 + distinct;

async function plan(
  target: StrategyTarget,
  wanted: readonly string[] | undefined,
  call: CallOptions,
): Promise<Planned[]> {
  const fields = await indexFields(target, call);
  // A subfield is another form of its field.
  const isForm = (name: string) => fields.metadata.includes(name.slice(0, Math.max(0, name.lastIndexOf("."))));
  const own = fields.metadata.filter((name) => !UNTOLD.has(name) && !isForm(name));
  const names = wanted ?? own.slice(0, MOST_FIELDS);
  return names.flatMap((field): Planned[] => {
    const own = fields.field(`metadata.${field}`)?.type;
    if (isDate(own) || isDate(fields.field(`metadata.${field}.date`)?.type))
      return [{ field, kind: "dates", full: scaleField(fields, field, "fields").field }];
    if (isNumber(own)) return [{ field, kind: "numbers", full: scaleField(fields, field, "fields").field }];
    // Where nothing is named, a field that cannot be counted is left out.
    if (!wanted && own === "text" && !fields.field(`metadata.${field}.keyword`)) return [];
    if (!wanted && !["text", "keyword", "boolean"].includes(own ?? "")) return [];
    return [{ field, kind: "values", full: valueField(fields, field, "fields") }];
  });
}

function firstLook(
  { kind, full: field }: Planned,
  i: number,
  buckets: number,
): [string, estypes.AggregationsAggregationContainer][] {
  if (kind === "dates") return [[`dates ${i}`, { auto_date_histogram: { field, buckets } }]];
  return [
    [`values ${i}`, { terms: { field, size: buckets } }],
    [`distinct ${i}`, { cardinality: { field } }],
    ...(kind === "numbers"
      ? [[`stats ${i}`, { stats: { field } }] as [string, estypes.AggregationsAggregationContainer]]
      : []),
  ];
}

interface RawBucket {
  key: string | number;
  key_as_string?: string;
  doc_count: number;
}

function values({ field, kind }: Planned, aggregate: Aggregations[string] | undefined): Facet {
  const { buckets = [], sum_other_doc_count: other = 0 } = (aggregate ?? {}) as {
    buckets?: RawBucket[];
    sum_other_doc_count?: number;
  };
  return {
    field,
    kind: kind === "numbers" ? "values" : kind,
    buckets: buckets.map(({ key, key_as_string: text, doc_count: count }) => ({
      key: text === "true" ? true : text === "false" ? false : key,
      label: text ?? String(key),
      count,
    })),
    other,
  };
}

function intervals(
  { field, kind }: Planned,
  width: string | undefined,
  aggregate: Aggregations[string] | undefined,
): Facet {
  const { buckets = [], interval = width } = (aggregate ?? {}) as { buckets?: RawBucket[]; interval?: string };
  return {
    field,
    kind,
    ...(interval === undefined ? {} : { interval }),
    buckets: buckets.map(({ key, key_as_string: text, doc_count: count }) => ({
      key: kind === "dates" ? new Date(Number(key)).toISOString() : key,
      label: text ?? String(key),
      count,
    })),
    other: 0,
  };
}

function numberIn(aggregate: Aggregations[string] | undefined, name: string): number {
  const value = (aggregate as Record<string, unknown> | undefined)?.[name];
  return typeof value === "number" ? value : 0;
}

/** 1, 2 or 5 times a power of ten, so that about `buckets` of them cover the span. */
export function niceWidth(span: number, buckets: number): number {
  if (!(span > 0) || !Number.isFinite(span)) return 1;
  const raw = span / buckets;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= raw) ?? 10 * power;
}
