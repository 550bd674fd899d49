/** Random requests: searches with every part that there is, counts and texts to analyze. */

import { aggregationsOf } from "./aggregations.ts";
import { fetchOf } from "./fetch.ts";
import { highlightOf } from "./highlight.ts";
import { queryOf, words } from "./queries.ts";
import { runtimeMappingsOf, runtimeQueryOf } from "./query-strings.ts";
import type { Random } from "./random.ts";
import { sortingOf } from "./sorts.ts";
import { suggestOf } from "./suggest.ts";
import { knnOf, vectorFields } from "./vectors.ts";
import { ANALYZERS, type Json, type JsonMap, text, type World } from "./world.ts";

export interface FuzzRequest {
  readonly method: string;
  /** Indices and aliases, where it is not the index itself. */
  readonly target?: string;
  /** What is asked of the index, `_search` for example, with parameters. */
  readonly api: string;
  readonly body: JsonMap;
}

export function requestOf(random: Random, world: World): FuzzRequest {
  if (random.oneIn(15)) return analyzeOf(random, world);
  const body: JsonMap = {};
  const vectors = [...vectorFields(world), ...vectorFields(world, "ne")];
  const clause = () => knnOf(random, vectors, () => queryOf(random, world, undefined, 2));
  if (vectors.length > 0 && random.oneIn(5)) body.knn = random.oneIn(4) ? [clause(), clause()] : clause();
  if (body.knn === undefined || random.oneIn(3)) body.query = queryOf(random, world, undefined, 0);
  if (random.oneIn(12))
    return { method: "POST", api: "_count", body: body.query === undefined ? {} : { query: body.query } };
  if (random.oneIn(2)) body.size = random.pick([0, 1, 3, 10, 50]);
  if (random.oneIn(5)) body.from = random.int(0, 5);
  if (random.oneIn(4)) body._source = sourceOf(random, world);
  if (random.oneIn(8)) body.track_total_hits = random.pick<Json>([true, false, 3]);
  if (random.oneIn(10)) body.explain = true;
  if (random.oneIn(3)) body.highlight = highlightOf(random, world, () => queryOf(random, world, undefined, 2));
  if (random.oneIn(12)) {
    const mappings = runtimeMappingsOf(random, world);
    body.runtime_mappings = mappings;
    if (random.oneIn(2)) body.query = runtimeQueryOf(random, mappings);
  }
  if (random.oneIn(3))
    Object.assign(
      body,
      fetchOf(random, world, () => queryOf(random, world, undefined, 2)),
    );
  if (random.oneIn(8)) {
    body.suggest = suggestOf(random, world, () => words(random, world));
    if (random.oneIn(3)) delete body.query;
  }
  if (random.oneIn(15)) body.min_score = random.pick([0.1, 0.5, 1, 1.5]);
  if (random.oneIn(4)) body.aggs = aggregationsOf(random, world, () => queryOf(random, world, undefined, 2));
  const sorted = random.oneIn(3);
  if (sorted) Object.assign(body, sortingOf(random, world));
  if (random.oneIn(10) && body.knn === undefined && body.highlight === undefined) {
    // Mistakes of a scroll are told before those of its query.
    for (const key of ["from", "search_after", "track_total_hits"]) delete body[key];
    return { method: "POST", api: "_search?scroll=1m", body: { ...body, size: random.int(1, 4) } };
  }
  return { method: "POST", api: random.oneIn(12) ? `_search?${urlQueryOf(random, world)}` : "_search", body };
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
