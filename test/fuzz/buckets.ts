/** Random aggregations that are seldom asked for: samples, rare and significant terms, ranges of dates and addresses, sketches and shown hits. */
import { fetchOf } from "./fetch.ts";
import { highlightOf } from "./highlight.ts";
import type { Random } from "./random.ts";
import { sourceOf } from "./requests.ts";
import { isFresh, type Json, type JsonMap, keyword, type World } from "./world.ts";

export interface BucketParts {
  readonly random: Random;
  readonly world: World;
  /** Nested object whose documents are counted. */
  readonly nested: string | undefined;
  readonly depth: number;
  readonly query: () => JsonMap;
  /** The name of a field of some types, now and then of another or of none. */
  readonly fieldOf: (types: readonly string[]) => string;
  /** Adds aggregations within. */
  readonly within: (body: JsonMap) => JsonMap;
}

const NUMERIC = ["integer", "long", "short", "byte", "float", "double", "half_float"];
const DATES = ["date", "date_nanos"];
const VALUES = [...NUMERIC, "boolean", ...DATES, "keyword", "ip", "flattened"];

/** A bucket aggregation, or one that shows what stands in its bucket. */
export function seldomBucketOf(parts: BucketParts): JsonMap {
  const { random, world, within, fieldOf } = parts;
  const significant = [
    () =>
      within({ significant_terms: significantOf(parts, fieldOf(["keyword", "ip", ...NUMERIC, "boolean", "date"])) }),
    () => within({ significant_text: significantTextOf(parts) }),
  ];
  return random.pick<() => JsonMap>([
    ...(isFresh(world) ? significant : []),
    () => within({ sampler: random.oneIn(3) ? {} : { shard_size: random.pick<Json>([1, 3, 20, 100, "2"]) } }),
    () => within({ diversified_sampler: diversifiedOf(parts) }),
    () => within({ rare_terms: rareOf(parts) }),
    () => within({ date_range: dateRangeOf(parts) }),
    () => within({ ip_range: ipRangeOf(parts) }),
    ...(parts.depth === 0 ? [() => ({ variable_width_histogram: variableOf(parts) })] : []),
    () => ({ top_hits: topHitsOf(parts) }),
    () => ({ top_hits: topHitsOf(parts) }),
  ])();
}

/** A metric beyond sums and averages. */
export function seldomMetricOf({ random, fieldOf }: BucketParts): JsonMap {
  const missing = (): JsonMap => (random.oneIn(6) ? { missing: random.pick<Json>([0, 1.5, -3, "2"]) } : {});
  const format = (): JsonMap => (random.oneIn(8) ? { format: random.pick(["0.00", "#,##0.#"]) } : {});
  const side = (): JsonMap => ({ field: fieldOf(NUMERIC), ...missing() });
  const sketch = (): JsonMap => ({
    ...(random.oneIn(3) ? { keyed: random.oneIn(2) } : {}),
    ...(random.oneIn(6) ? { tdigest: { compression: random.pick([10, 100, 200]) } } : {}),
    ...missing(),
    ...format(),
  });
  return random.pick<() => JsonMap>([
    () => ({ weighted_avg: { value: side(), weight: side(), ...format() } }),
    () => ({
      cardinality: {
        field: fieldOf(VALUES),
        ...(random.oneIn(4) ? { precision_threshold: random.pick([0, 1, 100, 40000]) } : {}),
        ...(random.oneIn(6) ? { missing: random.pick<Json>(["x", 1]) } : {}),
      },
    }),
    () => ({
      percentiles: {
        field: fieldOf([...NUMERIC, ...DATES]),
        ...(random.oneIn(3) ? { percents: random.pick<Json>([[50], [1, 99.9], [0, 100], 25]) } : {}),
        ...sketch(),
      },
    }),
    () => ({
      percentile_ranks: {
        field: fieldOf(NUMERIC),
        values: random.pick<Json>([[0], [-5, 3.5], [10, 2, 7]]),
        ...sketch(),
      },
    }),
    () => ({
      median_absolute_deviation: {
        field: fieldOf(NUMERIC),
        ...(random.oneIn(4) ? { compression: random.pick([10, 100, 1000]) } : {}),
        ...missing(),
        ...format(),
      },
    }),
  ])();
}

function diversifiedOf({ random, fieldOf }: BucketParts): JsonMap {
  const body: JsonMap = { field: fieldOf(["keyword", ...NUMERIC]) };
  if (random.oneIn(2)) body.shard_size = random.pick([1, 3, 20]);
  if (random.oneIn(2)) body.max_docs_per_value = random.int(1, 3);
  if (random.oneIn(4)) body.execution_hint = random.pick(["map", "global_ordinals", "bytes_hash", "zz"]);
  return body;
}

function rareOf({ random, fieldOf }: BucketParts): JsonMap {
  const body: JsonMap = { field: fieldOf(["keyword", ...NUMERIC, "date", "ip", "boolean"]) };
  if (random.oneIn(2)) body.max_doc_count = random.pick([1, 2, 5, 100, 101]);
  if (random.oneIn(8)) body.missing = random.pick<Json>(["x", 3]);
  if (random.oneIn(6)) body.include = random.pick<Json>([".*e.*", ["a", "red"], ["1", "2"]]);
  if (random.oneIn(6)) body.exclude = random.pick<Json>(["r.*", ["a", "b"]]);
  return body;
}

function heuristicOf(random: Random): JsonMap {
  const sets = (): JsonMap => ({
    ...(random.oneIn(2) ? { include_negatives: random.oneIn(2) } : {}),
    ...(random.oneIn(2) ? { background_is_superset: random.oneIn(2) } : {}),
  });
  return random.pick<JsonMap>([
    {},
    {},
    { jlh: {} },
    { percentage: {} },
    { mutual_information: sets() },
    { chi_square: sets() },
    { gnd: random.oneIn(2) ? { background_is_superset: random.oneIn(2) } : {} },
  ]);
}

function significantOf(parts: BucketParts, field: string): JsonMap {
  const { random, query } = parts;
  const body: JsonMap = { field, ...heuristicOf(random) };
  if (random.oneIn(2)) body.min_doc_count = random.pick([1, 1, 2, 3, 0]);
  if (random.oneIn(3)) body.size = random.pick([1, 2, 5, 50]);
  if (random.oneIn(6)) body.shard_size = random.pick([1, 3, 50]);
  if (random.oneIn(8)) body.shard_min_doc_count = random.pick([1, 2]);
  if (random.oneIn(5)) body.background_filter = query();
  if (random.oneIn(8)) body.include = random.pick<Json>([".*e.*", ["a", "red"], ["1", "2"]]);
  if (random.oneIn(8)) body.exclude = random.pick<Json>(["r.*", ["a", "b"]]);
  return body;
}

function significantTextOf(parts: BucketParts): JsonMap {
  const { random, world } = parts;
  const body = significantOf(parts, parts.fieldOf(["text", "keyword"]));
  if (random.oneIn(4)) body.filter_duplicate_text = random.oneIn(2);
  if (random.oneIn(6)) body.source_fields = [random.pick(world.fields).name];
  return body;
}

function dateRangeOf({ random, fieldOf }: BucketParts): JsonMap {
  const end = () =>
    random.pick<Json>([
      "2024-03-31",
      "2024",
      "2024-03",
      "2024-02-29||+1M/d",
      "1970-01-01",
      1711843200000,
      "2023-12-31||/y",
    ]);
  const body: JsonMap = {
    field: fieldOf(DATES),
    ranges: Array.from({ length: random.int(1, 3) }, () => ({
      ...(random.oneIn(3) ? {} : { from: end() }),
      ...(random.oneIn(3) ? {} : { to: end() }),
      ...(random.oneIn(4) ? { key: keyword(random) } : {}),
    })),
  };
  if (random.oneIn(3)) body.time_zone = random.pick(["+01:00", "Europe/Berlin", "America/New_York"]);
  if (random.oneIn(4)) body.format = random.pick(["yyyy-MM-dd", "yyyy-MM", "strict_date_optional_time"]);
  if (random.oneIn(6)) body.missing = "2024-05-05";
  if (random.oneIn(4)) body.keyed = true;
  return body;
}

function ipRangeOf({ random, fieldOf }: BucketParts): JsonMap {
  const end = () => random.pick(["10.0.0.1", "10.0.0.255", "::1", "2001:db8::", "192.168.0.9"]);
  return {
    field: fieldOf(["ip"]),
    ranges: Array.from(
      { length: random.int(1, 3) },
      (): JsonMap =>
        random.oneIn(3)
          ? { mask: random.pick(["10.0.0.0/8", "192.168.0.0/16", "::/0", "10.0.0.1/32"]) }
          : {
              ...(random.oneIn(3) ? {} : { from: end() }),
              ...(random.oneIn(3) ? {} : { to: end() }),
              ...(random.oneIn(4) ? { key: keyword(random) } : {}),
            },
    ),
    ...(random.oneIn(4) ? { keyed: true } : {}),
  };
}

/** Nothing within it: Elasticsearch counts documents of other buckets there. */
function variableOf({ random, fieldOf }: BucketParts): JsonMap {
  const body: JsonMap = { field: fieldOf(NUMERIC) };
  if (random.oneIn(2)) body.buckets = random.pick([1, 2, 3, 10]);
  if (random.oneIn(4)) body.shard_size = random.pick([2, 30, 100]);
  if (random.oneIn(4)) body.initial_buffer = random.pick([10, 100, 1000]);
  return body;
}

/** Equal hits come in the order of their documents, which a sort by number leaves to nobody. */
function topHitsOf({ random, world, nested, query }: BucketParts): JsonMap {
  const body: JsonMap = {};
  if (random.oneIn(2)) body.size = random.pick([0, 1, 2, 5, 101]);
  if (random.oneIn(5)) body.from = random.int(0, 2);
  if (random.oneIn(3)) body._source = sourceOf(random, world);
  if (random.oneIn(3)) body.highlight = highlightOf(random, world, query);
  if (random.oneIn(3)) {
    const { fields, docvalue_fields, stored_fields } = fetchOf(random, world, query);
    for (const [key, value] of Object.entries({ fields, docvalue_fields, stored_fields }))
      if (value !== undefined) body[key] = value;
  }
  if (random.oneIn(8)) body.version = true;
  if (random.oneIn(8)) body.seq_no_primary_term = true;
  if (random.oneIn(8)) body.explain = true;
  if (random.oneIn(6)) body.track_scores = true;
  if (nested === undefined && random.oneIn(2)) {
    const fields = world.fields.filter((field) => NUMERIC.includes(field.type) && field.nested === undefined);
    const first: Json = fields.length > 0 ? { [random.pick(fields).name]: random.pick(["asc", "desc"]) } : "_score";
    body.sort = [first, { _seq_no: "asc" }];
  }
  return body;
}
