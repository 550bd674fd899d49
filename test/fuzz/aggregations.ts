/** Random aggregations within each other, over fields of every type, with options that are seldom used, and some that are wrong. */
import { type BucketParts, seldomBucketOf, seldomMetricOf } from "./buckets.ts";
import { pipelinesOf } from "./pipelines.ts";
import type { Random } from "./random.ts";
import { type Field, type Json, type JsonMap, keyword, value, type World } from "./world.ts";

const NUMERIC = ["integer", "long", "short", "byte", "float", "double", "half_float"];
const COUNTED = [...NUMERIC, "boolean", "date", "date_nanos"];
const TERMS = [...COUNTED, "keyword", "ip", "flattened"];
const ZONES = [
  ..."+01:00 -08:00 Europe/Berlin America/New_York Asia/Kathmandu UTC Australia/Lord_Howe America/Sao_Paulo".split(" "),
  "Antarctica/Casey",
];
const CALENDAR = ["year", "quarter", "month", "week", "day", "1h"];

export type QueryMaker = () => JsonMap;

/** @param query makes a query for the level that the aggregation is on */
export function aggregationsOf(random: Random, world: World, query: QueryMaker, depth = 0): JsonMap {
  return level(random, world, query, undefined, depth);
}

function level(
  random: Random,
  world: World,
  query: QueryMaker,
  nested: string | undefined,
  depth: number,
  parent?: string,
): JsonMap {
  const aggs: JsonMap = {};
  for (let at = random.int(1, depth === 0 ? 3 : 2); at > 0; at--) {
    const name = random.pick(["a", "b", "c", "zeta", "x1"]);
    aggs[name] = aggregationOf(random, world, query, nested, depth);
  }
  const ordered = parent === "histogram" || parent === "date_histogram";
  if (random.oneIn(ordered ? 2 : 5)) Object.assign(aggs, pipelinesOf(random, aggs, parent));
  return aggs;
}

function aggregationOf(
  random: Random,
  world: World,
  query: QueryMaker,
  nested: string | undefined,
  depth: number,
): JsonMap {
  const within = (body: JsonMap, level_ = nested): JsonMap => {
    const inner = { ...body };
    if (random.oneIn(2)) inner.aggs = level(random, world, query, level_, depth + 1, Object.keys(body)[0]);
    if (random.oneIn(12)) inner.meta = { k: "v" };
    return inner;
  };
  const parts: BucketParts = {
    random,
    world,
    nested,
    depth,
    query,
    within,
    fieldOf: (types) => fieldOf(random, world, nested, types),
  };
  if (depth >= 3 || random.oneIn(3)) return random.oneIn(3) ? seldomMetricOf(parts) : metricOf(random, world, nested);
  if (random.oneIn(3)) return seldomBucketOf(parts);
  const objects = [...new Set(world.fields.flatMap((field) => (field.nested === undefined ? [] : [field.nested])))];
  const kinds: (() => JsonMap)[] = [
    () => termsOf(random, world, nested, within),
    () => termsOf(random, world, nested, within),
    () => within({ [random.pick(["range", "histogram"])]: {} }),
    () => within({ range: rangesOf(random, fieldOf(random, world, nested, COUNTED), 8) }),
    () => within({ histogram: histogramOf(random, fieldOf(random, world, nested, COUNTED)) }),
    () => within({ date_histogram: dateHistogramOf(random, fieldOf(random, world, nested, ["date", "date_nanos"])) }),
    () => within({ filter: query() }),
    () => within({ filters: filtersOf(random, query) }),
    () => within({ missing: { field: fieldOf(random, world, nested, TERMS) } }),
    () => (depth === 0 ? within({ global: {} }) : within({ filter: { match_all: {} } })),
    () =>
      objects.length > 0 ? within({ nested: { path: objects[0] } }, objects[0]) : within({ nested: { path: "zz" } }),
    () => (nested === undefined ? within({ filter: query() }) : within({ reverse_nested: {} }, undefined)),
    () => (depth === 0 ? within({ composite: compositeOf(random, world, nested) }) : metricOf(random, world, nested)),
  ];
  return random.pick(kinds)();
}

/** The name of a field of some types, now and then of another or of none. */
function fieldOf(random: Random, world: World, nested: string | undefined, types: readonly string[]): string {
  if (random.oneIn(25)) return "missing";
  const here = world.fields.filter((field) => field.nested === nested || random.oneIn(10));
  const fitting = here.filter(({ type }) => types.includes(type));
  const pool = fitting.length === 0 || random.oneIn(25) ? here : fitting;
  if (pool.length === 0) return "zz";
  const field = random.pick(pool);
  return field.type === "flattened" && random.oneIn(2) ? `${field.name}.a` : field.name;
}

function metricOf(random: Random, world: World, nested: string | undefined): JsonMap {
  const type = random.pick(["avg", "sum", "min", "max", "stats", "extended_stats", "value_count"]);
  // Squares of times are beyond what dates can say.
  const counted = type === "value_count" ? TERMS : type === "extended_stats" ? NUMERIC : COUNTED;
  const body: JsonMap = { field: fieldOf(random, world, nested, counted) };
  if (random.oneIn(6)) body.missing = random.pick<Json>([0, 1.5, -3, "2"]);
  if (random.oneIn(8)) body.format = random.pick(["0.00", "yyyy", "#,##0.#"]);
  if (type === "extended_stats" && random.oneIn(3)) body.sigma = random.pick([0, 1.5, 3]);
  return { [type]: body };
}

function termsOf(
  random: Random,
  world: World,
  nested: string | undefined,
  within: (body: JsonMap) => JsonMap,
): JsonMap {
  const name = fieldOf(random, world, nested, TERMS);
  const field: Field | undefined = world.fields.find((each) => each.name === name);
  const body: JsonMap = { field: name };
  if (random.oneIn(3)) body.size = random.pick([1, 2, 5, 100]);
  if (random.oneIn(6)) body.shard_size = random.pick([1, 3, 50]);
  if (random.oneIn(5)) body.min_doc_count = random.pick([0, 2, 3]);
  if (random.oneIn(6)) body.missing = random.pick<Json>([0, "none", 1.5, true, "2024"]);
  if (random.oneIn(8)) body.show_term_doc_count_error = true;
  if (random.oneIn(8)) body.collect_mode = random.pick(["depth_first", "breadth_first"]);
  if (random.oneIn(8)) body.execution_hint = random.pick(["map", "global_ordinals"]);
  const some = () => (field ? (random.oneIn(3) ? keyword(random) : value(random, { ...field })) : "x");
  const listed = () => [some(), some(), some()].filter((item) => typeof item !== "object");
  if (random.oneIn(8))
    body.include = random.pick<() => Json>([
      listed,
      () => (field?.type === "keyword" ? ".*e.*" : listed()),
      () => ({ partition: 0, num_partitions: 2 }),
    ])();
  if (random.oneIn(8))
    body.exclude = random.pick<() => Json>([listed, () => (field?.type === "keyword" ? "[a-r].*" : listed())])();
  const whole = within({ terms: body });
  const inner = Object.keys((whole.aggs ?? {}) as JsonMap);
  const order = (): JsonMap => ({
    [random.pick(["_count", "_key", ...inner, ...inner.map((each) => `${each}.max`)])]: random.pick(["asc", "desc"]),
  });
  if (random.oneIn(3)) body.order = random.oneIn(4) ? [order(), order()] : order();
  return whole;
}

function rangesOf(random: Random, field: string, most: number): JsonMap {
  const end = () => random.pick<Json>([random.int(-20, 20), random.int(-40, 40) / 8, 0.1]);
  const ranges = Array.from({ length: random.int(1, Math.min(4, most)) }, () => ({
    ...(random.oneIn(3) ? {} : { from: end() }),
    ...(random.oneIn(3) ? {} : { to: end() }),
    ...(random.oneIn(4) ? { key: keyword(random) } : {}),
  }));
  return { field, ranges };
}

function histogramOf(random: Random, field: string): JsonMap {
  const body: JsonMap = { field, interval: random.pick([1, 2.5, 10, 1e9, 3e10]) };
  if (random.oneIn(2)) body.min_doc_count = random.pick([0, 1, 2]);
  if (random.oneIn(4)) body.offset = random.pick([0.5, -3, 12]);
  if (random.oneIn(6)) body.missing = random.pick<Json>([0, -7.5]);
  if (random.oneIn(6)) body.extended_bounds = { min: -30, max: 30 };
  if (random.oneIn(6)) body.hard_bounds = { min: -30, max: 30 };
  if (random.oneIn(5)) body.order = { [random.pick(["_count", "_key"])]: random.pick(["asc", "desc"]) };
  if (random.oneIn(6)) body.keyed = true;
  return body;
}

function dateHistogramOf(random: Random, field: string): JsonMap {
  const body: JsonMap = random.oneIn(2)
    ? { field, calendar_interval: random.pick(CALENDAR), min_doc_count: 1 }
    : { field, fixed_interval: random.pick(["12h", "7d", "30d", "90m", "1d"]), min_doc_count: 1 };
  if (body.calendar_interval === "year" || random.oneIn(6)) body.min_doc_count = random.pick([0, 1]);
  if (body.fixed_interval === "90m") body.min_doc_count = 1;
  if (random.oneIn(3)) body.time_zone = random.pick(ZONES);
  if (random.oneIn(4)) body.offset = random.pick(["+6h", "-1d", "30m", "+90m", "-45m"]);
  if (random.oneIn(5)) body.format = random.pick(["yyyy-MM-dd", "yyyy", "epoch_second"]);
  if (random.oneIn(6)) body.missing = "2024-05-05";
  if (random.oneIn(6)) body.keyed = true;
  if (random.oneIn(6)) body.order = { _key: "desc" };
  const coarse =
    body.calendar_interval === "year" || body.calendar_interval === "quarter" || body.fixed_interval === "30d";
  if (coarse && random.oneIn(4)) {
    body.extended_bounds = random.pick<Json>([
      { min: "2023-01-01", max: "2025-06-30" },
      { max: 1711843200000 },
      { min: "2030", max: "2020" },
    ]);
    if (random.oneIn(2)) body.min_doc_count = 0;
  }
  if (random.oneIn(8))
    body.hard_bounds = random.pick<Json>([{ min: "2023-01-01", max: "2024-03-31T12:00:00" }, { min: "2024-03" }]);
  return body;
}

function filtersOf(random: Random, query: QueryMaker): JsonMap {
  const body: JsonMap = { filters: random.oneIn(2) ? [query(), query()] : { one: query(), two: query() } };
  if (random.oneIn(3)) body.other_bucket = random.oneIn(2);
  if (random.oneIn(4)) body.other_bucket_key = "rest";
  return body;
}

/** Buckets of several sources. */
export function compositeOf(random: Random, world: World, nested: string | undefined): JsonMap {
  const sources = Array.from({ length: random.int(1, 3) }, (_, at) => {
    const options: JsonMap = {};
    if (random.oneIn(3)) options.order = random.pick(["asc", "desc"]);
    if (random.oneIn(3)) options.missing_bucket = true;
    if (options.missing_bucket && random.oneIn(2)) options.missing_order = random.pick(["first", "last"]);
    const types = TERMS.filter((type) => type !== "flattened");
    const source = random.pick<() => JsonMap>([
      () => ({ terms: { field: fieldOf(random, world, nested, types), ...options } }),
      () => ({
        histogram: { field: fieldOf(random, world, nested, NUMERIC), interval: random.pick([2, 7.5]), ...options },
      }),
      () => ({
        date_histogram: {
          field: fieldOf(random, world, nested, ["date", "date_nanos"]),
          ...(random.oneIn(2)
            ? { calendar_interval: random.pick(CALENDAR) }
            : { fixed_interval: random.pick(["12h", "7d"]) }),
          ...(random.oneIn(3) ? { time_zone: random.pick(ZONES) } : {}),
          ...(random.oneIn(4) ? { offset: random.pick(["+6h", "-1d", "30m"]) } : {}),
          ...(random.oneIn(4) ? { format: random.pick(["yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm"]) } : {}),
          ...options,
        },
      }),
    ])();
    return { [`s${at}`]: source };
  });
  return { sources, size: random.pick([1, 3, 50]) };
}
