/** Random requests: searches with every part that there is, counts and texts to analyze. */

import { aggregationsOf } from "./aggregations.ts";
import { besideOf, parametersOf, targetOf } from "./beside.ts";
import { fetchOf, innerHitsOf } from "./fetch.ts";
import { highlightOf } from "./highlight.ts";
import { queryOf, words } from "./queries.ts";
import { INDEX, runtimeMappingsOf, runtimeQueryOf } from "./query-strings.ts";
import type { Random } from "./random.ts";
import { sortingOf } from "./sorts.ts";
import { suggestOf } from "./suggest.ts";
import { knnOf, vectorFields } from "./vectors.ts";
import { ANALYZERS, isFresh, type Json, type JsonMap, text, type World } from "./world.ts";

export interface FuzzRequest {
  readonly method: string;
  /** Indices and aliases, where it is not the index itself. */
  readonly target?: string;
  /** What is asked of the index, `_search` for example, with parameters. */
  readonly api: string;
  readonly body: JsonMap;
  /** Lines of an `_msearch`, in the body's place. */
  readonly lines?: readonly JsonMap[];
  /** How the pages that follow are asked for, where all of them are wanted. */
  readonly pages?: "point in time" | "values" | "buckets";
}

export function requestOf(random: Random, world: World): FuzzRequest {
  if (random.oneIn(20)) return analyzeOf(random, world);
  if (random.oneIn(6)) return besideOf(random, world, () => searchOf(random, world));
  const body = searchOf(random, world);
  const target = random.oneIn(world.other === undefined ? 20 : 2) ? targetOf(random, world) : INDEX;
  if (random.oneIn(20))
    return { method: "POST", target, api: "_count", body: body.query === undefined ? {} : { query: body.query } };
  if (random.oneIn(12) && body.knn === undefined && body.highlight === undefined && body.profile === undefined) {
    // Mistakes of a scroll are told before those of its query.
    for (const key of ["from", "search_after", "track_total_hits"]) delete body[key];
    return { method: "POST", api: "_search?scroll=1m", body: { ...body, size: random.int(1, 4) } };
  }
  if (random.oneIn(12)) return { method: "POST", target, api: `_search?${urlQueryOf(random, world)}`, body };
  return { method: "POST", target, api: random.oneIn(8) ? `_search?${parametersOf(random, world)}` : "_search", body };
}

/** The body of a search, with any part that there is. */
function searchOf(random: Random, world: World): JsonMap {
  const body: JsonMap = {};
  const again = () => queryOf(random, world, undefined, 2);
  const vectors = [...vectorFields(world), ...vectorFields(world, "ne")];
  if (vectors.length > 0 && random.oneIn(5)) {
    const clause = (name: string): JsonMap => {
      const knn = knnOf(random, vectors, again);
      return random.oneIn(4) ? { ...knn, inner_hits: innerHitsOf(random, world, name) } : knn;
    };
    body.knn = random.oneIn(4) ? [clause("one"), clause("two")] : clause("near");
  }
  if (body.knn === undefined || random.oneIn(3)) body.query = queryOf(random, world, undefined, 0);
  if (random.oneIn(2)) body.size = random.pick([0, 1, 3, 10, 50]);
  if (random.oneIn(5)) body.from = random.int(0, 5);
  if (random.oneIn(4)) body._source = sourceOf(random, world);
  if (random.oneIn(8)) body.track_total_hits = random.pick<Json>([true, false, 3]);
  if (random.oneIn(10)) body.explain = true;
  if (random.oneIn(3)) body.highlight = highlightOf(random, world, again);
  if (random.oneIn(12)) {
    const mappings = runtimeMappingsOf(random, world);
    body.runtime_mappings = mappings;
    if (random.oneIn(2)) body.query = runtimeQueryOf(random, mappings);
  }
  if (random.oneIn(3)) Object.assign(body, fetchOf(random, world, again));
  if (random.oneIn(8)) {
    body.suggest = suggestOf(random, world, () => words(random, world));
    if (random.oneIn(3)) delete body.query;
  }
  if (random.oneIn(15)) body.min_score = random.pick([0.1, 0.5, 1, 1.5]);
  if (random.oneIn(10)) body.post_filter = again();
  if (random.oneIn(20)) body.terminate_after = random.pick([1, 3, 1000]);
  if (random.oneIn(12) && isFresh(world)) body.profile = true;
  if (random.oneIn(25)) body[random.pick(["version", "seq_no_primary_term", "track_scores"])] = true;
  if (world.other !== undefined && random.oneIn(4))
    body.indices_boost = random.pick<Json>([[{ [`${INDEX}-b`]: 2 }], [{ [INDEX]: 0.5 }, { [`${INDEX}*`]: 3 }]]);
  if (random.oneIn(4)) body.aggs = aggregationsOf(random, world, again);
  if (random.oneIn(3)) Object.assign(body, sortingOf(random, world));
  return body;
}

/** `q` and its options, some of them wrong or without it. */
export function urlQueryOf(random: Random, world: World): string {
  const params = new URLSearchParams();
  const field = () => random.pick(["*", "zz", "", ...world.fields.map(({ name }) => name)]);
  const asked = words(random, world);
  if (!random.oneIn(20))
    params.set("q", random.pick([asked, `${field()}:${asked}`, `"${asked}"`, `${asked}*`, "*", ""]));
  if (random.oneIn(2)) params.set("df", field());
  if (random.oneIn(4)) params.set("default_operator", random.pick(["AND", "or", "and", "", "xor"]));
  if (random.oneIn(4)) params.set("lenient", random.pick(["true", "false", "", " ", "x"]));
  if (random.oneIn(5)) params.set("analyzer", random.pick(["standard", "keyword", "whitespace", "nope"]));
  if (random.oneIn(5)) params.set("analyze_wildcard", random.pick(["true", "false", "", "x"]));
  return params.toString();
}

export function sourceOf(random: Random, world: World): Json {
  const pattern = () => random.pick([random.pick(world.fields).name, "*", "t*", "ob", "ne.*", "*.k", "zz"]);
  return random.pick<() => Json>([
    () => random.oneIn(2),
    pattern,
    () => [pattern(), pattern()],
    () => ({ includes: [pattern()], excludes: [pattern()] }),
    () => ({ excludes: [pattern(), pattern()] }),
  ])();
}

function analyzeOf(random: Random, world: World): FuzzRequest {
  const by: JsonMap = random.oneIn(2)
    ? { analyzer: random.pick(ANALYZERS) }
    : { field: random.pick(world.fields).name };
  // After a text without words IK counts on from the end of whichever text it cut before, someone else's too.
  const byIk = JSON.stringify(by.field === undefined ? by : world.mappings).includes('"ik_');
  const first = byIk ? `北京 ${text(random)}` : text(random);
  return {
    method: "POST",
    api: "_analyze",
    body: { ...by, text: random.oneIn(4) ? [first, text(random)] : first },
  };
}
