/** Random sorts: of every type of field, with every option, some of them wrong; and hits behind given values. */
import { geoSortOf } from "./geo.ts";
import type { Random } from "./random.ts";
import { type Field, type Json, type JsonMap, keyword, value, type World } from "./world.ts";

const NUMBERS = new Set(["long", "integer", "short", "byte", "double", "float", "half_float"]);

function optionsOf(random: Random, field: Field): JsonMap {
  const options: JsonMap = {};
  if (random.oneIn(2)) options.order = random.pick(["asc", "desc"]);
  if (random.oneIn(3)) options.mode = random.pick(["min", "max", "sum", "avg", "median"]);
  if (random.oneIn(3)) options.missing = random.pick<Json>(["_first", "_last", 3, "3", -1.5, "m", "2024-03-01"]);
  if (random.oneIn(12)) options.numeric_type = random.pick(["long", "double", "date", "date_nanos"]);
  if (random.oneIn(10)) options.unmapped_type = random.pick(["long", "keyword", "date"]);
  if (field.type.startsWith("date") && random.oneIn(4)) {
    options.format = random.pick(["yyyy-MM-dd", "strict_date_optional_time", "epoch_second"]);
  }
  if (field.nested === undefined ? random.oneIn(30) : !random.oneIn(10)) {
    options.nested = { path: field.nested ?? "zz", ...(random.oneIn(6) ? { max_children: random.int(0, 3) } : {}) };
  }
  return options;
}

function sortOf(random: Random, world: World): Json {
  if (random.oneIn(8)) return random.pick<Json>(["_score", { _score: "asc" }, { _score: { order: "desc" } }]);
  if (random.oneIn(40)) return random.pick<Json>(["zz", { zz: { unmapped_type: "long" } }, "_id", "_index"]);
  const field = random.pick(world.fields);
  if (field.type === "geo_point" && !random.oneIn(6)) return geoSortOf(random, world.fields);
  if (field.nested === undefined && random.oneIn(4)) return field.name;
  return { [field.name]: optionsOf(random, field) };
}

function fieldOf(sort: Json, world: World): Field | undefined {
  const name = typeof sort === "string" ? sort : Object.keys(sort as JsonMap)[0];
  return world.fields.find((field) => field.name === name);
}

/** A value as hits would bring it, or nearly. */
function afterOf(random: Random, sort: Json, world: World): Json {
  const field = fieldOf(sort, world);
  if (field === undefined) return random.pick<Json>([0, 0.5, 1, "a"]);
  if (NUMBERS.has(field.type)) return random.pick<Json>([0, 1, -5, 3.5, "2"]);
  if (field.type === "boolean") return random.pick<Json>([0, 1, "true"]);
  if (field.type.startsWith("date")) return random.pick<Json>([1711843200000, 0, "2024-02-29"]);
  return random.oneIn(2) ? keyword(random) : (value(random, field) ?? null);
}

/** `sort`, and what stands beside it. */
export function sortingOf(random: Random, world: World): JsonMap {
  const sort = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => sortOf(random, world));
  return {
    sort: sort.length === 1 && random.oneIn(4) ? sort[0] : sort,
    ...(random.oneIn(5) ? { track_scores: true } : {}),
    ...(random.oneIn(4) ? { search_after: sort.map((each) => afterOf(random, each, world)) } : {}),
  };
}
