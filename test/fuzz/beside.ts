/** Random requests beside plain searches: of several indices, in sequence, several at once, by retrievers, with parameters in the address. */
import { aggregationsOf, compositeOf } from "./aggregations.ts";
import { queryOf } from "./queries.ts";
import { INDEX } from "./query-strings.ts";
import type { Random } from "./random.ts";
import type { FuzzRequest } from "./requests.ts";
import { sortingOf } from "./sorts.ts";
import { knnOf, vectorFields } from "./vectors.ts";
import type { Json, JsonMap, World } from "./world.ts";

/** A request of a kind that is no single search. @param search makes the body of a search */
export function besideOf(random: Random, world: World, search: () => JsonMap): FuzzRequest {
  const query = () => queryOf(random, world, undefined, 1);
  return random.pick<() => FuzzRequest>([
    () => severalOf(random, world, search),
    () => pagesOf(random, world, query),
    () => bucketPagesOf(random, world, query),
    () => fieldCapsOf(random, world, query),
    () => ({
      method: "POST",
      target: targetOf(random, world),
      api: "_search",
      body: retrieverOf(random, world, search),
    }),
  ])();
}

/** One index or several. */
export function targetOf(random: Random, world: World): string {
  if (world.other === undefined) return random.oneIn(12) ? `${INDEX},${INDEX}-none` : INDEX;
  return random.oneIn(4) ? INDEX : random.pick([`${INDEX},${INDEX}-b`, `${INDEX}*`, `${INDEX}*`, `${INDEX}-b`]);
}

function severalOf(random: Random, world: World, search: () => JsonMap): FuzzRequest {
  const lines: JsonMap[] = [];
  for (let count = random.int(1, 3); count > 0; count--) {
    const header: JsonMap = random.oneIn(3) ? {} : { index: targetOf(random, world) };
    if (random.oneIn(6)) header.ignore_unavailable = random.oneIn(2);
    if (random.oneIn(8)) header.search_type = random.pick(["query_then_fetch", "dfs_query_then_fetch"]);
    if (random.oneIn(12)) header.allow_no_indices = random.oneIn(2);
    lines.push(header, search());
  }
  const parameters = random.pick([
    "",
    "",
    "?max_concurrent_searches=1",
    "?rest_total_hits_as_int=true",
    "?typed_keys=true",
  ]);
  return { method: "POST", api: `_msearch${parameters}`, body: {}, lines };
}

/** Pages with an order of their own, by values or in a point in time. */
function pagesOf(random: Random, world: World, query: () => JsonMap): FuzzRequest {
  const body: JsonMap = { size: random.int(1, 6), _source: false };
  if (!random.oneIn(3)) body.query = query();
  const { sort = ["_score"], ...others } = sortingOf(random, world);
  delete others.search_after;
  const sorts = Array.isArray(sort) ? sort : [sort];
  Object.assign(body, others, { sort: random.oneIn(8) ? [] : [...sorts, { _seq_no: random.pick(["asc", "desc"]) }] });
  if (random.oneIn(5)) body.track_total_hits = random.pick<Json>([true, false, 3]);
  if (random.oneIn(4)) {
    const grouped = world.fields.filter(({ type, nested }) => ["keyword", "integer", "long"].includes(type) && !nested);
    if (grouped.length > 0 && random.oneIn(2)) body.collapse = { field: random.pick(grouped).name };
    else body.slice = { id: random.int(0, 2), max: random.int(2, 3), field: "_id" };
  }
  // Sorts of several indices may have equal values throughout.
  const target = INDEX;
  return { method: "POST", target, api: "_search", body, pages: random.oneIn(2) ? "point in time" : "values" };
}

function bucketPagesOf(random: Random, world: World, query: () => JsonMap): FuzzRequest {
  const composite = { ...compositeOf(random, world, undefined), size: random.int(1, 5) };
  const pages: JsonMap = { composite };
  if (random.oneIn(2)) pages.aggs = aggregationsOf(random, world, query, 2);
  const body: JsonMap = { size: 0, aggs: { pages } };
  if (random.oneIn(2)) body.query = query();
  return { method: "POST", target: targetOf(random, world), api: "_search", body, pages: "buckets" };
}

function fieldCapsOf(random: Random, world: World, query: () => JsonMap): FuzzRequest {
  const name = () => random.pick(["*", "t*", "ne.*", "zz", "_*", random.pick(world.fields).name]);
  const parameters = new URLSearchParams({ fields: random.oneIn(2) ? name() : `${name()},${name()}` });
  if (random.oneIn(3)) parameters.set("include_unmapped", String(random.oneIn(2)));
  if (random.oneIn(4))
    parameters.set("filters", random.pick(["-metadata", "+metadata", "-parent", "-nested", "-multifield", "zz"]));
  if (random.oneIn(4)) parameters.set("types", random.pick(["keyword", "text,long", "nested", "zz"]));
  if (random.oneIn(5)) parameters.set("include_empty_fields", String(random.oneIn(2)));
  const body: JsonMap = random.oneIn(4) ? { index_filter: query() } : {};
  return { method: "POST", target: targetOf(random, world), api: `_field_caps?${parameters}`, body };
}

/** A search whose query is a retriever's. */
function retrieverOf(random: Random, world: World, search: () => JsonMap): JsonMap {
  const { knn: _knn, query: _query, sort, search_after, min_score, terminate_after, collapse, ...rest } = search();
  const query = () => queryOf(random, world, undefined, 1);
  const filter = (): JsonMap => (random.oneIn(3) ? { filter: random.oneIn(2) ? query() : [query(), query()] } : {});
  const vectors = vectorFields(world);
  const kept = Object.fromEntries(
    Object.entries({ sort, search_after, min_score, terminate_after, collapse }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as JsonMap;
  const body: JsonMap = { ...rest };
  if (vectors.length > 0 && random.oneIn(2)) {
    const { boost: _boost, ...knn } = knnOf(random, vectors, query);
    body.retriever = { knn: { k: 5, num_candidates: 100, ...knn, ...(min_score === undefined ? {} : { min_score }) } };
  } else {
    body.retriever = { standard: { ...(random.oneIn(5) ? {} : { query: query() }), ...filter(), ...kept } };
  }
  if (random.oneIn(10)) body[random.pick(["query", "min_score", "terminate_after"])] = random.pick<Json>([query(), 1]);
  if (random.oneIn(6)) (Object.values(body.retriever as JsonMap)[0] as JsonMap)._name = "named";
  return body;
}

const PATHS = [
  ..."hits.total hits.hits._id hits.hits._source hits.hits._source.t* **.key aggregations aggregations.*.buckets".split(
    " ",
  ),
  ..."hits.hits.fields,hits.hits._id hits -hits.hits._source -hits.hits._score,-took _shards error.type,status *.total".split(
    " ",
  ),
  ..."hits.hits.highlight hits.hits.sort **._id hits.max_score aggregations.**.doc_count zz profile.shards.index".split(
    " ",
  ),
];

/** Parameters of a search's address, as they follow a question mark. */
export function parametersOf(random: Random, world: World): string {
  const parameters = new URLSearchParams();
  const field = () => random.pick(["zz", "t*", "*", ...world.fields.map(({ name }) => name)]);
  const more: (() => readonly [string, string])[] = [
    () => ["filter_path", random.oneIn(3) ? `${random.pick(PATHS)},${random.pick(PATHS)}` : random.pick(PATHS)],
    () => ["filter_path", random.pick(PATHS)],
    () => ["rest_total_hits_as_int", String(random.oneIn(2))],
    () => ["typed_keys", String(!random.oneIn(4))],
    () => ["search_type", random.pick(["query_then_fetch", "dfs_query_then_fetch", "dfs_query_then_fetch", "zz"])],
    () => ["size", String(random.pick([0, 2, 20, -1, "x"]))],
    () => ["from", String(random.pick([0, 1, -1]))],
    () => ["_source", random.pick(["true", "false", "t*", "k1,t1", ""])],
    () => ["_source_includes", field()],
    () => ["_source_excludes", field()],
    () => ["docvalue_fields", field()],
    () => ["stored_fields", field()],
    () => ["sort", random.pick([`${field()}:asc`, `${field()}:desc,_score`, "_score", `${field()}:up`])],
    () => ["track_total_hits", random.pick(["true", "false", "2", "x", "-2"])],
    () => ["track_scores", String(random.oneIn(2))],
    () => ["terminate_after", random.pick(["1", "3", "0", "-1"])],
    () => ["allow_partial_search_results", String(random.oneIn(2))],
    () => ["ignore_unavailable", "true"],
    () => ["explain", "true"],
    () => ["version", "true"],
    () => ["seq_no_primary_term", "true"],
    () => ["batched_reduce_size", random.pick(["2", "1", "512"])],
    () => ["pre_filter_shard_size", random.pick(["1", "128", "0"])],
    () => ["timeout", random.pick(["10s", "1m", "x"])],
    () => ["stats", "a,b"],
    () => ["zz", "1"],
  ];
  for (const make of random.some(more, 1, 2)) parameters.set(...make());
  return parameters.toString();
}
