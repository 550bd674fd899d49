/** Random parts of a search that say what is shown of hits, how they are scored again and grouped, some of them wrong. */
import type { Random } from "./random.ts";
import type { Json, JsonMap, World } from "./world.ts";

const FORMATS = ["yyyy", "epoch_millis", "date_time", "0.00", "#,##0", "0.#E0", "%", "x", "", "dd/MM/yyyy||yyyy"];
const METADATA = ["_id", "_index", "_version", "_ignored", "_seq_no", "_routing", "_tier"];

/** @param query makes another query */
export function fetchOf(random: Random, world: World, query: () => JsonMap): JsonMap {
  const body: JsonMap = {};
  if (random.oneIn(2)) body.fields = fieldsOf(random, world);
  if (random.oneIn(3)) body.docvalue_fields = docValuesOf(random, world);
  if (random.oneIn(10)) body.stored_fields = storedOf(random, world);
  if (random.oneIn(4))
    body.rescore = random.oneIn(3) ? [rescoreOf(random, query), rescoreOf(random, query)] : rescoreOf(random, query);
  else if (random.oneIn(3)) Object.assign(body, collapseOf(random, world));
  return body;
}

function patternOf(random: Random, world: World): string {
  const { name } = random.pick(world.fields);
  return random.pick([name, name, name, "*", "t*", "*.raw", "ne.*", "n*", "ob.*", "zz", "", `${name[0]}*`]);
}

function itemOf(random: Random, world: World): Json {
  const field = random.oneIn(12) ? random.pick(METADATA) : patternOf(random, world);
  if (!random.oneIn(3)) return field;
  return {
    field,
    ...(random.oneIn(2) ? { format: random.pick(FORMATS) } : {}),
    ...(random.oneIn(2) ? { include_unmapped: random.oneIn(2) } : {}),
  };
}

function fieldsOf(random: Random, world: World): Json {
  return Array.from({ length: random.int(0, 3) }, () => itemOf(random, world));
}

/** Fields with doc values, mostly: one without fails the whole search. */
function docValuesOf(random: Random, world: World): Json {
  const columns = world.fields.filter(({ type }) => type !== "text" && !type.endsWith("_range"));
  if (columns.length === 0 || random.oneIn(15)) return fieldsOf(random, world);
  return Array.from({ length: random.int(1, 3) }, () => {
    const { name, type } = random.pick(columns);
    if (!random.oneIn(3)) return name;
    const dates = type.startsWith("date");
    return { field: name, format: random.pick(dates ? FORMATS.slice(0, 3) : FORMATS.slice(3)) };
  });
}

function storedOf(random: Random, world: World): Json {
  return random.pick<Json>([
    "_none_",
    [],
    ["_source"],
    [patternOf(random, world)],
    [patternOf(random, world), "_source"],
    "*",
  ]);
}

/** Windows that take in all hits: at their edge equal hits come in any order. */
function rescoreOf(random: Random, query: () => JsonMap): JsonMap {
  const inner: JsonMap = { rescore_query: query() };
  if (random.oneIn(2)) inner.score_mode = random.pick(["avg", "max", "min", "total", "multiply", "MAX"]);
  if (random.oneIn(2)) inner.query_weight = random.pick([0, 0.5, 1, 2, -1]);
  if (random.oneIn(2)) inner.rescore_query_weight = random.pick([0, 0.3, 3, "2"]);
  return { window_size: random.oneIn(30) ? 10_001 : random.pick([200, 1000, "500"]), query: inner };
}

/** Groups of hits that have an order of their own. */
function collapseOf(random: Random, world: World): JsonMap {
  const grouped = world.fields.filter(({ type }) => ["keyword", "integer", "long", "double"].includes(type));
  const { name } = random.pick(grouped.length === 0 || random.oneIn(8) ? world.fields : grouped);
  const order = random.pick(["asc", "desc"]);
  const collapse: JsonMap = { field: name };
  const group = (name: string): JsonMap => ({
    name,
    size: random.int(0, 4),
    sort: [{ _seq_no: random.pick([order, "desc"]) }],
    ...(random.oneIn(3) ? { fields: fieldsOf(random, world) } : {}),
    ...(random.oneIn(3) ? { _source: false } : {}),
    ...(random.oneIn(5) ? { from: random.int(0, 2) } : {}),
    ...(random.oneIn(6) ? { version: true } : {}),
    ...(random.oneIn(6) ? { collapse: { field: random.pick(world.fields).name } } : {}),
  });
  if (random.oneIn(2)) collapse.inner_hits = random.oneIn(3) ? [group("one"), group("two")] : group("more");
  if (random.oneIn(8)) collapse.max_concurrent_group_searches = random.pick([1, 4, 0]);
  return { collapse, sort: [{ _seq_no: order }] };
}

/** `inner_hits` of a nested query. @param name tells it from others of the same path */
export function innerHitsOf(random: Random, world: World, name: string): JsonMap {
  const within = world.fields.filter(({ nested }) => nested !== undefined);
  const options: JsonMap = random.oneIn(20) ? {} : { name };
  if (random.oneIn(2)) options.size = random.pick([0, 1, 2, 10, 101]);
  if (random.oneIn(4)) options.from = random.int(0, 2);
  if (random.oneIn(3)) options._source = random.pick<Json>([false, ["*.k"], { excludes: ["ne.*"] }, true]);
  if (random.oneIn(3)) options.fields = fieldsOf(random, world);
  if (random.oneIn(6)) options.version = true;
  if (random.oneIn(6)) options.explain = true;
  if (random.oneIn(4) && within.length > 0) {
    options.sort = [{ [random.pick(within).name]: { order: random.pick(["asc", "desc"]) } }];
  }
  return options;
}
