/** Random pipeline aggregations over the aggregations beside them, some of whose paths lead nowhere. */
import type { Random } from "./random.ts";
import type { Json, JsonMap } from "./world.ts";

const SIBLINGS = ["avg_bucket", "sum_bucket", "min_bucket", "max_bucket", "stats_bucket", "extended_stats_bucket"];
const METRICS = new Set(["avg", "sum", "min", "max", "value_count", "cardinality", "weighted_avg"]);
const STATS = new Set(["stats", "extended_stats"]);
const BUCKETS = new Set(
  "terms histogram date_histogram range date_range filters rare_terms composite significant_terms variable_width_histogram".split(
    " ",
  ),
);

const kindOf = (aggregation: Json): string =>
  Object.keys(aggregation as JsonMap).find((key) => key !== "aggs" && key !== "meta") ?? "";

/** Paths from a level to numbers within it. */
function pathsOf(aggs: JsonMap, random: Random): string[] {
  const paths: string[] = [];
  for (const [name, aggregation] of Object.entries(aggs)) {
    const kind = kindOf(aggregation);
    if (METRICS.has(kind)) paths.push(name);
    else if (STATS.has(kind)) paths.push(`${name}.${random.pick(["avg", "max", "count", "std_deviation"])}`);
    else if (kind === "percentiles") paths.push(`${name}.50`, `${name}[99.0]`);
    const inner = (aggregation as JsonMap).aggs as JsonMap | undefined;
    if (!BUCKETS.has(kind)) {
      if (["filter", "missing", "nested", "sampler", "global", "reverse_nested"].includes(kind)) {
        paths.push(`${name}>_count`, ...pathsOf(inner ?? {}, random).map((path) => `${name}>${path}`));
      }
      continue;
    }
    paths.push(
      `${name}>_count`,
      `${name}._bucket_count`,
      ...pathsOf(inner ?? {}, random).map((path) => `${name}>${path}`),
    );
  }
  return paths;
}

const common = (random: Random): JsonMap => ({
  ...(random.oneIn(4) ? { format: random.pick(["0.00", "#,##0", "0.#E0"]) } : {}),
  ...(random.oneIn(4) ? { gap_policy: random.pick(["skip", "insert_zeros", "keep_values"]) } : {}),
});

/** Pipelines for a level. @param parent kind of the aggregation that it is in */
export function pipelinesOf(random: Random, aggs: JsonMap, parent: string | undefined): JsonMap {
  const made: JsonMap = {};
  const paths = pathsOf(aggs, random);
  const inBuckets = paths.filter((path) => path.includes(">") || path.includes("_bucket_count"));
  const names = ["p1", "p2", "p3"];
  for (const name of random.some(names, 1, 2)) {
    const ordered = parent === "histogram" || parent === "date_histogram" || random.oneIn(30);
    if (ordered && random.oneIn(2)) {
      const path = random.pick([
        ...paths.filter((each) => !each.includes("_bucket_count")),
        "_count",
        "_count",
        ...(random.oneIn(10) ? ["zz"] : []),
      ]);
      made[name] = random.oneIn(2)
        ? { cumulative_sum: { buckets_path: path, ...(random.oneIn(5) ? { format: "0.0" } : {}) } }
        : {
            serial_diff: {
              buckets_path: path,
              ...(random.oneIn(2) ? { lag: random.pick([1, 2, 7]) } : {}),
              ...common(random),
            },
          };
      paths.push(name);
      continue;
    }
    const pool = inBuckets.length === 0 || random.oneIn(15) ? [...paths, "zz", "a>zz"] : inBuckets;
    const path = random.pick(pool);
    made[name] = random.oneIn(5)
      ? {
          percentiles_bucket: {
            buckets_path: path,
            ...(random.oneIn(2) ? { percents: random.pick<Json>([[50], [1, 99], [0, 25.5, 100]]) } : {}),
            ...(random.oneIn(3) ? { keyed: random.oneIn(2) } : {}),
            ...common(random),
          },
        }
      : { [random.pick(SIBLINGS)]: { buckets_path: path, ...common(random) } };
  }
  return made;
}
